// Rows are summed several at once, in runs of cells between which no edge lies; this file has the running sum
// of one line, cell by cell. Both give the same bits.

#include "support.h"

#include "core/box_mean.h"

#include <math.h>
#include <string.h>

static double cell_at(const float *line, size_t stride, int cells, int at, bool wraps) {
    if (wraps)
        at = (at % cells + cells) % cells;
    return at < 0 || at >= cells ? 0 : (double)line[(size_t)at * stride];
}

static int has(int cells, int at, bool wraps) {
    return wraps || (at >= 0 && at < cells) ? 1 : 0;
}

static void mean_of_line(float *out, const float *line, size_t stride, int cells, double radius, bool wraps) {
    const int reach = !wraps && radius > cells ? cells : (int)radius;
    const double fraction = radius < cells || wraps ? radius - floor(radius) : 0;
    double sum = 0;
    const int turns = wraps ? (2 * reach + 1) / cells : 0;
    for (int at = 0; at < cells && turns > 0; at++)
        sum += (double)line[(size_t)at * stride] * turns;
    for (int i = 0; i < 2 * reach + 1 - turns * cells; i++)
        sum += cell_at(line, stride, cells, i - reach, wraps);
    for (int at = 0; at < cells; at++) {
        const double before = cell_at(line, stride, cells, at - reach - 1, wraps),
                     after = cell_at(line, stride, cells, at + reach + 1, wraps);
        int weight = 0;
        for (int i = at - reach; i <= at + reach; i++)
            weight += has(cells, i, wraps);
        const int beside = has(cells, at - reach - 1, wraps) + has(cells, at + reach + 1, wraps);
        out[(size_t)at * stride] =
            (float)((sum + fraction * (before + after)) * (1 / (weight + fraction * beside)));
        sum += after - cell_at(line, stride, cells, at - reach, wraps);
    }
}

// --- where edges do not meet -------------------------------------------------------------------------------

// The weight of a cell `away` in `means` means, counted one by one.
static double weight_of(int away, double radius, int means) {
    const int reach = (int)radius + 1;
    if (means == 0)
        return away == 0 ? 1 : 0;
    if (abs(away) > means * reach)
        return 0;
    double sum = 0;
    for (int k = -reach; k <= reach; k++)
        sum += (abs(k) == reach ? radius - floor(radius) : 1) * weight_of(away - k, radius, means - 1);
    return sum;
}

// Only cells that exist count, with their weights in the kernel of all means.
static void weighted_line(double *out, const double *line, size_t stride, int cells, const double *weights,
                          int reach) {
    for (int at = 0; at < cells; at++) {
        double sum = 0, weight = 0;
        for (int i = 0; i < cells; i++)
            if (abs(i - at) <= reach) {
                sum += weights[abs(i - at)] * line[(size_t)i * stride];
                weight += weights[abs(i - at)];
            }
        out[(size_t)at * stride] = sum / weight;
    }
}

static void compare_inside(int width, int height, double radius, int means) {
    Field got = noise_field(width, height, 3), from = noise_field(width, height, 3);
    const int reach = means * ((int)radius + 1);
    const size_t cells = field_count(&from);
    double *weights = test_calloc((size_t)reach + 1, sizeof *weights);
    double *before = test_calloc(cells, sizeof *before), *after = test_calloc(cells, sizeof *after);
    for (int away = 0; away <= reach; away++)
        weights[away] = weight_of(away, radius, means);
    for (size_t i = 0; i < cells; i++)
        before[i] = (double)from.cells[i];
    for (int y = 0; y < height; y++)
        weighted_line(after + y * width, before + y * width, 1, width, weights, reach);
    for (int x = 0; x < width; x++)
        weighted_line(before + x, after + x, (size_t)width, height, weights, reach);
    Error error;
    const Field *source = means % 2 ? &from : &got; // or in place
    assert_ok(box_mean(&on_threads(2), source, &got, radius, means, false, &error), error);
    for (size_t i = 0; i < cells; i++)
        assert_near((double)got.cells[i], before[i], 5e-7);
    test_free(weights);
    test_free(before);
    test_free(after);
    field_free(&got);
    field_free(&from);
}

static void several_means_count_what_exists_once(void **state) {
    (void)state;
    const double radii[] = { 0, 0.375, 1.375, 3.2, 7, 12.5 };
    const int sides[][2] = { { 1, 1 }, { 2, 5 }, { 17, 9 }, { 64, 40 }, { 300, 3 } };
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++)
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
            compare_inside(sides[k][0], sides[k][1], radii[i], 2 + (int)(i + k) % 2);
}

// --- line by line ------------------------------------------------------------------------------------------

// All means of rows come before those of columns.
static void compare(int width, int height, double radius, int means, bool wraps) {
    Field got = noise_field(width, height, 3), from = noise_field(width, height, 3), expected;
    Error error;
    assert_ok(field_create(&expected, width, height, &error), error);
    const Field *source = means % 2 ? &from : &got; // or in place
    assert_ok(box_mean(&on_threads(1), source, &got, radius, means, wraps, &error), error);
    for (int i = 0; i < means; i++) {
        for (int y = 0; y < height; y++)
            mean_of_line(field_row(&expected, y), field_row(&from, y), 1, width, radius, wraps);
        memcpy(field_cells(&from), expected.cells, field_count(&from) * sizeof(float));
    }
    for (int i = 0; i < means; i++) {
        for (int x = 0; x < width; x++)
            mean_of_line(field_cells(&expected) + x, from.cells + x, (size_t)width, height, radius, wraps);
        memcpy(field_cells(&from), expected.cells, field_count(&from) * sizeof(float));
    }
    assert_same_bits(&got, &expected);
    field_free(&got);
    field_free(&from);
    field_free(&expected);
}

static void means_are_what_the_running_sum_says(void **state) {
    (void)state;
    const double radii[] = { 0, 0.375, 1, 1.375, 3.2, 7, 30.5, 64, 150.25 };
    const int sides[][2] = { { 1, 1 }, { 2, 5 }, { 3, 4 }, { 17, 9 }, { 64, 66 }, { 130, 7 }, { 1100, 5 } };
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++)
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            const int means = 1 + (int)(i + k) % 3;
            compare(sides[k][0], sides[k][1], radii[i], means, true);
            compare(sides[k][0], sides[k][1], radii[i], 1, false);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_what_the_running_sum_says),
        cmocka_unit_test(several_means_count_what_exists_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
