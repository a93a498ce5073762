// What the C tests share: cmocka with the headers it wants, and short ways to run an operation.

#ifndef ESKER_TEST_SUPPORT_H
#define ESKER_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
// The engine's `fail` takes the name of a cmocka macro, on which fail_msg is built.
#undef fail
#undef fail_msg
// Not by its print_error: the program has a function of that name.
#define fail_msg(...) (fprintf(stderr, "ERROR: " __VA_ARGS__), fputc(10, stderr), _fail(__FILE__, __LINE__))

#include "core/field.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"

// A Run on `threads` threads: `&on_threads(2)` lives as long as the enclosing block.
#define on_threads(count) ((const Run){ .threads = (count) })

// Fails the test with the error's text unless `status` is STATUS_OK.
#define assert_ok(status, error)                                                                             \
    do {                                                                                                     \
        if ((status) != STATUS_OK)                                                                           \
            fail_msg("%s", (error).text);                                                                    \
    } while (0)

#define assert_near(got, expected, tolerance)                                                                \
    do {                                                                                                     \
        const double got_ = (got), expected_ = (expected);                                                   \
        if (!(got_ - expected_ <= (tolerance) && expected_ - got_ <= (tolerance)))                           \
            fail_msg("%.17g is not within %g of %.17g", got_, (double)(tolerance), expected_);               \
    } while (0)

// Instructions are watched, which takes ten times as long: tests that measure what the results are like, with
// code that other tests run, return at once.
#ifdef ESKER_PLAIN_KERNELS
enum { UNDER_SANITIZERS = 1 };
#else
enum { UNDER_SANITIZERS = 0 };
#endif

// How many times as much as usual a test tries: ESKER_TIMES (tests/long/rounds.sh).
static inline int times_as_many(void) {
    const char *times = getenv("ESKER_TIMES");
    return times ? atoi(times) : 1;
}

// How many seeds or draws a test tries: `usual`, and a quarter of them under sanitizers, which find mistakes
// that seldom depend on a seed. ESKER_TIMES=N: N times as many (tests/long/rounds.sh). ESKER_SEEDS=N: N.
static inline int rounds(int usual) {
    const char *seeds = getenv("ESKER_SEEDS");
    if (seeds)
        return atoi(seeds);
    const int tried = usual * times_as_many() / (UNDER_SANITIZERS ? 4 : 1);
    return tried > 0 ? tried : 1;
}

// Whether a test tries case `number` of many that run nearly the same code: all of them, and every fourth
// under sanitizers. ESKER_TIMES=4 or more: all.
static inline bool takes_turn(int number) {
    return !UNDER_SANITIZERS || times_as_many() >= 4 || number % 4 == 0;
}

// A field of smooth-ish random heights in 0 … 1, for operations that want some terrain.
static inline Field noise_field(int width, int height, uint64_t seed) {
    Field field;
    Error error;
    assert_ok(field_create(&field, width, height, &error), error);
    const RandomKey fine = random_key(seed, 0), coarse = random_key(seed, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            field_row(&field, y)[x] = 0.75f * random_unit(coarse, (uint32_t)x / 8, (uint32_t)y / 8) +
                                      0.25f * random_unit(fine, (uint32_t)x, (uint32_t)y);
    return field;
}

// Runs an operation with `call` (inputs, and width, height, seed where it takes them) on one thread unless
// call.run says otherwise, and returns its outputs in `outputs` (OUTPUTS_MAX of them, zeroed here; free with
// outputs_free). `params` is the parameter struct, filled with params_initialise first; NULL for defaults.
static inline Status run_operation(const Operation *operation, Call call, void *params, Output *outputs,
                                   Error *error) {
    static const Run alone = { .threads = 1 };
    _Alignas(64) static unsigned char defaults[32768];
    if (!params) {
        assert_true(operation->params_size <= sizeof defaults);
        params_initialise(operation, defaults);
        params = defaults;
    }
    memset(outputs, 0, OUTPUTS_MAX * sizeof *outputs);
    if (!call.run)
        call.run = &alone;
    call.outputs = outputs;
    return operation_run(operation, &call, params, error);
}

// The same for operations that succeed and give one field, which the caller frees.
static inline Field run_field(const Operation *operation, Call call, void *params) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(operation, call, params, outputs, &error), error);
    for (int i = 1; i < OUTPUTS_MAX; i++)
        field_free(&outputs[i].field);
    return outputs[0].field;
}

static inline double field_sum(const Field *field) {
    double sum = 0;
    for (size_t i = 0; i < field_count(field); i++)
        sum += (double)field->cells[i];
    return sum;
}

static inline void assert_same_bits(const Field *a, const Field *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (size_t i = 0; i < field_count(a); i++)
        if (memcmp(&a->cells[i], &b->cells[i], sizeof(float)) != 0)
            fail_msg("cell (%d, %d): %.9g is not %.9g", (int)(i % (size_t)a->width),
                     (int)(i / (size_t)a->width), (double)a->cells[i], (double)b->cells[i]);
}

#endif
