// Tiles fit together: whatever two of them say of a common edge agrees, and they cover what they are cut from
// once.

#include "support.h"

#include "operations.h"
#include "rivermap/operations/tilings.h"
#include "rivermap/planet/sphere.h"

#include <math.h>
#include <stdlib.h>

enum { SIDES_MAX = 1500000 };

typedef struct Side { // an edge, as one tile sees it
    Vec3 low, high;
    Altitude altitudes[2], river_altitude;
    uint32_t seeds[2];
    float basin;
    bool river, out;
} Side;

typedef struct Tiles {
    Side *sides;
    int count;
    long rivers, splits, rises, shrinks;
    double area, smallest_angle;
    double longest; // of scalene tiles, against what it is without bends
} Tiles;

static bool comes_first(Vec3 a, Vec3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void add_side(Tiles *tiles, const Tile *tile, int i) {
    const int j = (i + 1) % 3;
    const bool turn = comes_first(tile->places[j], tile->places[i]);
    const int low = turn ? j : i, high = turn ? i : j;
    assert_true(tiles->count < SIDES_MAX);
    tiles->sides[tiles->count++] = (Side){ tile->places[low],
                                           tile->places[high],
                                           { tile->vertices[low].altitude, tile->vertices[high].altitude },
                                           tile->edges[i].altitude,
                                           { tile->vertices[low].seed, tile->vertices[high].seed },
                                           tile->edges[i].basin,
                                           tile->edges[i].river,
                                           tile->edges[i].forwards };
}

static void look_at_rivers(Tiles *tiles, const Tile *tile) {
    int in = 0, out = 0;
    double drained_in = 0, drained_out = 0;
    Altitude lowest_in = INT64_MAX, highest_out = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        const Crossing edge = tile->edges[i];
        if (!edge.river)
            continue;
        *(edge.forwards ? &out : &in) += 1;
        *(edge.forwards ? &drained_out : &drained_in) += (double)edge.basin * (double)edge.basin;
        if (edge.forwards && edge.altitude > highest_out)
            highest_out = edge.altitude;
        if (!edge.forwards && edge.altitude < lowest_in)
            lowest_in = edge.altitude;
    }
    tiles->splits += out > 1;
    tiles->rises += in > 0 && out > 0 && lowest_in < highest_out;
    tiles->shrinks += out > 0 && drained_out < drained_in * (1 - 1e-5);
}

static void look_at_shape(Tiles *tiles, const RiverMap *map, const Tile *tile) {
    double lengths[3];
    for (int i = 0; i < 3; i++)
        lengths[i] = sqrt(squared_distance(tile->places[i], tile->places[(i + 1) % 3]));
    const double long_side = fmax(lengths[0], fmax(lengths[1], lengths[2]));
    const double short_side = fmin(lengths[0], fmin(lengths[1], lengths[2]));
    const double half = (lengths[0] + lengths[1] + lengths[2]) / 2,
                 middle = 2 * half - long_side - short_side;
    if (map->tiling == &tiling_scalene)
        tiles->longest = fmax(tiles->longest, long_side / sqrt(tile->shape.longest));
    else
        assert_near(long_side, sqrt(tile->shape.longest), 1e-12);
    tiles->area += sqrt(half * (half - lengths[0]) * (half - lengths[1]) * (half - lengths[2]));
    const double angle =
        acos((middle * middle + long_side * long_side - short_side * short_side) / (2 * middle * long_side));
    tiles->smallest_angle = fmin(tiles->smallest_angle, angle * (180 / 3.141592653589793));
    if (map->tiling == &tiling_penrose) { // two sides are equal, and the golden ratio to the third
        assert_near(middle, tile->shape.acute ? long_side : short_side, 1e-12);
        assert_near(long_side / short_side, (1 + sqrt(5)) / 2, 1e-9);
    }
}

static void add_tile(Tiles *tiles, const RiverMap *map, const Tile *tile, double limit) {
    if (tile->shape.longest > limit * limit) {
        Tile halves[2];
        tile_cut(map, tile, halves);
        add_tile(tiles, map, &halves[0], limit);
        add_tile(tiles, map, &halves[1], limit);
        return;
    }
    look_at_shape(tiles, map, tile);
    look_at_rivers(tiles, tile);
    for (int i = 0; i < 3; i++)
        add_side(tiles, tile, i);
}

static int by_place(const void *first, const void *second) { // to the bit
    const Side *a = first, *b = second;
    const double off[6] = { a->low.x - b->low.x,   a->low.y - b->low.y,   a->low.z - b->low.z,
                            a->high.x - b->high.x, a->high.y - b->high.y, a->high.z - b->high.z };
    for (int i = 0; i < 6; i++)
        if (off[i] != 0)
            return off[i] < 0 ? -1 : 1;
    return 0;
}

// Fails where two tiles see an edge differently; leaves those that only one has, and returns their number.
static int match_sides(Tiles *tiles) {
    int border = 0;
    qsort(tiles->sides, (size_t)tiles->count, sizeof *tiles->sides, by_place);
    for (int i = 0; i < tiles->count; i++) {
        const Side *a = &tiles->sides[i], *b = a + 1;
        if (i + 1 == tiles->count || by_place(a, b) != 0) {
            tiles->sides[border++] = *a;
            continue;
        }
        assert_memory_equal(a->altitudes, b->altitudes, sizeof a->altitudes);
        assert_memory_equal(a->seeds, b->seeds, sizeof a->seeds);
        assert_int_equal(a->river, b->river);
        if (a->river) {
            assert_true(a->river_altitude == b->river_altitude && a->basin == b->basin);
            assert_int_equal(a->out, !b->out);
            tiles->rivers++;
        }
        i++;
    }
    return border;
}

static bool same_place(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y;
}

// The border must be one closed line, without cracks inside; returns the area that it holds.
static double area_inside(Side *border, int count) {
    double twice = 0;
    Vec3 at = border[0].low;
    for (int done = 0; done < count; done++) {
        int next = done;
        while (next < count && !same_place(border[next].low, at) && !same_place(border[next].high, at))
            next++;
        assert_true(next < count); // else the line has closed before all of it was walked: a crack
        const Side side = border[next];
        border[next] = border[done];
        border[done] = side;
        const Vec3 end = same_place(side.low, at) ? side.high : side.low;
        twice += at.x * end.y - end.x * at.y;
        at = end;
    }
    return fabs(twice) / 2;
}

static RiverMap *make_map(uint64_t seed, const char *tiling) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    assert_ok(param_set_text(operation_param(&op_river_map, "tiling"), params, tiling, &error), error);
    assert_ok(param_set_text(operation_param(&op_river_map, "land"), params, "raw", &error), error);
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, &error), error);
    return outputs[0].value;
}

static void check_tiling(const char *tiling, double limit, double smallest_angle) {
    Tiles tiles = { .sides = malloc(SIDES_MAX * sizeof(Side)), .smallest_angle = 180 };
    assert_non_null(tiles.sides);
    for (int seed = 1; seed <= rounds(4); seed++) {
        RiverMap *map = make_map((uint64_t)seed, tiling);
        Tile first[FIRST_TILES_MAX];
        const int count = first_tiles(map, first);
        tiles.count = 0;
        tiles.area = 0;
        for (int i = 0; i < count; i++) {
            if (map->tiling == &tiling_sphere)
                assert_int_equal(sphere_face_at(tile_middle(first[i].places)), i);
            add_tile(&tiles, map, &first[i], limit);
        }
        const int border = match_sides(&tiles);
        if (map->tiling == &tiling_sphere)
            assert_int_equal(border, 0);
        else // more inside the tiles than inside their border: some are turned over
            assert_near(tiles.area, area_inside(tiles.sides, border), 1e-9);
        memory_free(map);
    }
    print_message("# %s: %ld river edges, splits %ld, rises %ld, basins that shrink %ld, smallest angle "
                  "%.1f°, longest side %.2f\n",
                  tiling, tiles.rivers, tiles.splits, tiles.rises, tiles.shrinks, tiles.smallest_angle,
                  tiles.longest);
    assert_true(tiles.rivers > 1000);
    assert_int_equal(tiles.splits, 0);
    assert_int_equal(tiles.rises, 0);
    assert_int_equal(tiles.shrinks, 0);
    assert_true(tiles.smallest_angle >= smallest_angle);
    assert_true(tiles.longest < 1.4);
    free(tiles.sides);
}

static void penrose_tiles_fit_together(void **state) {
    (void)state;
    check_tiling("penrose", 0.01, 35.99);
}

static void scalene_tiles_fit_together(void **state) {
    (void)state;
    check_tiling("scalene", 0.018, 12);
}

static void a_sphere_is_closed(void **state) {
    (void)state;
    check_tiling("sphere", 0.03, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(penrose_tiles_fit_together),
                                        cmocka_unit_test(scalene_tiles_fit_together),
                                        cmocka_unit_test(a_sphere_is_closed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
