// Lakes of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "places/points.h"

#include <math.h>

typedef struct Lake {
    Numbers outline;
    double altitude;
    double roughness;
    const Field *like;
} Lake;

extern const Operation op_lake;

static Status run(const Call *call, Error *error) {
    const Lake *params = call->params;
    const MapEdit edit = { .operation = &op_lake,
                           .kind = EDIT_LAKE,
                           .list_name = "outline",
                           .list = &params->outline,
                           .outline = true,
                           .roughness = params->roughness,
                           .like = params->like,
                           .height = params->altitude };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Lake, outline, .columns = 2, .min = 0, .max = 1, .rows_min = 3, .optional = true,
          .doc = "the corners of the lake { x, y } in the coordinates of render, 0 to 1"),
    PARAM(Lake, altitude, .optional = true, .min = 0, .max = 3e4, .unit = UNIT_METRES,
          .doc = "of the water above the sea; by default what fits: that of the stream where it leaves the "
                 "outline"),
    PARAM(Lake, roughness, .initial = 0.8, .min = 0, .max = 1,
          .doc = "how far the outline wanders off straight lines between its corners: by a quarter of their "
                 "length at 1, with ever smaller bends between; 0 keeps it straight"),
    PARAM(Lake, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_lake = {
    .name = "lake",
    .category = "zoomable maps",
    .keywords = "edit water pond reservoir tarn basin author own",
    .summary = "Makes a lake on a zoomable map, with one level at every zoom",
    .description =
        "The ground in the outline becomes water, at the altitude of the stream that leaves it: higher "
        "ground is cut away, and nothing is dammed. Shores follow the outline, except where land is lower "
        "than the water, and where another river passes through, which keeps its valley. All streams that "
        "enter end in the lake, and one leaves it with all that enters: that with the most water, unless "
        "another makes the lake larger.\n\n"
        "A lower altitude cuts the bed of the stream below the lake. An altitude that does not fit is an "
        "error that says which do. Polygons without an altitude stay dry if no stream leaves them.\n\n"
        "It enters the level of the map on which it is 16 to 32 cells wide, so coarser zooms do not show it.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "places",
                  "Polygons, each a lake; may be left out where outline is given",
                  { &type_polygons },
                  .optional = true } },
    .outputs = { { "map", "the map with this lake", &type_map } },
    .params = params,
    .params_size = sizeof(Lake),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local outline = { { 0.925, 0.92 }, { 0.933, 0.919 }, { 0.934, 0.927 }, { 0.927, 0.927 } }\n"
               "local lake = map:lake{ outline = outline }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.93, y = 0.923, zoom = 50, size = 192 }\n"
        "local outline = { { 0.925, 0.92 }, { 0.933, 0.919 }, { 0.934, 0.927 }, { 0.927, 0.927 } }\n"
        "local before, streams = map:render(window)\n"
        "local after, rivers = map:lake{ outline = outline }:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map raise level lake_outlines render",
    .run = run,
};
