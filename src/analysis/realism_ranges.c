// The ranges of real land: the 10th, 50th and 90th percentile of the models in docs/realism.csv, which
// `realism` measured, at four sizes of cells. scripts/realism-ranges.lua prints the table;
// tests/lua/test_realism.lua compares.

#include "analysis/survey.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "core/operation.h"

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

bool realism_knows(double cell) {
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

MeasureRange realism_range(Measure measure, double cell) {
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

static Status run(const Call *call, Error *error) {
    const RangesParams *params = call->params;
    const double cell = realism_knows(params->cell) ? params->cell : 0;
    for (int i = 0; i < MEASURES; i++) {
        double *numbers = memory_new(3, sizeof *numbers, error);
        if (!numbers)
            return STATUS_MEMORY;
        const MeasureRange range = realism_range(i, cell);
        numbers[0] = range.low;
        numbers[1] = range.high;
        numbers[2] = range.median;
        call->outputs[i].numbers.count = 3;
        call->outputs[i].numbers.at = numbers;
    }
    return STATUS_OK;
}

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(RangesParams),
    .record = true,
    .example = "local low, high, median = table.unpack(esker.realism_ranges{ cell = 30 }.slope)",
    .see_also = "realism",
    .run = run,
};
