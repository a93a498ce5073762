// Pits filled to the height at which they spill.

#include "core/memory.h"
#include "core/operation.h"
#include "rivers/drainage.h"

typedef struct Fill {
    double slope, sea_level;
} Fill;

static Status run(const Call *call, Error *error) {
    const Fill *fill = call->params;
    const Field *height = call->inputs[0].field;
    Drainage drainage = {
        .height = height, .filled = call->outputs[0].field, .sea_level = fill->sea_level, .slope = fill->slope
    };
    drainage.direction = memory_new(field_count(height), 1, error);
    if (!drainage.direction)
        return STATUS_MEMORY;
    const Status status = drainage_flood(call->run, &drainage, error);
    memory_free(drainage.direction);
    return status;
}

static const Param params[] = {
    PARAM(Fill, slope, .initial = 0, .min = 0, .max = 1e4, .unit = UNIT_PER_SIDE,
          .doc = "smallest gradient of every drainage path, which also raises flatter ground outside "
                 "pits; 0: filled ground is flat"),
    PARAM(Fill, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_fill = {
    .name = "fill",
    .category = "rivers",
    .keywords = "depression sink pit hollow lake flood priority drain",
    .summary = "Fills the pits of a terrain, so that water drains from everywhere",
    .description = "From every cell a path that never rises leads across the border or into the sea. No "
                   "cell is raised more than that requires. Opposite edges do not meet.",
    .source = "Barnes, Lehman and Mulla 2014, Priority-flood, algorithms 2 and 3",
    .inputs = { { "height", "heights" } },
    .outputs = { { "filled", "heights without pits" } },
    .params = params,
    .params_size = sizeof(Fill),
    .example = "local lakes = height:fill{} - height -- their depths",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local filled = height:fill{}\n"
               "return filled:relief{ rivers = ((filled - height) * 100):clamp() }",
    .see_also = "flow_accumulation rivers_from_flow",
    .run = run,
};
