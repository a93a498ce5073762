// Any operation with inputs that fit it, for tests that go over all of them.

#ifndef ESKER_TEST_ATTEMPTS_H
#define ESKER_TEST_ATTEMPTS_H

#include "support.h"

#include "operations.h"

static inline bool wants_text(const Operation *operation) {
    for (int i = 0; i < INPUTS_MAX; i++)
        if (operation->inputs[i].name && operation->inputs[i].accepts & KIND_TEXT)
            return true;
    return false;
}

static inline const RiverMap *some_map(void) {
    static Output outputs[OUTPUTS_MAX]; // kept until the end
    Error error;
    if (!outputs[0].map)
        assert_ok(run_operation(&op_river_map, (Call){ .seed = 4 }, NULL, outputs, &error), error);
    return outputs[0].map;
}

static inline const RiverNetwork *some_network(void) {
    static Output outputs[OUTPUTS_MAX]; // likewise
    Error error;
    if (!outputs[0].network)
        assert_ok(run_operation(&op_river_network, (Call){ .width = 70, .height = 50, .seed = 4 }, NULL,
                                outputs, &error),
                  error);
    return outputs[0].network;
}

static inline const Image *some_image(void) {
    static Image image; // likewise
    Error error;
    if (!image.pixels) {
        assert_ok(image_create(&image, 70, 50, &error), error);
        memset(image_row(&image, 0), 100, 70 * 50 * sizeof(Pixel));
    }
    return &image;
}

static inline Call call_with(const Operation *operation, const Field *field) {
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

// Runs on `run` (NULL: one thread). With the choice `choice` of the parameter `chosen`, where there is one,
// and two iterations.
static inline Status attempt_choice(const Operation *operation, const Param *chosen, int choice,
                                    const Run *run, const Field *field, Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[8192];
    assert_true(operation->params_size <= sizeof params);
    params_initialise(operation, params);
    const Param *iterations = operation_param(operation, "iterations");
    if (iterations)
        assert_ok(param_set_number(iterations, params, 2, error), *error);
    if (chosen)
        assert_ok(param_set_text(chosen, params, chosen->choices[choice], error), *error);
    Call call = call_with(operation, field);
    call.run = run;
    return run_operation(operation, call, params, outputs, error);
}

// Choices that do not all go with the defaults of the rest: of planets, and of the sides of a river.
static inline bool needs_company(const Param *param) {
    return strcmp(param->name, "projection") == 0 || strcmp(param->name, "face") == 0 ||
           strcmp(param->name, "entry") == 0 || strcmp(param->name, "exit") == 0;
}

#endif
