// Heights of a field of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "core/math.h"
#include "places/points.h"

#include <math.h>

typedef struct Imprint {
    Numbers at;
    double side, blend;
    const Field *like;
} Imprint;

extern const Operation op_imprint;

static Status run(const Call *call, Error *error) {
    const Imprint *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const Field *field = call->inputs[1].field;
    if (field->width != field->height || field->width < PAINT_FIRST || field->width > PAINT_SIDE_MAX)
        return fail(error, STATUS_INVALID, "field must be a square of %d to %d cells a side, got %d × %d",
                    PAINT_FIRST, PAINT_SIDE_MAX, field->width, field->height);
    const MapEdit edit = { .operation = &op_imprint,
                           .kind = EDIT_PAINT,
                           .list_name = "at",
                           .list = &params->at,
                           .apart = true,
                           .like = params->like,
                           .width = isnan(params->side) ? map->metres / 256 : params->side,
                           .field = field,
                           .blend = params->blend };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Imprint, at, .columns = 2, .min = 0, .max = 1, .optional = true,
          .doc = "where its middle is { x, y }, in the coordinates of render, 0 to 1; several add it several "
                 "times"),
    PARAM(Imprint, side, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "the length of its side; by default a 256th of the map's"),
    PARAM(Imprint, blend, .initial = 0.15, .min = 0.01, .max = 0.5,
          .doc = "the share of its side along its border in which its heights fall to 0"),
    PARAM(Imprint, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_imprint = {
    .name = "imprint",
    .category = "zoomable maps",
    .keywords = "edit paint stamp brush heightmap patch volcano detail add author own",
    .summary = "Adds the heights of a field to a place of a zoomable map, at every zoom",
    .description = "Its means enter the level on which the field is 16 to 32 cells wide; each finer level, "
                   "up to that of the field's own cells, adds the detail that the means leave out. Streams "
                   "carve it like a hill: rivers keep their courses in gorges, sunk ground is only as deep "
                   "as its water can run off, and finer levels add their own detail.\n\n"
                   "Heights add up with those of other edits, in any order. Coarser zooms do not show them.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "field",
                  "the heights to add, a square of 16 to 512 cells a side; in metres, or in the unit of its "
                  "frame",
                  { &type_field } },
                { "places",
                  "Points, at each of which it is added; may be left out where at is given",
                  { &type_points },
                  .optional = true } },
    .outputs = { { "map", "the map with these heights", &type_map } },
    .params = params,
    .params_size = sizeof(Imprint),
    .any_sizes = true,
    .example = "local cone = esker.shape{ size = 64, kind = \"cone\" } * 600\n"
               "local map = esker.river_map{ seed = 2 }:imprint(cone, { at = { { 0.42, 0.57 } }, side = "
               "12e3 })",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.412, y = 0.5735, zoom = 60, size = 192 }\n"
        "local before, streams = map:render(window)\n"
        "local cone = esker.shape{ size = 128, kind = \"volcano\" } * 1200\n"
        "local after, rivers = map:imprint(cone, { at = { { 0.412, 0.5735 } }, side = 24e3 "
        "}):render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map raise crater level render",
    .run = run,
};
