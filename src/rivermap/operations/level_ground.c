// Level ground of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "core/math.h"
#include "places/points.h"

#include <math.h>

typedef struct LevelGround {
    Numbers along, outline;
    double width, altitude;
    const Field *like;
} LevelGround;

extern const Operation op_level;

static Status run(const Call *call, Error *error) {
    const LevelGround *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const bool outline = params->outline.count > 0;
    if (outline && params->along.count > 0)
        return fail(error, STATUS_INVALID, "give along or outline, not both");
    const MapEdit edit = { .operation = &op_level,
                           .kind = EDIT_LEVEL,
                           .list_name = "along or outline",
                           .list = outline ? &params->outline : &params->along,
                           .outline = outline,
                           .like = params->like,
                           .width = isnan(params->width) ? map->metres / 64 : params->width,
                           .height = params->altitude };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(LevelGround, along, .columns = 2, .min = 0, .max = 1, .optional = true,
          .doc = "places { x, y } in the coordinates of render, 0 to 1: one makes a site, more a strip along "
                 "them"),
    PARAM(LevelGround, outline, .columns = 2, .min = 0, .max = 1, .rows_min = 3, .optional = true,
          .doc = "instead: the corners of the level ground"),
    PARAM(LevelGround, width, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "of the level ground; beyond, its sides meet the land within a quarter of the width. Of an "
                 "outline: four times the width of these sides. By default a 64th of the map's side"),
    PARAM(
        LevelGround, altitude, .optional = true, .min = 0, .max = 3e4, .unit = UNIT_METRES,
        .doc =
            "above the sea; by default the mean of the ground that is levelled. More than 16 places at once "
            "need it"),
    PARAM(LevelGround, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_level = {
    .name = "level",
    .category = "zoomable maps",
    .keywords = "edit flatten plateau town site building runway road terrace author own",
    .summary = "Levels ground on a zoomable map, such as a town's, at every zoom",
    .description =
        "Ground above the level is cut, only as deep as its water can run off, and ground below it is "
        "filled. It stays level at finer zooms, where the rest of the land becomes rougher. Rivers keep "
        "their courses, in valleys through it. It levels earlier edits; later edits stand on it.\n\n"
        "It enters the level of the map on which its width is 16 to 32 cells, so coarser zooms do not show "
        "it.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "places",
                  "Points, each a site, lines, each a strip, or Polygons; may be left out where along or "
                  "outline is given",
                  { &type_points, &type_lines, &type_network, &type_polygons },
                  .optional = true } },
    .outputs = { { "map", "the map with this ground", &type_map } },
    .params = params,
    .params_size = sizeof(LevelGround),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local town = map:level{ along = { { 0.42, 0.57 } }, width = 4000 }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.418, y = 0.5708, zoom = 150, size = 192 }\n"
        "local before, streams = map:render(window)\n"
        "local town = map:level{ along = { { 0.4172, 0.5708 } }, width = 5000 }\n"
        "local after, rivers = town:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map raise flatten render",
    .run = run,
};
