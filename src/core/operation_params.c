// What a declaration says of parameters and inputs.
#include "core/operation.h"

#include <stdio.h>
#include <string.h>

// --- parameters --------------------------------------------------------------------------------------------

const Param size_params[] = {
    { .name = "size",
      .kind = PARAM_INTEGER,
      .initial = 512,
      .min = 2,
      .max = SIDE_MAX,
      .unit = UNIT_CELLS,
      .doc = "width and height" },
    { .name = "width",
      .kind = PARAM_INTEGER,
      .min = 2,
      .max = SIDE_MAX,
      .unit = UNIT_CELLS,
      .doc = "width, with height instead of size" },
    { .name = "height",
      .kind = PARAM_INTEGER,
      .min = 2,
      .max = SIDE_MAX,
      .unit = UNIT_CELLS,
      .doc = "height, with width instead of size" },
    { 0 },
};

const Param seed_param = { .name = "seed",
                           .kind = PARAM_INTEGER,
                           .doc = "the same seed gives the same bytes" };

const Param wrap_param = {
    .name = "wrap",
    .kind = PARAM_BOOLEAN,
    .doc = "whether opposite edges meet, as in a terrain that tiles; by default height.wraps"
};

const Param asked_wrap_param = { .name = "wrap",
                                 .kind = PARAM_BOOLEAN,
                                 .doc = "whether opposite edges meet and water drains across them" };

const Param *operation_wrap_param(const Operation *operation) {
    return operation->wrapping == WRAPPING_CHOSEN  ? &wrap_param
           : operation->wrapping == WRAPPING_ASKED ? &asked_wrap_param
                                                   : NULL;
}

static const Param no_params[] = { { 0 } };

const Param *operation_params(const Operation *operation) {
    return operation->params ? operation->params : no_params;
}

const Param *operation_param_at(const Operation *operation, int index) {
    const Param *wrap = operation_wrap_param(operation);
    const int sizes = operation->sized ? 3 : 0, own = sizes + operation->seeded + (wrap != NULL);
    if (index < sizes)
        return &size_params[index];
    if (index < own)
        return index == sizes && operation->seeded ? &seed_param : wrap;
    const Param *param = operation_params(operation);
    for (index -= own; index > 0 && param->name; index--)
        param++;
    return param->name ? param : NULL;
}

const Param *operation_param(const Operation *operation, const char *name) {
    const Param *param;
    for (int i = 0; (param = operation_param_at(operation, i)); i++)
        if (strcmp(name, param->name) == 0)
            return param;
    return NULL;
}

void operation_param_allowed(const Operation *operation, const Param *param, char *text, size_t size) {
    param_allowed(param, text, size);
    const size_t used = strlen(text);
    if ((param->kind == PARAM_FIELD || param->kind == PARAM_FIELDS || param->kind == PARAM_IMAGE) &&
        !operation->any_sizes)
        snprintf(text + used, size - used, " of the same size");
}

void params_initialise(const Operation *operation, void *params) {
    memset(params, 0, operation->params_size);
    for (const Param *param = operation_params(operation); param->name; param++)
        param_initialise(param, params);
}

Status params_check(const Operation *operation, const void *params, Error *error) {
    Status status = STATUS_OK;
    for (const Param *param = operation_params(operation); param->name && status == STATUS_OK; param++)
        status = param_check(param, params, error);
    return status;
}

// --- inputs and outputs ------------------------------------------------------------------------------------

bool input_accepts(const InputSpec *spec, const ValueType *type) {
    if (spec->accepts_saved)
        return type->ending != NULL;
    if (!spec->accepts[0])
        return type == &type_field;
    bool accepted = false;
    for (int i = 0; i < ACCEPTS_MAX; i++)
        accepted = accepted || spec->accepts[i] == type;
    return accepted;
}

void input_set(Input *input, const ValueType *type, const void *value) {
    *input = (Input){ 0 };
    if (type == &type_field)
        input->field = value;
    else if (type == &type_image)
        input->image = value;
    else
        input->value = value, input->type = type;
}

bool input_is_given(const Input *input) {
    return input->field || input->image || input->value || input->text;
}
