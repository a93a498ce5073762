#include "core/operation_gaps.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

void gaps_begin(const Call *call, GapWork *work) {
    *work = (GapWork){ 0 };
    memcpy(work->inputs, call->inputs, sizeof work->inputs);
}

// The field that a pointer to one holds is replaced by one without gaps.
static Status replace(const Operation *operation, const Call *call, const char *name, const Field **held,
                      GapWork *work, Error *error) {
    const Field *field = *held;
    if (!field || !field->gaps || operation->gaps == GAPS_OWN)
        return STATUS_OK;
    if (operation->gaps == GAPS_REFUSED || work->count == GAP_FIELDS_MAX)
        return fail(error, STATUS_INVALID,
                    "%s has no data in %zu of its cells, which %s cannot skip: fill them, as in "
                    "height:inpaint(height:find_gaps()), or crop",
                    name, field->gaps->count, operation->name);
    Status status = STATUS_OK;
    if (field->width == call->width && field->height == call->height)
        status = gaps_join(&work->all, field, error);
    if (status == STATUS_OK)
        status = gaps_fill(field, &work->filled[work->count], error);
    if (status == STATUS_OK)
        *held = &work->filled[work->count++];
    return status;
}

Status gaps_prepare(const Operation *operation, Call *call, void *params, GapWork *work, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < INPUTS_MAX && operation->inputs[i].name; i++)
        status = replace(operation, call, operation->inputs[i].name, &call->inputs[i].field, work, error);
    for (const Param *param = operation->params; status == STATUS_OK && param && param->name; param++)
        if (param->kind == PARAM_FIELD)
            status = replace(operation, call, param->name,
                             (const Field **)(void *)((char *)params + param->offset), work, error);
    return status;
}

// --- afterwards --------------------------------------------------------------------------------------------

// The gaps as heights: 1, and 0 where there is data.
static Status draw_gaps(const Call *call, const Gaps *gaps, Field *mask, Error *error) {
    const Status status = field_create(mask, call->width, call->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(mask); i++)
        field_cells(mask)[i] = gaps->at[i];
    return status;
}

// Cells that took any part of their height from a gap have no data.
static Status take_gaps(Field *field, const Field *mask, Error *error) {
    Gaps *gaps = gaps_new(field_count(field), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (size_t i = 0; i < field_count(field); i++)
        gaps->at[i] = fabsf(mask->cells[i]) > 1e-4f;
    field_set_gaps(field, gaps);
    return STATUS_OK;
}

// Does with the gaps what was done with the heights.
static Status move_gaps(const Operation *operation, const Call *call, const GapWork *work, Error *error) {
    Output outputs[OUTPUTS_MAX] = { 0 };
    Field mask = { 0 };
    Call again = *call;
    again.outputs = outputs;
    again.inputs[0].field = &mask;
    Status status = draw_gaps(call, work->all, &mask, error);
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        outputs[i].type = output_type(&operation->outputs[i]);
        if (status == STATUS_OK && !operation->shapes_outputs && outputs[i].type == &type_field)
            status = field_create(&outputs[i].field, call->width, call->height, error);
    }
    if (status == STATUS_OK)
        status = operation->run(&again, error);
    for (int i = 0; status == STATUS_OK && i < OUTPUTS_MAX; i++)
        if (call->outputs[i].field.cells && outputs[i].field.cells)
            status = take_gaps(&call->outputs[i].field, &outputs[i].field, error);
    for (int i = 0; i < OUTPUTS_MAX; i++)
        output_free(&outputs[i]);
    field_free(&mask);
    return status;
}

static void clear_pixels(Image *image, const Gaps *gaps) {
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
        if (gaps->at[i])
            image_row(image, 0)[i].alpha = 0;
}

Status gaps_finish(const Operation *operation, Call *call, GapWork *work, Error *error) {
    if (!work->all)
        return STATUS_OK;
    if (operation->gaps == GAPS_MOVED)
        return move_gaps(operation, call, work, error);
    for (Output *output = call->outputs; output < call->outputs + OUTPUTS_MAX; output++) {
        Field *field = &output->field;
        Image *image = &output->image;
        if (field->cells && field->width == call->width && field->height == call->height)
            field_set_gaps(field, gaps_keep(work->all));
        if (image->pixels && image->width == call->width && image->height == call->height)
            clear_pixels(image, work->all);
    }
    return STATUS_OK;
}

void gaps_end(Call *call, GapWork *work) {
    memcpy(call->inputs, work->inputs, sizeof work->inputs);
    for (int i = 0; i < work->count; i++)
        field_free(&work->filled[i]);
    gaps_release(work->all);
}
