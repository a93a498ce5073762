// What a declaration says of parameters and inputs.

#include "core/operation.h"

#include "core/error.h"
#include "core/whole.h"

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

static const Param no_params[] = { { 0 } };

const Param *operation_params(const Operation *operation) {
    return operation->params ? operation->params : no_params;
}

const Param coordinates_param = {
    .name = "coordinates",
    .kind = PARAM_CHOICE,
    .choices = CHOICES("shares", "cells", "map", "degrees"),
    .doc = "what places are given in: shares of the width and height; cells; \"map\": the coordinates of the "
           "field's frame; \"degrees\": longitude and latitude"
};

bool operation_takes_places(const Operation *operation) {
    for (const Param *param = operation_params(operation); param->name; param++)
        if (param->unit == UNIT_PLACE)
            return true;
    return false;
}

const char *dimension_name(Dimension dimension) {
    static const char *const names[] = {
        [DIMENSION_NONE] = NULL,
        [DIMENSION_HEIGHT] = "unit of the heights",
        [DIMENSION_LENGTH] = "m, without a frame N",
        [DIMENSION_AREA] = "m², without a frame cells",
        [DIMENSION_CURVATURE] = "1/m, without a frame 1/N",
        [DIMENSION_ANGLE] = "degrees",
        [DIMENSION_CELLS] = "cells",
    };
    return names[dimension];
}

const Param *operation_wrap_param(const Operation *operation) {
    return operation->wrapping == WRAPPING_CHOSEN  ? &wrap_param
           : operation->wrapping == WRAPPING_ASKED ? &asked_wrap_param
                                                   : NULL;
}

const Param *operation_param_at(const Operation *operation, int index) {
    const Param *wrap = operation_wrap_param(operation);
    const Param *implicit[6];
    int own = 0;
    for (int i = 0; operation->sized && i < 3; i++)
        implicit[own++] = &size_params[i];
    if (operation->seeded)
        implicit[own++] = &seed_param;
    if (wrap)
        implicit[own++] = wrap;
    if (operation_takes_places(operation))
        implicit[own++] = &coordinates_param;
    if (index < own)
        return implicit[index];
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

// --- wrong arguments ---------------------------------------------------------------------------------------

static bool mentions(const char *text, const char *word) {
    const size_t length = strlen(word);
    const char *const letters = "abcdefghijklmnopqrstuvwxyz_";
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !strchr(letters, at[-1])) && (!at[length] || !strchr(letters, at[length])))
            return true;
    return false;
}

// The one parameter whose documentation has a word; NULL if there are none or several.
static const char *documented_by(const Operation *operation, const char *word) {
    const Param *param, *found = NULL;
    int count = 0;
    for (int i = 0; *word && (param = operation_param_at(operation, i)); i++)
        if (mentions(param->doc, word)) {
            found = param;
            count++;
        }
    return count == 1 ? found->name : NULL;
}

Status argument_unknown(const Operation *operation, const char *name, bool with_inputs, Error *error) {
    enum { NAMES_MAX = 64 };
    const char *names[INPUTS_MAX + NAMES_MAX + 1] = { 0 };
    const Param *param;
    int count = 0;
    for (int i = 0; with_inputs && i < INPUTS_MAX && operation->inputs[i].name; i++)
        names[count++] = operation->inputs[i].name;
    for (int i = 0; i < NAMES_MAX && (param = operation_param_at(operation, i)); i++)
        names[count++] = param->name;
    const Operation *const drawn_by = operation->drawn_by;
    if (drawn_by && operation_param(drawn_by, name))
        return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s', which %s takes: %s:%s{ %s = … }",
                    operation->name, name, drawn_by->name, operation->outputs[0].name, drawn_by->name, name);
    const char *nearest = nearest_name(name, names);
    nearest = nearest ? nearest : documented_by(operation, name);
    if (nearest)
        return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s', did you mean '%s'?",
                    operation->name, name, nearest);
    return fail(error, STATUS_INVALID, "%s: unknown argument '%.40s' (esker help %s lists them)",
                operation->name, name, operation->name);
}

Status argument_wrong(const Operation *operation, const Param *param, const char *got, Error *error) {
    char allowed[200];
    operation_param_allowed(operation, param, allowed, sizeof allowed);
    const ParamKind kind = param_kind(param);
    const char *hint = kind == PARAM_FIELD && (strcmp(got, "RiverNetwork") == 0 || strcmp(got, "Points") == 0)
                           ? "; :rasterize() makes one of it"
                           : "";
    const char *expected = kind == PARAM_NUMBER || kind == PARAM_INTEGER ? "a number, "
                           : kind == PARAM_NUMBERS                       ? "a list of "
                                                                         : "";
    return fail(error, STATUS_INVALID, "%s: %s must be %s%s, got %.60s%s", operation->name, param->name,
                expected, allowed, got, hint);
}

Status argument_sides(const Operation *operation, const int sides[3], Call *call, Error *error) {
    if (sides[0] && (sides[1] || sides[2]))
        return fail(error, STATUS_INVALID, "%s: give size, or width and height, not both", operation->name);
    if (!sides[1] != !sides[2])
        return fail(error, STATUS_INVALID, "%s: width and height are given together", operation->name);
    const int size = sides[0] ? sides[0] : whole_int(size_params[0].initial);
    call->only_size = !sides[1];
    call->width = sides[1] ? sides[1] : size;
    call->height = sides[2] ? sides[2] : size;
    return STATUS_OK;
}
