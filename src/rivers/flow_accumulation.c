// What drains through each cell: its own rain and that of all cells above it.

#include "core/operation.h"
#include "rivers/flow.h"

typedef struct FlowAccumulation {
    int method;
    double sea_level;
    const Field *rain;
} FlowAccumulation;

enum { METHOD_D8, METHOD_DINF };

static Status check_rain(const Field *rain, Error *error) {
    for (size_t i = 0; rain && i < field_count(rain); i++)
        if (rain->cells[i] < 0)
            return fail(error, STATUS_INVALID, "rain must be 0 or more, got %s at cell (%zu, %zu)",
                        digits_of((double)rain->cells[i]).text, i % (size_t)rain->width,
                        i / (size_t)rain->width);
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const FlowAccumulation *params = call->params;
    const Field sum = call->outputs[0].field;
    Flow flow = { .rain = params->rain,
                  .sum = sum,
                  .drainage = {
                      .height = call->inputs[0].field, .filled = sum, .sea_level = params->sea_level } };
    Status status = check_rain(params->rain, error);
    if (status == STATUS_OK)
        status = flow_find(call->run, &flow, params->method == METHOD_DINF, error);
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, &flow, error);
    flow_free(&flow);
    return status;
}

static const Param params[] = {
    PARAM(FlowAccumulation, method, .choices = CHOICES("d8", "dinf"),
          .doc = "all water of a cell into its steepest neighbour, or parted between two by the slope's "
                 "direction"),
    PARAM(FlowAccumulation, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lower ground is sea, into which water drains"),
    PARAM(FlowAccumulation, rain, .doc = "what falls on each cell, 0 or more; without it 1"),
    { 0 },
};

const Operation op_flow_accumulation = {
    .name = "flow_accumulation",
    .category = "rivers",
    .summary = "Gives what drains through each cell: its own rain, and that of all cells above it",
    .description = "Water runs through pits as if they were filled, and leaves over the border or into the "
                   "sea. With the same rain everywhere the result is the drained area in cells. D-infinity "
                   "parts water where the ground falls; on flats and along the border it runs as by D8.",
    .source = "D8: O'Callaghan and Mark 1984; D-infinity: Tarboton 1997",
    .inputs = { { "height", "heights" } },
    .outputs = { { "flow", "what drains through, in cells" } },
    .params = params,
    .params_size = sizeof(FlowAccumulation),
    .example = "local drained = height:flow_accumulation{ method = \"dinf\" }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .run = run,
};
