// What must hold for every operation that takes fields or makes them, seen from C.

#include "support.h"

#include "operations.h"

static bool wants_text(const Operation *operation) {
    for (int i = 0; i < INPUTS_MAX; i++)
        if (operation->inputs[i].name && operation->inputs[i].accepts & KIND_TEXT)
            return true;
    return false;
}

static Call call_with(const Operation *operation, const Field *field) {
    Call call = { .width = field->width, .height = field->height, .seed = 3 };
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        call.inputs[i].field = field;
    return call;
}

static void set_palettes(const Operation *operation, void *params) {
    for (const Param *param = operation->params; param && param->name; param++)
        if (param->kind == PARAM_PALETTE)
            *(Palette *)(void *)((char *)params + param->offset) =
                (Palette){ 2, { { 0, { 0, 0, 0, 255 } }, { 1, { 255, 255, 255, 255 } } } };
}

static Status attempt(const Operation *operation, const Field *field, Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[8192];
    assert_true(operation->params_size <= sizeof params);
    params_initialise(operation, params);
    set_palettes(operation, params);
    return run_operation(operation, call_with(operation, field), params, outputs, error);
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

// Beyond inputs and results, at most three fields' worth (and some kilobytes of rows and tables).
static void working_memory_is_bounded(void **state) {
    (void)state;
    Field field = noise_field(512, 512, 1);
    const size_t bytes = field_count(&field) * sizeof(float);
    for (const Operation *const *each = all_operations; *each; each++) {
        if (wants_text(*each))
            continue;
        Output outputs[OUTPUTS_MAX];
        Error error;
        const size_t before = memory_in_use();
        memory_reset_peak();
        assert_ok(attempt(*each, &field, outputs, &error), error);
        const size_t most = memory_peak() - before, results = memory_in_use() - before;
        if (most - results > 3 * bytes + 300000)
            fail_msg("%s works in %zu bytes beside its results, a field has %zu", (*each)->name,
                     most - results, bytes);
        outputs_free(outputs);
    }
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(working_memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
