// Height above the mean of the surroundings (Olsen 2004, "Examples of use", where it chooses textures):
// positive on ridges and tops, negative in valleys.

#include "core/box_mean.h"
#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"

typedef struct RelativeHeight {
    double radius;
} RelativeHeight;

KERNEL static void subtract_rows(void *context, int first, int end) {
    const Call *call = context;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(call->inputs[0].field, y);
        float *restrict mean = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++)
            mean[x] = row[x] - mean[x];
    }
}

static Status run(const Call *call, Error *error) {
    const RelativeHeight *relative = call->params;
    const Field *height = call->inputs[0].field;
    Field *result = &call->outputs[0].field;
    const Status status =
        data_mean(call->run, height, result, clamp(relative->radius, 1, SIDE_MAX), call->wraps, error);
    if (status != STATUS_OK)
        return status;
    return finite_rows(call, call->width * 0.3, subtract_rows, (void *)call);
}

static const Param params[] = {
    PARAM(RelativeHeight, radius, .initial = 0.06, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "how far the surroundings, a square, reach; at least a cell"),
    { 0 },
};

const Operation op_relative_height = {
    .name = "relative_height",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_SQUARES,
    .category = "analysis",
    .keywords = "local tpi position relief prominence mask valley ridge",
    .summary = "Gives the height of each cell above the mean of its surroundings",
    .description = "The time does not depend on the radius. Where edges meet, the terrain repeats, so "
                   "surroundings larger than the field count cells several times; elsewhere only cells "
                   "that exist count, and everywhere only those that have data.",
    .source = "Olsen 2004, Examples of use",
    .inputs = { { "height", "heights" } },
    .outputs = { { "relative", "above 0 on ridges, below 0 in valleys", .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .params_size = sizeof(RelativeHeight),
    .example = "local ridges = height:relative_height{ radius = 0.08 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local colours = { { -1, \"#2166ac\" }, { 0, \"#f7f7f7\" }, { 1, \"#b2182b\" } }\n"
               "return height:relative_height():relief{ palette = colours, contrast = 0, low = "
               "-0.15, high = 0.15 }",
    .see_also = "blur slope",
    .run = run,
};
