#include "core/operation_steps.h"

#include "core/math.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

void gaps_begin(const Call *call, GapWork *work) {
    *work = (GapWork){ 0 };
    memcpy(work->inputs, call->inputs, sizeof work->inputs);
}

// The parameter sea_level of an operation that has one.
static double sea_level(const Operation *operation, const void *params, double otherwise) {
    for (const Param *param = operation->params; param && param->name; param++)
        if (strcmp(param->name, "sea_level") == 0)
            return *(const double *)(const void *)((const char *)params + param->offset);
    return otherwise;
}

// Lowers the gaps of `filled` below all that has data and below the sea, whose level `params` has.
static Status flood(const Operation *operation, const void *params, const Field *field, Field *filled,
                    Error *error) {
    float least = (float)sea_level(operation, params, (double)FLT_MAX);
    const Status status = field_create(filled, field->width, field->height, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < field_count(field); i++)
        if (field_has_data(field, i))
            least = min(least, field->cells[i]);
    least = nextafterf(least, -FLT_MAX);
    for (size_t i = 0; i < field_count(field); i++)
        field_cells(filled)[i] = field_has_data(field, i) ? field->cells[i] : least;
    filled->whole = field->whole;
    filled->wraps = field->wraps;
    filled->frame = field->frame;
    return STATUS_OK;
}

// The field that a pointer to one holds is replaced by one without gaps.
static Status replace(const Operation *operation, const Call *call, const void *params, const char *name,
                      const Field **held, GapWork *work, Error *error) {
    const Field *field = *held;
    if (!field || !field->gaps || operation->gaps == GAPS_OWN)
        return STATUS_OK;
    if (operation->gaps == GAPS_REFUSED || work->count == GAP_FIELDS_MAX)
        return fail(error, STATUS_INVALID,
                    "%s has no data in %zu of its cells, which %s cannot skip: fill them, as in "
                    "height:inpaint(height:find_gaps()), or crop",
                    name, field->gaps->count, operation->name);
    Status status = STATUS_OK;
    const bool belongs = field->width == call->width && field->height == call->height;
    if (belongs)
        status = gaps_join(&work->all, field, error);
    Field *filled = &work->filled[work->count];
    if (status == STATUS_OK)
        status = operation->gaps == GAPS_SEA && held == &call->inputs[0].field
                     ? flood(operation, params, field, filled, error)
                     : gaps_fill(field, belongs ? call->wraps : field->wraps, filled, error);
    if (status == STATUS_OK) {
        filled->gaps = gaps_keep(field->gaps);
        *held = &work->filled[work->count++];
    }
    return status;
}

static Status replace_param(const Operation *operation, const Call *call, void *params, const Param *param,
                            GapWork *work, Error *error) {
    int count;
    const Field **fields = (const Field **)(void *)param_fields(param, params, &count); // in params
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = replace(operation, call, params, param->name, &fields[i], work, error);
    return status;
}

Status gaps_prepare(const Operation *operation, Call *call, void *params, GapWork *work, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < INPUTS_MAX && operation->inputs[i].name; i++)
        status =
            replace(operation, call, params, operation->inputs[i].name, &call->inputs[i].field, work, error);
    for (const Param *param = operation->params; status == STATUS_OK && param && param->name; param++)
        status = replace_param(operation, call, params, param, work, error);
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

// Does with the gaps what was done with the heights.
static Status move_gaps(const Operation *operation, const Call *call, const GapWork *work, Error *error) {
    Output outputs[OUTPUTS_MAX] = { 0 };
    Field mask = { 0 };
    Call again = *call;
    again.outputs = outputs;
    again.of_gaps = true;
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
            status = gaps_take(&call->outputs[i].field, &outputs[i].field, error);
    for (int i = 0; i < OUTPUTS_MAX; i++)
        output_free(&outputs[i]);
    field_free(&mask);
    return status;
}

// Makes the pixels of gaps transparent in a picture that begins with the `width` × `height` cells of the
// field.
static void clear_pixels(Image *image, const Gaps *gaps, int width, int height) {
    const unsigned char *gap = gaps->at;
    for (int y = 0; y < height; y++, gap += width)
        for (int x = 0; x < width; x++)
            if (gap[x])
                image_row(image, y)[x] = (Pixel){ 0 }; // not colours that nobody sees, which files would hold
}

Status gaps_finish(const Operation *operation, Call *call, GapWork *work, Error *error) {
    if (!work->all)
        return STATUS_OK;
    if (operation->gaps == GAPS_MOVED)
        return move_gaps(operation, call, work, error);
    for (Output *output = call->outputs; output < call->outputs + OUTPUTS_MAX; output++) {
        Field *field = &output->field;
        Image *image = &output->image;
        const bool has_own = field->gaps != NULL; // theirs among them
        if (field->cells && !has_own && field->width == call->width && field->height == call->height)
            field_set_gaps(field, gaps_keep(work->all));
        if (image->pixels && image->width >= call->width && image->height == call->height)
            clear_pixels(image, work->all, call->width, call->height);
    }
    return STATUS_OK;
}

void gaps_end(Call *call, GapWork *work) {
    memcpy(call->inputs, work->inputs, sizeof work->inputs);
    for (int i = 0; i < work->count; i++)
        field_free(&work->filled[i]);
    gaps_release(work->all);
}
