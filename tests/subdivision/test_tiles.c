// Penrose tiles fit together: whatever two triangles say of a common edge agrees, and the tiles cover the
// map.

#include "support.h"

#include "operations.h"
#include "subdivision/penrose.h"
#include "subdivision/sphere.h"

#include <math.h>
#include <stdlib.h>

enum { EDGES_MAX = 400000 };

typedef struct Side { // an edge, as one triangle sees it
    Place3 low, high;
    int64_t altitudes[2], river_altitude;
    uint32_t seeds[2];
    bool river, out;
} Side;

typedef struct Tiles {
    Side *sides;
    int count, splits, rises;
    double area;
} Tiles;

// What a triangle of either kind looks like from outside.
typedef struct Shape {
    Place3 places[3];
    Vertex vertices[3];
    Crossing edges[3];
} Shape;

static bool comes_first(Place3 a, Place3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static void add_side(Tiles *tiles, const Shape *shape, int i) {
    const int j = (i + 1) % 3;
    const bool turn = comes_first(shape->places[j], shape->places[i]);
    const int low = turn ? j : i, high = turn ? i : j;
    assert_true(tiles->count < EDGES_MAX);
    tiles->sides[tiles->count++] = (Side){ shape->places[low],
                                           shape->places[high],
                                           { shape->vertices[low].altitude, shape->vertices[high].altitude },
                                           shape->edges[i].altitude,
                                           { shape->vertices[low].seed, shape->vertices[high].seed },
                                           shape->edges[i].river,
                                           shape->edges[i].forwards };
}

static void add_shape(Tiles *tiles, const Shape *shape) {
    int in = 0, out = 0;
    int64_t lowest_in = INT64_MAX, highest_out = INT64_MIN;
    for (int i = 0; i < 3; i++) {
        const Crossing edge = shape->edges[i];
        add_side(tiles, shape, i);
        in += edge.river && !edge.forwards;
        out += edge.river && edge.forwards;
        if (edge.river && edge.forwards && edge.altitude > highest_out)
            highest_out = edge.altitude;
        if (edge.river && !edge.forwards && edge.altitude < lowest_in)
            lowest_in = edge.altitude;
    }
    tiles->splits += out > 1;
    tiles->rises += in > 0 && out > 0 && lowest_in < highest_out;
}

static void add_robinson(Tiles *tiles, const Constants *constants, const Robinson *triangle, double limit) {
    if (triangle->length > limit) {
        Robinson halves[2];
        robinson_cut(constants, triangle, halves);
        add_robinson(tiles, constants, &halves[0], limit);
        add_robinson(tiles, constants, &halves[1], limit);
        return;
    }
    const Place2 *at = triangle->places;
    // AB = BC, and the golden ratio between long and short sides: a wrong cut may fit together, too.
    const double legs[2] = { hypot(at[1].x - at[0].x, at[1].y - at[0].y),
                             hypot(at[2].x - at[1].x, at[2].y - at[1].y) };
    const double base = hypot(at[2].x - at[0].x, at[2].y - at[0].y);
    assert_near(triangle->acute ? legs[1] : base, triangle->length, 1e-12);
    assert_near(legs[0], legs[1], 1e-12);
    assert_near(triangle->acute ? legs[0] / base : base / legs[0], (1 + sqrt(5)) / 2, 1e-9);
    Shape shape;
    for (int i = 0; i < 3; i++)
        shape.places[i] = (Place3){ at[i].x, at[i].y, 0 };
    memcpy(shape.vertices, triangle->vertices, sizeof shape.vertices);
    memcpy(shape.edges, triangle->edges, sizeof shape.edges);
    add_shape(tiles, &shape);
    tiles->area +=
        0.5 * fabs((at[1].x - at[0].x) * (at[2].y - at[0].y) - (at[2].x - at[0].x) * (at[1].y - at[0].y));
}

static void add_facet(Tiles *tiles, const Constants *constants, const Facet *facet, double limit) {
    if (facet->longest > limit * limit) {
        Facet halves[2];
        facet_cut(constants, facet, halves);
        add_facet(tiles, constants, &halves[0], limit);
        add_facet(tiles, constants, &halves[1], limit);
        return;
    }
    Shape shape;
    memcpy(shape.places, facet->places, sizeof shape.places);
    memcpy(shape.vertices, facet->vertices, sizeof shape.vertices);
    memcpy(shape.edges, facet->edges, sizeof shape.edges);
    add_shape(tiles, &shape);
}

// Places agree to the bit.
static int by_place(const void *first, const void *second) {
    const Side *a = first, *b = second;
    const double off[6] = { a->low.x - b->low.x,   a->low.y - b->low.y,   a->low.z - b->low.z,
                            a->high.x - b->high.x, a->high.y - b->high.y, a->high.z - b->high.z };
    for (int i = 0; i < 6; i++)
        if (off[i] != 0)
            return off[i] < 0 ? -1 : 1;
    return 0;
}

// Fails where two triangles see an edge differently; returns how many edges have but one.
static int check_sides(Tiles *tiles, long *rivers) {
    int border = 0;
    qsort(tiles->sides, (size_t)tiles->count, sizeof *tiles->sides, by_place);
    for (int i = 0; i < tiles->count; i++) {
        const Side *a = &tiles->sides[i], *b = a + 1;
        if (i + 1 == tiles->count || by_place(a, b) != 0) {
            border++;
            continue;
        }
        assert_memory_equal(a->altitudes, b->altitudes, sizeof a->altitudes);
        assert_memory_equal(a->seeds, b->seeds, sizeof a->seeds);
        assert_int_equal(a->river, b->river);
        if (a->river) {
            assert_true(a->river_altitude == b->river_altitude);
            assert_int_equal(a->out, !b->out);
            ++*rivers;
        }
        i++;
    }
    return border;
}

static RiverMap *make_map(uint64_t seed) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, NULL, outputs, &error), error);
    return outputs[0].map;
}

static void penrose_tiles_fit_together(void **state) {
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
            add_robinson(&tiles, &map->constants, &kite[i], 0.01);
        }
        assert_near(tiles.area, whole, 1e-9);
        assert_true(check_sides(&tiles, &rivers) < 1500); // the kite's own sides only
        memory_free(map);
    }
    assert_true(rivers > 1000);
    assert_int_equal(tiles.splits, 0);
    assert_int_equal(tiles.rises, 0);
    free(tiles.sides);
}

static void a_sphere_is_closed(void **state) {
    (void)state;
    Tiles tiles = { .sides = malloc(EDGES_MAX * sizeof(Side)) };
    assert_non_null(tiles.sides);
    long rivers = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        RiverMap *map = make_map(seed);
        Facet faces[SPHERE_FACES];
        sphere_faces(map, faces);
        tiles.count = 0;
        for (int i = 0; i < SPHERE_FACES; i++) {
            const Place3 *at = faces[i].places;
            const Place3 middle = { at[0].x + at[1].x + at[2].x, at[0].y + at[1].y + at[2].y,
                                    at[0].z + at[1].z + at[2].z };
            assert_int_equal(sphere_face_at(middle), i);
            add_facet(&tiles, &map->constants, &faces[i], 0.03);
        }
        assert_int_equal(check_sides(&tiles, &rivers), 0);
        memory_free(map);
    }
    assert_true(rivers > 1000);
    assert_int_equal(tiles.splits, 0);
    assert_int_equal(tiles.rises, 0);
    free(tiles.sides);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(penrose_tiles_fit_together),
                                        cmocka_unit_test(a_sphere_is_closed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
