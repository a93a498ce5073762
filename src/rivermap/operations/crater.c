// Impact craters of one's own on a zoomable map.

#include "rivermap/operations/map_edits.h"

#include "core/math.h"
#include "places/points.h"

#include <math.h>

typedef struct Crater {
    Numbers at;
    double width, depth, rim, peak, lake;
    const Field *like;
} Crater;

#define STEEPEST 0.4    // of the width: the depth
#define HIGHEST_RIM 0.5 // of the depth

static Status size_of(const Crater *params, double width, CraterSize *size, Error *error) {
    *size = crater_size(width);
    if (!isnan(params->depth)) {
        size->rim *= params->depth / size->depth;
        size->peak *= params->depth / size->depth;
        size->depth = params->depth;
    }
    size->rim = isnan(params->rim) ? size->rim : params->rim;
    size->peak = isnan(params->peak) ? min(size->peak, 0.6 * size->depth) : params->peak;
    if (size->depth > STEEPEST * width)
        return fail(error, STATUS_INVALID, "depth must be at most 0.4 of the width, %s m, got %s m",
                    digits_of(STEEPEST * width).text, digits_of(size->depth).text);
    if (size->rim > HIGHEST_RIM * size->depth)
        return fail(error, STATUS_INVALID, "rim must be at most half of the depth, %s m, got %s m",
                    digits_of(HIGHEST_RIM * size->depth).text, digits_of(size->rim).text);
    if (size->peak > size->depth)
        return fail(error, STATUS_INVALID, "peak must be at most the depth, %s m, got %s m",
                    digits_of(size->depth).text, digits_of(size->peak).text);
    return STATUS_OK;
}

extern const Operation op_crater;

static Status run(const Call *call, Error *error) {
    const Crater *params = call->params;
    const RiverMap *map = call->inputs[0].value;
    const double width = isnan(params->width) ? map->metres / 256 : params->width;
    CraterSize size;
    const Status status = size_of(params, width, &size, error);
    if (status != STATUS_OK)
        return status;
    const MapEdit edit = { .operation = &op_crater,
                           .kind = EDIT_CRATER,
                           .list_name = "at",
                           .list = &params->at,
                           .apart = true,
                           .like = params->like,
                           .width = width,
                           .height = NAN,
                           .crater = &size,
                           .exact = !isnan(params->depth),
                           .filled = params->lake };
    return map_edit(call, &edit, error);
}

static const Param params[] = {
    PARAM(Crater, at, .columns = 2, .min = 0, .max = 1, .optional = true,
          .doc = "the middles { x, y } of craters in the coordinates of render, 0 to 1"),
    PARAM(Crater, width, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "from crest to crest of the rim; by default a 256th of the map's side"),
    PARAM(Crater, depth, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "from the crest of the rim to the floor, at most 0.4 of the width; by default as craters of "
                 "this width have it: 0.2 of the width up to 4 km, then as the power 0.3"),
    PARAM(Crater, rim, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "height of the crest above the ground, at most half of the depth; by default in proportion "
                 "to the depth"),
    PARAM(Crater, peak, .optional = true, .min = 0, .max = 0x1p30, .unit = UNIT_METRES,
          .doc = "height of a central peak above the floor, with a flat floor and terraces around; 0: none. "
                 "By default one from 4 km on"),
    PARAM(Crater, lake, .min = 0, .max = 0.8,
          .doc = "how far a lake fills the bowl, from its floor, 0: it is dry, to the ground around, 1"),
    PARAM(Crater, like,
          .doc = "a field that shows the whole map, for places with coordinates of a system; others are "
                 "placed as shares of their window"),
    { 0 },
};

const Operation op_crater = {
    .name = "crater",
    .category = "zoomable maps",
    .keywords = "edit impact meteorite asteroid bowl rim ejecta moon mars author own",
    .summary = "Makes an impact crater on a zoomable map, at every zoom",
    .description =
        "A bowl with a rim; from 4 km on with a flat floor, terraces and a central peak. Ejecta cover the "
        "ground around, thinner with the third power of the distance. The crater replaces the ground by its "
        "mean height; a later crater or level ground replaces an earlier one.\n\n"
        "Streams that come into the bowl end at its lowest place or in its lake, which have no way out, and "
        "those that left it begin at the rim. The floor is above the sea: where the ground is low a crater "
        "without depth is less deep.\n\n"
        "It enters the level on which it is 16 to 32 cells wide, so coarser zooms do not show it; its rim "
        "and walls become sharper on the next three levels. All ground farther than 1.6 widths from its "
        "middle, and what drains there, keeps every bit.",
    .inputs = { { "map", "a map with eroded land", { &type_map } },
                { "places",
                  "Points, each a crater; may be left out where at is given",
                  { &type_points },
                  .optional = true } },
    .outputs = { { "map", "the map with these craters", &type_map } },
    .params = params,
    .params_size = sizeof(Crater),
    .any_sizes = true,
    .example = "local map = esker.river_map{ seed = 2 }\n"
               "local struck = map:crater{ at = { { 0.42, 0.57 } }, width = 12e3 }",
    .picture =
        "local map, window = esker.river_map{ seed = 2 }, { x = 0.42, y = 0.57, zoom = 60, size = 192 }\n"
        "local before, streams = map:render(window)\n"
        "local struck = map:crater{ at = { { 0.42, 0.57 } }, width = 16e3 }\n"
        "local after, rivers = struck:render(window)\n"
        "return before:relief{ rivers = streams, exaggeration = 3 },\n"
        "    after:relief{ rivers = rivers, exaggeration = 3 }",
    .see_also = "river_map raise level lake render",
    .run = run,
};
