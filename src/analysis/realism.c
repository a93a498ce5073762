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
#include "core/elementary.h"
#include "core/kernel.h"
#include "core/least_squares.h"
#include "core/memory.h"
#include "core/operation.h"

#include <math.h>
#include <string.h>

// --- coasts ------------------------------------------------------------------------------------------------

// The dimension D of the coast, by Minkowski's sausage: the number of cells within r steps of the shore (land
// beside sea; diagonal steps count as one) grows as (2r + 1)^(2 - D), for r of 1, 2, 4 … up to a sixteenth of
// the field. Unlike counting boxes this does not depend on where a grid of boxes lies.

enum {
    SHORE_MIN = 64, // cells: fewer have no dimension
    FAR = 60000,    // steps, more than are looked at, to which more can be added
    SHARES = 16,    // of the rows, counted side by side
};

typedef struct Coast {
    const Survey *survey;
    int furthest;
    uint16_t *steps;  // of each cell, from the shore
    uint32_t *shore;  // cells of each row
    uint64_t *within; // cells by their steps, of each share
} Coast;

static bool is_shore(const Survey *survey, int x, int y) {
    const Field *height = survey->height;
    const float sea = survey->sea_level;
    if (field_row(height, y)[x] < sea)
        return false;
    return field_row(height, y)[max(x - 1, 0)] < sea ||
           field_row(height, y)[min(x + 1, height->width - 1)] < sea ||
           field_row(height, max(y - 1, 0))[x] < sea ||
           field_row(height, min(y + 1, height->height - 1))[x] < sea;
}

// Steps along a row: from its shore alone.
static void step_along(uint16_t *steps, int width) {
    for (int x = 1; x < width; x++)
        steps[x] = (uint16_t)min((int)steps[x], steps[x - 1] + 1);
    for (int x = width - 2; x >= 0; x--)
        steps[x] = (uint16_t)min((int)steps[x], steps[x + 1] + 1);
}

static uint16_t fewer(uint16_t one, uint16_t other) {
    return one < other ? one : other;
}

// From a row to the next: straight or diagonally. Steps along the row are known.
KERNEL static void step_across(const uint16_t *restrict before, uint16_t *restrict steps, int width) {
    steps[0] = fewer(steps[0], (uint16_t)(fewer(before[0], before[min(1, width - 1)]) + 1));
    for (int x = 1; x < width - 1; x++)
        steps[x] = fewer(steps[x], (uint16_t)(fewer(fewer(before[x - 1], before[x]), before[x + 1]) + 1));
    if (width > 1)
        steps[width - 1] =
            fewer(steps[width - 1], (uint16_t)(fewer(before[width - 2], before[width - 1]) + 1));
}

static void find_shore(void *context, int first, int end) {
    const Coast *coast = context;
    const int width = coast->survey->height->width;
    for (int y = first; y < end; y++) {
        uint16_t *steps = coast->steps + (size_t)y * (size_t)width;
        uint32_t shore = 0;
        for (int x = 0; x < width; x++) {
            const bool is = is_shore(coast->survey, x, y);
            steps[x] = is ? 0 : FAR;
            shore += is;
        }
        if (shore > 0)
            step_along(steps, width);
        coast->shore[y] = shore;
    }
}

// Down and up again (Rosenfeld and Pfaltz 1966): exact, since diagonal steps count as one.
static void step_across_all(const Coast *coast) {
    const int height = coast->survey->height->height, width = coast->survey->height->width;
    uint16_t *row = coast->steps;
    for (int y = 1; y < height; y++, row += width)
        step_across(row, row + width, width);
    for (int y = 1; y < height; y++, row -= width)
        step_across(row, row - width, width);
}

static void count_steps(void *context, int first, int end) {
    const Coast *coast = context;
    const int height = coast->survey->height->height;
    const size_t width = (size_t)coast->survey->height->width;
    for (int share = first; share < end; share++) {
        uint64_t *within = coast->within + (size_t)share * (size_t)(coast->furthest + 1);
        memset(within, 0, (size_t)(coast->furthest + 1) * sizeof *within);
        const size_t start = (size_t)((int64_t)height * share / SHARES) * width;
        const size_t after = (size_t)((int64_t)height * (share + 1) / SHARES) * width;
        for (size_t i = start; i < after; i++)
            if (coast->steps[i] <= coast->furthest)
                within[coast->steps[i]]++;
    }
}

static double dimension(const Coast *coast) {
    Line line = { 0 };
    double count = 0;
    for (int r = 0, next = 1; r <= coast->furthest; r++) {
        for (int share = 0; share < SHARES; share++)
            count += (double)coast->within[share * (coast->furthest + 1) + r];
        if (r == next)
            line_add(&line, logarithm(2 * r + 1), logarithm(count));
        next = r == next ? 2 * next : next;
    }
    return 2 - line_slope(&line);
}

static Status measure_coast(Survey *survey, const Coast *coast) {
    const Field *height = survey->height;
    size_t shore = 0;
    Status status =
        parallel_rows(survey->run, height->height, height->width * 5.0, find_shore, (void *)coast);
    for (int y = 0; status == STATUS_OK && y < height->height; y++)
        shore += coast->shore[y];
    if (status != STATUS_OK || coast->furthest < 4 || shore < SHORE_MIN)
        return status;
    step_across_all(coast);
    status =
        parallel_rows(survey->run, SHARES, (double)field_count(height) / SHARES, count_steps, (void *)coast);
    if (status == STATUS_OK)
        survey_set(survey, MEASURE_coast, dimension(coast));
    return status;
}

static Status survey_coast(Survey *survey, Error *error) {
    const Field *height = survey->height;
    Coast coast = { .survey = survey, .furthest = min(height->width, height->height) / 16 };
    Status status = STATUS_MEMORY;
    if ((coast.steps = memory_new(field_count(height), sizeof *coast.steps, error)) &&
        (coast.shore = memory_new((size_t)height->height, sizeof *coast.shore, error)) &&
        (coast.within = memory_new(SHARES * ((size_t)coast.furthest + 1), sizeof *coast.within, error)))
        status = measure_coast(survey, &coast);
    memory_free(coast.steps);
    memory_free(coast.shore);
    memory_free(coast.within);
    return status;
}

// --- ranges of real land -----------------------------------------------------------------------------------

// The ranges of real land: the 10th, 50th and 90th percentile of the models in docs/realism.csv, which
// `realism` measured, at four sizes of cells. scripts/realism-ranges.lua prints the table;
// tests/lua/test_realism.lua compares.

enum { SIZES = 4 };

static const double sizes[SIZES] = { 1, 10, 30, 90 }; // metres

// clang-format off
static const MeasureRange ranges[MEASURES][SIZES] = {
    [MEASURE_slope] = { { 0.121, 0.214, 0.399 }, { 0.0491, 0.292, 0.416 },
        { 0.115, 0.369, 0.574 }, { 0.152, 0.402, 0.569 } },
    [MEASURE_slope_variation] = { { 0.439, 0.688, 0.921 }, { 0.42, 0.626, 0.933 },
        { 0.467, 0.543, 0.773 }, { 0.476, 0.53, 0.948 } },
    [MEASURE_slope_tail] = { { 1.67, 2.21, 2.61 }, { 1.7, 2.15, 2.91 },
        { 1.76, 1.92, 2.42 }, { 1.81, 1.93, 2.74 } },
    [MEASURE_flat] = { { 0.039, 0.0691, 0.183 }, { 0.0332, 0.0863, 0.204 },
        { 0.035, 0.0456, 0.109 }, { 0.0385, 0.0758, 0.181 } },
    [MEASURE_spectrum] = { { 3.64, 3.98, 4.82 }, { 3.98, 4.43, 4.65 },
        { 3.92, 4.3, 4.67 }, { 3.4, 4.1, 4.34 } },
    [MEASURE_anisotropy] = { { 0.142, 0.187, 0.308 }, { 0.136, 0.231, 0.282 },
        { 0.101, 0.171, 0.315 }, { 0.0823, 0.157, 0.256 } },
    [MEASURE_grid] = { { -0.0561, 0.000157, 0.11 }, { -0.0615, -0.00874, 0.09 },
        { -0.0377, -0.00777, 0.0505 }, { -0.0604, 0.00123, 0.0901 } },
    [MEASURE_hypsometric] = { { 0.345, 0.479, 0.67 }, { 0.316, 0.439, 0.518 },
        { 0.307, 0.433, 0.509 }, { 0.309, 0.431, 0.572 } },
    [MEASURE_curvature] = { { 0.118, 0.394, 0.765 }, { 0.363, 0.399, 0.608 },
        { 0.415, 0.482, 0.749 }, { 0.543, 0.632, 0.861 } },
    [MEASURE_concave] = { { 0.484, 0.493, 0.502 }, { 0.469, 0.48, 0.504 },
        { 0.487, 0.493, 0.51 }, { 0.488, 0.506, 0.518 } },
    [MEASURE_hollows] = { { 0.000886, 0.0303, 0.103 }, { 0.00243, 0.00459, 0.0308 },
        { 0.00175, 0.00602, 0.0147 }, { 0.00535, 0.0169, 0.034 } },
    [MEASURE_bifurcation] = { { 3.67, 4.33, 4.49 }, { 3.64, 4.36, 4.99 },
        { 3.79, 4.22, 4.78 }, { 3.75, 4.32, 4.78 } },
    [MEASURE_length_ratio] = { { 1.35, 1.63, 1.9 }, { 1.62, 2.12, 2.51 },
        { 1.41, 2.08, 2.61 }, { 1.75, 2.06, 2.42 } },
    [MEASURE_hack] = { { 0.307, 0.393, 0.489 }, { 0.424, 0.486, 0.531 },
        { 0.45, 0.475, 0.543 }, { 0.488, 0.514, 0.55 } },
    [MEASURE_concavity] = { { 0.0922, 0.327, 0.494 }, { 0.359, 0.428, 0.6 },
        { 0.202, 0.4, 0.721 }, { 0.377, 0.529, 0.683 } },
    [MEASURE_density] = { { 0.785, 1, 1.39 }, { 0.56, 0.605, 0.74 },
        { 0.554, 0.62, 0.822 }, { 0.557, 0.637, 0.683 } },
    [MEASURE_sinuosity] = { { 1.04, 1.07, 1.16 }, { 1.08, 1.1, 1.18 },
        { 1.07, 1.1, 1.12 }, { 1.1, 1.13, 1.16 } },
    [MEASURE_coast] = { { 1.04, 1.29, 1.46 }, { 1.04, 1.29, 1.46 },
        { 1.04, 1.29, 1.46 }, { 1.04, 1.29, 1.46 } },
};
// clang-format on

// A third of the smallest to three times the largest: slopes of coarser land are those of other forms.
static const double beyond = 3;

// Whether real land with such cells was measured, or nearly.
static bool realism_knows(double cell) {
    return cell >= sizes[0] / beyond && cell <= sizes[SIZES - 1] * beyond;
}

static MeasureRange mixed(const MeasureRange *a, const MeasureRange *b, double share) {
    return (MeasureRange){ a->low * (1 - share) + b->low * share, a->median * (1 - share) + b->median * share,
                           a->high * (1 - share) + b->high * share };
}

// The widest: from the lowest end to the highest, with the mean of the medians.
static MeasureRange of_any_size(const MeasureRange *of) {
    MeasureRange range = of[0];
    for (int i = 1; i < SIZES; i++) {
        range.low = min(range.low, of[i].low);
        range.high = max(range.high, of[i].high);
        range.median += of[i].median;
    }
    range.median /= SIZES;
    return range;
}

// What real land has, the 10th to the 90th percentile (docs/realism.md), where cells are `cell` metres wide:
// of the size next to it below and above, mixed by the logarithm of the size. 0: that of any of the sizes.
static MeasureRange realism_range(Measure measure, double cell) {
    const MeasureRange *of = ranges[measure];
    if (!(cell > 0))
        return of_any_size(of);
    int i = 0;
    while (i < SIZES - 2 && cell > sizes[i + 1])
        i++;
    const double share = logarithm(cell / sizes[i]) / logarithm(sizes[i + 1] / sizes[i]);
    return mixed(&of[i], &of[i + 1], clamp(share, 0.0, 1.0));
}

typedef struct RangesParams {
    double cell;
} RangesParams;

static Status run_ranges(const Call *call, Error *error) {
    const RangesParams *params = call->params;
    const double cell = realism_knows(params->cell) ? params->cell : 0;
    for (int i = 0; i < MEASURES; i++) {
        double *numbers = memory_new(3, sizeof *numbers, error);
        if (!numbers)
            return STATUS_MEMORY;
        const MeasureRange range = realism_range((Measure)i, cell);
        numbers[0] = range.low;
        numbers[1] = range.high;
        numbers[2] = range.median;
        call->outputs[i].numbers.count = 3;
        call->outputs[i].numbers.at = numbers;
    }
    return STATUS_OK;
}

static const Param ranges_params[] = {
    PARAM(RangesParams, cell, .initial = 0, .min = 0, .max = 1e9,
          .doc = "side of a cell in metres; 0, and outside of 1/3 to 270: the widest range of all sizes"),
    { 0 },
};

#define RANGE_OUTPUT(name, doc) { #name, doc, &type_numbers },

const Operation op_realism_ranges = {
    .name = "realism_ranges",
    .category = "analysis",
    .keywords = "score measure dem elevation",
    .summary = "Gives the range of each measure of realism on real land",
    .description = "Each range is a list: the 10th and the 90th percentile of real land with cells of that "
                   "size, and the median. docs/realism.md lists the land.",
    .outputs = { REALISM_MEASURES(RANGE_OUTPUT) },
    .params = ranges_params,
    .params_size = sizeof(RangesParams),
    .record = true,
    .example = "local low, high, median = table.unpack(esker.realism_ranges{ cell = 30 }.slope)",
    .see_also = "realism",
    .run = run_ranges,
};

// --- the operation -----------------------------------------------------------------------------------------

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
        const MeasureRange range = realism_range((Measure)i, own->cell);
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
        const MeasureRange range = realism_range((Measure)i, own->cell > 0 ? own->cell : LIKENESS_CELL);
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
