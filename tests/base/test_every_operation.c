// What must hold for every operation that takes fields or makes them, seen from C.

// Few, as carve, coast and set_rivers make edits of them: the same allocations, fewer times.
#define NETWORK_POINTS 150
#include "attempts.h"

#include "rivermap/tiling.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static Status attempt(const Operation *operation, const Field *field, Output *outputs, Error *error) {
    return attempt_choice(operation, NULL, 0, NULL, field, outputs, error);
}

// A map keeps its land, and goes with it.
static bool keeps_memory(const Operation *operation) {
    return operation->inputs[0].name && input_accepts(&operation->inputs[0], &type_map);
}

// Each allocation fails once, in the long run, and else ever fewer of them: an error each time, and
// nothing is left behind.
static void every_allocation_may_fail(void **state) {
    (void)state;
    free_some_values();
    Field field = noise_field(36, 26, 1);
    some_image(&field);
    const size_t first = memory_in_use();
    const bool long_run = times_as_many() >= 4;
    const long sparing = UNDER_SANITIZERS ? long_run ? 4 : 2 : long_run ? LONG_MAX : 6;
    for (const Operation *const *each = all_operations; *each; each++)
        if (!wants_text(*each))
            call_with(*each, &field); // makes what it takes
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each) || *each == &op_level) // which makes hundreds of edits, as those below do
            continue;
        const size_t before = memory_in_use();
        Status status = STATUS_MEMORY;
        const bool few = *each == &op_raise || *each == &op_crater || *each == &op_imprint ||
                         *each == &op_lake || *each == &op_coast || *each == &op_carve;
        const bool fewest = *each == &op_set_places || *each == &op_add_places || *each == &op_carve;
        const long share = fewest ? 1 : few ? 2 : sparing; // of those that have succeeded
        for (long successes = 0; status != STATUS_OK; successes += 1 + successes / share) {
            Output outputs[OUTPUTS_MAX];
            Error error;
            memory_fail_after(successes);
            status = attempt(*each, &field, outputs, &error);
            memory_fail_after(-1);
            if (status == STATUS_OK) {
                outputs_free(outputs);
            } else {
                assert_int_equal(status, STATUS_MEMORY);
                assert_non_null(strstr(error.text, "not enough memory"));
            }
            assert_true(keeps_memory(*each) || memory_in_use() == before);
        }
    }
    free_some_values();
    assert_int_equal(memory_in_use(), first);
    field_free(&field);
}

static bool makes_network(const Operation *operation) {
    return operation->outputs[0].type == &type_network;
}

// The fields' worth that an operation works in. A network's points are many or few, whatever the size of a
// field; realism has all of a tree of streams at once, stream_erosion trees on all levels, with sums in
// double precision; render makes the levels of eroded
// land, of which it keeps some, and takes freed blocks for them that may be up to four times too large.
static size_t fields_allowed(const Operation *operation) {
    if (operation == &op_render || operation == &op_altitude_at)
        return 40;
    if (operation == &op_places || operation == &op_roads) // makes levels of the land, and its climate
        return 60;
    if (operation == &op_perspective) // rows of all of its picture
        return 5;
    if (operation == &op_perturb) // squares of midpoints, twice a narrow field
        return 3;
    if (operation == &op_stream_erosion)
        return 16;
    if (operation == &op_stream_power) // heights, areas, rates and eliminations in double precision
        return 19;
    if (operation == &op_realism) // three for each cell of the tree, and what is asked for to visit it
        return 6;
    if (operation == &op_inpaint || operation == &op_from_points) // five in double precision, and levels
        return 12;
    if (operation == &op_breach) // costs and ways of a search
        return 5;
    if (operation == &op_path) // what a search reads of cells, its costs, and a queue
        return 7;
    if (operation == &op_lakes) // for each of many pits a record
        return 8;
    if (operation == &op_contour_map) // and its network, smoothed
        return 160;
    if (operation == &op_contours) // three times its lines; here every cell is part of several
        return 45;
    if (operation == &op_flow_direction || operation == &op_flow_accumulation ||
        operation == &op_wetness_index || operation == &op_stream_order ||
        operation == &op_height_above_river || operation == &op_distance_to_river || operation == &op_basins)
        return 4;                          // ways of flats: sides, weights, costs, buckets, stretches
    if (operation == &op_rivers_from_flow) // and its network
        return 6;
    if (operation == &op_polygonize || operation == &op_clip || operation == &op_lake ||
        operation == &op_coast ||
        operation == &op_grade) // lines, where each cell may be a polygon, and its ground
        return 150;
    if (operation == &op_catchment || operation == &op_catchments || operation == &op_longest_flow_path ||
        operation == &op_river_profiles || operation == &op_burn || operation == &op_snap)
        return 6;                                           // directions, flow and what is marked
    if (operation == &op_climate || operation == &op_cover) // computes the climate of the whole map
        return 8;
    if (operation == &op_set_rivers || operation == &op_add_rivers || operation == &op_set_places ||
        operation == &op_add_places || operation == &op_raise ||
        operation == &op_imprint) // makes the map's coarsest level
        return 6;
    if (operation == &op_crater || operation == &op_carve) // and finer ones around it
        return 18;
    if (operation == &op_identify)
        return 6; // directions, flow and the heights that both need
    if (operation == &op_sky_view || operation == &op_insolation || operation == &op_hillshade)
        return 3 + (size_t)processor_count(); // transposed fields, and lines for each thread
    return makes_network(operation) ? 5 : 2;
}

// Its result has 64 times the input's cells.
static bool makes_larger(const Operation *operation) {
    return strcmp(operation->name, "amplify") == 0;
}

// Beside inputs and results at most two fields' worth, and rows: with one result that is three times the
// input.
static void measure_working_memory(const Operation *operation, const Param *chosen, int choice,
                                   const Field *field) {
    enum { ROWS = 264 };
    Output outputs[OUTPUTS_MAX];
    Error error;
    call_with(operation, field); // makes what it takes
    const size_t before = memory_in_use(), rows = ROWS * (size_t)field->width * sizeof(float);
    memory_reset_peak();
    assert_ok(attempt_choice(operation, chosen, choice, NULL, field, outputs, &error), error);
    const size_t working = memory_peak() - memory_in_use(), bytes = field_count(field) * sizeof(float);
    if (working > fields_allowed(operation) * bytes + rows)
        fail_msg("%s %s works in %zu bytes beside its results, a field has %zu", operation->name,
                 chosen ? chosen->choices[choice] : "", working, bytes);
    outputs_free(outputs);
    assert_true(keeps_memory(operation) || memory_in_use() == before);
}

// Fields have 256 × 512 cells: narrow, so that rows count little. Windows of maps are wider, as the levels of
// their land are large anyway; what works in very many fields' worth is slow on them.
enum { WINDOW = 1024, FIELD = 256, SMALL = 128 };

static int wants_width(const Operation *operation) {
    const size_t allowed = fields_allowed(operation);
    const bool wide =
        keeps_memory(operation) || operation == &op_realism || operation == &op_hydraulic_erosion;
    return allowed >= 90 ? SMALL : wide ? WINDOW : FIELD;
}

// Each choice of each parameter is for the long run.
static void measure_all(int width, int height) {
    const bool choices = times_as_many() >= 4;
    Field field = noise_field(width, height, 1);
    free_some_values();
    some_image(&field);
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each) || makes_larger(*each) || wants_width(*each) != width)
            continue;
        measure_working_memory(*each, NULL, 0, &field);
        for (const Param *param = (*each)->params; choices && param && param->name; param++)
            for (int i = 0; param->choices && param->choices[i] && !needs_company(param); i++)
                measure_working_memory(*each, param, i, &field);
    }
    field_free(&field);
}

static void working_memory_is_bounded(void **state) {
    (void)state;
    if (UNDER_SANITIZERS) // a measurement, which shows them nothing new
        return;
    measure_all(WINDOW, 512);
    measure_all(FIELD, 512);
    measure_all(SMALL, 256);
}

// --- extreme heights ---------------------------------------------------------------------------------------

// Heights at the ends of what a float holds, and ranges so small that a division by them overflows.
static Field extreme_field(int which, int width, int height) {
    const float least = 0x1p-149f; // the smallest denormal
    Field field = noise_field(width, height, 7);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float *cell = &field_row(&field, y)[x];
            const float share = *cell;
            const bool odd = (x + y) % 2 != 0, high = share > 0.5f;
            switch (which) {
            case 0:
                *cell = odd ? FLT_MAX : -FLT_MAX;
                break;
            case 1:
                *cell = FLT_MAX * (2 * share - 1);
                break;
            case 2:
                *cell = FLT_MAX;
                break;
            case 3:
                *cell = -FLT_MAX;
                break;
            case 4:
                *cell = least * (float)(int)(100 * share);
                break;
            case 5:
                *cell = odd ? least : 0;
                break;
            case 6:
                *cell = high ? nextafterf(1, 2) : 1;
                break;
            case 7:
                *cell = high ? FLT_MAX : nextafterf(FLT_MAX, 0);
                break;
            case 8:
                *cell = odd ? FLT_MAX : least;
                break;
            case 9:
                *cell = odd ? -0.0f : 0;
                break;
            default:
                field_free(&field);
                return field;
            }
        }
    return field;
}

static bool takes_field(const Operation *operation) {
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        if (input_accepts(&operation->inputs[i], &type_field))
            return true;
    return false;
}

static void try_extreme(const Operation *operation, const Param *chosen, int choice, const Field *field,
                        int which) {
    Output outputs[OUTPUTS_MAX];
    Error error = { "" };
    const Status status = attempt_choice(operation, chosen, choice, NULL, field, outputs, &error);
    if (status != STATUS_OK && (status != STATUS_INVALID || !error.text[0]))
        fail_msg("%s of extreme heights %d fails with %d: %s", operation->name, which, status, error.text);
    for (int i = 0; status == STATUS_OK && i < OUTPUTS_MAX; i++)
        for (size_t c = 0; outputs[i].field.cells && c < field_count(&outputs[i].field); c++)
            if (!isfinite(outputs[i].field.cells[c]))
                fail_msg("%s of extreme heights %d is not finite", operation->name, which);
    outputs_free(outputs);
}

// Values of other types that operations take, of ordinary heights.
static void make_values(void) {
    Field plain = noise_field(40, 30, 1);
    free_some_values();
    for (const Operation *const *each = all_operations; *each; each++)
        if (!wants_text(*each))
            call_with(*each, &plain);
    field_free(&plain);
}

static void extreme_heights_give_finite_results_or_an_error(void **state) {
    (void)state;
    make_values();
    for (int which = 0;; which++) {
        Field field = extreme_field(which, 40, 30);
        if (!field.cells)
            return;
        int turn = 0; // so that each choice meets some of the extremes
        for (const Operation *const *each = all_operations; *each; each++) {
            // What takes other values alone meets no heights.
            const bool meets = takes_field(*each) || (which == 0 && !(*each)->inputs[0].name);
            if (wants_text(*each) || makes_network(*each) || !meets)
                continue;
            try_extreme(*each, NULL, 0, &field, which);
            for (const Param *param = (*each)->params; param && param->name; param++)
                for (int i = 0; i < values_to_try(param) && !needs_company(param); i++)
                    if (takes_turn(which + turn++))
                        try_extreme(*each, param, i, &field, which);
        }
        field_free(&field);
    }
}

static int make_map(void **state) {
    (void)state;
    return some_value(&type_map, NULL) && some_network() ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(working_memory_is_bounded),
        cmocka_unit_test(extreme_heights_give_finite_results_or_an_error),
    };
    return cmocka_run_group_tests(tests, make_map, NULL);
}
