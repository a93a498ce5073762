// Number of cells by height.

#include "core/gaps.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "core/whole.h"

typedef struct Histogram {
    int bins;
    double low, high;
} Histogram;

enum { BANDS = 8 }; // of rows, each with counts of its own

typedef struct Counting {
    const Field *height;
    int bins;
    double low, high, per_height;
    double *counts; // BANDS × bins
} Counting;

static void count_bands(void *context, int first, int end) {
    const Counting *counting = context;
    const Field *height = counting->height;
    const int bins = counting->bins;
    for (int band = first; band < end; band++) {
        double *counts = counting->counts + (size_t)band * (size_t)bins;
        const size_t rows = (size_t)height->height, width = (size_t)height->width;
        const size_t from = rows * (size_t)band / BANDS * width,
                     to = rows * (size_t)(band + 1) / BANDS * width;
        for (size_t i = from; i < to; i++) {
            const double cell = (double)height->cells[i];
            if (!field_has_data(height, i) || cell < counting->low || cell > counting->high)
                continue;
            counts[index_within((cell - counting->low) * counting->per_height, bins)]++;
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Histogram *histogram = call->params;
    const Field *height = call->inputs[0].field;
    const int bins = histogram->bins;
    double low = histogram->low, high = histogram->high;
    Status status = STATUS_OK;
    if (low == 0 && high == 0)
        status = field_range(call->run, height, &low, &high, error);
    else if (!(high > low))
        status = fail(error, STATUS_INVALID, "high must be above low, got %s and %s", digits_of(high).text,
                      digits_of(low).text);
    if (status != STATUS_OK)
        return status;
    Counting counting = { height,
                          bins,
                          low,
                          high,
                          high > low ? bins / (high - low) : 0,
                          memory_new_zeroed((size_t)bins * BANDS, sizeof(double), error) };
    double *counts = counting.counts; // the first band's, to which the others are added
    if (!counts)
        return STATUS_MEMORY;
    status = parallel_rows(call->run, BANDS, (double)field_count(height) / BANDS, count_bands, &counting);
    for (int i = bins; i < bins * BANDS; i++)
        counts[i % bins] += counts[i];
    call->outputs[0].numbers.count = bins;
    call->outputs[0].numbers.at = counts;
    return status;
}

static const Param params[] = {
    PARAM(Histogram, bins, .initial = 64, .min = 1, .max = 1000000, .doc = "intervals of equal width"),
    PARAM(Histogram, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lower end of the first interval"),
    PARAM(Histogram, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "upper end of the last interval; low and high 0: from the lowest to the highest "
                 "height"),
    { 0 },
};

const Operation op_histogram = {
    .name = "histogram",
    .gaps = GAPS_OWN,
    .category = "analysis",
    .keywords = "distribution hypsometric count",
    .summary = "Counts cells by height",
    .description = "An interval includes its lower end; the last one includes both. Heights outside are "
                   "not counted.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "counts", "cells in each interval", &type_numbers } },
    .params = params,
    .params_size = sizeof(Histogram),
    .example = "local counts = height:histogram{ bins = 10 }",
    .see_also = "statistics",
    .run = run,
};
