// The topographic wetness index ln(a / tan β), a the area that drains through a unit of contour, in metres
// where the field has a frame and elsewhere in cells, β the slope (Beven and Kirkby 1979, "A physically
// based, variable contributing area model of basin hydrology", section 3).

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"
#include "surface/nine_points.h"
#include "water/flow.h"

#include <math.h>
#include <string.h>

typedef struct WetnessIndex {
    double exaggeration, min_slope, sea_level;
    const Field *flow;
} WetnessIndex;

typedef struct Wetness {
    const Field *height;
    float scale, least;
} Wetness;

// Metres of contour for a cell of area in the middle of the field: the specific catchment area of one cell. 1
// where they are not known.
static double specific_area(const Field *height, int y) {
    const double cell = field_cell_metres(height);
    return cell > 0 ? cell * cell / sqrt(field_row_area(height, y)) : 1;
}

// `index` has the drained area.
static void divide_by_slopes(const void *context, NinePoints at, int count, float *index) {
    const Wetness *wetness = context;
    const double specific = specific_area(wetness->height, at.y);
    for (int x = 0; x < count; x++) {
        const float slope = slope_at(GRADIENT_HORN, at, x, wetness->scale);
        index[x] =
            (float)logarithm(max((double)index[x], 1e-6) * specific / (double)max(slope, wetness->least));
    }
}

// D-infinity's drained area.
static Status accumulate(const Call *call, double sea_level, Field sum, Error *error) {
    Flow flow = { .sum = sum,
                  .drainage = { .height = call->inputs[0].field, .filled = sum, .sea_level = sea_level } };
    Field areas = { 0 };
    Status status = flow_find(call->run, &flow, true, error);
    if (status == STATUS_OK)
        status = flow_areas(flow.drainage.height, &areas, error);
    flow.rain = areas.cells ? &areas : NULL;
    if (status == STATUS_OK)
        status = flow_accumulate(call->run, &flow, error);
    flow_free(&flow);
    field_free(&areas);
    return status;
}

// Water leaves into gaps as into the sea; the ground beside them does not fall to it.
static Status divide(const Call *call, const Wetness *wetness, Field *index, Error *error) {
    const Field *height = call->inputs[0].field;
    Call ground = *call;
    Field filled = { 0 };
    Status status = STATUS_OK;
    if (height->gaps) {
        status = gaps_fill(height, call->wraps, &filled, error);
        ground.inputs[0].field = &filled;
    }
    if (status == STATUS_OK)
        status = nine_points(&ground, divide_by_slopes, wetness, 25, index);
    field_free(&filled);
    return status;
}

static Status run(const Call *call, Error *error) {
    const WetnessIndex *params = call->params;
    Field *index = &call->outputs[0].field;
    const Wetness wetness = { call->inputs[0].field,
                              cells_per_height(call->inputs[0].field, params->exaggeration),
                              (float)params->min_slope };
    Status status = STATUS_OK;
    if (params->flow)
        memcpy(field_cells(index), params->flow->cells, field_count(index) * sizeof(float));
    else
        status = accumulate(call, params->sea_level, *index, error);
    return status == STATUS_OK ? divide(call, &wetness, index, error) : status;
}

static const Param params[] = {
    PARAM(WetnessIndex, min_slope, .initial = 0.001, .min = 1e-9, .max = 1,
          .doc = "flatter ground is treated as this steep; level ground would be infinitely wet"),
    PARAM(WetnessIndex, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    PARAM(WetnessIndex, flow,
          .doc = "drained area in cells; by default that of flow_accumulation by D-infinity"),
    EXAGGERATION_PARAM(WetnessIndex, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_wetness_index = {
    .name = "wetness_index",
    .measures = MEASURES_SHAPES,
    .category = "surface",
    .keywords = "twi topographic compound moisture swamp wetland saturation soil topidx moist",
    .summary = "Gives the topographic wetness index: high where much water drains over flat ground",
    .description =
        "ln(area / slope), with the area that drains through a unit of contour, and the slope as height "
        "over distance. The area is in metres where the field has a frame, elsewhere in cells. Valley floors "
        "and meadows have the highest values, crests the lowest.",
    .source = "Beven and Kirkby 1979, A physically based, variable contributing area model of basin "
              "hydrology, section 3",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "index", "ln(area / slope)" } },
    .params = params,
    .params_size = sizeof(WetnessIndex),
    .example = "local wet = height:wetness_index()",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .picture =
        "local land = height:stream_erosion{ age = 0.6 }:normalize{}\n"
        "local colours = { { 0, \"#fff7bc\" }, { 0.5, \"#41b6c4\" }, { 1, \"#081d58\" } }\n"
        "return land, land:wetness_index():relief{ palette = colours, contrast = 0, low = 0, high = 14 }",
    .see_also = "flow_accumulation gradient_angle valleys",
    .run = run,
};
