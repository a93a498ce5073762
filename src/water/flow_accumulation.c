// What drains through each cell: its own rain and that of all cells upstream.

#include "core/operation.h"
#include "water/flow.h"

#include <math.h>

typedef struct FlowAccumulation {
    int method, measure;
    double sea_level;
    const Field *rain;
} FlowAccumulation;

enum { METHOD_D8, METHOD_DINF };

enum { MEASURE_CELLS, MEASURE_AREA, MEASURE_SPECIFIC };

typedef struct Scaling {
    const Field *height;
    Field sum;
    int measure;
} Scaling;

// Square metres; or over the width of a cell, through which the water flows: metres.
static void scale_rows(void *context, int first, int end) {
    Scaling *scaling = context;
    const double cell = field_cell_metres(scaling->height), area = cell * cell;
    for (int y = first; y < end; y++) {
        float *row = field_row(&scaling->sum, y);
        const double over =
            scaling->measure == MEASURE_SPECIFIC ? sqrt(field_row_area(scaling->height, y)) : 1;
        for (int x = 0; x < scaling->sum.width; x++)
            row[x] = (float)((double)row[x] * area / over);
    }
}

static Status run(const Call *call, Error *error) {
    const FlowAccumulation *params = call->params;
    const Field sum = call->outputs[0].field;
    Scaling scaling = { call->inputs[0].field, sum, params->measure };
    Field areas = { 0 };
    if (params->measure != MEASURE_CELLS && field_cell_metres(scaling.height) == 0)
        return fail(
            error, STATUS_INVALID,
            "measure: the field has no frame in which an area is known: set one with georeference, or "
            "leave it \"cells\"");
    double uneven;
    if (params->measure != MEASURE_CELLS &&
        frame_check_ground(&call->frame, call->frame_width, call->frame_height, &uneven, error) != STATUS_OK)
        return STATUS_INVALID;
    if (params->measure != MEASURE_CELLS && params->rain)
        return fail(error, STATUS_INVALID,
                    "measure: with rain the result is water, not an area: leave one out");
    Flow flow = { .rain = params->rain,
                  .sum = sum,
                  .drainage = {
                      .height = call->inputs[0].field, .filled = sum, .sea_level = params->sea_level } };
    Status status = flow_check_rain(params->rain, error);
    if (status == STATUS_OK && params->measure != MEASURE_CELLS)
        status = flow_areas(scaling.height, &areas, error);
    flow.rain = areas.cells ? &areas : flow.rain;
    if (status == STATUS_OK)
        status = flow_find(call->run, &flow, params->method == METHOD_DINF, error);
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, &flow, error);
    flow_free(&flow);
    field_free(&areas);
    if (status == STATUS_OK && params->measure != MEASURE_CELLS)
        status = parallel_rows(call->run, sum.height, sum.width, scale_rows, &scaling);
    return status;
}

static const Param params[] = {
    PARAM(FlowAccumulation, method, .choices = CHOICES("d8", "dinf"),
          .doc = "\"d8\": all water goes to the steepest neighbour; \"dinf\": divided between two by "
                 "the direction of the slope"),
    PARAM(FlowAccumulation, measure, .choices = CHOICES("cells", "area", "specific"),
          .doc = "\"cells\" that drain; \"area\": square metres of the ground of a field with a frame; "
                 "\"specific\": that over the width of a cell, the specific catchment area in metres"),
    PARAM(FlowAccumulation, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .unit = UNIT_SEA, .doc = "ground below this is sea, into which water drains"),
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
    .outputs = { { "flow", "what drains: cells, or as `measure` says m² or m",
                   .dimension = DIMENSION_CELLS } },
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
