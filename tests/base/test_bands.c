// What works in bands of rows or parts of lists gives the same bits for any number of threads where it has
// several of them: test_threads.c tries all operations, with fields that are too small for that.

#define NETWORK_POINTS 8000
#include "attempts.h"

#include "core/parallel.h"
#include "output_hash.h"

typedef struct Case {
    const char *operation;
    struct {
        const char *param;
        double value;
    } set[4];
} Case;

static const Case cases[] = {
    { "render", { { 0 } } },
    { "render", { { "zoom", 3 } } },
    { "rivers", { { 0 } } },
    { "rivers_from_flow", { { "threshold", 0.00002 } } },
    { "contours", { { 0 } } },
    { "contour_map", { { 0 } } },
    { "draw", { { "scale", 8 } } },
    { "mesh", { { 0 } } },
    { "drape", { { 0 } } },
    { "plant", { { 0 } } },
    { "set_gaps", { { 0 } } },
    { "transform", { { "angle", 30 } } },
    { "histogram", { { 0 } } },
    { "squig_mountain", { { "levels", 9 }, { "symmetry", 1 }, { "tributaries", 0.4 } } },
    { "rasterize", { { "scale", 8 }, { "line", 3 } } },
    { "contours", { { "interval", 0.02 }, { "smooth", 2 } } },
};

static const Operation *operation_named(const char *name) {
    for (const Operation *const *each = all_operations; *each; each++)
        if (strcmp((*each)->name, name) == 0)
            return *each;
    fail_msg("no operation %s", name);
    return NULL;
}

static uint64_t run_on(const Case *tried, int threads, const Field *field) {
    _Alignas(16) unsigned char params[16384];
    const Operation *operation = operation_named(tried->operation);
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(operation, params);
    for (int i = 0; i < 4 && tried->set[i].param; i++) {
        const Param *param = operation_param(operation, tried->set[i].param);
        assert_non_null(param);
        assert_ok(param_set_number(param, params, tried->set[i].value, &error), error);
    }
    Call call = call_with(operation, field);
    call.run = &on_threads(threads);
    assert_ok(run_operation(operation, call, params, outputs, &error), error);
    const uint64_t hash = output_hash(operation, outputs);
    outputs_free(outputs);
    return hash;
}

static void bands_do_not_change_a_bit(void **state) {
    (void)state;
    static const int threads[] = { 3, 2, 7 };
    const size_t numbers = UNDER_SANITIZERS ? 1 : sizeof threads / sizeof *threads;
    Field field = noise_field(330, 250, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!takes_turn((int)i))
            continue;
        const uint64_t expected = run_on(&cases[i], 1, &field);
        parallel_every_row(true);
        for (size_t k = 0; k < numbers; k++)
            if (run_on(&cases[i], threads[k], &field) != expected)
                fail_msg("%s (case %zu) differs on %d threads", cases[i].operation, i, threads[k]);
        parallel_every_row(false);
    }
    free_some_values();
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(bands_do_not_change_a_bit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
