#include "core/operation_steps.h"

#include "core/math.h"
#include "core/summary.h"

#include <math.h>
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
        const char *unit = operation->outputs[i].dimension == DIMENSION_HEIGHT ? frame->unit : NULL;
        if (type == &type_image || (type == &type_field && !operation->outputs[i].heights)) {
            frame_drop_heights(frame);
            frame->unit = unit; // of heights above something else than the sea
        }
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
    const Frame *frame = &call->frame;
    const char *name = "height";
    if (!height || frame_is_of_map(frame))
        return STATUS_OK;
    if (frame_is_set(frame) && frame->unit && frame_unit_metres(frame) == 0)
        return fail(error, STATUS_INVALID,
                    "heights are in '%s', which is no length that is known beside coordinates in %.60s: set "
                    "their unit, as in georeference{ like = %s, unit = \"m\" }, or \"ft\", \"us-ft\", \"km\"",
                    frame->unit, frame->system ? frame->system : "metres", name);
    if (!call->notice)
        return STATUS_OK;
    if (cell_heights(call) > 0) {
        if (!frame->unit && (frame->no_heights || !frame->system))
            tell(call->notice,
                 "%s, and are taken in the unit of the coordinates: georeference{ like = %s, unit = \"m\" } "
                 "says it",
                 frame->no_heights ? "these are no heights" : "heights have neither unit nor system", name);
        return STATUS_OK;
    }
    double low, high;
    const Status status = field_range(call->run, height, &low, &high, error);
    if (status != STATUS_OK || high - low <= HEIGHTS_AS_SHARES)
        return status;
    if (frame_is_set(frame))
        tell(call->notice,
             "slopes are meant for heights of 0 to 1, these are %.6g to %.6g, and no heights of the map: "
             "georeference{ like = %s, unit = \"m\" } makes them metres",
             low, high, name);
    else
        tell(call->notice,
             "slopes are meant for heights of 0 to 1, these are %.6g to %.6g: normalize them, or set "
             "frame = { cell = …, unit = \"m\" } if they are metres, unit = \"ft\" if feet",
             low, high);
    return status;
}

// Whether a call gives or takes lengths on the ground.
static bool measures_ground(const Operation *operation, const void *params) {
    bool measures = operation->measures == MEASURES_CELLS;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        const Dimension dimension = operation->outputs[i].dimension;
        measures = measures || dimension == DIMENSION_LENGTH || dimension == DIMENSION_AREA ||
                   dimension == DIMENSION_CURVATURE;
    }
    for (const Param *param = operation_params(operation); param->name; param++)
        measures =
            measures || ((param->unit == UNIT_AREA || param->unit == UNIT_METRES) &&
                         !isnan(*(const double *)(const void *)((const char *)params + param->offset)));
    return measures;
}

// Lengths on the ground: an error where they cannot be told, a notice where they are not quite true.
static Status doubt_ground(const Operation *operation, const Call *call, const void *params, bool sloped,
                           Error *error) {
    if (!sloped && !measures_ground(operation, params))
        return STATUS_OK;
    double uneven = 0;
    const Status status =
        frame_check_ground(&call->frame, call->frame_width, call->frame_height, &uneven, error);
    const double most = 0.005;
    if (status == STATUS_OK && uneven > most && call->notice)
        tell(call->notice,
             "the scale of %.60s varies by %.2g %% along a row, which is measured by that of its middle: "
             "project the map to a zone (gdalwarp -t_srs)",
             call->frame.system, 100 * uneven);
    return status;
}

// Whether cells are squares of one size, all but a thirty-second.
static bool are_squares(const Frame *frame, int width, int height) {
    const double most = 1.0 / 32;
    for (int last = 0; last <= 1; last++) {
        const CellShape shape = frame_row_shape(frame, width, height, last ? height - 1 : 0);
        if (fabs(shape.across - shape.down) >= most * min(shape.across, shape.down) ||
            fabs(shape.down - 1) >= most)
            return false;
    }
    return frame_cell_form(frame, width, height) == CELLS_SQUARE;
}

// In a coordinate system what moves material or keeps distances refuses cells that are no squares.
static Status refuse_cells(const Call *call, Error *error) {
    const Frame *frame = &call->frame;
    const int width = call->frame_width, height = call->frame_height;
    if (!frame->system || frame_is_of_map(frame) || frame_sphere(frame).radius > 0 ||
        are_squares(frame, width, height))
        return STATUS_OK;
    const double cell = frame_cell_metres(frame, width, height);
    const CellShape shape = frame_cell_shape(frame, width, height);
    const CellShape top = frame_row_shape(frame, width, height, 0),
                    bottom = frame_row_shape(frame, width, height, height - 1);
    const double across = cell * shape.across, down = cell * shape.down;
    const bool even = fabs(top.across - bottom.across) < min(top.across, bottom.across) / 64;
    if (even && frame_cell_form(frame, width, height) == CELLS_OBLONG)
        return fail(error, STATUS_INVALID,
                    "cells are %.6g × %.6g m, and it needs squares: resize{ width = %.0f, height = %.0f } "
                    "makes them so",
                    across, down, width * across / min(across, down), height * down / min(across, down));
    return fail(
        error, STATUS_INVALID,
        "cells are %.6g × %.6g m in the first row and %.6g × %.6g m in the last, and it needs squares "
        "of one size: project the file to metres (gdalwarp -t_srs)",
        cell * top.across, cell * top.down, cell * bottom.across, cell * bottom.down);
}

// The one place that tells where cells are not what an operation takes them for; of a window, which is one of
// many, operation_locality tells it for all.
static Status doubt_cells(const Operation *operation, const Call *call, bool sloped, Error *error) {
    if (call->whole.width > 0 && !call->surveyed)
        return STATUS_OK;
    const Frame *frame = &call->frame;
    const int width = call->frame_width, height = call->frame_height;
    Measurement measures =
        sloped && operation->measures == MEASURES_NOTHING ? MEASURES_SQUARES : operation->measures;
    if (measures == NEEDS_SQUARES) {
        const Status status = refuse_cells(call, error);
        if (status != STATUS_OK)
            return status;
        measures = MEASURES_SQUARES;
    }
    const CellForm form = frame_cell_form(frame, width, height);
    const bool holds = form == CELLS_SKEWED ? measures == MEASURES_NOTHING
                                            : form == CELLS_SQUARE || measures != MEASURES_SQUARES;
    if (holds || !call->notice)
        return STATUS_OK;
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
    return STATUS_OK;
}

// --- places ------------------------------------------------------------------------------------------------

// `element`: of a list, -1: it is none.
static Status check_share(const Param *param, int element, double share, double given, const Call *call,
                          Error *error) {
    char name[100];
    const int columns = max(param->columns, 1);
    if (element < 0)
        snprintf(name, sizeof name, "%s", param->name);
    else
        snprintf(name, sizeof name, "%s: row %d, column %d", param->name, element / columns + 1,
                 element % columns + 1);
    if (share >= param->min && share <= param->max)
        return STATUS_OK;
    if (call->coordinates == COORDINATES_SHARES)
        return fail(error, STATUS_INVALID,
                    "%s must be %s to %s, a share of the width or height (or say coordinates = \"cells\", "
                    "\"map\" or \"degrees\"), got %s",
                    name, digits_of(param->min).text, digits_of(param->max).text, digits_of(given).text);
    char where[280];
    frame_describe_field(&call->frame, call->frame_width, call->frame_height,
                         call->coordinates == COORDINATES_DEGREES, where, sizeof where);
    return fail(error, STATUS_INVALID, "%s: %s lies outside of the field: %s", name, digits_of(given).text,
                where);
}

// Turns a place into shares of the field's sides.
static Status find_place(const Param *x, const Param *y, int element, const Call *call, double *at_x,
                         double *at_y, Error *error) {
    const double given[2] = { *at_x, *at_y };
    double cell[2] = { given[0], given[1] }, place[2] = { given[0], given[1] };
    const Field *field = call->inputs[0].field;
    const int width = call->frame_width > 0 ? call->frame_width
                      : field               ? field->width
                                            : call->width,
              height = call->frame_height > 0 ? call->frame_height
                       : field                ? field->height
                                              : call->height;
    Status status = STATUS_OK;
    if (call->coordinates > COORDINATES_CELLS) {
        if (!frame_is_set(&call->frame))
            return fail(error, STATUS_INVALID,
                        "coordinates = \"%s\": the field has no frame: set one with georeference, or give "
                        "shares or cells",
                        coordinates_param.choices[call->coordinates]);
        if (call->coordinates == COORDINATES_DEGREES)
            status = frame_place_of_degrees(&call->frame, given[0], given[1], place, error);
        if (status == STATUS_OK && !frame_cell_at(&call->frame, place, cell))
            status = fail(error, STATUS_INVALID, "%s and %s: the place is too far away", x->name, y->name);
    }
    if (status == STATUS_OK && call->coordinates != COORDINATES_SHARES && (width <= 0 || height <= 0))
        status =
            fail(error, STATUS_INVALID, "coordinates = \"%s\" are those of a field: give shares of the map",
                 coordinates_param.choices[call->coordinates]);
    if (status == STATUS_OK && call->coordinates != COORDINATES_SHARES) {
        *at_x = cell[0] / width;
        *at_y = cell[1] / height;
    }
    if (status == STATUS_OK)
        status = check_share(x, element, *at_x, given[0], call, error);
    if (status == STATUS_OK)
        status = check_share(y, element < 0 ? element : element + 1, *at_y, given[1], call, error);
    return status;
}

Status operation_place_as_given(const Call *call, double share_x, double share_y, double place[2],
                                Error *error) {
    const double cell[2] = { share_x * call->frame_width, share_y * call->frame_height };
    place[0] = share_x;
    place[1] = share_y;
    if (call->coordinates == COORDINATES_SHARES)
        return STATUS_OK;
    if (call->coordinates == COORDINATES_CELLS) {
        const Field *field = call->inputs[0].field;
        place[0] = share_x * (field ? field->width : call->width);
        place[1] = share_y * (field ? field->height : call->height);
        return STATUS_OK;
    }
    frame_locate(&call->frame, cell[0], cell[1], place);
    if (call->coordinates == COORDINATES_MAP)
        return STATUS_OK;
    const double at[2] = { place[0], place[1] };
    return frame_degrees_of_place(&call->frame, at, place, error);
}

static double *coordinate_of(const Param *param, void *params) {
    void *member = (char *)params + param->offset;
    return param->kind == PARAM_DECIMAL ? &((Decimal *)member)->number : member;
}

// Of x and y, and of lists of both in turns.
static Status resolve_places(const Operation *operation, const Call *call, void *params, Error *error) {
    const Param *x = NULL;
    Status status = STATUS_OK;
    for (const Param *param = operation_params(operation); param->name && status == STATUS_OK; param++) {
        void *member = (char *)params + param->offset;
        if (param->unit != UNIT_PLACE)
            continue;
        Numbers *numbers = member;
        for (int i = 0; param->kind == PARAM_NUMBERS && i + 1 < numbers->count && status == STATUS_OK; i += 2)
            status = find_place(param, param, i, call, &numbers->at[i], &numbers->at[i + 1], error);
        const bool is_one = param->kind == PARAM_NUMBER || param->kind == PARAM_DECIMAL;
        if (param->kind == PARAM_DECIMAL && call->coordinates != COORDINATES_SHARES)
            ((Decimal *)member)->text = NULL; // its number is turned into a share
        if (is_one && x)
            status =
                find_place(x, param, -1, call, coordinate_of(x, params), coordinate_of(param, params), error);
        x = is_one && !x ? param : NULL;
    }
    return status;
}

// -----------------------------------------------------------------------------------------------------------

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
        else if (param->unit == UNIT_SEA && isnan(*(double *)member))
            *(double *)member = frame_sea(&call->frame);
        else if (param->unit == UNIT_SIDES)
            *(double *)member = mend_rounding(*(double *)member * side);
    }
    Status status = doubt_ground(operation, call, params, sloped, error);
    if (status == STATUS_OK)
        status = resolve_places(operation, call, params, error);
    if (status == STATUS_OK)
        status = doubt_cells(operation, call, sloped, error);
    if (status != STATUS_OK)
        return status;
    return sloped ? doubt_slopes(call, error) : STATUS_OK;
}
