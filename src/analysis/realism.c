// How real land looks, in numbers: each measure against the range that real land has, or against those of
// another field.
//
//     score = 1 / (1 + mean d²)
//
// d: how far a measure lies outside its range, in halves of the range's width, at most 4; against another
// field the difference, in quarters. A measure that land need not have (a coast, and the mean slope where the
// vertical scale is not known) does not count where it is missing; any other counts as 4, so that a field
// which is too small or too flat to tell does not pass for real.

#include "analysis/survey.h"
#include "core/operation.h"

#include <float.h>

typedef struct Realism {
    double sea_level, vertical_scale;
    int channel;
    const Field *like;
} Realism;

static Status survey(const Call *call, const Field *height, bool wraps, Survey *result, Error *error) {
    const Realism *realism = call->params;
    const double cell = field_cell_heights(height);
    const bool framed = realism->vertical_scale == 0 && cell > 0;
    *result = (Survey){ .run = call->run,
                        .height = height,
                        .wraps = wraps,
                        .sea_level = (float)realism->sea_level,
                        .vertical_scale = framed ? 1 / cell : realism->vertical_scale,
                        .channel = realism->channel };
    Status status = survey_slopes(result, error);
    if (status == STATUS_OK)
        status = survey_spectrum(result, error);
    if (status == STATUS_OK)
        status = survey_streams(result, error);
    return status == STATUS_OK ? survey_coast(result, error) : status;
}

enum { DISTANCE_MAX = 4 };

static double half_width(int measure) {
    return (realism_ranges[measure].high - realism_ranges[measure].low) / 2;
}

static double squared(double distance) {
    const double within = clamp(distance, (double)-DISTANCE_MAX, (double)DISTANCE_MAX);
    return within * within;
}

static double score_range(const Survey *own) {
    double sum = 0, count = 0;
    for (int i = 0; i < MEASURES; i++) {
        const double below = realism_ranges[i].low - own->value[i];
        const double outside = max(max(below, own->value[i] - realism_ranges[i].high), 0.0);
        const bool counts = own->known[i] || (i != MEASURE_slope && i != MEASURE_coast);
        sum += counts ? squared(own->known[i] ? outside / half_width(i) : DISTANCE_MAX) : 0;
        count += counts;
    }
    return 1 / (1 + sum / count);
}

static double score_likeness(const Survey *own, const Survey *other) {
    double sum = 0, count = 0;
    for (int i = 0; i < MEASURES; i++) {
        const double apart = 2 * (own->value[i] - other->value[i]) / half_width(i);
        sum += own->known[i] && other->known[i] ? 1 / (1 + apart * apart) : 0;
        count += own->known[i] || other->known[i];
    }
    return count > 0 ? sum / count : 1;
}

static Status run(const Call *call, Error *error) {
    const Realism *realism = call->params;
    Survey own, other;
    Status status = survey(call, call->inputs[0].field, call->wraps, &own, error);
    if (status == STATUS_OK && realism->like)
        status = survey(call, realism->like, call->wraps && realism->like->wraps, &other, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < MEASURES; i++)
        call->outputs[i].number = own.value[i];
    call->outputs[MEASURES].number = realism->like ? score_likeness(&own, &other) : score_range(&own);
    return STATUS_OK;
}

static const Param params[] = {
    PARAM(Realism, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea and is not measured"),
    PARAM(Realism, vertical_scale, .initial = 0, .min = 0, .max = 1e9,
          .doc = "cells per unit of height: 1/30 for metres and cells of 30 m; 0: what the frame says, if it "
                 "has metres or is that of a zoomable map, otherwise unknown"),
    PARAM(Realism, channel, .initial = 100, .min = 2, .max = 1000000, .unit = UNIT_CELLS,
          .doc = "drained cells at which a channel begins"),
    PARAM(Realism, like, .doc = "compare with this land instead of the real ranges"),
    { 0 },
};

#define MEASURE_OUTPUT(name, doc) { #name, doc, &type_number },

const Operation op_realism = {
    .name = "realism",
    .measures = MEASURES_SQUARES,
    .category = "analysis",
    .keywords = "score compare measure similarity dem elevation",
    .summary = "Measures how closely land resembles real land, or another field",
    .description = "A measure that is undefined for the field is 0: the coast without sea, stream "
                   "orders on a field that is too small, every measure of a plain. `realism_ranges` "
                   "gives the range of each measure on real land; docs/realism.md lists the models. The "
                   "score is 1 / (1 + mean d²), where d is the distance of a measure from its range, in "
                   "half widths of the range, at most 4. With `like`, d is the difference from the other "
                   "field in quarters of the width.",
    .source = "Horton 1945; Strahler 1952, 1957; Hack 1957; Mandelbrot 1967; Welch 1967; Flint 1974",
    .inputs = { { "height", "heights" } },
    .outputs = { REALISM_MEASURES(MEASURE_OUTPUT){
        "score", "0 to 1: agreement with real land, or with the field `like`", &type_number } },
    .params = params,
    .params_size = sizeof(Realism),
    .record = true,
    .any_sizes = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local score = height:realism{}.score",
    .see_also = "realism_ranges erosion_score statistics",
    .run = run,
};
