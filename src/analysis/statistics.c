// Minimum, maximum, mean, standard deviation and sum of the heights.

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "core/whole.h"

static Status run(const Call *call, Error *error) {
    Summary summary;
    const Status status = field_summarise(call->run, call->inputs[0].field, &summary, error);
    if (status != STATUS_OK)
        return status;
    const double numbers[] = { summary.min, summary.max, summary.mean, summary.stddev, summary.sum };
    for (int i = 0; i < 5; i++)
        call->outputs[i].number = numbers[i];
    return STATUS_OK;
}

const Operation op_statistics = {
    .name = "statistics",
    .gaps = GAPS_OWN,
    .category = "analysis",
    .keywords = "mean average deviation minimum maximum sum range median univar zonal nanmean std percentile "
                "variance var all any mode",
    .summary = "Gives minimum, maximum, mean, standard deviation and sum of a field",
    .description = "Sums use double precision and a fixed order, so they do not depend on the number of "
                   "threads. The standard deviation is that of the whole population.",
    .inputs = { { "height", "any field" } },
    .outputs = { { "min", "lowest", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "max", "highest", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "mean", "average", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "stddev", "standard deviation", &type_number, .dimension = DIMENSION_HEIGHT },
                 { "sum", "sum", &type_number, .dimension = DIMENSION_HEIGHT } },
    .record = true,
    .example = "local mean = height:statistics().mean",
    .see_also = "histogram",
    .run = run,
};

// --- histogram ---------------------------------------------------------------------------------------------

// Number of cells by height.

typedef struct Histogram {
    int bins;
    double low, high;
} Histogram;

enum {
    BANDS = 8, // of rows, each with counts of its own
    LANES = 4, // the same of neighbouring cells: they are often alike, and one count waits for the last
    LANES_BINS = 4096, // at most, for which there are lanes
    CHUNK = 1024,
};

typedef struct Counting {
    const Field *height;
    int bins, lanes;
    double low, high, per_height;
    uint32_t *counts; // BANDS × lanes × (bins + 1): the last for cells that do not count
} Counting;

// The interval of each cell, or `bins`.
KERNEL static void find_bins(const float *restrict cells, int count, double low, double high,
                             double per_height, int bins, int *restrict found) {
    for (int i = 0; i < count; i++) {
        const double cell = (double)cells[i];
        const int bin = index_within((cell - low) * per_height, bins);
        found[i] = cell < low || cell > high ? bins : bin;
    }
}

static void count_cells(const Counting *counting, uint32_t *counts, size_t from, int count) {
    const Field *height = counting->height;
    const size_t lane = counting->lanes > 1 ? (size_t)counting->bins + 1 : 0;
    int found[CHUNK + LANES];
    find_bins(height->cells + from, count, counting->low, counting->high, counting->per_height,
              counting->bins, found);
    for (int i = 0; height->gaps && i < count; i++)
        if (height->gaps->at[from + (size_t)i])
            found[i] = counting->bins;
    for (int i = count; i < count + LANES; i++)
        found[i] = counting->bins;
    for (int i = 0; i < count; i += LANES) {
        counts[found[i]]++;
        counts[lane + (size_t)found[i + 1]]++;
        counts[2 * lane + (size_t)found[i + 2]]++;
        counts[3 * lane + (size_t)found[i + 3]]++;
    }
}

static void count_bands(void *context, int first, int end) {
    const Counting *counting = context;
    const size_t rows = (size_t)counting->height->height, width = (size_t)counting->height->width;
    for (int band = first; band < end; band++) {
        uint32_t *counts =
            counting->counts + (size_t)band * (size_t)counting->lanes * ((size_t)counting->bins + 1);
        const size_t to = rows * (size_t)(band + 1) / BANDS * width;
        for (size_t at = rows * (size_t)band / BANDS * width; at < to; at += CHUNK)
            count_cells(counting, counts, at, (int)min(to - at, (size_t)CHUNK));
    }
}

static Status histogram_run(const Call *call, Error *error) {
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
    Counting counting = { .height = height,
                          .bins = bins,
                          .lanes = bins <= LANES_BINS ? LANES : 1,
                          .low = low,
                          .high = high,
                          .per_height = high > low ? bins / (high - low) : 0 };
    const size_t lists = (size_t)BANDS * (size_t)counting.lanes, length = (size_t)bins + 1;
    double *counts = memory_new_zeroed((size_t)bins, sizeof *counts, error);
    counting.counts = counts ? memory_new_zeroed(lists * length, sizeof *counting.counts, error) : NULL;
    status = counting.counts ? parallel_rows(call->run, BANDS, (double)field_count(height) / BANDS,
                                             count_bands, &counting)
                             : STATUS_MEMORY;
    for (size_t list = 0; list < lists && status == STATUS_OK; list++)
        for (size_t i = 0; i < (size_t)bins; i++)
            counts[i] += counting.counts[list * length + i];
    memory_free(counting.counts);
    if (status != STATUS_OK) {
        memory_free(counts);
        return status;
    }
    call->outputs[0].numbers.count = bins;
    call->outputs[0].numbers.at = counts;
    return STATUS_OK;
}

static const Param histogram_params[] = {
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
    .keywords =
        "distribution hypsometric count unique percentile bincount hypsometry hypsometric-curve quantile",
    .summary = "Counts cells by height",
    .description = "An interval includes its lower end; the last one includes both. Heights outside are "
                   "not counted.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "counts", "cells in each interval", &type_numbers } },
    .params = histogram_params,
    .params_size = sizeof(Histogram),
    .example = "local counts = height:histogram{ bins = 10 }",
    .see_also = "statistics",
    .run = histogram_run,
};
