#include "core/operation.h"

#include "core/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
                           .doc = "any whole number; the same seed gives the same bytes" };

const Param wrap_param = { .name = "wrap",
                           .kind = PARAM_BOOLEAN,
                           .doc = "whether opposite edges meet, as those of a terrain that tiles do; by "
                                  "default as the field says (height.wraps)" };

static const Param no_params[] = { { 0 } };

static const Param *declared(const Operation *operation) {
    return operation->params ? operation->params : no_params;
}

const Param *operation_param(const Operation *operation, const char *name) {
    if (operation->seeded && strcmp(name, seed_param.name) == 0)
        return &seed_param;
    if (operation->wrapping == WRAPPING_CHOSEN && strcmp(name, wrap_param.name) == 0)
        return &wrap_param;
    if (operation->sized)
        for (const Param *param = size_params; param->name; param++)
            if (strcmp(name, param->name) == 0)
                return param;
    for (const Param *param = declared(operation); param->name; param++)
        if (strcmp(name, param->name) == 0)
            return param;
    return NULL;
}

// A choice is an int with a list of names; only the declaration as a whole tells.
ParamKind param_kind(const Param *param) {
    return param->choices ? PARAM_CHOICE : param->kind;
}

static void store_number(const Param *param, void *params, double value) {
    void *member = (char *)params + param->offset;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_CHOICE:
        *(int *)member = (int)value;
        break;
    case PARAM_BOOLEAN:
        *(bool *)member = value != 0;
        break;
    case PARAM_NUMBER:
        *(double *)member = value;
        break;
    case PARAM_DECIMAL:
        *(Decimal *)member = (Decimal){ .number = value };
        break;
    case PARAM_TEXT:
    case PARAM_NUMBERS:
    case PARAM_FIELD:
    case PARAM_IMAGE:
    case PARAM_PALETTE:
        break;
    }
}

void params_initialise(const Operation *operation, void *params) {
    memset(params, 0, operation->params_size);
    for (const Param *param = declared(operation); param->name; param++) {
        if (param->kind == PARAM_TEXT)
            *(const char **)(void *)((char *)params + param->offset) = param->initial_text;
        else if (param->kind == PARAM_NUMBERS)
            *(Numbers *)(void *)((char *)params + param->offset) = param->initial_numbers;
        else
            store_number(param, params, param->initial);
    }
}

static bool bounded(const Param *param) {
    return param->min != 0 || param->max != 0;
}

static bool within(const Param *param, double value) {
    return isfinite(value) && (!bounded(param) || (value >= param->min && value <= param->max));
}

// Bounds at or above this are there to keep arithmetic safe, not to be read.
static const double practically_unbounded = SIDE_MAX;

void param_allowed(const Param *param, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    switch (param_kind(param)) {
    case PARAM_CHOICE:
        for (const char *const *choice = param->choices; *choice; choice++) {
            const char *joint = choice == param->choices ? "" : choice[1] ? ", " : " or ";
            const int wrote = snprintf(text + used, size - used, "%s\"%s\"", joint, *choice);
            used = used + (size_t)wrote < size ? used + (size_t)wrote : size - 1;
        }
        return;
    case PARAM_INTEGER:
    case PARAM_NUMBER:
    case PARAM_NUMBERS:
    case PARAM_DECIMAL:
        if (!bounded(param))
            snprintf(text, size, param->kind == PARAM_INTEGER ? "a whole number" : "finite");
        else if (param->max >= practically_unbounded && param->min > -practically_unbounded)
            snprintf(text, size, "at least %.10g", param->min);
        else if (param->max >= practically_unbounded)
            snprintf(text, size, "finite");
        else
            snprintf(text, size, "%.10g to %.10g", param->min, param->max);
        return;
    case PARAM_BOOLEAN:
        snprintf(text, size, "true or false");
        return;
    case PARAM_TEXT:
        snprintf(text, size, "a string");
        return;
    case PARAM_FIELD:
        snprintf(text, size, "a field of the same size");
        return;
    case PARAM_IMAGE:
        snprintf(text, size, "an image of the same size");
        return;
    case PARAM_PALETTE:
        snprintf(text, size, "a palette's name, or a list of { height, \"#rrggbb\" }");
        return;
    }
}

Status param_set_number(const Param *param, void *params, double value, Error *error) {
    char allowed[200];
    param_allowed(param, allowed, sizeof allowed);
    if (!within(param, value)) {
        if (value > param->max && param->max >= practically_unbounded && isfinite(value))
            snprintf(allowed, sizeof allowed, "at most %.10g", param->max);
        const double shown = isnan(value) ? (double)NAN : value; // without the sign that some have
        return fail(error, STATUS_INVALID, "%s must be %s, got %.10g", param->name, allowed, shown);
    }
    if (param->kind == PARAM_INTEGER && value != floor(value))
        return fail(error, STATUS_INVALID, "%s must be a whole number, got %.10g", param->name, value);
    store_number(param, params, value);
    return STATUS_OK;
}

static bool is_decimal(const char *text) {
    int digits = 0, points = 0;
    for (text += *text == '-'; *text; text++) {
        digits += isdigit((unsigned char)*text) != 0;
        points += *text == '.';
        if (!isdigit((unsigned char)*text) && *text != '.')
            return false;
    }
    return digits > 0 && points <= 1;
}

Status param_set_text(const Param *param, void *params, const char *text, Error *error) {
    if (param_kind(param) == PARAM_DECIMAL) {
        if (!is_decimal(text))
            return fail(error, STATUS_INVALID,
                        "%s must be a number, or its digits as a string, got \"%.40s\"", param->name, text);
        const Status status = param_set_number(param, params, strtod(text, NULL), error);
        ((Decimal *)(void *)((char *)params + param->offset))->text = text;
        return status;
    }
    if (param_kind(param) == PARAM_TEXT) {
        *(const char **)(void *)((char *)params + param->offset) = text;
        return STATUS_OK;
    }
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], text) == 0) {
            store_number(param, params, i);
            return STATUS_OK;
        }
    char allowed[200];
    param_allowed(param, allowed, sizeof allowed);
    return fail(error, STATUS_INVALID, "%s must be %s, got \"%.40s\"", param->name, allowed, text);
}

Status param_set_numbers(const Param *param, void *params, const Numbers *numbers, Error *error) {
    for (int i = 0; i < numbers->count; i++)
        if (!within(param, numbers->at[i])) {
            char allowed[200];
            param_allowed(param, allowed, sizeof allowed);
            return fail(error, STATUS_INVALID, "%s: element %d must be %s, got %.10g", param->name, i + 1,
                        allowed, numbers->at[i]);
        }
    *(Numbers *)(void *)((char *)params + param->offset) = *numbers;
    return STATUS_OK;
}

// --- running -----------------------------------------------------------------------------------------------

static Status check_size(const Operation *operation, const Call *call, const char *name, const Field *field,
                         Error *error) {
    if (operation->any_sizes || (field->width == call->width && field->height == call->height))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s is %d × %d, but must have the size of the first field, %d × %d",
                name, field->width, field->height, call->width, call->height);
}

static const Field *field_param(const Param *param, const void *params) {
    return param->kind == PARAM_FIELD
               ? *(const Field *const *)(const void *)((const char *)params + param->offset)
               : NULL;
}

static Status check_fields(const Operation *operation, Call *call, const void *params, Error *error) {
    bool first = !operation->sized;
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        const Input *input = &call->inputs[i];
        if (input->field) {
            if (first)
                call->width = input->field->width, call->height = input->field->height;
            first = false;
            const Status status = check_size(operation, call, operation->inputs[i].name, input->field, error);
            if (status != STATUS_OK)
                return status;
        } else if (input->image && first) {
            call->width = input->image->width, call->height = input->image->height;
            first = false;
        }
    }
    for (const Param *param = declared(operation); param->name; param++) {
        const Field *field = field_param(param, params);
        const Status status = field ? check_size(operation, call, param->name, field, error) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// Whether all fields that were given wrap; false where none was.
static bool all_wrap(const Operation *operation, const Call *call, const void *params) {
    bool some = false, all = true;
    for (int i = 0; i < INPUTS_MAX; i++)
        if (call->inputs[i].field) {
            some = true;
            all = all && call->inputs[i].field->wraps;
        }
    for (const Param *param = declared(operation); param->name; param++)
        all = all && (!field_param(param, params) || field_param(param, params)->wraps);
    return some && all;
}

static bool resolve_wrap(const Operation *operation, const Call *call, const void *params) {
    switch (operation->wrapping) {
    case WRAPPING_CHOSEN:
        if (call->wrap != WRAP_AS_FIELD)
            return call->wrap == WRAP_ON;
        return call->inputs[0].field && call->inputs[0].field->wraps;
    case WRAPPING_KEPT:
        return all_wrap(operation, call, params);
    case WRAPPING_MADE:
        return true;
    case WRAPPING_LOST:
        break;
    }
    return false;
}

static void resolve_per_side(const Operation *operation, const Call *call, void *params) {
    const double side = call->width > call->height ? call->width : call->height;
    for (const Param *param = declared(operation); param->name; param++)
        if (param->unit == UNIT_PER_SIDE)
            *(double *)(void *)((char *)params + param->offset) /= side;
}

static Status create_outputs(const Operation *operation, const Call *call, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        const Kind kind = operation->outputs[i].kind;
        if (kind == KIND_IMAGE)
            status = image_create(&call->outputs[i].image, call->width, call->height, error);
        else if (kind == KIND_FIELD || !kind)
            status = field_create(&call->outputs[i].field, call->width, call->height, error);
        call->outputs[i].field.wraps = call->wraps && call->outputs[i].field.cells;
    }
    return status;
}

static Status check_overflow(const Call *call, Error *error) {
    for (int i = 0; i < OUTPUTS_MAX; i++) {
        Error found;
        if (call->outputs[i].field.cells && field_check_finite(&call->outputs[i].field, &found) != STATUS_OK)
            return fail(error, STATUS_INVALID, "the result's %s", found.text);
    }
    return STATUS_OK;
}

Status operation_run(const Operation *operation, Call *call, void *params, Error *error) {
    const Run *const callers = call->run;
    Run run = *callers;
    run.iterates = run.iterates || operation_param(operation, "iterations");
    call->run = &run;
    call->params = params;
    Status status = check_fields(operation, call, params, error);
    call->wraps = resolve_wrap(operation, call, params);
    if (status == STATUS_OK)
        resolve_per_side(operation, call, params);
    if (status == STATUS_OK && !operation->shapes_outputs)
        status = create_outputs(operation, call, error);
    if (status == STATUS_OK)
        status = operation->run(call, error);
    if (status == STATUS_OK && operation->may_overflow)
        status = check_overflow(call, error);
    if (status == STATUS_STOPPED)
        fail(error, status, "interrupted");
    if (status != STATUS_OK)
        outputs_free(call->outputs);
    call->run = callers;
    return status;
}

void outputs_free(Output *outputs) {
    for (Output *output = outputs; output < outputs + OUTPUTS_MAX; output++) {
        field_free(&output->field);
        image_free(&output->image);
        memory_free(output->numbers.at);
        for (int i = 0; i < output->labels.count; i++) {
            memory_free(output->labels.at[i].key);
            memory_free(output->labels.at[i].value);
        }
        memory_free(output->labels.at);
        memory_free(output->map);
        memory_free(output->network);
        memory_free(output->mesh);
        *output = (Output){ 0 };
    }
}

// --- names -------------------------------------------------------------------------------------------------

// Edit distance with neighbouring letters exchanged counted as one (optimal string alignment).
static int distance(const char *a, const char *b) {
    enum { LONGEST = 40 };
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return LONGEST;
    int table[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            const int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            const int drop = table[i - 1][j] + 1, add = table[i][j - 1] + 1;
            int least = change < drop ? change : drop;
            least = least < add ? least : add;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < least)
                least = table[i - 2][j - 2] + 1;
            table[i][j] = least;
        }
    return table[rows][columns];
}

const char *nearest_name(const char *name, const char *const *names) {
    const char *nearest = NULL;
    int least = (int)strlen(name) / 3 + 2; // a longer word may hold more slips
    for (; *names; names++) {
        const int found = distance(name, *names);
        if (found < least)
            nearest = *names, least = found;
    }
    return nearest;
}
