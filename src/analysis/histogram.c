// How many cells lie at which height.

#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"

typedef struct Histogram {
    int bins;
    double low, high;
} Histogram;

static Status run(const Call *call, Error *error) {
    const Histogram *histogram = call->params;
    const Field *height = call->inputs[0].field;
    double low = histogram->low, high = histogram->high;
    if (low == 0 && high == 0) {
        const Status status = field_range(call->run, height, &low, &high, error);
        if (status != STATUS_OK)
            return status;
    } else if (!(high > low)) {
        return fail(error, STATUS_INVALID, "high must be above low, got %g and %g", high, low);
    }
    double *counts = memory_new_zeroed((size_t)histogram->bins, sizeof *counts, error);
    if (!counts)
        return STATUS_MEMORY;
    const double per_height = high > low ? histogram->bins / (high - low) : 0;
    for (size_t i = 0; i < field_count(height); i++) {
        const double cell = (double)height->cells[i];
        if (cell < low || cell > high)
            continue;
        const int bin = (int)((cell - low) * per_height);
        counts[bin < histogram->bins ? bin : histogram->bins - 1]++;
    }
    call->outputs[0].numbers.count = histogram->bins;
    call->outputs[0].numbers.at = counts;
    return STATUS_OK;
}

static const Param params[] = {
    PARAM(Histogram, bins, .initial = 64, .min = 1, .max = 1000000, .doc = "intervals of equal width"),
    PARAM(Histogram, low, .initial = 0, .min = -1e9, .max = 1e9, .doc = "where the first begins"),
    PARAM(Histogram, high, .initial = 0, .min = -1e9, .max = 1e9,
          .doc = "where the last ends; with low 0: from the lowest to the highest height"),
    { 0 },
};

const Operation op_histogram = {
    .name = "histogram",
    .category = "analysis",
    .summary = "Counts the cells by height",
    .description = "An interval holds its lower end, the last one both. Heights outside are not counted.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "counts", "cells in each interval", KIND_NUMBERS } },
    .params = params,
    .params_size = sizeof(Histogram),
    .example = "local counts = height:histogram{ bins = 10 }",
    .run = run,
};
