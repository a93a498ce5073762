// Realism: measures are those of a program that goes through all cells in order, on any number of threads.

#include "support.h"

#include "core/parallel.h"
#include "operations.h"

static uint64_t measures(const Field *height, double sea, int threads) {
    _Alignas(64) static unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_realism, params);
    assert_ok(param_set_number(operation_param(&op_realism, "sea_level"), params, sea, &error), error);
    const Call call = { .inputs = { { .field = height } }, .run = &on_threads(threads) };
    assert_ok(run_operation(&op_realism, call, params, outputs, &error), error);
    uint64_t hash = 0;
    for (int i = 0; i < OUTPUTS_MAX && op_realism.outputs[i].name; i++)
        hash = mix_number(hash, outputs[i].number);
    outputs_free(outputs);
    return hash;
}

// Of several bands of rows, with and without a coast; also with each row as a block.
static void bands_change_nothing(void **state) {
    (void)state;
    static const int threads[] = { 1, 2, 3, 7 };
    Field height = noise_field(700, 900, 4);
    const size_t numbers = UNDER_SANITIZERS ? 2 : sizeof threads / sizeof *threads;
    for (size_t i = 0; i < 2 * numbers; i++) {
        parallel_every_row(i % 2 == 1);
        assert_int_equal(measures(&height, 0.3, threads[i / 2]), UINT64_C(0xe648e1a702ae52e4));
        assert_int_equal(measures(&height, -1, threads[i / 2]), UINT64_C(0x5c124cd5099bc105));
        parallel_every_row(false);
    }
    field_free(&height);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(bands_change_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
