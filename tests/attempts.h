// Any operation with inputs that fit it, for tests that go over all of them.

#ifndef ESKER_TEST_ATTEMPTS_H
#define ESKER_TEST_ATTEMPTS_H

#include "support.h"

#include "operations.h"
#include "places/points.h"
#include "rivers/network.h"

static inline bool wants_text(const Operation *operation) {
    for (int i = 0; i < INPUTS_MAX; i++)
        if (operation->inputs[i].name && input_accepts(&operation->inputs[i], &type_text))
            return true;
    return false;
}

// How many points some_network has. Where it is laid on a map, each of its stretches is an edit, which takes
// its time.
#ifndef NETWORK_POINTS
#define NETWORK_POINTS 400
#endif

static inline const void *some_network(void) {
    static Output outputs[OUTPUTS_MAX]; // kept until the end
    _Alignas(64) unsigned char params[32768];
    Error error;
    if (!outputs[0].value) {
        assert_true(op_river_network.params_size <= sizeof params);
        params_initialise(&op_river_network, params);
        assert_ok(
            param_set_number(operation_param(&op_river_network, "points"), params, NETWORK_POINTS, &error),
            error);
        assert_ok(run_operation(&op_river_network, (Call){ .width = 70, .height = 50, .seed = 4 }, params,
                                outputs, &error),
                  error);
    }
    return outputs[0].value;
}

// As large as a field, on which it may be laid.
static inline const Image *some_image(const Field *field) {
    static Image image; // static: the caller does not free it
    Error error;
    if (image.width != field->width || image.height != field->height) {
        image_free(&image);
        assert_ok(image_create(&image, field->width, field->height, &error), error);
        memset(image_row(&image, 0), 100, field_count(field) * sizeof(Pixel));
    }
    return &image;
}

typedef struct SomeValues {
    Output outputs[16][OUTPUTS_MAX];
    int made;
} SomeValues;

static inline SomeValues *some_values(void) {
    static SomeValues values;
    return &values;
}

// What an operation gives that makes values of this type, of `field` where it takes one; kept until the end.
static inline const void *some_value(const ValueType *type, const Field *field) {
    SomeValues *values = some_values();
    for (int i = 0; i < values->made; i++)
        if (values->outputs[i][0].type == type)
            return output_value(&values->outputs[i][0]);
    for (const Operation *const *each = all_operations; *each; each++) {
        const InputSpec *input = &(*each)->inputs[0];
        if (output_type(&(*each)->outputs[0]) != type ||
            (input->name && !input_accepts(input, &type_field)) ||
            (input->name && input[1].name && !input[1].optional))
            continue;
        Error error;
        const Call call = { .width = 70, .height = 50, .seed = 4, .inputs = { { .field = field } } };
        assert_true(values->made < 16);
        Output *outputs = values->outputs[values->made++];
        assert_ok(run_operation(*each, call, NULL, outputs, &error), error);
        return output_value(&outputs[0]);
    }
    fail_msg("no operation makes a %s", type->kind);
    return NULL;
}

// Frees them; they are made again when they are wanted.
static inline void free_some_values(void) {
    SomeValues *values = some_values();
    while (values->made > 0)
        outputs_free(values->outputs[--values->made]);
}

// A field where one may be.
static inline void set_input(const InputSpec *spec, Input *input, const Field *field) {
    const ValueType *type = input_accepts(spec, &type_field) ? &type_field : spec->accepts[0];
    input_set(input, type,
              type == &type_field     ? field
              : type == &type_image   ? (const void *)some_image(field)
              : type == &type_network ? some_network()
                                      : some_value(type, field));
}

static inline Call call_with(const Operation *operation, const Field *field) {
    Call call = { .width = field->width, .height = field->height, .seed = 3 };
    call.wrap = field->wraps ? WRAP_ON : WRAP_AS_FIELD;
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        set_input(&operation->inputs[i], &call.inputs[i], field);
    return call;
}

// Values that are tried of a parameter: each of its choices, and a list where it may be left out.
static inline int values_to_try(const Param *param) {
    int count = param->kind == PARAM_NUMBERS && param->optional;
    while (param->choices && param->choices[count])
        count++;
    return count;
}

// Runs on `run` (NULL: one thread). With the value `choice` of the parameter `chosen`, where there is one,
// and two iterations or steps; what is drawn deep by default at a zoom whose ground needs few levels.
static inline Status attempt_choice(const Operation *operation, const Param *chosen, int choice,
                                    const Run *run, const Field *field, Output *outputs, Error *error) {
    _Alignas(16) unsigned char params[32768];
    assert_true(operation->params_size <= sizeof params);
    params_initialise(operation, params);
    static const char *const repeated[] = { "iterations", "steps" };
    for (int i = 0; i < 2; i++) {
        const Param *count = operation_param(operation, repeated[i]);
        if (count)
            assert_ok(param_set_number(count, params, 2, error), *error);
    }
    const Param *zoom = operation_param(operation, "zoom");
    if (zoom && zoom->initial > 8)
        assert_ok(param_set_number(zoom, params, 8, error), *error);
    const Param *altitude = operation_param(operation, "altitude");
    if (altitude && operation == &op_level) // else found for few places alone
        assert_ok(param_set_number(altitude, params, 100, error), *error);
    const Param *ashore = operation_param(operation, "ashore");
    if (ashore) // places in the sea are refused
        assert_ok(param_set_number(ashore, params, 1e9, error), *error);
    if (chosen && chosen->kind == PARAM_NUMBERS)
        param_set_numbers(chosen, params, &(Numbers){ 3, { 0.25, 0.75, 0.5 } }, error); // refused: as it was
    else if (chosen)
        assert_ok(param_set_text(chosen, params, chosen->choices[choice], error), *error);
    Call call = call_with(operation, field);
    call.run = run;
    const Points *all = call.inputs[1].value;
    Points few;
    if ((operation == &op_set_places || operation == &op_add_places) &&
        all) { // for each of them, land is drawn on several grids
        few = *all;
        few.count = few.count < 3 ? few.count : 3;
        call.inputs[1].value = &few;
    }
    static float square_cells[32 * 32];
    static const Field square = { .width = 32, .height = 32, .cells = square_cells };
    if (operation == &op_imprint) // takes no other
        call.inputs[1].field = &square;
    if (operation == &op_crater) { // some of the places lie in the sea
        call.inputs[1].value = NULL;
        assert_ok(
            param_set_numbers(operation_param(operation, "at"), params, &(Numbers){ 2, { 0.3, 0.3 } }, error),
            *error);
    }
    if (operation == &op_carve) { // some lines do not end in water
        call.inputs[1].value = NULL;
        assert_ok(param_set_numbers(operation_param(operation, "along"), params,
                                    &(Numbers){ 4, { 0.6, 0.6, 0.61, 0.6 } }, error),
                  *error);
    }
    return run_operation(operation, call, params, outputs, error);
}

// Choices that do not all go with the defaults of the rest: of planets, of the sides of a river, and of areas
// on the ground of a frame.
static inline bool needs_company(const Param *param) {
    return strcmp(param->name, "projection") == 0 || strcmp(param->name, "face") == 0 ||
           strcmp(param->name, "entry") == 0 || strcmp(param->name, "exit") == 0 ||
           strcmp(param->name, "measure") == 0 || strcmp(param->name, "coordinates") == 0;
}

#endif
