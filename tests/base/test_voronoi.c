// Heights from the nearest feature points against all points of 9 × 9 regions around.

#include "support.h"

#include "operations.h"

#include <math.h>
#include <stdlib.h>

typedef struct Point {
    double x, y;
} Point;

// Feature points as src/base/voronoi.c places them: at most half of `jitter` from the centre of their region,
// four numbers a region.
static Point feature_point(uint64_t seed, double jitter, int columns, int rows, int column, int row,
                           int which) {
    const uint32_t i = (uint32_t)((column % columns + columns) % columns) * 4 + (uint32_t)which;
    const uint32_t j = (uint32_t)((row % rows + rows) % rows);
    return (Point){ column + 0.5 + jitter / 2 * (double)random_signed(random_key(seed, 0), i, j),
                    row + 0.5 + jitter / 2 * (double)random_signed(random_key(seed, 1), i, j) };
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *const metrics[] = { "squared", "euclidean", "manhattan", "chebyshev" };

static double distance(int metric, double dx, double dy) {
    const double squared = dx * dx + dy * dy, x = fabs(dx), y = fabs(dy);
    return metric == 0 ? squared : metric == 1 ? sqrt(squared) : metric == 2 ? x + y : fmax(x, y);
}

// The distance to the nth nearest point.
static double nth_nearest(uint64_t seed, int metric, double jitter, int regions, int points, int nth,
                          double x, double y) {
    double distances[9 * 9 * 4];
    int count = 0;
    for (int row = (int)y - 4; row <= (int)y + 4; row++)
        for (int column = (int)x - 4; column <= (int)x + 4; column++)
            for (int k = 0; k < points; k++) {
                const Point at = feature_point(seed, jitter, regions, regions, column, row, k);
                distances[count++] = distance(metric, at.x - x, at.y - y);
            }
    qsort(distances, (size_t)count, sizeof *distances, ascending);
    return distances[nth - 1];
}

static Field diagram(uint64_t seed, int metric, double jitter, int regions, int points, int nth, int size) {
    _Alignas(16) unsigned char params[16384];
    Error error;
    assert_true(op_voronoi.params_size <= sizeof params);
    params_initialise(&op_voronoi, params);
    Numbers coefficients = { .count = nth };
    coefficients.at[nth - 1] = 1;
    const struct Setting {
        const char *name;
        double value;
    } settings[] = { { "regions", regions }, { "points_per_region", points }, { "jitter", jitter } };
    for (int i = 0; i < 3; i++)
        assert_ok(param_set_number(operation_param(&op_voronoi, settings[i].name), params, settings[i].value,
                                   &error),
                  error);
    assert_ok(param_set_text(operation_param(&op_voronoi, "metric"), params, metrics[metric], &error), error);
    assert_ok(param_set_numbers(operation_param(&op_voronoi, "coefficients"), params, &coefficients, &error),
              error);
    return run_field(&op_voronoi, (Call){ .width = size, .height = size, .seed = seed }, params);
}

static void every_distance_is_that_of_all_points(void **state) {
    (void)state;
    enum { SIZE = 16 };
    static double expected[SIZE][SIZE];
    for (int regions = 1; regions <= 6; regions += regions < 4 ? 1 : 2)
        for (int points = 1; points <= 4; points++)
            for (int nth = 1; nth <= 8; nth++) {
                const uint64_t seed = (uint64_t)regions * 100 + (uint64_t)points * 10 + (uint64_t)nth;
                const int metric = (nth + points) % 4;
                const double jitter = points % 2 == 0 ? 1 : 0.8;
                double low = INFINITY, high = -INFINITY;
                for (int y = 0; y < SIZE; y++)
                    for (int x = 0; x < SIZE; x++) {
                        expected[y][x] = nth_nearest(seed, metric, jitter, regions, points, nth,
                                                     (double)x * regions / SIZE, (double)y * regions / SIZE);
                        low = expected[y][x] < low ? expected[y][x] : low;
                        high = expected[y][x] > high ? expected[y][x] : high;
                    }
                Field field = diagram(seed, metric, jitter, regions, points, nth, SIZE);
                for (int y = 0; y < SIZE; y++)
                    for (int x = 0; x < SIZE; x++)
                        assert_near((double)field_row(&field, y)[x], (expected[y][x] - low) / (high - low),
                                    1e-5);
                field_free(&field);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_distance_is_that_of_all_points) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
