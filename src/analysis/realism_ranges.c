// The ranges of real land: from the 5th to the 95th percentile of the models in docs/realism.csv,
// which `realism` measured; tests/lua/test_realism.lua compares.

#include "analysis/survey.h"
#include "core/memory.h"
#include "core/operation.h"

const MeasureRange realism_ranges[MEASURES] = {
    [MEASURE_slope] = { 0.0437, 0.538 },     [MEASURE_slope_variation] = { 0.452, 0.921 },
    [MEASURE_slope_tail] = { 1.73, 2.76 },   [MEASURE_flat] = { 0.0311, 0.143 },
    [MEASURE_spectrum] = { 3.32, 4.5 },      [MEASURE_anisotropy] = { 0.0904, 0.252 },
    [MEASURE_grid] = { -0.108, 0.173 },      [MEASURE_hypsometric] = { 0.278, 0.55 },
    [MEASURE_curvature] = { 0.473, 1.13 },   [MEASURE_concave] = { 0.486, 0.536 },
    [MEASURE_hollows] = { 0.00172, 0.076 },  [MEASURE_bifurcation] = { 3.82, 5.3 },
    [MEASURE_length_ratio] = { 1.82, 2.75 }, [MEASURE_hack] = { 0.471, 0.571 },
    [MEASURE_concavity] = { 0.36, 0.793 },   [MEASURE_density] = { 0.581, 0.832 },
    [MEASURE_sinuosity] = { 1.1, 1.2 },      [MEASURE_coast] = { 1.03, 1.49 },
};

static Status run(const Call *call, Error *error) {
    for (int i = 0; i < MEASURES; i++) {
        double *range = memory_new(2, sizeof *range, error);
        if (!range)
            return STATUS_MEMORY;
        range[0] = realism_ranges[i].low;
        range[1] = realism_ranges[i].high;
        call->outputs[i].numbers.count = 2;
        call->outputs[i].numbers.at = range;
    }
    return STATUS_OK;
}

#define RANGE_OUTPUT(name, doc) { #name, doc, &type_numbers },

const Operation op_realism_ranges = {
    .name = "realism_ranges",
    .category = "analysis",
    .keywords = "score measure dem elevation",
    .summary = "Gives the range of each measure of realism on real land",
    .description = "Each range is a list of its lower and upper end. docs/realism.md lists the land.",
    .outputs = { REALISM_MEASURES(RANGE_OUTPUT) },
    .record = true,
    .example = "local low, high = table.unpack(esker.realism_ranges{}.spectrum)",
    .see_also = "realism",
    .run = run,
};
