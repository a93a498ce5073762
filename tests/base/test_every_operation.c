// What must hold for every operation that takes fields or makes them, seen from C.

#include "attempts.h"

static Status attempt(const Operation *operation, const Field *field, Output *outputs, Error *error) {
    return attempt_choice(operation, NULL, 0, NULL, field, outputs, error);
}

// Each allocation fails once: an error each time, and nothing is left behind.
static void every_allocation_may_fail(void **state) {
    (void)state;
    Field field = noise_field(70, 50, 1);
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each))
            continue;
        const size_t before = memory_in_use();
        Status status = STATUS_MEMORY;
        for (long successes = 0; status != STATUS_OK; successes++) {
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
            assert_int_equal(memory_in_use(), before);
        }
    }
    field_free(&field);
}

// A network's points are many or few, whatever the size of a field.
static bool makes_network(const Operation *operation) {
    return operation->outputs[0].kind == KIND_NETWORK;
}

// Beside inputs and results at most two fields' worth, and rows: with one result that is three times the
// input.
static void measure_working_memory(const Operation *operation, const Param *chosen, int choice,
                                   const Field *field) {
    enum { ROWS = 264 };
    Output outputs[OUTPUTS_MAX];
    Error error;
    const size_t before = memory_in_use(), rows = ROWS * (size_t)field->width * sizeof(float);
    memory_reset_peak();
    assert_ok(attempt_choice(operation, chosen, choice, NULL, field, outputs, &error), error);
    const size_t working = memory_peak() - memory_in_use(), bytes = field_count(field) * sizeof(float);
    if (working > (makes_network(operation) ? 5 : 2) * bytes + rows)
        fail_msg("%s %s works in %zu bytes beside its results, a field has %zu", operation->name,
                 chosen ? chosen->choices[choice] : "", working, bytes);
    outputs_free(outputs);
    assert_int_equal(memory_in_use(), before);
}

static void working_memory_is_bounded(void **state) {
    (void)state;
    Field field = noise_field(1024, 1024, 1);
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each))
            continue;
        measure_working_memory(*each, NULL, 0, &field);
        for (const Param *param = (*each)->params; param && param->name; param++)
            for (int i = 0; param->choices && param->choices[i] && !needs_company(param); i++)
                measure_working_memory(*each, param, i, &field);
    }
    field_free(&field);
}

static int make_map(void **state) {
    (void)state;
    return some_map() && some_image() && some_network() ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(working_memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, make_map, NULL);
}
