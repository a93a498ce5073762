// Lines or points as a field: the share of each cell that they cover.

#include "core/whole.h"
#include "places/points.h"
#include "rivers/line_coverage.h"

#include "core/memory.h"

typedef struct Rasterize {
    double scale, line;
} Rasterize;

static Status run(const Call *call, Error *error) {
    const Rasterize *params = call->params;
    RiverNetwork *dots;
    const RiverNetwork *network = input_lines(&call->inputs[0], &dots, error);
    if (!network)
        return STATUS_MEMORY;
    Field *mask = &call->outputs[0].field;
    Status status = field_create(mask, whole_within(network->width * params->scale + 0.5, 1, SIDE_MAX),
                                 whole_within(network->height * params->scale + 0.5, 1, SIDE_MAX), error);
    if (status == STATUS_OK) {
        const Strokes strokes = { .network = network, .scale = params->scale, .least = params->line };
        mask->wraps = call->wraps;
        status = stroke_network(call->run, mask, &strokes, error);
    }
    memory_free(dots);
    return status;
}

static const Param params[] = {
    PARAM(Rasterize, scale, .initial = 1, .min = 0.01, .max = 100,
          .doc = "cells of the field per cell of the lines' window"),
    PARAM(Rasterize, line, .initial = 1, .min = 0, .max = 1000, .unit = UNIT_CELLS,
          .doc = "smallest width of lines and points; below 1 they are fainter instead"),
    { 0 },
};

const Operation op_rasterize = {
    .name = "rasterize",
    .measures = MEASURES_SQUARES,
    .category = "places",
    .keywords = "burn raster lines network points mask rivers roads field",
    .summary = "Makes a mask of lines or points: the share of each cell that they cover",
    .description = "For arguments that take a field where there are rivers or roads: rivers of relief, "
                   "contour_map, perspective and playability, water of texture and path. Where edges meet, "
                   "lines and disks go on beyond them; points know whether theirs do.",
    .inputs = { { "lines", "lines or points", { &type_network, &type_points } } },
    .outputs = { { "mask", "0 to 1" } },
    .params = params,
    .params_size = sizeof(Rasterize),
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local rivers = height:rivers_from_flow{ threshold = 0.01 }:rasterize()",
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "local rivers = land:rivers_from_flow{ threshold = 0.003 }:rasterize()\n"
               "return rivers:colorize{ palette = \"heights\" }, land:relief{ rivers = rivers }",
    .see_also = "distance paint draw from_points",
    .run = run,
};
