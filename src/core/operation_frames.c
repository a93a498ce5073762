#include "core/operation_steps.h"

#include "core/math.h"
#include "core/summary.h"

#include <stdio.h>

// --- frames ------------------------------------------------------------------------------------------------

static int side_of(const ValueType *type, const void *value, const char *side) {
    return (int)value_property(type, side)->get(value);
}

// The unit and the zero of a result's heights are those of all inputs that have them.
static Status join_unit(const Operation *operation, Call *call, const char *name, const Frame *frame,
                        Error *error) {
    bool heights = false;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++)
        heights = heights || operation->outputs[i].heights;
    if (operation->framing != FRAMING_KEPT || !heights)
        return STATUS_OK;
    return frame_join_heights(&call->frame, frame, name, error);
}

// The call lies where its first input with a frame does. Others must lie there too where cells belong
// together; what the first does not say, the others do. `is_input`: no parameter.
static Status join_frame(const Operation *operation, Call *call, const char *name, const ValueType *type,
                         const void *value, bool is_input, Error *error) {
    const Frame *frame = value ? value_frame(type, value) : NULL;
    if (!frame)
        return STATUS_OK;
    const Whole whole = type == &type_field ? ((const Field *)value)->whole : (Whole){ 0 };
    const int width = whole.width > 0 ? whole.width : side_of(type, value, "width"),
              height = whole.width > 0 ? whole.height : side_of(type, value, "height");
    if (!frame_is_set(&call->frame)) {
        call->frame = *frame;
        call->frame_width = width;
        call->frame_height = height;
        return STATUS_OK;
    }
    const Status status = is_input ? join_unit(operation, call, name, frame, error) : STATUS_OK;
    if (operation->any_sizes || status != STATUS_OK)
        return status;
    const Frame same_cells = frame_of_cells(frame, width, height, call->frame_width, call->frame_height);
    if (frames_agree(&call->frame, &same_cells, call->frame_width, call->frame_height)) {
        if (!call->frame.system)
            call->frame.system = frame->system;
        return STATUS_OK;
    }
    char here[160], there[160];
    frame_describe(&call->frame, here, sizeof here);
    frame_describe(&same_cells, there, sizeof there);
    char cure[120] = "";
    if (type == &type_field)
        snprintf(cure, sizeof cure, "; if it belongs here, %s:georeference{ like = %s } puts it here", name,
                 operation->inputs[0].name);
    return fail(error, STATUS_INVALID, "%s lies elsewhere: %s, not %s%s", name, there, here, cure);
}

Status operation_find_frame(const Operation *operation, Call *call, const void *params, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < INPUTS_MAX && operation->inputs[i].name; i++) {
        const Input *input = &call->inputs[i];
        const ValueType *type = input->field   ? &type_field
                                : input->image ? &type_image
                                : input->type  ? input->type
                                               : operation->inputs[i].accepts[0];
        const void *value = input->field   ? (const void *)input->field
                            : input->image ? (const void *)input->image
                                           : input->value;
        if (value)
            status = join_frame(operation, call, operation->inputs[i].name, type, value, true, error);
    }
    for (const Param *param = operation_params(operation); status == STATUS_OK && param->name; param++) {
        int count;
        const Field *const *fields = param_fields(param, params, &count);
        for (int i = 0; status == STATUS_OK && i < count; i++)
            status = join_frame(operation, call, param->name, &type_field, fields[i], false, error);
    }
    return status;
}

void operation_set_frames(const Operation *operation, const Call *call) {
    if (operation->framing != FRAMING_KEPT || !frame_is_set(&call->frame) || call->whole.width > 0)
        return; // who asked for a window knows where it lies
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        const ValueType *type = output_type(&operation->outputs[i]);
        void *value = (void *)output_value(&call->outputs[i]);
        if (!value || !type->frame)
            continue;
        Frame *frame = type->frame(value);
        *frame = frame_of_cells(&call->frame, call->frame_width, call->frame_height,
                                side_of(type, value, "width"), side_of(type, value, "height"));
        if (type == &type_image || (type == &type_field && !operation->outputs[i].heights))
            frame_drop_heights(frame);
    }
}

// --- units -------------------------------------------------------------------------------------------------

static double cell_heights(const Call *call) {
    return frame_cell_heights(&call->frame, call->frame_width, call->frame_height);
}

// What a slope of 1 is in heights a cell: 1/N, or 1/16 of a cell's side where its length is known in heights.
static double slope_of_one(const Call *call, double side) {
    const double cell = cell_heights(call);
    return cell > 0 ? cell / 16 : 1 / side;
}

enum { HEIGHTS_AS_SHARES = 8 }; // a larger range is in another unit

// A slope for heights of 0 to 1 is tiny beside those of a model in metres whose place is not known.
static Status doubt_slopes(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field;
    if (!height || !call->notice || cell_heights(call) > 0)
        return STATUS_OK;
    double low, high;
    const Status status = field_range(call->run, height, &low, &high, error);
    if (status != STATUS_OK || high - low <= HEIGHTS_AS_SHARES)
        return status;
    if (frame_is_set(&call->frame) && frame_unit_metres(&call->frame) > 0)
        tell(call->notice,
             "cells are in degrees, which have no length in metres, so that slopes of heights of %.6g to "
             "%.6g come out wrong: project the map to metres first (gdalwarp -t_srs, to its UTM zone, say)",
             low, high);
    else
        tell(call->notice,
             "slopes are meant for heights of 0 to 1, these are %.6g to %.6g: normalize them, or set "
             "frame = { cell = …, unit = \"m\" } if they are metres, unit = \"ft\" if feet",
             low, high);
    return status;
}

// The one place that tells where cells are not what an operation takes them for; of a window, which is one of
// many, operation_locality tells it for all.
static void doubt_cells(const Operation *operation, const Call *call, bool sloped) {
    if (call->whole.width > 0 && !call->surveyed)
        return;
    const Frame *frame = &call->frame;
    const int width = call->frame_width, height = call->frame_height;
    const CellForm form = frame_cell_form(frame, width, height);
    const Measurement measures =
        sloped && operation->measures == MEASURES_NOTHING ? MEASURES_SQUARES : operation->measures;
    const bool holds = form == CELLS_SKEWED ? measures == MEASURES_NOTHING
                                            : form == CELLS_SQUARE || measures != MEASURES_SQUARES;
    if (holds || !call->notice)
        return;
    const CellShape shape = frame_cell_shape(frame, width, height);
    const double cell = frame_cell_metres(frame, width, height);
    const double across = cell * shape.across, down = cell * shape.down;
    if (form == CELLS_SKEWED)
        tell(call->notice,
             "cells are skewed, and it measures as if they were not: project the map (gdalwarp)");
    else
        tell(call->notice,
             "cells are %.6g × %.6g, and it measures as if they were squares: "
             "resize{ width = %.0f, height = %.0f } makes them so",
             across, down, width * across / min(across, down), height * down / min(across, down));
}

Status operation_resolve_units(const Operation *operation, const Call *call, void *params, Error *error) {
    const int whole = max(call->whole.width, call->whole.height);
    const double side = whole > 0 ? whole : max(call->width, call->height);
    bool sloped = false;
    for (const Param *param = operation_params(operation); param->name; param++) {
        void *member = (char *)params + param->offset;
        if (param->unit == UNIT_PER_SIDE)
            *(double *)member /= side;
        else if (param->unit == UNIT_SLOPE) {
            sloped = sloped || *(double *)member > 0;
            *(double *)member *= slope_of_one(call, side);
        } else if (param->unit == UNIT_EXAGGERATION)
            sloped = sloped || *(double *)member >= 1;
        else if (param->unit == UNIT_SIDES && param->kind == PARAM_NUMBERS)
            for (int i = 0; i < ((Numbers *)member)->count; i++)
                ((Numbers *)member)->at[i] = mend_rounding(((Numbers *)member)->at[i] * side);
        else if (param->unit == UNIT_SEA && *(double *)member == 0)
            *(double *)member = call->frame.sea;
        else if (param->unit == UNIT_SIDES)
            *(double *)member = mend_rounding(*(double *)member * side);
    }
    doubt_cells(operation, call, sloped);
    return sloped ? doubt_slopes(call, error) : STATUS_OK;
}
