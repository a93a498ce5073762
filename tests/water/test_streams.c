// What is known of each cell from where its water goes, against walks from cell to cell.

#include "rivers/invariants.h"

#include "core/memory.h"
#include "operations.h"
#include "water/flow.h"

#include <math.h>

enum { KINDS = 4 };

static const double threshold = 0.002;
_Alignas(64) static unsigned char params[16384];

// Land with pits, flats and a sea, of several bands of rows.
static Field land(int kind) {
    static const int sizes[KINDS][2] = { { 61, 47 }, { 2100, 70 }, { 300, 300 }, { 1, 40 } };
    Call call = { .width = max(sizes[kind][0], 2), .height = sizes[kind][1], .seed = (uint64_t)kind };
    Field field = run_field(&op_diamond_square, call, NULL), noise = noise_field(call.width, call.height, 3);
    for (size_t i = 0; i < field_count(&field); i++) {
        const float height = field.cells[i] + 0.05f * noise.cells[i] - 0.3f;
        field_cells(&field)[i] = kind == 2 ? floorf(height * 40) / 40 : height;
    }
    field_free(&noise);
    return field;
}

typedef struct Truth {
    Field height;
    Flow flow;
    const Field *rivers;
} Truth;

static Truth find(int kind) {
    Truth truth = { .height = land(kind) };
    Error error;
    truth.flow.drainage.height = &truth.height;
    assert_ok(field_create(&truth.flow.drainage.filled, truth.height.width, truth.height.height, &error),
              error);
    assert_ok(field_create(&truth.flow.sum, truth.height.width, truth.height.height, &error), error);
    assert_ok(flow_find(&on_threads(1), &truth.flow, false, &error), error);
    assert_ok(flow_accumulate(&on_threads(1), &truth.flow, &error), error);
    truth.flow.drainage.height = NULL; // the struct moves
    return truth;
}

static void release(Truth *truth) {
    flow_free(&truth->flow);
    field_free(&truth->flow.sum);
    field_free(&truth->flow.drainage.filled);
    field_free(&truth->height);
}

static Field run_on(const Truth *truth, const Operation *operation, const char *method, int threads) {
    Error error;
    Output outputs[OUTPUTS_MAX];
    params_initialise(operation, params);
    if (method)
        assert_ok(param_set_text(operation_param(operation, "method"), params, method, &error), error);
    assert_ok(param_set_number(operation_param(operation, "threshold"), params, threshold, &error), error);
    if (truth->rivers)
        *(const Field **)(void *)(params + operation_param(operation, "rivers")->offset) = truth->rivers;
    const Call call = { .run = &on_threads(threads), .inputs = { { .field = &truth->height } } };
    assert_ok(run_operation(operation, call, params, outputs, &error), error);
    Field result = outputs[0].field;
    outputs[0].field = (Field){ 0 };
    outputs_free(outputs);
    return result;
}

static bool sea_at(const Truth *truth, size_t cell) {
    return truth->height.cells[cell] < 0;
}

static bool stream_at(const Truth *truth, size_t cell) {
    const float least = (float)(threshold * (double)field_count(&truth->height));
    return !sea_at(truth, cell) &&
           (truth->rivers ? truth->rivers->cells[cell] > 0 : truth->flow.sum.cells[cell] >= least);
}

static size_t next_of(const Truth *truth, size_t cell) {
    const int direction = truth->flow.drainage.direction[cell];
    return direction == DRAINS_OFF ? cell : neighbour_of(&truth->height, cell, direction);
}

// --- heights and distances -------------------------------------------------------------------------------

static void check_measures(const Truth *truth, int threads) {
    Field above = run_on(truth, &op_height_above_river, NULL, threads);
    Field distance = run_on(truth, &op_distance_to_river, NULL, threads);
    for (size_t i = 0; i < field_count(&truth->height); i++) {
        size_t at = i;
        int steps[2] = { 0, 0 };
        while (!stream_at(truth, at) && next_of(truth, at) != at) {
            steps[truth->flow.drainage.direction[at] & 1]++;
            at = next_of(truth, at);
        }
        const float end = sea_at(truth, at) ? 0 : truth->flow.drainage.filled.cells[at];
        const double cell = 1.0 / field_side(&truth->height);
        assert_true(distance.cells[i] == (float)((steps[0] + steps[1] * sqrt(2)) * cell));
        assert_true(above.cells[i] == (sea_at(truth, i) ? 0 : truth->flow.drainage.filled.cells[i] - end));
    }
    field_free(&above);
    field_free(&distance);
}

static void heights_and_distances_follow_the_water(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Truth truth = find(kind);
        check_measures(&truth, 1);
        check_measures(&truth, 3);
        Field mask = noise_field(truth.height.width, truth.height.height, 9);
        for (size_t i = 0; i < field_count(&mask); i++)
            field_cells(&mask)[i] = mask.cells[i] > 0.99f;
        truth.rivers = &mask;
        check_measures(&truth, 3);
        field_free(&mask);
        release(&truth);
    }
}

// --- orders ------------------------------------------------------------------------------------------------

// The streams that flow into a cell; the first drains most.
static int donors_of(const Truth *truth, size_t cell, size_t donors[8]) {
    const Field *height = &truth->height;
    const int x = (int)(cell % (size_t)height->width), y = (int)(cell / (size_t)height->width);
    int count = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!within_field(height, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const size_t from = neighbour_of(height, cell, i);
        if (from == cell || next_of(truth, from) != cell || !stream_at(truth, from))
            continue;
        donors[count++] = from;
        if (truth->flow.sum.cells[from] > truth->flow.sum.cells[donors[0]]) {
            donors[count - 1] = donors[0];
            donors[0] = from;
        }
    }
    return count;
}

static bool joins_stream(const Truth *truth, size_t cell) {
    return next_of(truth, cell) != cell && stream_at(truth, next_of(truth, cell));
}

// Every cell agrees with those that flow into it; for Hack's order with the one into which it flows.
static void check_order(const Truth *truth, const Field *strahler, const Field *shreve, const Field *hack,
                        size_t cell) {
    size_t donors[8];
    if (!stream_at(truth, cell)) {
        assert_true(strahler->cells[cell] == 0 && shreve->cells[cell] == 0 && hack->cells[cell] == 0);
        return;
    }
    const int count = donors_of(truth, cell, donors);
    float springs = count ? 0 : 1, highest = count ? 0 : 1, times = 0;
    for (int i = 0; i < count; i++) {
        const float order = strahler->cells[donors[i]];
        springs += shreve->cells[donors[i]];
        times = order > highest ? 1 : times + (order == highest);
        highest = order > highest ? order : highest;
        assert_true(hack->cells[donors[i]] == hack->cells[cell] + (i > 0));
    }
    assert_true(shreve->cells[cell] == springs);
    assert_true(strahler->cells[cell] == highest + (times > 1));
    assert_true(joins_stream(truth, cell) || hack->cells[cell] == 1);
}

static void orders_follow_their_definitions(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Truth truth = find(kind);
        Field strahler = run_on(&truth, &op_stream_order, "strahler", 1);
        Field shreve = run_on(&truth, &op_stream_order, "shreve", 1);
        Field hack = run_on(&truth, &op_stream_order, "hack", 1);
        for (size_t i = 0; i < field_count(&truth.height); i++)
            check_order(&truth, &strahler, &shreve, &hack, i);
        field_free(&strahler);
        field_free(&shreve);
        field_free(&hack);
        release(&truth);
    }
}

// --- basins ------------------------------------------------------------------------------------------------

static bool ends_basin(const Truth *truth, size_t cell, bool stretches) {
    const size_t to = next_of(truth, cell);
    size_t donors[8];
    return to == cell || sea_at(truth, to) ||
           (stretches && stream_at(truth, cell) && donors_of(truth, to, donors) > 1);
}

// Where labels differ, at sides and corners of cells, colours do; where they do not, nor do colours.
static void check_colours(const Field *labels, const Image *image) {
    for (int y = 0; y + 1 < labels->height; y++)
        for (int x = 0; x + 1 < labels->width; x++)
            for (int k = 0; k < 4; k++) { // right, down, and both diagonals
                const int from = x + (k == 3), to_x = x + (k == 0 || k == 2), to_y = y + (k > 0);
                const Pixel *here = &image_row(image, y)[from], *there = &image_row(image, to_y)[to_x];
                const bool same = field_row(labels, y)[from] == field_row(labels, to_y)[to_x];
                if (same != (memcmp(here, there, sizeof *here) == 0))
                    fail_msg("(%d, %d) has %s colour", from, y, same ? "another" : "the same");
            }
}

static void check_basins(const Truth *truth, bool stretches, int threads) {
    const size_t cells = field_count(&truth->height);
    float *label = test_malloc(cells * sizeof *label);
    float count = 0;
    Error error;
    Output outputs[OUTPUTS_MAX];
    params_initialise(&op_basins, params);
    if (stretches)
        assert_ok(param_set_number(operation_param(&op_basins, "threshold"), params, threshold, &error),
                  error);
    const Call call = { .run = &on_threads(threads), .inputs = { { .field = &truth->height } } };
    assert_ok(run_operation(&op_basins, call, params, outputs, &error), error);
    for (size_t i = 0; i < cells; i++) {
        const bool basin =
            ends_basin(truth, i, stretches) && !sea_at(truth, i) && (!stretches || stream_at(truth, i));
        label[i] = basin ? ++count : 0;
    }
    assert_true(count > 1);
    for (size_t i = 0; i < cells; i++) {
        size_t at = i;
        while (!ends_basin(truth, at, stretches))
            at = next_of(truth, at);
        assert_true(outputs[0].field.cells[i] == (sea_at(truth, i) ? 0 : label[at]));
    }
    check_colours(&outputs[0].field, &outputs[1].image);
    test_free(label);
    outputs_free(outputs);
}

// No basin has a neighbour in a colour like its own.
static void colours_of_neighbours_are_unlike(void **state) {
    (void)state;
    Field height = noise_field(200, 200, 5);
    Error error;
    Output outputs[OUTPUTS_MAX];
    params_initialise(&op_basins, params);
    const Call call = { .run = &on_threads(1), .inputs = { { .field = &height } } };
    assert_ok(run_operation(&op_basins, call, params, outputs, &error), error);
    const Image *image = &outputs[1].image;
    int borders = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 1; x < image->width; x++) {
            const Pixel one = image_row(image, y)[x - 1], other = image_row(image, y)[x];
            const int red = one.red - other.red, green = one.green - other.green,
                      blue = one.blue - other.blue;
            const int apart = red * red + green * green + blue * blue;
            borders += apart > 0;
            const bool dark = max(max(one.red, one.green), one.blue) < 190 ||
                              max(max(other.red, other.green), other.blue) < 190;
            if (apart > 0 && apart < 50 * 50 && !dark) // dark ones are rare
                fail_msg("at %d, %d: colours differ by %d, %d, %d", x, y, red, green, blue);
        }
    assert_true(borders > 500);
    outputs_free(outputs);
    field_free(&height);
}

static void basins_end_where_water_does(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        Truth truth = find(kind);
        check_basins(&truth, false, 1);
        check_basins(&truth, true, 3);
        release(&truth);
    }
}

// Every neighbour of a peak flows away from it.
static void directions_have_the_codes_of_gis(void **state) {
    (void)state;
    static const float codes[3][3] = { { 32, 64, 128 }, { 16, 0, 1 }, { 8, 4, 2 } };
    Field peak;
    Error error;
    assert_ok(field_create(&peak, 7, 7, &error), error);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 7; x++)
            field_row(&peak, y)[x] = 20 - (float)((x - 3) * (x - 3) + (y - 3) * (y - 3));
    Field direction = run_field(&op_flow_direction, (Call){ .inputs = { { .field = &peak } } }, NULL);
    for (int y = 2; y <= 4; y++)
        for (int x = 2; x <= 4; x++)
            if (x != 3 || y != 3)
                assert_true(field_row(&direction, y)[x] == codes[y - 2][x - 2]);
    assert_true(field_row(&direction, 0)[0] == 0);
    field_free(&direction);
    field_free(&peak);
}

static uint64_t hash_on(const Operation *operation, const char *method, const Field *height, int threads) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(operation, params);
    assert_ok(param_set_number(operation_param(operation, "threshold"), params, 1e-5, &error), error);
    if (method)
        assert_ok(param_set_text(operation_param(operation, "method"), params, method, &error), error);
    const Call call = { .inputs = { { .field = height } }, .run = &on_threads(threads) };
    assert_ok(run_operation(operation, call, params, outputs, &error), error);
    const uint64_t hash =
        outputs[0].value ? outputs[0].type->hash(outputs[0].value) : field_hash(&outputs[0].field);
    outputs_free(outputs);
    return hash;
}

// Streams of many bands of rows are those of a program that went through all cells in order.
static void bands_change_nothing(void **state) {
    (void)state;
    static const int threads[] = { 1, 2, 3, 7 };
    Field height = noise_field(700, 900, 5);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        assert_int_equal(hash_on(&op_stream_order, "hack", &height, threads[i]), UINT64_C(0x24f28a4a5480ad3));
        assert_int_equal(hash_on(&op_rivers_from_flow, NULL, &height, threads[i]),
                         UINT64_C(0x1f202795444a73c7));
    }
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_and_distances_follow_the_water),
        cmocka_unit_test(orders_follow_their_definitions),
        cmocka_unit_test(basins_end_where_water_does),
        cmocka_unit_test(colours_of_neighbours_are_unlike),
        cmocka_unit_test(directions_have_the_codes_of_gis),
        cmocka_unit_test(bands_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
