#include "support.h"

#include "operations.h"

static const int sizes[][2] = { { 2, 2 },   { 3, 7 },    { 50, 2 },   { 48, 3 },
                                { 64, 64 }, { 100, 37 }, { 257, 70 }, { 61, 300 } };
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct Case {
    const Operation *operation;
    const char *method;
} Case;

static const Case cases[] = {
    { &op_thermal_erosion, "fast" },   { &op_thermal_erosion, "reference" },
    { &op_hydraulic_erosion, "fast" }, { &op_hydraulic_erosion, "reference" },
    { &op_olsen_erosion, NULL },
};
enum { CASES = sizeof cases / sizeof *cases };

static Field erode_masked(const Case *each, const Field *field, const Field *mask, int iterations,
                          int threads) {
    _Alignas(16) unsigned char params[1024];
    Error error;
    params_initialise(each->operation, params);
    assert_ok(param_set_number(operation_param(each->operation, "iterations"), params, iterations, &error),
              error);
    if (each->method)
        assert_ok(param_set_text(operation_param(each->operation, "method"), params, each->method, &error),
                  error);
    if (mask)
        *(const Field **)(void *)(params + operation_param(each->operation, "mask")->offset) = mask;
    const Run run = { .threads = threads };
    return run_field(each->operation, (Call){ .run = &run, .inputs = { { .field = field } } }, params);
}

static Field erode(const Case *each, const Field *field, int iterations, int threads) {
    return erode_masked(each, field, NULL, iterations, threads);
}

static void material_is_conserved(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int s = 0; s < SIZES; s++) {
            Field field = noise_field(sizes[s][0], sizes[s][1], (uint64_t)s);
            Field mask = noise_field(sizes[s][0], sizes[s][1], 77);
            Field eroded = erode(&cases[i], &field, 30, 1);
            Field masked = erode_masked(&cases[i], &field, &mask, 30, 2);
            assert_near(field_sum(&eroded) / field_sum(&field), 1, 1e-6);
            assert_near(field_sum(&masked) / field_sum(&field), 1, 1e-6);
            field_free(&field);
            field_free(&mask);
            field_free(&eroded);
            field_free(&masked);
        }
}

// Cells that give nothing do not sink, one cell off they do; where every cell gives, the mask changes
// nothing.
static void masked_ground_gives_nothing_away(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Field field = noise_field(100, 60, 6), mask = noise_field(100, 60, 6);
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 100; x++)
                field_row(&mask, y)[x] = x < 50 ? 0 : 1;
        Field masked = erode_masked(&cases[i], &field, &mask, 20, 1);
        int sunk = 0;
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 100; x++) {
                const float before = field_row(&field, y)[x], after = field_row(&masked, y)[x];
                if (x < 50 && after < before - 1e-6f) // water that is added and taken away again rounds
                    fail_msg("case %d: (%d, %d) sank by %g", i, x, y, (double)(before - after));
                sunk += x >= 50 && after < before - 1e-4f;
            }
        assert_true(sunk > 200);
        for (size_t c = 0; c < field_count(&mask); c++)
            field_cells(&mask)[c] = 1;
        Field whole = erode_masked(&cases[i], &field, &mask, 20, 1), plain = erode(&cases[i], &field, 20, 1);
        assert_same_bits(&whole, &plain);
        field_free(&field);
        field_free(&mask);
        field_free(&masked);
        field_free(&whole);
        field_free(&plain);
    }
}

static void a_mask_outside_0_to_1_is_an_error(void **state) {
    (void)state;
    Field field = noise_field(64, 64, 1), mask = noise_field(64, 64, 2);
    field_cells(&mask)[9] = 1.5f;
    for (int i = 0; i < CASES; i++) {
        _Alignas(16) unsigned char params[1024];
        Output outputs[OUTPUTS_MAX];
        Error error;
        params_initialise(cases[i].operation, params);
        *(const Field **)(void *)(params + operation_param(cases[i].operation, "mask")->offset) = &mask;
        const Call call = { .inputs = { { .field = &field } } };
        const size_t before = memory_in_use();
        assert_int_equal(run_operation(cases[i].operation, call, params, outputs, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "mask must be 0 to 1, got "));
        assert_non_null(strstr(error.text, " to 1.5"));
        assert_int_equal(memory_in_use(), before);
    }
    field_free(&field);
    field_free(&mask);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    static const int threads[] = { 2, 3, 7 };
    for (int i = 0; i < CASES; i++) {
        Field field = noise_field(300, 203, 5), alone = erode(&cases[i], &field, 6, 1);
        for (int t = 0; t < 3; t++) {
            Field together = erode(&cases[i], &field, 6, threads[t]);
            assert_same_bits(&alone, &together);
            field_free(&together);
        }
        field_free(&field);
        field_free(&alone);
    }
}

static void no_iterations_and_flat_ground_change_nothing(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Field field = noise_field(60, 40, 3), same = erode(&cases[i], &field, 0, 1);
        assert_same_bits(&field, &same);
        for (size_t c = 0; c < field_count(&field); c++)
            field_cells(&field)[c] = 0.5f;
        Field flat = erode(&cases[i], &field, 5, 1);
        for (size_t c = 0; c < field_count(&flat); c++)
            assert_near((double)flat.cells[c], 0.5, 1e-6);
        field_free(&field);
        field_free(&same);
        field_free(&flat);
    }
}

// The declared order of the fast method (src/erosion/in_place.h), written down cell by cell.
static void level(Field *field, int x, int y, float talus) {
    const int w = field->width, h = field->height;
    float *cells[5] = { &field_row(field, y)[x], &field_row(field, y)[wrap(x - 1, w)],
                        &field_row(field, y)[wrap(x + 1, w)], &field_row(field, wrap(y - 1, h))[x],
                        &field_row(field, wrap(y + 1, h))[x] };
    int lowest = 1;
    for (int i = 2; i < 5; i++)
        if (*cells[i] < *cells[lowest])
            lowest = i;
    const float difference = *cells[0] - *cells[lowest];
    if (!(difference > 0 && difference <= talus))
        return;
    const float half = 0.5f * difference;
    *cells[0] -= half;
    *cells[lowest] += half;
}

static void level_row_by_hand(Field *field, int y, int pass, float talus) {
    const int strip = field->width / 16 >= 3 && field->height > 2 ? field->width / 16 : 0;
    for (int i = 0; i < strip; i++) {
        const int on = 11 * pass + (pass % 2 == 1 ? strip - i : i);
        for (int lane = 0; lane < 16; lane++)
            level(field, lane * strip + on % strip, y, talus);
    }
    for (int x = 16 * strip; x < field->width; x++)
        level(field, x, y, talus);
}

static void the_fast_order_is_the_declared_one(void **state) {
    (void)state;
    for (int s = 0; s < SIZES; s++) {
        Field field = noise_field(sizes[s][0], sizes[s][1], 8);
        Field eroded = erode(&(Case){ &op_olsen_erosion, NULL }, &field, 6, 1);
        const int rows = field.height, blocks = rows < 64 ? 1 : rows / 64;
        const float talus = (float)(16.0 / field_side(&field));
        for (int pass = 0; pass < 6; pass++)
            for (int phase = 0; phase < 3; phase++)
                for (int block = 0; block < blocks; block++) {
                    const int own = block == blocks - 1 && blocks % 2 == 1 ? 2 : block % 2;
                    const int end = block == blocks - 1 ? rows : 64 * (block + 1);
                    for (int y = 64 * block; own == phase && y < end; y++)
                        level_row_by_hand(&field, (y + 27 * pass) % rows, pass, talus);
                }
        assert_same_bits(&field, &eroded);
        field_free(&field);
        field_free(&eroded);
    }
}

static double mean_difference(const Field *a, const Field *b) {
    double sum = 0;
    for (size_t i = 0; i < field_count(a); i++)
        sum += (double)(a->cells[i] > b->cells[i] ? a->cells[i] - b->cells[i] : b->cells[i] - a->cells[i]);
    return sum / (double)field_count(a);
}

// Olsen 2004: 2 % of the height range after 50 thermal iterations, 1 % after 100 hydraulic ones.
static void fast_and_reference_agree_as_in_the_paper(void **state) {
    (void)state;
    Call call = { .width = 256, .height = 256, .seed = 4 };
    Field field = run_field(&op_diamond_square, call, NULL);
    Field fast = erode(&cases[0], &field, 50, 2), reference = erode(&cases[1], &field, 50, 2);
    assert_true(mean_difference(&fast, &reference) < 0.03);
    field_free(&fast);
    field_free(&reference);
    fast = erode(&cases[2], &field, 100, 2);
    reference = erode(&cases[3], &field, 100, 2);
    assert_true(mean_difference(&fast, &reference) < 0.02);
    field_free(&fast);
    field_free(&reference);
    field_free(&field);
}

static void a_stop_ends_an_erosion(void **state) {
    (void)state;
    atomic_bool stop = true;
    const Run run = { .threads = 1, .stop = &stop };
    Field field = noise_field(64, 64, 1);
    for (int i = 0; i < CASES; i++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        const size_t before = memory_in_use();
        const Call call = { .run = &run, .inputs = { { .field = &field } } };
        assert_int_equal(run_operation(cases[i].operation, call, NULL, outputs, &error), STATUS_STOPPED);
        assert_int_equal(memory_in_use(), before);
    }
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_is_conserved),
        cmocka_unit_test(masked_ground_gives_nothing_away),
        cmocka_unit_test(a_mask_outside_0_to_1_is_an_error),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(no_iterations_and_flat_ground_change_nothing),
        cmocka_unit_test(the_fast_order_is_the_declared_one),
        cmocka_unit_test(fast_and_reference_agree_as_in_the_paper),
        cmocka_unit_test(a_stop_ends_an_erosion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
