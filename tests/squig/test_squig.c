// Squig curves and mountains: what must hold whatever the seed.

#include "support.h"

#include "operations.h"
#include "rivers/network.h"
#include "squig/squig.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[16384];

static void begin(const Operation *operation) {
    params_initialise(operation, params);
}

static void set(const Operation *operation, const char *name, double value) {
    Error error;
    const Param *param = operation_param(operation, name);
    assert_non_null(param);
    assert_ok(param_set_number(param, params, value, &error), error);
}

static void set_text(const Operation *operation, const char *name, const char *text) {
    Error error;
    assert_ok(param_set_text(operation_param(operation, name), params, text, &error), error);
}

static uint64_t seeds(int few) {
    return (uint64_t)rounds(few);
}

// --- the curve ---------------------------------------------------------------------------------------------

static uint64_t edge_name(const SquigTriangle *triangle, SquigEdge edge) {
    int x, y;
    squig_middle(triangle, edge, &x, &y);
    return (uint64_t)(uint32_t)y << 32 | (uint32_t)x;
}

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Two triangles share every crossed edge but the first and the last: what leaves one enters another, and no
// triangle is passed twice.
static void check_course(const Squig *squig, uint64_t first, uint64_t last) {
    const size_t count = (size_t)squig->count;
    uint64_t *exits = malloc(count * sizeof *exits), *entries = malloc((2 * count + 1) * sizeof *entries);
    uint64_t *places = malloc(count * sizeof *places);
    size_t entry_count = 0, sources = 0, confluences = 0;
    for (size_t i = 0; i < count; i++) {
        const SquigTriangle *triangle = &squig->triangles[i];
        exits[i] = edge_name(triangle, triangle->exit);
        places[i] = (uint64_t)triangle->lower << 63 | (uint64_t)triangle->y << 32 | (uint64_t)triangle->x;
        int inflows = 0;
        for (SquigEdge edge = 0; edge < SQUIG_EDGES; edge++)
            if (triangle->entries >> edge & 1) {
                assert_int_not_equal(edge, triangle->exit);
                entries[entry_count++] = edge_name(triangle, edge);
                inflows++;
            }
        sources += inflows == 0;
        confluences += inflows == 2;
        assert_true(triangle->high >= triangle->low);
    }
    assert_int_equal(sources, confluences);
    entries[entry_count++] = last;
    qsort(exits, count, sizeof *exits, ascending);
    qsort(entries, entry_count, sizeof *entries, ascending);
    qsort(places, count, sizeof *places, ascending);
    for (size_t i = 1; i < count; i++)
        assert_true(places[i] != places[i - 1] && exits[i] != exits[i - 1]);
    assert_int_equal(entry_count, count + 1);
    bool entered = false;
    for (size_t i = 0, k = 0; i < entry_count; i++) {
        if (k < count && entries[i] == exits[k]) {
            k++;
        } else {
            assert_true(!entered && entries[i] == first);
            entered = true;
        }
    }
    assert_true(entered);
    free(exits);
    free(entries);
    free(places);
}

// Every triangle lies in one of the level before, in the same order.
static void check_parents(const Squig *squig, const SquigTriangle *before, int before_count) {
    int at = 0;
    for (int i = 0; i < squig->count; i++) {
        const SquigTriangle *child = &squig->triangles[i];
        const int x = child->x / 2, y = child->y / 2;
        // a cell's diagonal runs from its upper left: the child is above it or below, or is the centre
        const bool lower = child->x % 2 == child->y % 2 ? child->lower : child->y % 2 > child->x % 2;
        while (at < before_count && !(before[at].x == x && before[at].y == y && before[at].lower == lower))
            at++;
        assert_true(at < before_count);
    }
}

static void rivers_run_on_without_crossing_themselves(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < seeds(200); seed++) {
        const SquigTriangle whole = { .entries = 1 << SQUIG_ACROSS, .exit = SQUIG_DOWN, .high = 1 };
        Squig squig = { .tributaries = seed % 2 ? 0.4 : 0,
                        .branch_levels = 5,
                        .waterfalls = (double)(seed % 3) * 0.5 };
        Error error;
        assert_ok(squig_begin(&squig, seed, &whole, 1, &error), error);
        for (int level = 0; level < 8; level++) {
            uint64_t first = 0, last = 0;
            for (int i = 0; i < squig.count;
                 i++) { // on the borders: the triangle's upper row, its right column
                const SquigTriangle *triangle = &squig.triangles[i];
                if (triangle->entries >> SQUIG_ACROSS & 1 && triangle->y == 0 && !triangle->lower)
                    first = edge_name(triangle, SQUIG_ACROSS);
                if (triangle->exit == SQUIG_DOWN && triangle->x == (1 << level) - 1 && !triangle->lower)
                    last = edge_name(triangle, SQUIG_DOWN);
            }
            assert_true(first && last);
            check_course(&squig, first, last);
            const int before_count = squig.count;
            SquigTriangle *before = malloc((size_t)before_count * sizeof *before);
            memcpy(before, squig.triangles, (size_t)before_count * sizeof *before);
            assert_ok(squig_reserve(&squig, &error), error);
            squig_subdivide(&squig, 0.1 / (1 << level));
            squig_advance(&squig);
            check_parents(&squig, before, before_count);
            free(before);
        }
        squig_free(&squig);
    }
}

static double side_of(Vec2 a, Vec2 b, Vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Brute force over a polyline: the picture itself, not the bookkeeping.
static void the_drawn_curve_does_not_cross_itself(void **state) {
    (void)state;
    const Operation *curve = &op_squig_curve;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        begin(curve);
        set(curve, "levels", 5);
        set(curve, "tributaries", seed % 2 ? 0.7 : 0);
        assert_ok(run_operation(curve, (Call){ .width = 512, .height = 512, .seed = seed }, params, outputs,
                                &error),
                  error);
        const RiverNetwork *network = outputs[0].value;
        assert_true(seed % 2 ? network->reach_count >= 1 : network->reach_count == 1);
        Vec2 from[4000], to[4000];
        int count = 0;
        for (int i = 0; i < network->reach_count; i++)
            for (int k = 1; k < network->reaches[i].count; k++) {
                const RiverPoint *points = network->points + network->reaches[i].first;
                assert_true(count < 4000);
                from[count] = (Vec2){ points[k - 1].x, points[k - 1].y };
                to[count++] = (Vec2){ points[k].x, points[k].y };
            }
        for (int i = 0; i < count; i++)
            for (int k = 0; k < i; k++)
                if (side_of(from[i], to[i], from[k]) * side_of(from[i], to[i], to[k]) < -1e-6 &&
                    side_of(from[k], to[k], from[i]) * side_of(from[k], to[k], to[i]) < -1e-6)
                    fail_msg("seed %d: lines %d and %d cross", (int)seed, i, k);
        outputs_free(outputs);
    }
}

// --- the mountain ------------------------------------------------------------------------------------------

typedef struct Variant {
    double slope, waterfalls, symmetry, tributaries, smoothness;
} Variant;

static const Variant variants[] = {
    { 0 },
    { .slope = 0.3 },
    { .slope = 0.6, .waterfalls = 1 },
    { .symmetry = 1 },
    { .tributaries = 0.5 },
    { .slope = 0.3, .waterfalls = 0.5, .symmetry = 0.7, .tributaries = 0.4, .smoothness = 1 },
    { .slope = 0.2, .symmetry = 1, .tributaries = 1, .smoothness = 0.5 },
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static void make_mountain(const Variant *variant, int levels, uint64_t seed, Output *outputs) {
    const Operation *mountain = &op_squig_mountain;
    Error error;
    begin(mountain);
    set(mountain, "levels", levels);
    set(mountain, "slope", variant->slope);
    set(mountain, "waterfalls", variant->waterfalls);
    set(mountain, "symmetry", variant->symmetry);
    set(mountain, "tributaries", variant->tributaries);
    set(mountain, "smoothness", variant->smoothness);
    static const char *const sides[] = { "left", "top", "right", "bottom" };
    set_text(mountain, "entry", sides[seed % 4]);
    set_text(mountain, "exit", sides[(seed + 1 + seed / 4 % 3) % 4]);
    assert_ok(run_operation(mountain, (Call){ .seed = seed }, params, outputs, &error), error);
}

// The vertices that the river passes, as its points; and what is beside them in the mesh of triangles.
static void check_banks(const Output *outputs) {
    static const int beside[6][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 }, { 1, 1 }, { -1, -1 } };
    const Field *height = &outputs[0].field;
    const RiverNetwork *network = outputs[2].value;
    Field wet = { 0 };
    Error error;
    assert_ok(field_create(&wet, height->width, height->height, &error), error);
    memset(field_cells(&wet), 0, field_count(&wet) * sizeof(float));
    for (int i = 0; i < network->point_count; i++)
        field_row(&wet, (int)network->points[i].y)[(int)network->points[i].x] = 1;
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        const int x = (int)point->x, y = (int)point->y;
        const float water = field_row(height, y)[x];
        assert_near((double)point->altitude, (double)water, 2e-6);
        assert_near((double)field_row(&outputs[1].field, y)[x], 1, 0);
        for (int k = 0; k < 6; k++) {
            const int column = x + beside[k][0], row = y + beside[k][1];
            if (column < 0 || row < 0 || column >= height->width || row >= height->height ||
                field_row(&wet, row)[column] > 0)
                continue;
            if (field_row(height, row)[column] < water)
                fail_msg("(%d, %d) at %.9g lies below the river beside it at (%d, %d), %.9g", column, row,
                         (double)field_row(height, row)[column], x, y, (double)water);
        }
    }
    field_free(&wet);
}

// From point to point through the mesh, and down.
static void check_fall(const RiverNetwork *network, double slope) {
    const RiverPoint *mouth = NULL;
    double highest = -1;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        const RiverPoint *points = network->points + reach->first;
        for (int k = 1; k < reach->count; k++) {
            const double x = points[k].x - points[k - 1].x, y = points[k].y - points[k - 1].y;
            assert_true(fabs(x) <= 1 && fabs(y) <= 1 && x * y >= 0 && (x != 0 || y != 0));
            assert_true(points[k].altitude <= points[k - 1].altitude);
            assert_true(points[k].area >= points[k - 1].area);
        }
        highest = (double)points[0].altitude > highest ? (double)points[0].altitude : highest;
        if (reach->downstream < 0) { // two may meet at the border
            const RiverPoint *end = &points[reach->count - 1];
            mouth = mouth ? mouth : end;
            assert_true(end->x == mouth->x && end->y == mouth->y);
        }
        if (reach->downstream >= 0)
            assert_true(network->points[network->reaches[reach->downstream].first].altitude <=
                        points[reach->count - 1].altitude);
    }
    assert_non_null(mouth);
    assert_true(highest >= slope - 1e-6);
}

static void no_land_lies_lower_than_the_river_beside_it(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < seeds(60); seed++)
        for (int i = 0; i < VARIANTS; i++) {
            Output outputs[OUTPUTS_MAX];
            make_mountain(&variants[i], 6, seed, outputs);
            check_banks(outputs);
            check_fall(outputs[2].value, variants[i].slope);
            for (size_t k = 0; k < field_count(&outputs[0].field); k++)
                assert_true(outputs[0].field.cells[k] >= 0 && outputs[0].field.cells[k] <= 1);
            outputs_free(outputs);
        }
}

// "These vertices have the same altitude, and are guaranteed to be the lowest of all points."
static void the_published_river_is_level_and_lowest(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < seeds(60); seed++) {
        Output outputs[OUTPUTS_MAX];
        make_mountain(&variants[0], 7, seed, outputs);
        const double alt = 0.5 * (1 - 2 * 0.5 * (1 - pow(0.5, 7)));
        for (size_t i = 0; i < field_count(&outputs[0].field); i++)
            assert_true((double)outputs[0].field.cells[i] >= alt);
        const RiverNetwork *river = outputs[2].value;
        for (int i = 0; i < river->point_count; i++)
            assert_near((double)river->points[i].altitude, alt, 0);
        outputs_free(outputs);
    }
}

static void coarser_levels_are_part_of_finer_ones(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < seeds(40); seed++)
        for (int i = 0; i < VARIANTS; i++) {
            if (variants[i].symmetry > 0)
                continue;
            Output coarse[OUTPUTS_MAX], fine[OUTPUTS_MAX];
            make_mountain(&variants[i], 5, seed, coarse);
            make_mountain(&variants[i], 7, seed, fine);
            for (int y = 0; y < 33; y++)
                for (int x = 0; x < 33; x++)
                    if (field_row(&coarse[0].field, y)[x] != field_row(&fine[0].field, 4 * y)[4 * x])
                        fail_msg("seed %d, variant %d, (%d, %d): %.9g is not %.9g", (int)seed, i, x, y,
                                 (double)field_row(&coarse[0].field, y)[x],
                                 (double)field_row(&fine[0].field, 4 * y)[4 * x]);
            outputs_free(coarse);
            outputs_free(fine);
        }
}

// The mean difference of the two banks' steepness over their sum, four cells from the river.
static double asymmetry(const Output *outputs) {
    const Field *height = &outputs[0].field;
    const RiverNetwork *network = outputs[2].value;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        for (int k = 8; k < reach->count - 8; k++) {
            const RiverPoint *points = network->points + reach->first;
            const double x = points[k + 8].x - points[k - 8].x, y = points[k + 8].y - points[k - 8].y;
            const double length = sqrt(x * x + y * y);
            if (length < 4)
                continue;
            double rise[2];
            bool inside = true;
            for (int bank = 0; bank < 2; bank++) {
                const double way = bank ? 4 : -4;
                const int column = (int)(points[k].x - way * y / length),
                          row = (int)(points[k].y + way * x / length);
                inside = inside && column >= 0 && row >= 0 && column < height->width && row < height->height;
                rise[bank] = inside ? (double)(field_row(height, row)[column] - points[k].altitude) : 0;
            }
            if (!inside || rise[0] == rise[1])
                continue;
            sum += fabs(rise[0] - rise[1]) / (fabs(rise[0]) + fabs(rise[1]));
            count++;
        }
    }
    return count ? sum / count : 0;
}

static void symmetry_makes_both_banks_alike(void **state) {
    (void)state;
    double before = 0, after = 0;
    for (uint64_t seed = 0; seed < 24; seed++) {
        Output outputs[OUTPUTS_MAX];
        make_mountain(&variants[0], 8, seed, outputs);
        before += asymmetry(outputs) / 24;
        outputs_free(outputs);
        make_mountain(&(Variant){ .symmetry = 1 }, 8, seed, outputs);
        after += asymmetry(outputs) / 24;
        outputs_free(outputs);
    }
    if (!(after < 0.6 * before))
        fail_msg("asymmetry %.3f before, %.3f after", before, after);
}

// On the triangles: at every size the mesh's own vertices, and planes between them.
static void sizes_sample_the_same_mountain(void **state) {
    (void)state;
    const Operation *mountain = &op_squig_mountain;
    Output whole[OUTPUTS_MAX], larger[OUTPUTS_MAX];
    Error error;
    begin(mountain);
    set(mountain, "levels", 4);
    assert_ok(run_operation(mountain, (Call){ .seed = 3 }, params, whole, &error), error);
    set(mountain, "size", 65);
    assert_ok(run_operation(mountain, (Call){ .seed = 3 }, params, larger, &error), error);
    for (int y = 0; y < 17; y++)
        for (int x = 0; x < 17; x++)
            assert_near((double)field_row(&larger[0].field, 4 * y)[4 * x],
                        (double)field_row(&whole[0].field, y)[x], 1e-7);
    const float *row = field_row(&larger[0].field, 2), *corner = field_row(&whole[0].field, 0);
    assert_near((double)row[2], 0.5 * (double)(corner[0] + field_row(&whole[0].field, 1)[1]), 1e-7);
    outputs_free(whole);
    outputs_free(larger);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    Output outputs[OUTPUTS_MAX];
    Error error;
    const Operation *both[] = { &op_squig_mountain, &op_squig_curve };
    for (int i = 0; i < 2; i++) {
        begin(both[i]);
        set_text(both[i], "entry", "right");
        assert_int_equal(run_operation(both[i], (Call){ .width = 64, .height = 64 }, params, outputs, &error),
                         STATUS_INVALID);
        assert_non_null(strstr(error.text, "entry and exit must be two"));
        assert_non_null(strstr(error.text, "got \"right\" for both"));
        assert_int_equal(param_set_number(operation_param(both[i], "levels"), params, -1, &error),
                         STATUS_INVALID);
        assert_non_null(strstr(error.text, "levels must be"));
        assert_int_equal(param_set_number(operation_param(both[i], "levels"), params, 99, &error),
                         STATUS_INVALID);
    }
    begin(&op_squig_mountain);
    set(&op_squig_mountain, "size", 1);
    assert_int_equal(run_operation(&op_squig_mountain, (Call){ 0 }, params, outputs, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "size must be 2 to 65536, or 0, got 1"));
    begin(&op_squig_mountain);
    set(&op_squig_mountain, "levels", 15);
    const size_t limit = memory_limit();
    memory_set_limit((size_t)1 << 30);
    assert_int_equal(run_operation(&op_squig_mountain, (Call){ 0 }, params, outputs, &error), STATUS_MEMORY);
    memory_set_limit(limit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_run_on_without_crossing_themselves),
        cmocka_unit_test(the_drawn_curve_does_not_cross_itself),
        cmocka_unit_test(no_land_lies_lower_than_the_river_beside_it),
        cmocka_unit_test(the_published_river_is_level_and_lowest),
        cmocka_unit_test(coarser_levels_are_part_of_finer_ones),
        cmocka_unit_test(symmetry_makes_both_banks_alike),
        cmocka_unit_test(sizes_sample_the_same_mountain),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
