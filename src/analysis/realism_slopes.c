// Slopes, curvature and hypsometry of the land. Heights count from the lowest land and in its relief, so that
// nothing overflows; the sea is a plain at its level. A cell without all four neighbours has no slope.
//
//     p = (h(x+1) - h(x-1)) / 2,  q = (h(y+1) - h(y-1)) / 2,  slope = √(p² + q²)
//     Laplacian = h(x+1) + h(x-1) + h(y+1) + h(y-1) - 4h

#include "analysis/survey.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Partial { // of one row
    double lowest, highest, heights, land;
    double slope, squares, curvature, cells, concave, convex;
} Partial;

typedef struct Slopes {
    const Survey *survey;
    double lowest, relief;
    Field slope; // -1 where there is none
    Partial *partials;
} Slopes;

static void add(Partial *sum, const Partial *row) {
    sum->lowest = min(row->lowest, sum->lowest);
    sum->highest = max(row->highest, sum->highest);
    sum->heights += row->heights;
    sum->land += row->land;
    sum->slope += row->slope;
    sum->squares += row->squares;
    sum->curvature += row->curvature;
    sum->cells += row->cells;
    sum->concave += row->concave;
    sum->convex += row->convex;
}

static Partial sum_partials(const Slopes *slopes) {
    Partial sum = { .lowest = INFINITY, .highest = -INFINITY };
    for (int y = 0; y < slopes->survey->height->height; y++)
        add(&sum, &slopes->partials[y]);
    return sum;
}

static void bound_rows(void *context, int first, int end) {
    const Slopes *slopes = context;
    const Survey *survey = slopes->survey;
    for (int y = first; y < end; y++) {
        const float *row = field_row(survey->height, y);
        Partial partial = { .lowest = INFINITY, .highest = -INFINITY };
        for (int x = 0; x < survey->height->width; x++) {
            if (row[x] < survey->sea_level)
                continue;
            partial.lowest = min((double)row[x], partial.lowest);
            partial.highest = max((double)row[x], partial.highest);
            partial.land++;
        }
        slopes->partials[y] = partial;
    }
}

static inline double above_lowest(const Slopes *slopes, float height) {
    const double above = ((double)height - slopes->lowest) / slopes->relief;
    const double sea = ((double)slopes->survey->sea_level - slopes->lowest) / slopes->relief;
    return max(above, sea);
}

static float measure_cell(const Slopes *slopes, const float *rows[3], const int x[3], Partial *partial) {
    const double h = above_lowest(slopes, rows[1][x[1]]);
    const double left = above_lowest(slopes, rows[1][x[0]]), right = above_lowest(slopes, rows[1][x[2]]);
    const double up = above_lowest(slopes, rows[0][x[1]]), down = above_lowest(slopes, rows[2][x[1]]);
    const double p = (right - left) / 2, q = (down - up) / 2, square = p * p + q * q, slope = sqrt(square);
    const double bend = (left - h) + (right - h) + (up - h) + (down - h);
    partial->slope += slope;
    partial->squares += square;
    partial->curvature += fabs(bend);
    partial->concave += bend > 0;
    partial->convex += bend < 0;
    partial->cells++;
    return (float)slope;
}

static void slope_rows_of_land(void *context, int first, int end) {
    Slopes *slopes = context;
    const Survey *survey = slopes->survey;
    const Field *height = survey->height;
    const int width = height->width;
    const bool wraps = survey->wraps;
    for (int y = first; y < end; y++) {
        const float *rows[3] = { field_row(height, neighbour_at(y - 1, height->height, wraps)),
                                 field_row(height, y),
                                 field_row(height, neighbour_at(y + 1, height->height, wraps)) };
        float *slope = field_row(&slopes->slope, y);
        Partial partial = { 0 };
        const bool edge = !wraps && (y == 0 || y == height->height - 1);
        for (int x = 0; x < width; x++) {
            const bool land = rows[1][x] >= survey->sea_level;
            const int at[3] = { neighbour_at(x - 1, width, wraps), x, neighbour_at(x + 1, width, wraps) };
            if (land)
                partial.heights += above_lowest(slopes, rows[1][x]);
            slope[x] = -1;
            if (land && !edge && (wraps || (x > 0 && x < width - 1)))
                slope[x] = measure_cell(slopes, rows, at, &partial);
        }
        partial.land = slopes->partials[y].land;
        slopes->partials[y] = partial;
    }
}

// --- percentiles -------------------------------------------------------------------------------------------

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The slope of rank `rank`, 0 for the lowest, of those of 0 or more, whose bits are in the same order: by
// counting the upper 16 bits, then the lower ones of those with the same upper ones.
static Status slope_of_rank(const Field *slope, double rank, double *result, Error *error) {
    enum { BINS = 1 << 16 };
    uint64_t *counts = memory_new(BINS, sizeof *counts, error);
    uint32_t found = 0;
    double left = rank;
    if (!counts)
        return STATUS_MEMORY;
    for (int shift = 16; shift >= 0; shift -= 16) {
        memset(counts, 0, BINS * sizeof *counts);
        for (size_t i = 0; i < field_count(slope); i++) {
            const uint32_t bits = bits_of(slope->cells[i]);
            if (slope->cells[i] >= 0 && (shift == 16 || bits >> 16 == found >> 16))
                counts[bits >> shift & (BINS - 1)]++;
        }
        uint32_t bin = 0;
        for (; bin < BINS - 1 && left >= (double)counts[bin]; bin++)
            left -= (double)counts[bin];
        found |= bin << shift;
    }
    float value;
    memcpy(&value, &found, sizeof value);
    *result = (double)value;
    memory_free(counts);
    return STATUS_OK;
}

// --- measures ----------------------------------------------------------------------------------------------

static Status set_slopes(Survey *survey, const Slopes *slopes, const Partial *sum, Error *error) {
    const double mean = sum->slope / sum->cells, variance = sum->squares / sum->cells - mean * mean;
    double tail = 0, flat = 0;
    const Status status = slope_of_rank(&slopes->slope, floor(0.95 * sum->cells), &tail, error);
    for (size_t i = 0; i < field_count(&slopes->slope); i++)
        flat += slopes->slope.cells[i] >= 0 && (double)slopes->slope.cells[i] < mean / 4;
    if (survey->vertical_scale > 0)
        survey_set(survey, MEASURE_slope, mean * slopes->relief * survey->vertical_scale);
    survey_set(survey, MEASURE_slope_variation, sqrt(max(variance, 0.0)) / mean);
    survey_set(survey, MEASURE_slope_tail, tail / mean);
    survey_set(survey, MEASURE_flat, flat / sum->cells);
    survey_set(survey, MEASURE_curvature, sum->curvature / sum->slope);
    if (sum->concave + sum->convex > 0)
        survey_set(survey, MEASURE_concave, sum->concave / (sum->concave + sum->convex));
    return status;
}

static Status measure(Survey *survey, Slopes *slopes, Error *error) {
    const int rows = survey->height->height;
    Status status = parallel_rows(survey->run, rows, survey->height->width * 1.0, bound_rows, slopes);
    if (status != STATUS_OK)
        return status;
    Partial sum = sum_partials(slopes);
    slopes->lowest = sum.lowest;
    slopes->relief = sum.highest - sum.lowest;
    if (!(sum.land > 0 && slopes->relief > 0))
        return STATUS_OK;
    status = parallel_rows(survey->run, rows, survey->height->width * 10.0, slope_rows_of_land, slopes);
    if (status != STATUS_OK)
        return status;
    sum = sum_partials(slopes);
    survey_set(survey, MEASURE_hypsometric, sum.heights / sum.land);
    return sum.slope > 0 ? set_slopes(survey, slopes, &sum, error) : STATUS_OK;
}

Status survey_slopes(Survey *survey, Error *error) {
    Slopes slopes = { .survey = survey };
    Status status = field_create(&slopes.slope, survey->height->width, survey->height->height, error);
    if (status != STATUS_OK)
        return status;
    slopes.partials = memory_new((size_t)survey->height->height, sizeof *slopes.partials, error);
    status = slopes.partials ? measure(survey, &slopes, error) : STATUS_MEMORY;
    memory_free(slopes.partials);
    field_free(&slopes.slope);
    return status;
}
