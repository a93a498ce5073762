// Noise equals its definition, computed one point after the other in double precision.

#include "support.h"

#include "operations.h"

#include "core/elementary.h"

#include <math.h>

static int64_t period; // of the lattice; 0: endless

static int64_t inside(int64_t i) {
    return period ? (i % period + period) % period : i;
}

// (x, y) times the unit vector of a lattice point, given by its angle.
static double product(RandomKey key, int64_t i, int64_t j, double x, double y) {
    const double angle = PI * (double)random_signed(key, (uint32_t)i, (uint32_t)j);
    return x * cosine(angle) + y * sine(angle);
}

static double fade(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double lattice_noise(RandomKey key, bool gradients, double x, double y) {
    const int64_t i = (int64_t)floor(x), j = (int64_t)floor(y);
    double corners[2][2];
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++)
            corners[b][a] =
                gradients ? 1.41 * product(key, inside(i + a), inside(j + b), x - (double)(i + a),
                                           y - (double)(j + b))
                          : (double)random_signed(key, (uint32_t)inside(i + a), (uint32_t)inside(j + b));
    const double u = fade(x - (double)i), v = fade(y - (double)j);
    const double upper = corners[0][0] + (corners[0][1] - corners[0][0]) * u;
    const double lower = corners[1][0] + (corners[1][1] - corners[1][0]) * u;
    return upper + (lower - upper) * v;
}

// All lattice points around; those out of reach add nothing.
static double simplex_noise(RandomKey key, double x, double y) {
    const int64_t row = (int64_t)floor(y);
    double sum = 0;
    for (int64_t j = row - 1; j <= row + 2; j++) {
        const int64_t middle = (int64_t)floor(x + 0.5 * (double)j);
        for (int64_t i = middle - 2; i <= middle + 3; i++) {
            const double dx = x - ((double)i - 0.5 * (double)j), dy = y - (double)j;
            const double near = fmax(0.8 - dx * dx - dy * dy, 0);
            sum +=
                near * near * near * near * product(key, inside(i - (j - inside(j)) / 2), inside(j), dx, dy);
        }
    }
    return 10.9 * sum;
}

static void one_octave_is_its_definition(void **state) {
    (void)state;
    enum { SIDE = 48 };
    const uint64_t seed = 9;
    const RandomKey key = random_key(seed, 0);
    const double shift_x = (double)random_unit(key, UINT32_MAX, 0),
                 shift_y = (double)random_unit(key, UINT32_MAX, 1), frequency = 6;
    for (int kind = 0; kind < 3; kind++) {
        _Alignas(64) static unsigned char params[16384];
        params_initialise(&op_noise, params);
        Error error;
        const char *kinds[] = { "gradient", "simplex", "value" };
        assert_ok(param_set_text(operation_param(&op_noise, "kind"), params, kinds[kind], &error), error);
        assert_ok(param_set_text(operation_param(&op_noise, "fractal"), params, "none", &error), error);
        assert_ok(param_set_number(operation_param(&op_noise, "frequency"), params, frequency, &error),
                  error);
        for (int wraps = 0; wraps < 2; wraps++) {
            *(bool *)(params + operation_param(&op_noise, "wrap")->offset) = wraps != 0;
            period = wraps ? (int64_t)frequency : 0;
            Field field = run_field(&op_noise, (Call){ .width = SIDE, .height = SIDE, .seed = seed }, params);
            assert_int_equal(field.wraps, wraps);
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    const double u = x * frequency / SIDE + shift_x, v = y * frequency / SIDE + shift_y;
                    const double n =
                        kind == 1 ? simplex_noise(key, u, v) : lattice_noise(key, kind == 0, u, v);
                    assert_near((double)field_row(&field, y)[x], 0.5 + 0.5 * n, 2e-3);
                }
            field_free(&field);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_octave_is_its_definition) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
