// What must hold for every operation that takes fields or makes them, seen from C.

#include "support.h"

#include "operations.h"

static bool wants_text(const Operation *operation) {
    for (int i = 0; i < INPUTS_MAX; i++)
        if (operation->inputs[i].name && operation->inputs[i].accepts & KIND_TEXT)
            return true;
    return false;
}

static const RiverMap *some_map(void) {
    static Output outputs[OUTPUTS_MAX]; // kept until the end
    Error error;
    if (!outputs[0].map)
        assert_ok(run_operation(&op_river_map, (Call){ .seed = 4 }, NULL, outputs, &error), error);
    return outputs[0].map;
}

static const RiverNetwork *some_network(void) {
    static Output outputs[OUTPUTS_MAX]; // likewise
    Error error;
    if (!outputs[0].network)
        assert_ok(run_operation(&op_river_network, (Call){ .width = 70, .height = 50, .seed = 4 }, NULL,
                                outputs, &error),
                  error);
    return outputs[0].network;
}

static const Image *some_image(void) {
    static Image image; // likewise
    Error error;
    if (!image.pixels) {
        assert_ok(image_create(&image, 70, 50, &error), error);
        memset(image.pixels, 100, 70 * 50 * sizeof(Pixel));
    }
    return &image;
}

static Call call_with(const Operation *operation, const Field *field) {
    Call call = { .width = field->width, .height = field->height, .seed = 3 };
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        if (operation->inputs[i].accepts & KIND_MAP)
            call.inputs[i].map = some_map();
        else if (operation->inputs[i].accepts == KIND_NETWORK)
            call.inputs[i].network = some_network();
        else if (operation->inputs[i].accepts == KIND_IMAGE)
            call.inputs[i].image = some_image();
        else
            call.inputs[i].field = field;
    return call;
}

static void set_palettes(const Operation *operation, void *params) {
    for (const Param *param = operation->params; param && param->name; param++)
        if (param->kind == PARAM_PALETTE)
            *(Palette *)(void *)((char *)params + param->offset) =
                (Palette){ 2, { { 0, { 0, 0, 0, 255 } }, { 1, { 255, 255, 255, 255 } } } };
}

// With the choice `choice` of the parameter `chosen`, where there is one, and two iterations.
static Status attempt_choice(const Operation *operation, const Param *chosen, int choice, const Field *field,
                             Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[8192];
    assert_true(operation->params_size <= sizeof params);
    params_initialise(operation, params);
    set_palettes(operation, params);
    const Param *iterations = operation_param(operation, "iterations");
    if (iterations)
        assert_ok(param_set_number(iterations, params, 2, error), *error);
    if (chosen)
        assert_ok(param_set_text(chosen, params, chosen->choices[choice], error), *error);
    return run_operation(operation, call_with(operation, field), params, outputs, error);
}

static Status attempt(const Operation *operation, const Field *field, Output *outputs, Error *error) {
    return attempt_choice(operation, NULL, 0, field, outputs, error);
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
    assert_ok(attempt_choice(operation, chosen, choice, field, outputs, &error), error);
    const size_t working = memory_peak() - memory_in_use(), bytes = field_count(field) * sizeof(float);
    if (working > (makes_network(operation) ? 5 : 2) * bytes + rows)
        fail_msg("%s %s works in %zu bytes beside its results, a field has %zu", operation->name,
                 chosen ? chosen->choices[choice] : "", working, bytes);
    outputs_free(outputs);
    assert_int_equal(memory_in_use(), before);
}

// Choices that do not all go with the defaults of the rest: of planets, and of the sides of a river.
static bool needs_company(const Param *param) {
    return strcmp(param->name, "projection") == 0 || strcmp(param->name, "face") == 0 ||
           strcmp(param->name, "entry") == 0 || strcmp(param->name, "exit") == 0;
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
