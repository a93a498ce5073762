// How real land looks, in numbers: each measure against the range that real land with cells of that size has,
// or against those of another field.
//
//     score = 1 / (1 + mean d²)
//
// d: how far a measure lies outside its range, in halves of the range's width, at most 4; against another
// field the difference, in quarters. A measure that land need not have (a coast, and the mean slope where
// metres or the vertical scale are not known) does not count where it is missing; any other counts as 4, so
// that a field which is too small or too flat to tell does not pass for real.

#include "analysis/survey.h"
#include "core/operation.h"

#include <math.h>

typedef struct Realism {
    double sea_level, cell, vertical_scale;
    int channel;
    const Field *like;
} Realism;

static Status survey(const Call *call, const Field *height, bool wraps, Survey *result, Error *error) {
    const Realism *realism = call->params;
    const double heights = field_cell_heights(height), unit = frame_height_metres(&height->frame);
    const double cell = realism->cell > 0 ? realism->cell : heights * unit;
    const double rise = realism->cell > 0 ? realism->cell / (unit > 0 ? unit : 1) : heights;
    *result = (Survey){ .run = call->run,
                        .height = height,
                        .wraps = wraps,
                        .sea_level = (float)realism->sea_level,
                        .vertical_scale = realism->vertical_scale > 0 ? realism->vertical_scale
                                          : rise > 0                  ? 1 / rise
                                                                      : 0,
                        .cell = realism_knows(cell) ? cell : 0,
                        .channel = realism->channel };
    Status status = survey_slopes(result, error);
    if (status == STATUS_OK)
        status = survey_spectrum(result, error);
    if (status == STATUS_OK)
        status = survey_streams(result, error);
    return status == STATUS_OK ? survey_coast(result, error) : status;
}

// --- scores ------------------------------------------------------------------------------------------------

enum { DISTANCE_MAX = 4, LIKENESS_CELL = 30 };

typedef struct Judgement {
    double distances[MEASURES]; // 0 within the range, below 0 under it
    bool counts[MEASURES];
} Judgement;

static Judgement judge(const Survey *own) {
    Judgement judgement = { 0 };
    for (int i = 0; i < MEASURES; i++) {
        const MeasureRange range = realism_range(i, own->cell);
        const double half = (range.high - range.low) / 2, value = own->value[i];
        const bool free = i == MEASURE_coast || (i == MEASURE_slope && !(own->cell > 0));
        judgement.counts[i] = i == MEASURE_slope ? own->cell > 0 : own->known[i] || !free;
        judgement.distances[i] = !judgement.counts[i] ? 0
                                 : !own->known[i]     ? -DISTANCE_MAX
                                 : value < range.low  ? (value - range.low) / half
                                                      : max(value - range.high, 0.0) / half;
    }
    return judgement;
}

// In quarters of the range's width: the widest of all sizes would tell little apart.
static Judgement compare(const Survey *own, const Survey *other) {
    Judgement judgement = { 0 };
    for (int i = 0; i < MEASURES; i++) {
        const MeasureRange range = realism_range(i, own->cell > 0 ? own->cell : LIKENESS_CELL);
        judgement.counts[i] = own->known[i] || other->known[i];
        judgement.distances[i] = own->known[i] && other->known[i]
                                     ? 4 * (own->value[i] - other->value[i]) / (range.high - range.low)
                                     : INFINITY;
    }
    return judgement;
}

static double score_range(const Judgement *judgement) {
    double sum = 0, count = 0;
    for (int i = 0; i < MEASURES; i++) {
        const double d = clamp(judgement->distances[i], (double)-DISTANCE_MAX, (double)DISTANCE_MAX);
        sum += d * d;
        count += judgement->counts[i];
    }
    return 1 / (1 + sum / count);
}

static double score_likeness(const Judgement *judgement) {
    double sum = 0, count = 0;
    for (int i = 0; i < MEASURES; i++) {
        sum += judgement->counts[i] ? 1 / (1 + judgement->distances[i] * judgement->distances[i]) : 0;
        count += judgement->counts[i];
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
    const Judgement range = judge(&own), judgement = realism->like ? compare(&own, &other) : range;
    double within = 0, judged = 0;
    for (int i = 0; i < MEASURES; i++) {
        call->outputs[i].number = own.value[i];
        within += range.counts[i] && range.distances[i] == 0;
        judged += range.counts[i];
    }
    call->outputs[MEASURES].number = realism->like ? score_likeness(&judgement) : score_range(&judgement);
    call->outputs[MEASURES + 1].number = own.cell;
    call->outputs[MEASURES + 2].number = within;
    call->outputs[MEASURES + 3].number = judged;
    return STATUS_OK;
}

static const Param params[] = {
    PARAM(Realism, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea and is not measured"),
    PARAM(
        Realism, cell, .initial = 0, .min = 0, .max = 1e9,
        .doc =
            "side of a cell in metres, for heights in metres or in the unit of the frame; 0: what the frame "
            "says, if its heights have metres, otherwise unknown"),
    PARAM(Realism, vertical_scale, .initial = 0, .min = 0, .max = 1e9,
          .doc = "cells per unit of height, where heights have another unit or are exaggerated; 0: what cell "
                 "and frame say"),
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
    .description =
        "Each measure is judged by the range of real land with cells of the same size, which "
        "`cell` gives. It is 0 where metres are not known, or cells are smaller than 1/3 m or larger "
        "than 270 m. Then the widest range of all sizes counts, and the slope does not. A measure that "
        "is undefined for the field is 0: the coast without sea, stream orders on a field that is "
        "too small, every measure of a plain. `realism_ranges` gives the ranges; docs/realism.md "
        "lists the models. The score is 1 / (1 + mean d²), where d is the distance of a measure "
        "from its range, in half widths of the range, at most 4. With `like`, d is the difference "
        "from the other field in quarters of the width, that of 30 m where metres are not known.",
    .source = "Horton 1945; Strahler 1952, 1957; Hack 1957; Mandelbrot 1967; Welch 1967; Flint 1974",
    .inputs = { { "height", "heights" } },
    .outputs = { REALISM_MEASURES(MEASURE_OUTPUT){
                     "score", "0 to 1: agreement with real land, or with the field `like`", &type_number },
                 { "cell", "metres, the size of cells whose real land it is compared with; 0: any",
                   &type_number },
                 { "within", "measures within the range of real land", &type_number },
                 { "judged", "measures that have one and count", &type_number } },
    .params = params,
    .params_size = sizeof(Realism),
    .record = true,
    .any_sizes = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local score = height:realism{}.score",
    .see_also = "realism_ranges erosion_score statistics",
    .run = run,
};
