// What drains through each cell: its own rain and that of all cells upstream.

#include "core/operation.h"
#include "water/flow.h"

typedef struct FlowAccumulation {
    int method;
    double sea_level;
    const Field *rain;
} FlowAccumulation;

enum { METHOD_D8, METHOD_DINF };

static Status run(const Call *call, Error *error) {
    const FlowAccumulation *params = call->params;
    const Field sum = call->outputs[0].field;
    Flow flow = { .rain = params->rain,
                  .sum = sum,
                  .drainage = {
                      .height = call->inputs[0].field, .filled = sum, .sea_level = params->sea_level } };
    Status status = flow_check_rain(params->rain, error);
    if (status == STATUS_OK)
        status = flow_find(call->run, &flow, params->method == METHOD_DINF, error);
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, &flow, error);
    flow_free(&flow);
    return status;
}

static const Param params[] = {
    PARAM(FlowAccumulation, method, .choices = CHOICES("d8", "dinf"),
          .doc = "\"d8\": all water goes to the steepest neighbour; \"dinf\": divided between two by "
                 "the direction of the slope"),
    PARAM(FlowAccumulation, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    PARAM(FlowAccumulation, rain, .doc = "rain on each cell, 0 or more; by default 1"),
    { 0 },
};

const Operation op_flow_accumulation = {
    .name = "flow_accumulation",
    .measures = MEASURES_SQUARES,
    .category = "rivers",
    .keywords = "drainage watershed catchment discharge upstream area d8 dinf mfd terraflow map field",
    .summary = "Gives the water that drains through each cell: its own rain and that of all cells "
               "upstream",
    .description = "Water crosses pits as if they were filled, and leaves across the border or into the "
                   "sea. With rain 1 everywhere the result is the drained area in cells. D-infinity "
                   "divides water between two neighbours on slopes; on flats and along the border it is "
                   "the same as D8.",
    .source = "D8: O'Callaghan and Mark 1984; D-infinity: Tarboton 1997",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "flow", "drained area, in cells" } },
    .params = params,
    .params_size = sizeof(FlowAccumulation),
    .example = "local drained = height:flow_accumulation{ method = \"dinf\" }",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture = "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
               "local shades = { { 0, \"#f7fbff\" }, { 1, \"#08306b\" } }\n"
               "return land, (land:flow_accumulation{} ^ 0.3):relief{ palette = shades, contrast = 0 }",
    .see_also = "fill rivers_from_flow",
    .run = run,
};
