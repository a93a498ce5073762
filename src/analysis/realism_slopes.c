// Slopes, curvature and hypsometry of the land. Heights count from the lowest land and in its relief, so that
// nothing overflows; the sea is a plain at its level. A cell without all four neighbours has no slope.
//
//     p = (h(x+1) - h(x-1)) / 2,  q = (h(y+1) - h(y-1)) / 2,  slope = √(p² + q²)
//     Laplacian = h(x+1) + h(x-1) + h(y+1) + h(y-1) - 4h
//
// Concave and convex cells count where the Laplacian's magnitude is at least its mean: on the nearly plane
// rest its sign is that of the survey's noise on real land, and one for whole hillsides on smooth land. Cells
// beside the sea count as neither: the foot that its plain makes of each shore is no form of the land.

#include "analysis/survey.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/whole.h"

#include <float.h>
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
    Field bend;  // the Laplacian; 0 where there is no slope, and beside the sea
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

// Heights above the lowest land, in its relief; the sea's are at its level.
KERNEL static void measure_above(const float *restrict heights, double lowest, double relief, double sea,
                                 double *restrict above, int count) {
    for (int x = 0; x < count; x++) {
        const double height = ((double)heights[x] - lowest) / relief;
        above[x] = max(height, sea);
    }
}

enum { PIECE = 256 }; // cells of a row at a time

// `rows`: of the row before, this and the next, from the cell on the left.
static float measure_cell(const double rows[3][PIECE + 2], int x, float *bends, Partial *partial) {
    const double h = rows[1][x], left = rows[1][x - 1], right = rows[1][x + 1];
    const double up = rows[0][x], down = rows[2][x];
    const double p = (right - left) / 2, q = (down - up) / 2, square = p * p + q * q, slope = sqrt(square);
    const double bend = (left - h) + (right - h) + (up - h) + (down - h);
    partial->slope += slope;
    partial->squares += square;
    partial->curvature += fabs(bend);
    partial->cells++;
    const bool shore = left < 0 || right < 0 || up < 0 || down < 0; // lower than any land
    *bends = shore ? 0 : (float)bend;
    return (float)slope;
}

static void measure_piece(Slopes *slopes, int y, int first, int count, Partial *partial) {
    const Survey *survey = slopes->survey;
    const Field *height = survey->height;
    const bool wraps = survey->wraps, edge = !wraps && (y == 0 || y == height->height - 1);
    // Below the lowest land, even where that is as high, so that it is told from it.
    const double sea = min(((double)survey->sea_level - slopes->lowest) / slopes->relief, -DBL_MIN);
    const float *ground = field_row(height, y) + first;
    float *slope = field_row(&slopes->slope, y) + first, *bend = field_row(&slopes->bend, y) + first;
    double rows[3][PIECE + 2];
    for (int i = 0; i < 3; i++) {
        const float *row = field_row(height, neighbour_at(y + i - 1, height->height, wraps));
        const float ends[2] = { row[neighbour_at(first - 1, height->width, wraps)],
                                row[neighbour_at(first + count, height->width, wraps)] };
        measure_above(&ends[0], slopes->lowest, slopes->relief, sea, rows[i], 1);
        measure_above(row + first, slopes->lowest, slopes->relief, sea, rows[i] + 1, count);
        measure_above(&ends[1], slopes->lowest, slopes->relief, sea, rows[i] + count + 1, 1);
    }
    for (int i = 0; i < count; i++) {
        const bool land = ground[i] >= survey->sea_level,
                   end = first + i == 0 || first + i == height->width - 1;
        if (land)
            partial->heights += rows[1][i + 1];
        bend[i] = 0;
        slope[i] = land && !edge && (wraps || !end)
                       ? measure_cell((const double(*)[PIECE + 2]) rows, i + 1, &bend[i], partial)
                       : -1;
    }
}

static void slope_rows_of_land(void *context, int first, int end) {
    Slopes *slopes = context;
    const int width = slopes->survey->height->width;
    for (int y = first; y < end; y++) {
        Partial partial = { .land = slopes->partials[y].land };
        for (int x = 0; x < width; x += PIECE)
            measure_piece(slopes, y, x, min(width - x, PIECE), &partial);
        slopes->partials[y] = partial;
    }
}

// --- percentiles -------------------------------------------------------------------------------------------

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { BINS = 1 << 16, SHARES = 8 };

// Slopes counted by 16 of their bits, in shares of the rows.
typedef struct Counting {
    const Field *slope;
    int shift;
    uint32_t found; // the upper bits of those that are counted by the lower ones
    uint32_t *counts;
} Counting;

static void count_share(void *context, int first, int end) {
    const Counting *counting = context;
    const Field *slope = counting->slope;
    for (int share = first; share < end; share++) {
        uint32_t *counts = counting->counts + (size_t)share * BINS;
        const size_t start = field_count(slope) * (size_t)share / SHARES;
        const size_t after = field_count(slope) * ((size_t)share + 1) / SHARES;
        memset(counts, 0, BINS * sizeof *counts);
        for (size_t i = start; i < after; i++) {
            const uint32_t bits = bits_of(slope->cells[i]);
            if (slope->cells[i] >= 0 && (counting->shift == 16 || bits >> 16 == counting->found >> 16))
                counts[bits >> counting->shift & (BINS - 1)]++;
        }
    }
}

static double count_of(const Counting *counting, uint32_t bin) {
    double count = 0;
    for (size_t share = 0; share < SHARES; share++)
        count += counting->counts[share * BINS + bin];
    return count;
}

// The slope of rank `rank`, 0 for the lowest, of those of 0 or more, whose bits are in the same order: by
// counting the upper 16 bits, then the lower ones of those with the same upper ones.
static Status slope_of_rank(const Run *run, const Field *slope, double rank, double *result, Error *error) {
    Counting counting = { .slope = slope };
    double left = rank;
    counting.counts = memory_new((size_t)SHARES * BINS, sizeof *counting.counts, error);
    Status status = counting.counts ? STATUS_OK : STATUS_MEMORY;
    for (counting.shift = 16; status == STATUS_OK && counting.shift >= 0; counting.shift -= 16) {
        status = parallel_rows(run, SHARES, (double)field_count(slope) / SHARES, count_share, &counting);
        uint32_t bin = 0;
        for (double count; status == STATUS_OK && bin < BINS - 1; bin++, left -= count)
            if (left < (count = count_of(&counting, bin)))
                break;
        counting.found |= bin << counting.shift;
    }
    float value;
    memcpy(&value, &counting.found, sizeof value);
    *result = (double)value;
    memory_free(counting.counts);
    return status;
}

// --- measures ----------------------------------------------------------------------------------------------

typedef struct Count {
    const Slopes *slopes;
    double flattest, most_bent; // slopes below the one are flat, bends from the other on curved
} Count;

// Flat cells in `cells` of the partials, curved ones in `concave` and `convex`.
static void count_rows(void *context, int first, int end) {
    const Count *count = context;
    for (int y = first; y < end; y++) {
        const float *slope = field_row(&count->slopes->slope, y), *bend = field_row(&count->slopes->bend, y);
        int flat = 0, concave = 0, convex = 0;
        for (int x = 0; x < count->slopes->slope.width; x++) {
            flat += (slope[x] >= 0) & ((double)slope[x] < count->flattest);
            concave += (double)bend[x] >= count->most_bent;
            convex += (double)bend[x] <= -count->most_bent;
        }
        count->slopes->partials[y].cells = flat;
        count->slopes->partials[y].concave = concave;
        count->slopes->partials[y].convex = convex;
    }
}

static Status set_slopes(Survey *survey, const Slopes *slopes, const Partial *sum, Error *error) {
    const double mean = sum->slope / sum->cells, variance = sum->squares / sum->cells - mean * mean;
    // A little below the mean, so that evenly curved land counts.
    Count count = { slopes, mean / 4, sum->curvature / sum->cells * (1 - 1e-5) };
    double tail = 0;
    Status status = slope_of_rank(survey->run, &slopes->slope, floor(0.95 * sum->cells), &tail, error);
    if (status == STATUS_OK)
        status =
            parallel_rows(survey->run, slopes->slope.height, slopes->slope.width * 1.0, count_rows, &count);
    const Partial counted = sum_partials(slopes);
    if (survey->vertical_scale > 0)
        survey_set(survey, MEASURE_slope, mean * slopes->relief * survey->vertical_scale);
    survey_set(survey, MEASURE_slope_variation, sqrt(max(variance, 0.0)) / mean);
    survey_set(survey, MEASURE_slope_tail, tail / mean);
    survey_set(survey, MEASURE_flat, counted.cells / sum->cells);
    survey_set(survey, MEASURE_curvature, sum->curvature / sum->slope);
    if (sum->curvature > 0 && counted.concave + counted.convex > 0)
        survey_set(survey, MEASURE_concave, counted.concave / (counted.concave + counted.convex));
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
    const int width = survey->height->width, height = survey->height->height;
    Status status = field_create(&slopes.slope, width, height, error);
    if (status == STATUS_OK)
        status = field_create(&slopes.bend, width, height, error);
    if (status == STATUS_OK &&
        !(slopes.partials = memory_new((size_t)height, sizeof *slopes.partials, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = measure(survey, &slopes, error);
    memory_free(slopes.partials);
    field_free(&slopes.bend);
    field_free(&slopes.slope);
    return status;
}
