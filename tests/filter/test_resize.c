// The operation takes tables, parts of rows and, for halves and doubles, loops of their own; this file has
// the formulas, cell by cell. Both give the same bits.

#include "support.h"

#include "core/math.h"
#include "filter/resize.h"
#include "operations.h"

#include <math.h>

typedef struct Line { // of cells, `stride` apart
    const float *cells;
    size_t stride;
} Line;

static float between_cells(Line line, const Axis *axis, int at) {
    const Taps taps = taps_between(at, axis);
    float sum = 0;
    for (int i = 0; i < taps.count; i++)
        sum += taps.weights.at[i] * line.cells[(size_t)cell_at(taps.first + i, axis) * line.stride];
    return sum;
}

static float mean_of_cells(Line line, const Axis *axis, int at) {
    const double left = (double)at * axis->from / axis->to, right = (double)(at + 1) * axis->from / axis->to;
    double sum = 0;
    for (int i = (int)left; i < axis->from && i < right; i++)
        sum += (min(i + 1, right) - max(i, left)) * (double)line.cells[(size_t)i * line.stride];
    return (float)(sum / (right - left));
}

static Field resized(const Field *from, Axis across, Axis down) {
    Field along, result;
    Error error;
    assert_ok(field_create(&along, across.to, from->height, &error), error);
    assert_ok(field_create(&result, across.to, down.to, &error), error);
    for (int y = 0; y < along.height; y++)
        for (int x = 0; x < along.width; x++)
            field_row(&along, y)[x] = (takes_means(&across) ? mean_of_cells : between_cells)(
                (Line){ field_row(from, y), 1 }, &across, x);
    for (int y = 0; y < result.height; y++)
        for (int x = 0; x < result.width; x++)
            field_row(&result, y)[x] = (takes_means(&down) ? mean_of_cells : between_cells)(
                (Line){ along.cells + x, (size_t)along.width }, &down, y);
    field_free(&along);
    return result;
}

static void compare(const Field *from, int width, int height, int interpolation, bool wraps) {
    _Alignas(16) unsigned char params[256];
    params_initialise(&op_resize, params);
    Error error;
    const char *names[] = { "linear", "cubic", "nearest" };
    assert_ok(param_set_number(operation_param(&op_resize, "width"), params, width, &error), error);
    assert_ok(param_set_number(operation_param(&op_resize, "height"), params, height, &error), error);
    assert_ok(
        param_set_text(operation_param(&op_resize, "interpolation"), params, names[interpolation], &error),
        error);
    Field edged = *from;
    edged.wraps = wraps;
    Field got = run_field(&op_resize, (Call){ .inputs = { { .field = &edged } } }, params);
    Field expected = resized(from, (Axis){ from->width, width, interpolation, wraps },
                             (Axis){ from->height, height, interpolation, wraps });
    assert_same_bits(&got, &expected);
    field_free(&got);
    field_free(&expected);
}

static int drawn(RandomKey key, uint32_t i, uint32_t what, int most) {
    return 1 + (int)(random_unit(key, i, what) * (float)most);
}

static void every_size_is_what_the_formulas_say(void **state) {
    (void)state;
    const RandomKey key = random_key(5, 0);
    for (uint32_t i = 0; i < (uint32_t)rounds(120); i++) {
        Field from = noise_field(drawn(key, i, 0, 90), drawn(key, i, 1, 60), i);
        for (int interpolation = LINEAR; interpolation <= NEAREST; interpolation++) {
            const bool wraps = random_unit(key, i, 2) < 0.5f;
            compare(&from, drawn(key, i, 3, 150), drawn(key, i, 4, 90), interpolation, wraps);
            compare(&from, 2 * from.width, 2 * from.height, interpolation, wraps);
            compare(&from, max(from.width / 2, 1), max(from.height / 2, 1), interpolation, wraps);
        }
        field_free(&from);
    }
}

// Wider than what is resampled together.
static void parts_of_rows_join(void **state) {
    (void)state;
    Field from = noise_field(1300, 4, 1);
    const int widths[] = { PART - 1, PART, PART + 1, 650, 2600, 2 * PART + 1 };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int interpolation = LINEAR; interpolation <= NEAREST; interpolation++)
            compare(&from, widths[i], 3 + (int)i, interpolation, i % 2 == 0);
    field_free(&from);
}

// Halves are computed in floats, whose sums may overflow, and which have a zero below zero.
static void halves_of_the_largest_and_the_smallest_heights(void **state) {
    (void)state;
    const float scales[] = { 0x1.fffffep127f, 0x1p-126f, 0x1p-149f, -0x1p-148f, -0.0f };
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        Field from = noise_field(32, 16, i);
        for (size_t cell = 0; cell < field_count(&from); cell++)
            field_cells(&from)[cell] = scales[i] * (i == 0 ? 1 : from.cells[cell]);
        compare(&from, 16, 8, LINEAR, true);
        field_free(&from);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_what_the_formulas_say),
        cmocka_unit_test(parts_of_rows_join),
        cmocka_unit_test(halves_of_the_largest_and_the_smallest_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
