#include "file/georeference.h"

#include "core/gaps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// "EPSG:26916", in capital letters, which not all write.
static const char *capital_system(const char *system, char text[40]) {
    if (strncasecmp(system, "EPSG:", 5) != 0 || strlen(system) >= 40)
        return system;
    snprintf(text, 40, "EPSG:%s", system + 5);
    return text;
}

static Status copy_texts(const Georeference *given, Frame *frame, Error *error) {
    Status status = STATUS_OK;
    char system[40];
    if (*given->system || !given->like)
        status = frame_system(capital_system(given->system, system), &frame->system, error);
    if (status == STATUS_OK && (*given->unit || !given->like))
        status = frame_text(given->unit, FRAME_UNIT_MAX, &frame->unit, error);
    return status;
}

Status georeference_frame(const Georeference *given, Frame *frame, Error *error) {
    *frame = (Frame){ 0 };
    if (given->nowhere)
        return STATUS_OK;
    if (given->like) {
        if (!frame_is_set(&given->like->frame))
            return fail(error, STATUS_INVALID, "like has no frame");
        *frame = given->like->frame;
        frame->sea = isnan(given->sea) ? frame->sea : given->sea;
        frame->top = isnan(given->top) ? frame->top : given->top;
        return copy_texts(given, frame, error);
    }
    const double cell = isnan(given->cell) ? 1 : given->cell;
    frame->sea = isnan(given->sea) ? 0 : given->sea;
    frame->top = isnan(given->top) ? 0 : given->top;
    frame->x = given->x;
    frame->y = given->y;
    frame->right_x = isnan(given->cell_width) ? cell : given->cell_width;
    frame->down_y = -(isnan(given->cell_height) ? cell : given->cell_height);
    frame->down_x = given->turn_x;
    frame->right_y = given->turn_y;
    if (!frame_is_valid(frame))
        return fail(error, STATUS_INVALID, "cells of %s × %s have no area", digits_of(frame->right_x).text,
                    digits_of(-frame->down_y).text);
    return copy_texts(given, frame, error);
}

static Status run(const Call *call, Error *error) {
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    memcpy(field_cells(to), from->cells, field_count(from) * sizeof *from->cells);
    field_set_gaps(to, gaps_keep(from->gaps));
    return georeference_frame(call->params, &to->frame, error);
}

#define COORDINATE .min = -1e15, .max = 1e15

static const Param params[] = {
    PARAM(Georeference, x, COORDINATE, .doc = "x of the upper left corner of the first cell, in map units"),
    PARAM(Georeference, y, COORDINATE, .doc = "y of that corner; y grows to the north, so rows go down in y"),
    PARAM(Georeference, cell, .min = 1e-30, .max = 1e15, .optional = true,
          .doc = "side of a cell in map units; by default 1"),
    PARAM(Georeference, cell_width, COORDINATE, .optional = true,
          .doc = "width of a cell; below 0: columns go to the west"),
    PARAM(Georeference, cell_height, COORDINATE, .optional = true,
          .doc = "height of a cell; below 0: rows go to the north"),
    PARAM(Georeference, turn_x, COORDINATE, .doc = "change of x per row, for rotated cells"),
    PARAM(Georeference, turn_y, COORDINATE, .doc = "change of y per column, for rotated cells"),
    PARAM(Georeference, system, .initial_text = "",
          .doc = "coordinate system: \"EPSG:26916\", or WKT; empty: unknown"),
    PARAM(Georeference, unit, .initial_text = "", .doc = "unit of the heights, such as \"m\""),
    PARAM(Georeference, sea, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .optional = true,
          .doc = "height of the sea, for operations without sea_level; by default 0"),
    PARAM(Georeference, top, .min = 0, .max = HEIGHT_MAX, .optional = true,
          .doc = "how high the ground of the whole map is above the sea, of which this is a window: pictures "
                 "colour heights as the map's, and shade the slopes of the ground, as in windows of zoomable "
                 "maps; by default 0: not known"),
    PARAM(Georeference, like, .doc = "a field of the same ground, instead of numbers"),
    PARAM(Georeference, nowhere, .doc = "true: removes the frame"),
    { 0 },
};

const Operation op_georeference = {
    .name = "georeference",
    .gaps = GAPS_OWN,
    .category = "file",
    .keywords = "frame crs epsg wkt projection coordinates origin cell size place georeferenced",
    .summary = "Sets where a field lies: origin, cell size, coordinate system, unit of heights",
    .description =
        "The field's property frame is a table with these numbers and texts; field.frame = { x = 0, y = 0, "
        "cell = 30 } sets it. Operations keep the frame or change it with the cells; combining fields from "
        "different places cell by cell is an error, and a field without a frame takes that of the others. "
        "Saving to a format that cannot store the whole frame reports what is lost.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the same heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Georeference),
    .always_finite = "copies cells",
    .framing = FRAMING_SET,
    .any_sizes = true,
    .example = "local placed = height:georeference{ x = 733975, y = 3469995, cell = 30, system = "
               "\"EPSG:26916\", unit = \"m\" }\nprint(placed.frame.system)",
    .picture = "local metres = esker.spectral{ size = 256, seed = 4 }:blur{ sigma = 0.008 } * 2000\n"
               "local placed = metres:georeference{ cell = 30, unit = \"m\", system = \"EPSG:32632\" }\n"
               "return metres:contour_map{}, placed:contour_map{}",
    .see_also = "load save crop",
    .run = run,
};
