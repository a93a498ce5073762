// Bramble, Pasciak and Xu 1990, "Parallel multilevel preconditioners": the residual is restricted to coarser
// grids, weighted by the inverse energy of each grid's functions, and interpolated back; Oswald 1992 shows
// that this holds for plates if the functions are smooth. Ours are cubic B-splines, for which
//
//     spline(x) = Σ w_k spline(2x - k),   w = (1, 4, 6, 4, 1) / 8
//
// so that a coarse function is a sum of 5 × 5 finer ones. It takes part if all of these do. Along a free edge
// there is one more row of functions, around centres beyond it: without them no sum is smooth up to the edge,
// and the number of iterations grows with the side.

#include "filter/spline_levels.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <string.h>

enum { CHUNK = 256, LEAST_SIDE = 4 };

static const double taps[5] = { 0.125, 0.5, 0.75, 0.5, 0.125 };

// The index on an axis of `count`, or -1 where there is nothing.
static int index_on(int at, int count, Beyond beyond) {
    if (at >= 0 && at < count)
        return at;
    return beyond == BEYOND_WRAPS ? (at % count + count) % count : -1;
}

// How many coarse functions of an axis come before the one around its first cell.
static int before_first(Beyond beyond) {
    return beyond == BEYOND_FREE;
}

// How many functions cover an axis of `count` cells: around every second, and before and after them.
static int coarse_count(int count, Beyond beyond) {
    return (count + 1) / 2 + 2 * before_first(beyond);
}

typedef struct Step { // between a grid and the coarser one
    const SplineLevel *fine, *coarse;
    const double *from;
    double *to;
    double weight;
    uint8_t *found; // of the coarse grid: which functions take part
} Step;

// --- which functions take part -----------------------------------------------------------------------------

static bool is_free(const SplineLevel *fine, int x, int y) {
    const int centre_x = 2 * (x - before_first(fine->across)), centre_y = 2 * (y - before_first(fine->down));
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const int column = index_on(centre_x + dx, fine->width, fine->across);
            const int row = index_on(centre_y + dy, fine->height, fine->down);
            if ((column < 0 && fine->across == BEYOND_FIXED) || (row < 0 && fine->down == BEYOND_FIXED))
                return false;
            if (column >= 0 && row >= 0 && !fine->free[(size_t)row * (size_t)fine->width + (size_t)column])
                return false;
        }
    return true;
}

static void find_free_rows(void *context, int first, int end) {
    const Step *step = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < step->coarse->width; x++)
            step->found[(size_t)y * (size_t)step->coarse->width + (size_t)x] = is_free(step->fine, x, y);
}

// --- from grid to grid -------------------------------------------------------------------------------------

KERNEL static void spline_add_row(const double *restrict from, int count, double weight,
                                  double *restrict to) {
    for (int x = 0; x < count; x++)
        to[x] += from[x] * weight;
}

// `from` starts two cells before the first of the fine cells that belong to the coarse one.
KERNEL static void spline_gather(const double *restrict from, const uint8_t *restrict free, int count,
                                 double *restrict to) {
    for (int x = 0; x < count; x++) {
        const double *at = from + 2 * x;
        const double sum = taps[2] * at[2] + (taps[1] * (at[1] + at[3]) + taps[0] * (at[0] + at[4]));
        to[x] = free[x] ? sum : 0;
    }
}

// Adds weight · row[start … start + count - 1], with what lies beyond its ends.
static void add_span(const double *row, int width, Beyond beyond, int start, int count, double weight,
                     double *to) {
    const int first = clamp(start, 0, width), end = clamp(start + count, 0, width);
    if (end > first)
        spline_add_row(row + first, end - first, weight, to + (first - start));
    for (int x = start; beyond == BEYOND_WRAPS && x < start + count; x++)
        if (x < 0 || x >= width)
            to[x - start] += row[index_on(x, width, beyond)] * weight;
}

static void restrict_rows(void *context, int first, int end) {
    const Step *step = context;
    const SplineLevel *fine = step->fine, *coarse = step->coarse;
    double sums[2 * CHUNK + 4];
    for (int y = first; y < end; y++)
        for (int start = 0; start < coarse->width; start += CHUNK) {
            const int count = min(coarse->width - start, CHUNK);
            const size_t at = (size_t)y * (size_t)coarse->width + (size_t)start;
            if (!memchr(coarse->free + at, 1, (size_t)count)) {
                memset(step->to + at, 0, (size_t)count * sizeof(double));
                continue;
            }
            memset(sums, 0, sizeof sums);
            for (int k = -2; k <= 2; k++) {
                const int row = index_on(2 * (y - before_first(fine->down)) + k, fine->height, fine->down);
                if (row >= 0)
                    add_span(step->from + (size_t)row * (size_t)fine->width, fine->width, fine->across,
                             2 * (start - before_first(fine->across)) - 2, 2 * count + 3, taps[k + 2], sums);
            }
            spline_gather(sums, coarse->free + at, count, step->to + at);
        }
}

// Fine cells start … start + count - 1, `start` even, of coarse values that begin one cell before. `own` may
// be `to`.
KERNEL static void spline_spread(const double *restrict from, const double *own, double weight, int count,
                                 double *to) {
    INDEPENDENT_PASSES
    for (int x = 0; x < count / 2; x++) {
        const double even = taps[0] * (from[x] + from[x + 2]) + taps[2] * from[x + 1];
        const double odd = taps[1] * (from[x + 1] + from[x + 2]);
        to[2 * x] = own[2 * x] * weight + even;
        to[2 * x + 1] = own[2 * x + 1] * weight + odd;
    }
    const int last = count - 1;
    if (count % 2)
        to[last] = own[last] * weight +
                   (taps[0] * (from[last / 2] + from[last / 2 + 2]) + taps[2] * from[last / 2 + 1]);
}

static void prolong_rows(void *context, int first, int end) {
    const Step *step = context;
    const SplineLevel *fine = step->fine, *coarse = step->coarse;
    double sums[CHUNK + 2];
    for (int y = first; y < end; y++)
        for (int start = 0; start < fine->width; start += 2 * CHUNK) {
            const int count = min(fine->width - start, 2 * CHUNK);
            const size_t at = (size_t)y * (size_t)fine->width + (size_t)start;
            if (!memchr(fine->free + at, 1, (size_t)count)) {
                memset(step->to + at, 0, (size_t)count * sizeof(double));
                continue;
            }
            memset(sums, 0, sizeof sums);
            for (int k = -1; k <= 1; k++) {
                const int centre = (y - y % 2) / 2 + before_first(fine->down);
                const int row = index_on(centre + k, coarse->height, coarse->down);
                const double weight = y % 2 ? (k < 0 ? 0 : taps[1]) : taps[2 + 2 * k];
                if (row >= 0 && weight > 0)
                    add_span(step->from + (size_t)row * (size_t)coarse->width, coarse->width, coarse->across,
                             start / 2 - 1 + before_first(fine->across), (count + 1) / 2 + 2, weight, sums);
            }
            spline_spread(sums, step->fine->values + at, step->weight, count, step->to + at);
        }
}

// --- all ---------------------------------------------------------------------------------------------------

static Beyond coarser(Beyond beyond, int count) {
    return beyond == BEYOND_WRAPS && count % 2 ? BEYOND_FIXED : beyond;
}

static Status add_level(SplineLevels *levels, const Run *run, Error *error) {
    const SplineLevel *fine = &levels->at[levels->count - 1];
    // Where an odd number of cells wraps, splines on both sides of the seam do not match: they stay out.
    SplineLevel sealed = *fine;
    sealed.across = coarser(fine->across, fine->width);
    sealed.down = coarser(fine->down, fine->height);
    SplineLevel *coarse = &levels->at[levels->count];
    *coarse = (SplineLevel){ .width = coarse_count(fine->width, fine->across),
                             .height = coarse_count(fine->height, fine->down),
                             .across = sealed.across,
                             .down = sealed.down };
    const size_t count = (size_t)coarse->width * (size_t)coarse->height;
    levels->count++;
    uint8_t *found = memory_new(count, 1, error);
    coarse->free = found;
    coarse->values = found ? memory_new(count, sizeof(double), error) : NULL;
    if (!coarse->values)
        return STATUS_MEMORY;
    return parallel_rows(run, coarse->height, coarse->width * 10.0, find_free_rows,
                         &(Step){ .fine = &sealed, .coarse = coarse, .found = found });
}

Status spline_levels_create(SplineLevels *levels, const Run *run, int width, int height, bool wraps,
                            const uint8_t *free, Error *error) {
    const Beyond beyond = wraps ? BEYOND_WRAPS : BEYOND_FREE;
    *levels = (SplineLevels){ .count = 1, .at = { { width, height, beyond, beyond, free, NULL } } };
    Status status = STATUS_OK;
    while (status == STATUS_OK && levels->count < SPLINE_LEVELS_MAX) {
        const SplineLevel *coarsest = &levels->at[levels->count - 1];
        const size_t count = (size_t)coarsest->width * (size_t)coarsest->height;
        const bool shrinks = coarse_count(coarsest->width, coarsest->across) < coarsest->width ||
                             coarse_count(coarsest->height, coarsest->down) < coarsest->height;
        if (!shrinks || min(coarsest->width, coarsest->height) < LEAST_SIDE ||
            !memchr(coarsest->free, 1, count))
            break;
        status = add_level(levels, run, error);
    }
    return status;
}

void spline_levels_free(SplineLevels *levels) {
    for (int i = 1; i < levels->count; i++) {
        memory_free((uint8_t *)levels->at[i].free);
        memory_free(levels->at[i].values);
    }
}

// Down: restricted residuals; up: in place, each level's weighted residual and what is interpolated.
Status spline_levels_apply(const SplineLevels *levels, const Run *run, const double *weights,
                           double *residual, double *result) {
    Status status = STATUS_OK;
    const double *from = residual;
    for (int i = 1; i < levels->count && status == STATUS_OK; i++) {
        const SplineLevel *fine = &levels->at[i - 1], *coarse = &levels->at[i];
        status = parallel_rows(run, coarse->height, coarse->width * 3.0, restrict_rows,
                               &(Step){ fine, coarse, from, coarse->values, 0, NULL });
        from = coarse->values;
    }
    const int last = levels->count - 1;
    if (last > 0) {
        const SplineLevel *coarsest = &levels->at[last];
        const size_t count = (size_t)coarsest->width * (size_t)coarsest->height;
        for (size_t i = 0; i < count; i++)
            coarsest->values[i] *= weights[last];
    }
    for (int i = last - 1; i >= 0 && status == STATUS_OK; i--) {
        SplineLevel fine = levels->at[i];
        const SplineLevel *coarse = &levels->at[i + 1];
        if (i == 0)
            fine.values = residual;
        status = parallel_rows(
            run, fine.height, fine.width * 2.0, prolong_rows,
            &(Step){ &fine, coarse, coarse->values, i == 0 ? result : fine.values, weights[i], NULL });
    }
    if (last == 0)
        for (size_t i = 0; i < (size_t)levels->at[0].width * (size_t)levels->at[0].height; i++)
            result[i] = residual[i] * weights[0];
    return status;
}
