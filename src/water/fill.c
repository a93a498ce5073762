// Pits filled to the height at which they spill.

#include "core/operation.h"
#include "water/filling.h"
#include "water/sloped_filling.h"

typedef struct Fill {
    double slope, sea_level;
} Fill;

static Status run(const Call *call, Error *error) {
    const Fill *fill = call->params;
    const Field *height = call->inputs[0].field;
    Field *filled = &call->outputs[0].field;
    const float sea = (float)fill->sea_level, slope = (float)fill->slope;
    return slope > 0 ? fill_with_slope(call->run, height, sea, slope, filled, error)
                     : fill_to_spills(call->run, height, sea, filled, error);
}

static const Param params[] = {
    PARAM(Fill, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "smallest gradient of every drainage path, which also raises flatter ground outside "
                 "pits; a step too small for heights to hold is the next that they hold: 0.00024 at heights "
                 "of 2048 to 4096; 0: filled ground is flat"),
    PARAM(Fill, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_fill = {
    .name = "fill",
    .category = "rivers",
    .keywords = "depression sink pit hollow lake flood priority drain dir",
    .summary = "Fills the pits of a terrain, so that water drains from everywhere",
    .description = "From every cell a path that never rises leads across the border or into the sea. No "
                   "cell is raised more than that requires. Opposite edges do not meet.",
    .source = "without a slope by basins, as Barnes 2016; with one the least surface, by shortest paths: "
              "Dijkstra 1959",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "filled", "heights without pits", .heights = true } },
    .params = params,
    .params_size = sizeof(Fill),
    .example = "local lakes = height:fill{} - height -- their depths",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local filled = height:fill{}\n"
               "return filled:relief{ rivers = ((filled - height) * 100):clamp() }",
    .see_also = "flow_accumulation rivers_from_flow",
    .run = run,
};
