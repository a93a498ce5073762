// River networks by space colonisation: what must hold whatever the seed, and the same rivers by brute force.

#include "support.h"

#include "rivers/invariants.h"

#include "operations.h"
#include "rivers/growth.h"
#include "rivers/network.h"

#include <math.h>
#include <stdlib.h>

_Alignas(64) static unsigned char params[16384];

static void set(const char *name, double value) {
    Error error;
    const Param *param = operation_param(&op_river_network, name);
    assert_non_null(param);
    assert_ok(param_set_number(param, params, value, &error), error);
}

static void set_list(const char *name, Numbers numbers) {
    Error error;
    assert_ok(param_set_numbers(operation_param(&op_river_network, name), params, &numbers, &error), error);
}

static void begin(void) {
    params_initialise(&op_river_network, params);
}

// One island network; free with memory_free.
static RiverNetwork *grow(uint64_t seed) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_river_network, (Call){ .width = 400, .height = 300, .seed = seed }, params,
                            outputs, &error),
              error);
    return outputs[0].value;
}

static void fails_with(const char *message) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    const Status status =
        run_operation(&op_river_network, (Call){ .width = 400, .height = 300 }, params, outputs, &error);
    assert_int_equal(status, STATUS_INVALID);
    if (!strstr(error.text, message))
        fail_msg("'%s' is not in '%s'", message, error.text);
}

// --- invariants --------------------------------------------------------------------------------------------

static void assert_water_is_kept(const RiverNetwork *network) {
    double out = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        if (reach->downstream < 0)
            out += network->points[reach->first + reach->count - 2].area;
    }
    assert_true(out <= boundary_area(&network->boundary) * (1 + 1e-9));
    assert_true(out > 0.8 * boundary_area(&network->boundary));
}

static void rivers_fall_and_never_cross_anything(void **state) {
    (void)state;
    const Numbers star = { 20, { .5, .05, .6, .3, .95, .3,  .68, .45, .8, .7,
                                 .5, .55, .2, .7, .32, .45, .05, .3,  .4, .3 } };
    const uint64_t seeds = (uint64_t)rounds(12);
    for (uint64_t seed = 1; seed <= seeds; seed++)
        for (int kind = 0; kind < 4; kind++) {
            begin();
            set("points", 1500);
            set("rivers", 1 + (double)(seed % 5));
            set("ridges", kind == 1 ? 4 : 0);
            if (kind == 2)
                set("boundary", 1);
            if (kind == 3)
                set_list("polygon", star);
            set("meander", seed % 3 == 0 ? 0 : 1);
            RiverNetwork *network = grow(seed);
            assert_rivers_fall_to_mouths(network);
            assert_free_of_crossings(network);
            assert_mouths_are_apart(network);
            if (kind != 1)
                assert_water_is_kept(network);
            memory_free(network);
        }
}

// The crossings that the other tests rely on are found.
static void crossings_are_found(void **state) {
    (void)state;
    begin();
    set("points", 400);
    set("meander", 0);
    set_list("ridge_lines", (Numbers){ 6, { 1, 0.2, 0.05, 1, 0.8, 0.65 } });
    RiverNetwork *network = grow(1);
    assert_free_of_crossings(network);
    Error error;
    const struct {
        double x, y; // where a reach's second point goes: across the map, across the ridge, outside
    } moves[] = { { 390, 290 }, { 1, 290 }, { 500, 150 } };
    for (int i = 0; i < 3; i++) {
        Crossings crossings = { 0 };
        RiverPoint *point = &network->points[network->reaches[network->reach_count / 2].first], kept = *point;
        point->x = moves[i].x;
        point->y = moves[i].y;
        assert_ok(crossings_find(network, &crossings, &error), error);
        assert_true(crossings.count > 0);
        crossings_free(&crossings);
        *point = kept;
    }
    memory_free(network);
}

static void a_mask_holds_its_rivers(void **state) {
    (void)state;
    Field mask = noise_field(200, 150, 3);
    Output outputs[OUTPUTS_MAX];
    Error error;
    for (int y = 0; y < 150; y++) // an oval with a ragged shore
        for (int x = 0; x < 200; x++) {
            const float u = ((float)x - 100) / 90, v = ((float)y - 75) / 65;
            float *cell = &field_row(&mask, y)[x];
            *cell = u * u + v * v + 0.4f * *cell < 0.9f ? 1.0f : 0.0f;
        }
    begin();
    set("points", 1500);
    *(const Field **)(void *)(params + operation_param(&op_river_network, "mask")->offset) = &mask;
    assert_ok(run_operation(&op_river_network, (Call){ .width = 200, .height = 150, .seed = 5 }, params,
                            outputs, &error),
              error);
    const RiverNetwork *network = outputs[0].value;
    assert_rivers_fall_to_mouths(network);
    assert_true(network->reach_count > 100);
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        bool land = false; // in a cell of the mask, or, at mouths, beside one
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int x = (int)floor(point->x + 0.5 * dx), y = (int)floor(point->y + 0.5 * dy);
                land = land || (x >= 0 && y >= 0 && x < 200 && y < 150 && field_row(&mask, y)[x] > 0.5f);
            }
        assert_true(land);
    }
    outputs_free(outputs);
    field_free(&mask);
}

// Places are in map units, so that size changes nothing but the unit.
static void networks_do_not_depend_on_size(void **state) {
    (void)state;
    begin();
    set("points", 800);
    set("ridges", 1);
    Output small[OUTPUTS_MAX], large[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(&op_river_network, (Call){ .width = 128, .height = 128, .seed = 2 }, params,
                            small, &error),
              error);
    assert_ok(run_operation(&op_river_network, (Call){ .width = 1024, .height = 1024, .seed = 2 }, params,
                            large, &error),
              error);
    const RiverNetwork *a = small[0].value, *b = large[0].value;
    assert_int_equal(a->point_count, b->point_count);
    for (int i = 0; i < a->point_count; i++) {
        assert_near(8 * a->points[i].x, b->points[i].x, 1e-6);
        assert_true(a->points[i].altitude == b->points[i].altitude);
    }
    outputs_free(small);
    outputs_free(large);
}

static void walled_in_rivers_stop(void **state) {
    (void)state;
    begin();
    set("points", 600);
    set_list("mouths", (Numbers){ 2, { 0.5, 0 } });
    set_list("ridge_lines", (Numbers){ 12, { 1, 0.45, 0, 1, 0.45, 0.1, 1, 0.55, 0.1, 1, 0.55, 0 } });
    set("ridge_resolution", 1);
    RiverNetwork *network = grow(1);
    assert_free_of_crossings(network);
    for (int i = 0; i < network->point_count; i++)
        assert_true(network->points[i].x > 0.45 * 400 && network->points[i].x < 0.55 * 400);
    memory_free(network);
}

static void bad_input_is_named(void **state) {
    (void)state;
    begin();
    set("points", 3);
    set("rivers", 4);
    fails_with("rivers must be at most points, 3, got 4");
    begin();
    set_list("polygon", (Numbers){ 8, { 0.1, 0.1, 0.6, 0.6, 0.6, 0.1, 0.1, 0.6 } });
    fails_with("polygon crosses itself: the line from corner 1 meets that from corner 3");
    begin();
    set_list("polygon", (Numbers){ 6, { 0.1, 0.1, 0.6, 0.6, 0.6, 0.9 } });
    fails_with("corner 3 must be in the window, 0 to 1 and 0 to 0.75, got (0.6, 0.9)");
    begin();
    set_list("polygon", (Numbers){ 6, { 0.1, 0.1, 0.3, 0.3, 0.6, 0.6 } });
    fails_with("polygon");
    begin();
    set_list("mouths", (Numbers){ 2, { 0.5, 0.9 } });
    fails_with("mouths: number 1, (0.5, 0.9), is outside the boundary");
    begin();
    set_list("mouths", (Numbers){ 4, { 0.5, 0, 0.5, 0 } });
    fails_with("mouths: numbers 1 and 2 are the same");
    begin();
    set_list("ridge_lines", (Numbers){ 3, { 7, 0.5, 0.5 } });
    fails_with("ridge 7 has one point, but needs two");
    begin();
    set("kill", 0.1);
    set("reach", 0.05);
    fails_with("reach must be larger than kill, 0.1, got 0.05");
    begin();
    set("kill", 1e-7 * 200);
    set("step", 1e-6);
    fails_with("step must be at least 1e-05");
    Error error;
    begin();
    assert_int_equal(param_set_number(operation_param(&op_river_network, "points"), params, 0, &error),
                     STATUS_INVALID);
    assert_int_equal(param_set_number(operation_param(&op_river_network, "reach"), params, -1, &error),
                     STATUS_INVALID);
}

// --- brute force -------------------------------------------------------------------------------------------

// The published algorithm, every point against every tributary, in each step anew.
typedef struct Brute {
    Growth *rules; // boundary, walls, lengths
    Vec2 points[400];
    bool gone[400];
    int point_count;
    struct {
        Vec2 at;
        float x, y;
        int parent;
    } tributaries[4000];
    int count;
} Brute;

static bool sees(const Brute *brute, Vec2 from, Vec2 to) {
    for (int i = 0; i < brute->rules->wall_count; i++)
        if (lines_meet(from, to, brute->rules->walls[i].from, brute->rules->walls[i].to))
            return false;
    return true;
}

static bool may_grow(const Brute *brute, int from, Vec2 to, bool apart) {
    const Vec2 at = brute->tributaries[from].at;
    if (!sees(brute, at, to) || !boundary_holds(brute->rules->boundary, at, to))
        return false;
    for (int i = 0; i < brute->count; i++) {
        const int parent = brute->tributaries[i].parent;
        if (i == from)
            continue;
        if (apart && vec2_distance(brute->tributaries[i].at, to) < 0.5 * brute->rules->step)
            return false;
        if (parent >= 0 && parent != from &&
            lines_meet(at, to, brute->tributaries[parent].at, brute->tributaries[i].at))
            return false;
    }
    return true;
}

static void add(Brute *brute, int parent, Vec2 at) {
    const Vec2 from = brute->tributaries[parent].at;
    const double length = vec2_distance(from, at);
    assert_true(brute->count < 4000);
    brute->tributaries[brute->count].at = at;
    brute->tributaries[brute->count].x = length > 0 ? (float)((at.x - from.x) / length) : 0;
    brute->tributaries[brute->count].y = length > 0 ? (float)((at.y - from.y) / length) : 0;
    brute->tributaries[brute->count++].parent = parent;
}

// Of the first `count`, those there when the step began.
static int closest_tributary(const Brute *brute, int point, int count, double *distance) {
    int closest = -1;
    *distance = brute->rules->reach * brute->rules->reach;
    for (int i = 0; i < count; i++) {
        const double x = brute->points[point].x - brute->tributaries[i].at.x;
        const double y = brute->points[point].y - brute->tributaries[i].at.y, squared = x * x + y * y;
        if ((squared < *distance || (closest < 0 && squared <= *distance)) &&
            sees(brute, brute->tributaries[i].at, brute->points[point])) {
            *distance = squared;
            closest = i;
        }
    }
    return closest;
}

static void grow_one(Brute *brute, int tributary, int count) {
    int64_t sum_x = 0, sum_y = 0;
    int nearest = -1;
    double least = 0, distance;
    for (int i = 0; i < brute->point_count; i++) {
        if (brute->gone[i] || closest_tributary(brute, i, count, &distance) != tributary)
            continue;
        const double far = sqrt(distance);
        const Vec2 at = brute->tributaries[tributary].at;
        sum_x += (int64_t)((float)((brute->points[i].x - at.x) / far) * (float)(1 << 30));
        sum_y += (int64_t)((float)((brute->points[i].y - at.y) / far) * (float)(1 << 30));
        if (nearest < 0 || distance < least) {
            least = distance;
            nearest = i;
        }
    }
    if (nearest < 0)
        return;
    const Vec2 at = brute->tributaries[tributary].at;
    const double x = (double)brute->tributaries[tributary].x + (double)sum_x / (1 << 30);
    const double y = (double)brute->tributaries[tributary].y + (double)sum_y / (1 << 30);
    const double length = sqrt(x * x + y * y), step = brute->rules->step;
    const Vec2 mean = { at.x + x / length * step, at.y + y / length * step };
    const double far = vec2_distance(at, brute->points[nearest]);
    const Vec2 point = brute->points[nearest];
    const Vec2 straight =
        far > step ? (Vec2){ at.x + (point.x - at.x) * (step / far), at.y + (point.y - at.y) * (step / far) }
                   : point;
    bool complete = false; // a mouth has one child
    for (int i = 0; i < count; i++)
        complete = complete ||
                   (brute->tributaries[tributary].parent < 0 && brute->tributaries[i].parent == tributary);
    if (!complete && length > 1e-6 && may_grow(brute, tributary, mean, true))
        add(brute, tributary, mean);
    else if (!complete && may_grow(brute, tributary, straight, false) && sees(brute, straight, point))
        add(brute, tributary, straight);
    else
        brute->gone[nearest] = true;
}

static void kill_reached(Brute *brute, int first) {
    for (int t = first; t < brute->count; t++)
        for (int i = 0; i < brute->point_count; i++) {
            const double x = brute->points[i].x - brute->tributaries[t].at.x;
            const double y = brute->points[i].y - brute->tributaries[t].at.y;
            if (!brute->gone[i] && x * x + y * y <= brute->rules->kill * brute->rules->kill &&
                sees(brute, brute->tributaries[t].at, brute->points[i]))
                brute->gone[i] = true;
        }
}

static void grid_and_brute_force_agree(void **state) {
    (void)state;
    static Brute brute;
    for (uint64_t seed = 1; seed <= (UNDER_SANITIZERS ? 1 : 2); seed++) {
        Vec2 corners[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
        const Boundary boundary = { .corner_count = 4, .corners = corners, .convex = true };
        const Wall walls[] = { { { 0.2, 0.4 }, { 0.7, 0.5 } }, { { 0.7, 0.5 }, { 0.6, 0.8 } } };
        Growth growth = {
            .boundary = &boundary, .walls = walls, .wall_count = 2, .reach = 0.2, .kill = 0.02, .step = 0.03
        };
        Error error;
        memset(&brute, 0, sizeof brute);
        brute.rules = &growth;
        brute.point_count = 380;
        const RandomKey key = random_key(seed, 9);
        for (uint32_t i = 0; i < 380; i++)
            brute.points[i] = (Vec2){ (double)random_unit(key, i, 0), (double)random_unit(key, i, 1) };
        assert_ok(attraction_create(&growth.attraction, brute.points, 380, &error), error);
        assert_ok(growth_begin(&growth, 1, 1, &error), error);
        assert_ok(growth_plant(&growth, (Vec2){ 0.5, 0 }, (Vec2){ 0.5, 0.02 }, &error), error);
        for (int i = 0; i < growth.count; i++) { // the planted river is the same
            brute.tributaries[i].at = growth.tributaries[i].at;
            brute.tributaries[i].x = growth.tributaries[i].direction_x;
            brute.tributaries[i].y = growth.tributaries[i].direction_y;
            brute.tributaries[i].parent = growth.tributaries[i].parent;
        }
        brute.count = growth.count;
        kill_reached(&brute, 0);
        assert_ok(growth_run(&growth, &on_threads(1), &error), error);
        for (int before = -1; before != brute.count;) {
            before = brute.count;
            for (int i = 0; i < before; i++)
                grow_one(&brute, i, before);
            kill_reached(&brute, before);
        }
        assert_int_equal(growth.count, brute.count);
        assert_true(brute.count > 60);
        for (int i = 0; i < brute.count; i++) {
            assert_true(growth.tributaries[i].at.x == brute.tributaries[i].at.x);
            assert_true(growth.tributaries[i].at.y == brute.tributaries[i].at.y);
            assert_int_equal(growth.tributaries[i].parent, brute.tributaries[i].parent);
        }
        growth_free(&growth);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_fall_and_never_cross_anything),
        cmocka_unit_test(crossings_are_found),
        cmocka_unit_test(a_mask_holds_its_rivers),
        cmocka_unit_test(networks_do_not_depend_on_size),
        cmocka_unit_test(walled_in_rivers_stop),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(grid_and_brute_force_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
