// Runs operations.

#include "core/operation.h"

#include "core/finite.h"
#include "core/memory.h"
#include "core/operation_steps.h"

#include <math.h>
#include <string.h>

// --- arguments ---------------------------------------------------------------------------------------------

static Status check_size(const Operation *operation, const Call *call, const char *name, const Field *field,
                         Error *error) {
    if (operation->any_sizes || (field->width == call->width && field->height == call->height))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s is %d × %d, but must have the size of the first field, %d × %d",
                name, field->width, field->height, call->width, call->height);
}

static Status check_fields(const Operation *operation, Call *call, const void *params, Error *error) {
    bool first = !operation->sized;
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        const Input *input = &call->inputs[i];
        if (input->field) {
            if (first)
                call->width = input->field->width, call->height = input->field->height,
                call->whole = input->field->whole;
            first = false;
            const Status status = check_size(operation, call, operation->inputs[i].name, input->field, error);
            if (status != STATUS_OK)
                return status;
        } else if (input->image && first) {
            call->width = input->image->width, call->height = input->image->height;
            first = false;
        }
    }
    for (const Param *param = operation_params(operation); param->name; param++) {
        int count;
        const Field *const *fields = param_fields(param, params, &count);
        for (int i = 0; i < count; i++) {
            const Status status = check_size(operation, call, param->name, fields[i], error);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

static Status check_numbers(const Operation *operation, const Call *call, Error *error) {
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        if (!input_is_given(&call->inputs[i]) && !isfinite(call->inputs[i].number))
            return fail(error, STATUS_INVALID, "%s must be finite, got %s", operation->inputs[i].name,
                        digits_of(call->inputs[i].number).text);
    return STATUS_OK;
}

// --- edges -------------------------------------------------------------------------------------------------

// Whether all given fields wrap that lie on the plane of the first; false if there are none.
static bool all_wrap(const Operation *operation, const Call *call, const void *params) {
    bool some = false, all = true;
    for (int i = 0; i < (operation->any_sizes ? 1 : INPUTS_MAX); i++)
        if (call->inputs[i].field) {
            some = true;
            all = all && call->inputs[i].field->wraps;
        }
    for (const Param *param = operation_params(operation); param->name; param++) {
        int count;
        const Field *const *fields = param_fields(param, params, &count);
        for (int i = 0; i < count; i++)
            all = all && fields[i]->wraps;
    }
    return some && all;
}

static bool first_wraps(const Operation *operation, const Call *call) {
    const Input *input = &call->inputs[0];
    if (input->field)
        return input->field->wraps;
    const ValueType *type = input->type ? input->type : operation->inputs[0].accepts[0];
    const ValueProperty *wraps = input->value ? value_property(type, "wraps") : NULL;
    return wraps && wraps->get(input->value) != 0;
}

static bool resolve_wrap(const Operation *operation, const Call *call, const void *params) {
    switch (operation->wrapping) {
    case WRAPPING_CHOSEN:
        if (call->wrap != WRAP_AS_FIELD)
            return call->wrap == WRAP_ON;
        return first_wraps(operation, call);
    case WRAPPING_ASKED:
        return call->wrap == WRAP_ON;
    case WRAPPING_KEPT:
        return all_wrap(operation, call, params);
    case WRAPPING_MADE:
        return true;
    case WRAPPING_LOST:
        break;
    }
    return false;
}

// Where `wrap` is not given, a second field whose edges do not meet leaves a seam in the result.
static bool outputs_wrap(const Operation *operation, const Call *call, const void *params) {
    const bool own = operation->wrapping != WRAPPING_CHOSEN || call->wrap == WRAP_ON;
    return call->wraps && (own || all_wrap(operation, call, params));
}

// --- results -----------------------------------------------------------------------------------------------

static Status create_outputs(const Operation *operation, const Call *call, const void *params, Error *error) {
    const bool wraps = outputs_wrap(operation, call, params);
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        const ValueType *type = output_type(&operation->outputs[i]);
        if (type == &type_image)
            status = image_create(&call->outputs[i].image, call->width, call->height, error);
        else if (type == &type_field)
            status = field_create(&call->outputs[i].field, call->width, call->height, error);
        call->outputs[i].field.wraps = wraps && call->outputs[i].field.cells;
    }
    return status;
}

// --- a call ------------------------------------------------------------------------------------------------

// A copy of the parameters, freed by the caller; NULL if memory runs out.
static void *copy_params(const Operation *operation, const void *params, Error *error) {
    void *copy = memory_new(1, operation->params_size + 1, error); // not the caller's
    if (copy && operation->params_size > 0)
        memcpy(copy, params, operation->params_size);
    return copy;
}

// All checks before it runs; resolves per-side values.
static Status prepare(const Operation *operation, Call *call, const void *params, void *resolved,
                      Error *error) {
    Status status = check_fields(operation, call, params, error);
    if (status == STATUS_OK)
        status = operation_find_frame(operation, call, params, error);
    call->params = resolved;
    call->wraps = resolve_wrap(operation, call, params);
    if (status == STATUS_OK)
        status = check_numbers(operation, call, error);
    if (status == STATUS_OK)
        status = params_check(operation, params, error);
    if (status == STATUS_OK)
        status = operation_resolve_units(operation, call, resolved, error);
    if (operation->negates)
        call->frame.sea = 0 - call->frame.sea;
    return status;
}

Status operation_run(const Operation *operation, Call *call, const void *params, Error *error) {
    void *resolved = copy_params(operation, params, error);
    if (!resolved)
        return STATUS_MEMORY;
    const Run *const callers = call->run;
    Run run = *callers;
    run.iterates = run.iterates || operation_param(operation, "iterations");
    call->run = &run;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++)
        call->outputs[i].type = output_type(&operation->outputs[i]), call->outputs[i].finite = false;
    Status status = prepare(operation, call, params, resolved, error);
    if (status == STATUS_OK && !operation->shapes_outputs)
        status = create_outputs(operation, call, params, error);
    GapWork gaps;
    gaps_begin(call, &gaps);
    if (status == STATUS_OK)
        status = gaps_prepare(operation, call, resolved, &gaps, error);
    if (status == STATUS_OK)
        status = operation->run(call, error);
    if (status == STATUS_OK)
        status = gaps_finish(operation, call, &gaps, error);
    gaps_end(call, &gaps);
    if (status == STATUS_OK)
        operation_set_frames(operation, call);
    if (status == STATUS_OK && !operation->always_finite)
        status = outputs_check_finite(call, operation, error);
    for (int i = 0; status == STATUS_OK && i < OUTPUTS_MAX && operation->outputs[i].name; i++)
        if (call->outputs[i].value && call->outputs[i].type->made)
            status = call->outputs[i].type->made(call->outputs[i].value, operation, call, params, error);
    if (status == STATUS_STOPPED)
        fail(error, status, "interrupted");
    if (status != STATUS_OK)
        outputs_free(call->outputs);
    memory_free(resolved);
    call->params = NULL;
    call->run = callers;
    return status;
}

Status operation_locality(const Operation *operation, Call *call, const void *params, Locality *locality,
                          Error *error) {
    void *resolved = copy_params(operation, params, error);
    if (!resolved)
        return STATUS_MEMORY;
    call->surveyed = true;
    const Status status = prepare(operation, call, params, resolved, error);
    if (status == STATUS_OK)
        *locality = (Locality){ operation->reach ? operation->reach(call) : SEES_ALL, call->wraps,
                                outputs_wrap(operation, call, params), call->frame };
    memory_free(resolved);
    call->params = NULL;
    return status;
}

int reach_none(const Call *call) {
    (void)call;
    return 0;
}

int reach_beside(const Call *call) {
    (void)call;
    return 1;
}

void outputs_free(Output *outputs) {
    for (Output *output = outputs; output < outputs + OUTPUTS_MAX; output++)
        output_free(output);
}
