// Minimum curvature with tension (Smith and Wessel 1990, "Gridding with continuous curvature splines in
// tension", equation 4): the heights z of free cells minimise
//
//     (1 - T) Σ (z_xx² + 2 z_xy² + z_yy²) + T Σ (z_x² + z_y²),   T the tension
//
// with second differences of three cells in a line or four in a square, and first ones of two, where these
// exist. The equations, A z = 0 in free cells, are solved by conjugate gradients, preconditioned by
// spline_levels, which makes the number of iterations hardly depend on the size.

#include "filter/smooth_surface.h"

#include "core/error.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// --- one level of splines ----------------------------------------------------------------------------------

// A preconditioner for smooth surfaces with fixed cells: sums of cubic B-splines on ever coarser grids.
// Bramble, Pasciak and Xu 1990, "Parallel multilevel preconditioners": the residual is restricted to coarser
// grids, weighted by the inverse energy of each grid's functions, and interpolated back; Oswald 1992 shows
// that this holds for plates if the functions are smooth. Ours are cubic B-splines, for which
//
//     spline(x) = Σ w_k spline(2x - k),   w = (1, 4, 6, 4, 1) / 8
//
// so that a coarse function is a sum of 5 × 5 finer ones. It takes part if all of these do. Along a free edge
// there is one more row of functions, around centres beyond it: without them no sum is smooth up to the edge,
// and the number of iterations grows with the side.

enum { SPLINE_LEVELS_MAX = 16 };

// What lies beyond the ends of an axis: nothing, the other end, or cells that are fixed.
typedef enum Beyond { BEYOND_FREE, BEYOND_WRAPS, BEYOND_FIXED } Beyond;

typedef struct SplineLevel {
    int width, height;
    Beyond across, down;
    const uint8_t *free; // 1 where the spline covers free cells only, and may take part
    double *values;
} SplineLevel;

typedef struct SplineLevels {
    int count;
    SplineLevel at[SPLINE_LEVELS_MAX]; // 0: the cells themselves
} SplineLevels;

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

// --- all levels --------------------------------------------------------------------------------------------

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
    const size_t count = memory_count(coarse->width, coarse->height);
    levels->count++;
    uint8_t *found = memory_new(count, 1, error);
    coarse->free = found;
    coarse->values = found ? memory_new(count, sizeof(double), error) : NULL;
    if (!coarse->values)
        return STATUS_MEMORY;
    return parallel_rows(run, coarse->height, coarse->width * 10.0, find_free_rows,
                         &(Step){ .fine = &sealed, .coarse = coarse, .found = found });
}

// `free` has a byte a cell, 1 where it is to be found, and must outlive the levels.
static Status spline_levels_create(SplineLevels *levels, const Run *run, int width, int height, bool wraps,
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

static void spline_levels_free(SplineLevels *levels) {
    for (int i = 1; i < levels->count; i++) {
        memory_free((uint8_t *)levels->at[i].free);
        memory_free(levels->at[i].values);
    }
}

// result = the sum over the levels of weights[level] · (the residual's splines, summed).
// Down: restricted residuals; up: in place, each level's weighted residual and what is interpolated.
static Status spline_levels_apply(const SplineLevels *levels, const Run *run, const double *weights,
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

// --- smooth surface ----------------------------------------------------------------------------------------

// Accuracy: the energy of the error falls to ACCURACY² of what it was.
static const double accuracy = 3e-6;
enum { ITERATIONS_MAX = 1000 };

typedef struct Surface {
    const Run *run;
    int width, height;
    bool wraps;
    double tension;
    const uint8_t *free;
    double *solution, *residual, *direction, *image, *preconditioned; // image: A direction
    double *partial;                                                  // a row's part of a sum
    double factor;
} Surface;

static size_t count_of(const Surface *surface) {
    return (size_t)surface->width * (size_t)surface->height;
}

// --- the equations -----------------------------------------------------------------------------------------

// At least two cells from any edge: thirteen cells. Rows y - 2 … y + 2.
KERNEL static void surface_inner(const double *const rows[5], const uint8_t *restrict free, double tension,
                                 int first, int end, double *restrict out) {
    const double *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3],
                           *restrict e = rows[4];
    const double plate = 1 - tension;
    for (int x = first; x < end; x++) {
        const double near = (b[x] + d[x]) + (c[x - 1] + c[x + 1]);
        const double diagonal = (b[x - 1] + d[x + 1]) + (b[x + 1] + d[x - 1]);
        const double far = (a[x] + e[x]) + (c[x - 2] + c[x + 2]);
        const double sum = plate * (20 * c[x] - 8 * near + 2 * diagonal + far) + tension * (4 * c[x] - near);
        out[x] = free[x] ? sum : 0;
    }
}

typedef struct Neighbourhood { // of cells, for those near edges
    const Surface *surface;
    const double *cells;
    int x, y;
} Neighbourhood;

// The cell at an offset; false if there is none.
static bool cell_at(const Neighbourhood *place, int dx, int dy, double *value) {
    const Surface *surface = place->surface;
    int x = place->x + dx, y = place->y + dy;
    if (surface->wraps) {
        x = (x % surface->width + surface->width) % surface->width;
        y = (y % surface->height + surface->height) % surface->height;
    } else if (x < 0 || y < 0 || x >= surface->width || y >= surface->height) {
        return false;
    }
    *value = place->cells[(size_t)y * (size_t)surface->width + (size_t)x];
    return true;
}

// The second difference along (dx, dy) around the cell `at` steps away, or 0 where it does not exist.
static double bend(const Neighbourhood *place, int at, int dx, int dy) {
    double before, here, after;
    if (!cell_at(place, (at - 1) * dx, (at - 1) * dy, &before) || !cell_at(place, at * dx, at * dy, &here) ||
        !cell_at(place, (at + 1) * dx, (at + 1) * dy, &after))
        return 0;
    return before - 2 * here + after;
}

// The mixed difference of the square whose upper left cell is at (dx, dy), or 0.
static double twist(const Neighbourhood *place, int dx, int dy) {
    double a, b, c, d;
    if (!cell_at(place, dx, dy, &a) || !cell_at(place, dx + 1, dy, &b) || !cell_at(place, dx, dy + 1, &c) ||
        !cell_at(place, dx + 1, dy + 1, &d))
        return 0;
    return (a + d) - (b + c);
}

static double pull(const Neighbourhood *place, int dx, int dy) {
    double here, there;
    return cell_at(place, 0, 0, &here) && cell_at(place, dx, dy, &there) ? here - there : 0;
}

// Half the derivative of the energy by a cell's height.
static double equation_at(const Surface *surface, const double *cells, int x, int y) {
    const Neighbourhood place = { surface, cells, x, y };
    const double across = bend(&place, -1, 1, 0) - 2 * bend(&place, 0, 1, 0) + bend(&place, 1, 1, 0);
    const double down = bend(&place, -1, 0, 1) - 2 * bend(&place, 0, 0, 1) + bend(&place, 1, 0, 1);
    const double twisted =
        (twist(&place, 0, 0) + twist(&place, -1, -1)) - (twist(&place, -1, 0) + twist(&place, 0, -1));
    const double pulled =
        (pull(&place, -1, 0) + pull(&place, 1, 0)) + (pull(&place, 0, -1) + pull(&place, 0, 1));
    return (1 - surface->tension) * ((across + down) + 2 * twisted) + surface->tension * pulled;
}

static bool has_free(const Surface *surface, int y) {
    return memchr(surface->free + (size_t)y * (size_t)surface->width, 1, (size_t)surface->width) != NULL;
}

static void apply_row(const Surface *surface, const double *cells, int y, double *out) {
    const int width = surface->width, height = surface->height;
    const uint8_t *free = surface->free + (size_t)y * (size_t)width;
    if (!has_free(surface, y)) {
        memset(out, 0, (size_t)width * sizeof *out);
        return;
    }
    const bool inner = y >= 2 && y < height - 2 && width > 4;
    const double *row = cells + (size_t)y * (size_t)width;
    if (inner)
        surface_inner((const double *[]){ row - 2 * width, row - width, row, row + width, row + 2 * width },
                      free, surface->tension, 2, width - 2, out);
    for (int x = 0; x < width; x++) {
        if (inner && x == 2)
            x = width - 2;
        out[x] = free[x] ? equation_at(surface, cells, x, y) : 0;
    }
}

// --- conjugate gradients -----------------------------------------------------------------------------------

KERNEL static double surface_dot(const double *restrict a, const double *restrict b, int count) {
    double sum = 0;
    for (int x = 0; x < count; x++)
        sum += a[x] * b[x];
    return sum;
}

static double total(const Surface *surface) {
    double sum = 0;
    for (int y = 0; y < surface->height; y++)
        sum += surface->partial[y];
    return sum;
}

// The first residual, of the heights themselves.
static void begin_rows(void *context, int first, int end) {
    const Surface *surface = context;
    const int width = surface->width;
    for (int y = first; y < end; y++) {
        double *row = surface->residual + (size_t)y * (size_t)width;
        apply_row(surface, surface->solution, y, row);
        for (int x = 0; x < width; x++)
            row[x] = -row[x];
    }
}

// image = A direction, and the parts of direction · image.
static void apply_rows(void *context, int first, int end) {
    const Surface *surface = context;
    for (int y = first; y < end; y++) {
        const size_t at = (size_t)y * (size_t)surface->width;
        apply_row(surface, surface->direction, y, surface->image + at);
        surface->partial[y] = has_free(surface, y)
                                  ? surface_dot(surface->direction + at, surface->image + at, surface->width)
                                  : 0;
    }
}

KERNEL static void surface_advance(double factor, const double *restrict direction,
                                   const double *restrict image, int count, double *restrict solution,
                                   double *restrict residual) {
    for (int x = 0; x < count; x++) {
        solution[x] += factor * direction[x];
        residual[x] -= factor * image[x];
    }
}

static void advance_rows(void *context, int first, int end) {
    const Surface *surface = context;
    for (int y = first; y < end; y++) {
        if (!has_free(surface, y))
            continue;
        const size_t at = (size_t)y * (size_t)surface->width;
        surface_advance(surface->factor, surface->direction + at, surface->image + at, surface->width,
                        surface->solution + at, surface->residual + at);
    }
}

static void measure_rows(void *context, int first, int end) {
    const Surface *surface = context;
    for (int y = first; y < end; y++) {
        const size_t at = (size_t)y * (size_t)surface->width;
        surface->partial[y] = has_free(surface, y) ? surface_dot(surface->residual + at,
                                                                 surface->preconditioned + at, surface->width)
                                                   : 0;
    }
}

KERNEL static void surface_turn(const double *restrict preconditioned, double factor, int count,
                                double *restrict direction) {
    for (int x = 0; x < count; x++)
        direction[x] = preconditioned[x] + factor * direction[x];
}

static void turn_rows(void *context, int first, int end) {
    const Surface *surface = context;
    for (int y = first; y < end; y++) {
        if (!has_free(surface, y))
            continue;
        const size_t at = (size_t)y * (size_t)surface->width;
        surface_turn(surface->preconditioned + at, surface->factor, surface->width, surface->direction + at);
    }
}

static Status over_rows(const Surface *surface, double cost, RowsBody *body) {
    return parallel_rows(surface->run, surface->height, cost * surface->width, body, (void *)surface);
}

// The energies of a cell and of a cubic B-spline of spacing h: ∫ (Δφ)² = 3.44 / h², ∫ |∇φ|² = 0.64.
static void make_weights(const Surface *surface, double weights[SPLINE_LEVELS_MAX]) {
    const double plate = 1 - surface->tension;
    weights[0] = 1 / (20 * plate + 4 * surface->tension);
    double shrinking = 1;
    for (int i = 1; i < SPLINE_LEVELS_MAX; i++) {
        shrinking /= 4;
        weights[i] = 1 / (3.44 * plate * shrinking + 0.64 * surface->tension);
    }
}

static Status precondition(Surface *surface, const SplineLevels *levels, const double *weights,
                           double *product) {
    Status status =
        spline_levels_apply(levels, surface->run, weights, surface->residual, surface->preconditioned);
    if (status == STATUS_OK)
        status = over_rows(surface, 0.7, measure_rows);
    *product = total(surface);
    return status;
}

static Status iterate(Surface *surface, const SplineLevels *levels) {
    double weights[SPLINE_LEVELS_MAX], product = 0;
    make_weights(surface, weights);
    Status status = over_rows(surface, 4, begin_rows);
    if (status == STATUS_OK)
        status = precondition(surface, levels, weights, &product);
    const double first = product;
    memset(surface->direction, 0, count_of(surface) * sizeof(double));
    surface->factor = 0;
    for (int i = 0; status == STATUS_OK && i < ITERATIONS_MAX && product > accuracy * accuracy * first; i++) {
        status = over_rows(surface, 0.7, turn_rows);
        if (status == STATUS_OK)
            status = over_rows(surface, 3, apply_rows);
        const double bent = total(surface);
        if (status != STATUS_OK || !(bent > 0))
            break;
        surface->factor = product / bent;
        status = over_rows(surface, 1, advance_rows);
        const double last = product;
        if (status == STATUS_OK)
            status = precondition(surface, levels, weights, &product);
        surface->factor = product / last;
    }
    return status;
}

// --- all ---------------------------------------------------------------------------------------------------

// Free cells start at the mean of the others.
static void load(Surface *surface, const Field *height) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < count_of(surface); i++) {
        sum += surface->free[i] ? 0 : (double)height->cells[i];
        count += !surface->free[i];
    }
    for (size_t i = 0; i < count_of(surface); i++)
        surface->solution[i] = surface->free[i] ? sum / count : (double)height->cells[i];
}

static Status solve(Surface *surface, Field *height, const SplineLevels *levels, Error *error) {
    const size_t count = count_of(surface);
    double *room = memory_new(5 * count + (size_t)surface->height, sizeof(double), error);
    if (!room)
        return STATUS_MEMORY;
    surface->solution = room;
    surface->residual = room + count;
    surface->direction = room + 2 * count;
    surface->image = room + 3 * count;
    surface->preconditioned = room + 4 * count;
    surface->partial = room + 5 * count;
    load(surface, height);
    const Status status = iterate(surface, levels);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (surface->free[i])
            field_cells(height)[i] = (float)surface->solution[i];
    memory_free(room);
    return status;
}

// In each cell, so that the surface is the same at any resolution: 0.5 bends over a tenth of the longer side.
static double tension_of_cells(double tension, const Field *height) {
    const double cells = field_side(height) / 10.0, plate = (1 - tension) * (cells * cells);
    return tension / (tension + plate);
}

Status smooth_surface(const Run *run, Field *height, const uint8_t *free, double tension, bool wraps,
                      Error *error) {
    Surface surface = { .run = run,
                        .width = height->width,
                        .height = height->height,
                        .wraps = wraps,
                        .tension = tension_of_cells(tension, height),
                        .free = free };
    SplineLevels levels;
    Status status = spline_levels_create(&levels, run, height->width, height->height, wraps, free, error);
    if (status == STATUS_OK)
        status = solve(&surface, height, &levels, error);
    spline_levels_free(&levels);
    return status;
}
