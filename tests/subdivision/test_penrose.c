// Penrose tiles fit together: whatever two triangles say of a common edge agrees, and the tiles cover the
// map.

#include "support.h"

#include "operations.h"
#include "subdivision/penrose.h"

#include <math.h>
#include <stdlib.h>

enum { EDGES_MAX = 400000 };

typedef struct Side { // an edge, as one triangle sees it
    Place2 low, high;
    int64_t altitudes[2], river_altitude;
    uint32_t seeds[2];
    bool river, out, used;
} Side;

typedef struct Tiles {
    Side *sides;
    int count, longest, splits, rises;
    double area;
} Tiles;

static void add_side(Tiles *tiles, const Robinson *triangle, int i) {
    const int j = (i + 1) % 3;
    const Place2 a = triangle->places[i], b = triangle->places[j];
    const bool turn = a.x > b.x || (a.x == b.x && a.y > b.y);
    const int low = turn ? j : i, high = turn ? i : j;
    assert_true(tiles->count < EDGES_MAX);
    tiles->sides[tiles->count++] =
        (Side){ triangle->places[low],
                triangle->places[high],
                { triangle->vertices[low].altitude, triangle->vertices[high].altitude },
                triangle->edges[i].altitude,
                { triangle->vertices[low].seed, triangle->vertices[high].seed },
                triangle->edges[i].river,
                triangle->edges[i].forwards,
                false };
}

static void collect(Tiles *tiles, const Constants *constants, const Robinson *triangle, double limit) {
    if (triangle->length > limit) {
        Robinson halves[2];
        robinson_cut(constants, triangle, halves);
        collect(tiles, constants, &halves[0], limit);
        collect(tiles, constants, &halves[1], limit);
        return;
    }
    int in = 0, out = 0;
    int64_t lowest_in = INT64_MAX, highest_out = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        const Crossing edge = triangle->edges[i];
        add_side(tiles, triangle, i);
        in += edge.river && !edge.forwards;
        out += edge.river && edge.forwards;
        if (edge.river && edge.forwards && edge.altitude > highest_out)
            highest_out = edge.altitude;
        if (edge.river && !edge.forwards && edge.altitude < lowest_in)
            lowest_in = edge.altitude;
    }
    tiles->splits += out > 1;
    tiles->rises += in > 0 && out > 0 && lowest_in < highest_out;
    const Place2 *at = triangle->places;
    tiles->area +=
        0.5 * fabs((at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[2].x - at[0].x) * (at[1].y - at[0].y));
}

static int by_place(const void *first, const void *second) {
    const Side *a = first, *b = second;
    const double off[4] = { a->low.x - b->low.x, a->low.y - b->low.y, a->high.x - b->high.x,
                            a->high.y - b->high.y };
    for (int i = 0; i < 4; i++)
        if (fabs(off[i]) > 1e-9)
            return off[i] < 0 ? -1 : 1;
    return 0;
}

static RiverMap *make_map(uint64_t seed) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, NULL, outputs, &error), error);
    return outputs[0].map;
}

static void tiles_fit_together(void **state) {
    (void)state;
    Tiles tiles = { .sides = malloc(EDGES_MAX * sizeof(Side)) };
    assert_non_null(tiles.sides);
    long rivers = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        RiverMap *map = make_map(seed);
        Robinson kite[2];
        penrose_kite(map, kite);
        tiles.count = 0;
        tiles.area = 0;
        double whole = 0;
        for (int i = 0; i < 2; i++) {
            const Place2 *at = kite[i].places;
            whole += 0.5 * fabs((at[1].x - at[0].x) * (at[2].y - at[0].y) -
                                (at[2].x - at[0].x) * (at[1].y - at[0].y));
            collect(&tiles, &map->constants, &kite[i], 0.01);
        }
        assert_near(tiles.area, whole, 1e-9);
        qsort(tiles.sides, (size_t)tiles.count, sizeof *tiles.sides, by_place);
        int border = 0;
        for (int i = 0; i < tiles.count; i++) {
            const Side *a = &tiles.sides[i], *b = a + 1;
            if (i + 1 == tiles.count || by_place(a, b) != 0) {
                border++;
                continue;
            }
            assert_memory_equal(a->altitudes, b->altitudes, sizeof a->altitudes);
            assert_memory_equal(a->seeds, b->seeds, sizeof a->seeds);
            assert_memory_equal(&a->low, &b->low, sizeof a->low); // the places, too, to the bit
            assert_memory_equal(&a->high, &b->high, sizeof a->high);
            assert_int_equal(a->river, b->river);
            if (a->river) {
                assert_true(a->river_altitude == b->river_altitude);
                assert_int_equal(a->out, !b->out);
                rivers++;
            }
            i++;
        }
        assert_true(border < 1500); // the kite's own sides only
        memory_free(map);
    }
    assert_true(rivers > 1000);
    assert_int_equal(tiles.splits, 0);
    assert_int_equal(tiles.rises, 0);
    free(tiles.sides);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(tiles_fit_together) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
