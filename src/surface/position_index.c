// How far a cell stands above the mean of its surroundings: as a height, or in standard deviations at the
// scale at which it stands out most.

#include "core/box_mean.h"
#include "core/finite.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/summary.h"

#include <math.h>

// --- in heights --------------------------------------------------------------------------------------------

// Height above the mean of the surroundings (Olsen 2004, "Examples of use", where it chooses textures):
// positive on ridges and tops, negative in valleys.

typedef struct RelativeHeight {
    double radius;
} RelativeHeight;

typedef struct Rise {
    const Field *height;
    Field *mean; // becomes the height above it
} Rise;

KERNEL static void rise_rows(void *context, int first, int end) {
    const Rise *rise = context;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(rise->height, y);
        float *restrict mean = field_row(rise->mean, y);
        for (int x = 0; x < rise->mean->width; x++)
            mean[x] = row[x] - mean[x];
    }
}

static Status run_relative_height(const Call *call, Error *error) {
    const RelativeHeight *relative = call->params;
    const Field *height = call->inputs[0].field;
    Field *result = &call->outputs[0].field;
    const Status status =
        data_mean(call->run, height, result, clamp(relative->radius, 1, SIDE_MAX), call->wraps, error);
    if (status != STATUS_OK)
        return status;
    Rise rise = { height, result };
    return finite_rows(call, call->width * 0.3, rise_rows, &rise);
}

static const Param relative_height_params[] = {
    PARAM(RelativeHeight, radius, .initial = 0.06, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "how far the surroundings, a square, reach; at least a cell"),
    { 0 },
};

const Operation op_relative_height = {
    .name = "relative_height",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_SQUARES,
    .category = "analysis",
    .keywords = "local tpi position relief prominence mask valley ridge depth",
    .summary = "Gives the height of each cell above the mean of its surroundings",
    .description = "The time does not depend on the radius. Where edges meet, the terrain repeats, so "
                   "surroundings larger than the field count cells several times; elsewhere only cells "
                   "that exist count, and everywhere only those that have data.",
    .source = "Olsen 2004, Examples of use",
    .inputs = { { "height", "heights" } },
    .outputs = { { "relative", "above 0 on ridges, below 0 in valleys", .dimension = DIMENSION_HEIGHT } },
    .params = relative_height_params,
    .params_size = sizeof(RelativeHeight),
    .example = "local ridges = height:relative_height{ radius = 0.08 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local colours = { { -1, \"#2166ac\" }, { 0, \"#f7f7f7\" }, { 1, \"#b2182b\" } }\n"
               "return height:relative_height():relief{ palette = colours, contrast = 0, low = "
               "-0.15, high = 0.15 }",
    .see_also = "blur slope",
    .run = run_relative_height,
};

// --- in standard deviations --------------------------------------------------------------------------------

// The topographic position index at several scales: how far a cell stands above the mean of its surroundings,
// in standard deviations of that difference over the field (Weiss 2001, "Topographic position and landforms
// analysis", section "Standardization"), at the scale at which it stands out most (Lindsay, Cockburn and
// Russell 2015, "An integral image approach to performing multi-scale topographic position analysis", section
// 2.2).

typedef struct PositionIndex {
    Numbers radius;
} PositionIndex;

typedef struct Scale {
    Rise rise;
    Field *index, *radius; // of the scale at which the cell stands out most
    float sides, inverse;  // the radius; 1 / the standard deviation
    bool first;
} Scale;

KERNEL static void choose_rows(void *context, int first, int end) {
    const Scale *scale = context;
    const float inverse = scale->inverse, sides = scale->sides;
    for (int y = first; y < end; y++) {
        const float *restrict rise = field_row(scale->rise.mean, y);
        float *restrict index = field_row(scale->index, y), *restrict radius = field_row(scale->radius, y);
        for (int x = 0; x < scale->rise.mean->width; x++) {
            const float here = rise[x] * inverse;
            const bool more = scale->first || fabsf(here) > fabsf(index[x]);
            index[x] = more ? here : index[x];
            radius[x] = more ? sides : radius[x];
        }
    }
}

static Status at_scale(const Call *call, Scale *scale, double radius, Error *error) {
    const Field *height = scale->rise.height;
    Status status = data_mean(call->run, height, scale->rise.mean, radius, call->wraps, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 0.3, rise_rows, &scale->rise);
    Summary summary;
    if (status == STATUS_OK)
        status = field_summarise(call->run, scale->rise.mean, &summary, error);
    if (status != STATUS_OK)
        return status;
    scale->sides = (float)(radius / field_side(height));
    scale->inverse = summary.stddev > 0 ? (float)min(1 / summary.stddev, HEIGHT_MAX) : 0;
    return parallel_rows(call->run, call->height, call->width * 0.5, choose_rows, scale);
}

static Status run_position_index(const Call *call, Error *error) {
    const PositionIndex *params = call->params;
    Field mean = { 0 };
    Status status = field_create(&mean, call->width, call->height, error);
    mean.gaps = gaps_keep(call->inputs[0].field->gaps); // so that they are not part of its deviation
    Scale scale = { .rise = { call->inputs[0].field, &mean },
                    .index = &call->outputs[0].field,
                    .radius = &call->outputs[1].field };
    for (int i = 0; i < params->radius.count && status == STATUS_OK; i++) {
        scale.first = i == 0;
        status = at_scale(call, &scale, clamp(params->radius.at[i], 1, SIDE_MAX), error);
    }
    field_free(&mean);
    return status;
}

static const Param position_index_params[] = {
    PARAM(PositionIndex, radius, .initial_numbers = NUMBERS(0.01, 0.04, 0.16), .rows_min = 1, .min = 0,
          .max = 1, .unit = UNIT_SIDES,
          .doc = "how far the surroundings, a square, reach at each scale; at least a cell"),
    { 0 },
};

const Operation op_position_index = {
    .name = "position_index",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_SQUARES,
    .category = "surface",
    .keywords = "tpi topographic position landform multiscale ridge valley slope deviation",
    .summary = "Gives the topographic position index: ridges above 0, valleys below 0, at several scales",
    .description = "At each scale the height above the mean of the surroundings is divided by its standard "
                   "deviation over the field; the result is the largest of them, up or down. Above 1 are "
                   "ridges, below -1 valleys.",
    .source =
        "Weiss 2001, Topographic position and landforms analysis; Lindsay, Cockburn and Russell 2015, "
        "An integral image approach to performing multi-scale topographic position analysis, section 2.2",
    .inputs = { { "height", "heights" } },
    .outputs = { { "index", "standard deviations above the surroundings" },
                 { "radius", "radius of the scale at which it is largest, in N" } },
    .params = position_index_params,
    .params_size = sizeof(PositionIndex),
    .example = "local position = height:position_index{ radius = { 0.05, 0.2 } }",
    .wrapping = WRAPPING_CHOSEN,
    .picture =
        "local colours = { { -1, \"#2166ac\" }, { 0, \"#f7f7f7\" }, { 1, \"#b2182b\" } }\n"
        "return (height:position_index()):relief{ palette = colours, contrast = 0, low = -2.5, high = 2.5 }",
    .see_also = "relative_height curvature openness",
    .run = run_position_index,
};
