// Islands and bays of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "places/points.h"

#include <math.h>

typedef struct Coast {
    Numbers outline;
    int kind;
    double height;
    double roughness;
    const Field *like;
} Coast;

enum { LAND, SEA };

extern const Operation op_coast;

static Status run(const Call *call, Error *error) {
    const Coast *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const MapEdit edit = { .operation = &op_coast,
                           .kind = params->kind == SEA ? EDIT_SEA : EDIT_LAND,
                           .list_name = "outline",
                           .list = &params->outline,
                           .outline = true,
                           .roughness = params->roughness,
                           .like = params->like,
                           .height = params->kind == SEA     ? NAN
                                     : isnan(params->height) ? map->metres / 1e4
                                                             : params->height };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Coast, outline, .columns = 2, .min = 0, .max = 1, .rows_min = 3, .optional = true,
          .doc = "the corners of the shape { x, y } in the coordinates of render, 0 to 1"),
    PARAM(Coast, kind, .choices = CHOICES("land", "sea"),
          .doc = "what the outline becomes: land, where there is sea, or sea, where there is land"),
    PARAM(Coast, height, .optional = true, .min = 0, .max = 1e4, .unit = UNIT_METRES,
          .doc = "for land: the height of its middle above the sea; by default a 10,000th of the map's side"),
    PARAM(Coast, roughness, .initial = 0.8, .min = 0, .max = 1,
          .doc = "how far the outline wanders off straight lines between its corners: by a quarter of their "
                 "length at 1, with ever smaller bends between; 0 keeps it straight"),
    PARAM(Coast, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_coast = {
    .name = "coast",
    .category = "zoomable maps",
    .keywords = "edit island peninsula bay gulf fjord inlet shore sea land author own",
    .summary = "Makes an island or a bay of any shape on a zoomable map",
    .description =
        "Land: the sea in the outline becomes land, whose coast is the outline; it rises from there to the "
        "middle. Existing land stays as it is. Rivers whose mouths the new land would cover keep inlets.\n\n"
        "Sea: the land in the outline becomes sea where the sea can reach it. Rivers end there. A river that "
        "only passes through, and does not end in this sea, keeps its valley.\n\n"
        "Finer zooms roughen the coast like any other. It enters the level of the map on which the shape is "
        "16 to 32 cells wide, so coarser zooms do not show it.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "places",
                  "Polygons, each a shape; may be left out where outline is given",
                  { &type_polygons },
                  .optional = true } },
    .outputs = { { "map", "the map with this coast", &type_map } },
    .params = params,
    .params_size = sizeof(Coast),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local outline = { { 0.14, 0.075 }, { 0.153, 0.076 }, { 0.15, 0.085 }, { 0.144, 0.083 } }\n"
               "local island = map:coast{ outline = outline, height = 400 }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.13, y = 0.087, zoom = 18, size = 192 }\n"
        "local island = { { 0.138, 0.072 }, { 0.153, 0.075 }, { 0.152, 0.088 }, { 0.144, 0.084 } }\n"
        "local bay = { { 0.113, 0.086 }, { 0.127, 0.09 }, { 0.122, 0.098 } }\n"
        "local before, streams = map:render(window)\n"
        "map = map:coast{ outline = island, height = 400 }:coast{ outline = bay, kind = \"sea\" }\n"
        "local after, rivers = map:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map raise lake level render",
    .run = run,
};
