// Minimum curvature with tension (Smith and Wessel 1990, "Gridding with continuous curvature splines in
// tension", equation 4): the heights z of free cells minimise
//
//     (1 - T) Σ (z_xx² + 2 z_xy² + z_yy²) + T Σ (z_x² + z_y²),   T the tension
//
// with second differences of three cells in a line or four in a square, and first ones of two, where these
// exist. The equations, A z = 0 in free cells, are solved by conjugate gradients, preconditioned by
// spline_levels, which makes the number of iterations hardly depend on the size.

#include "filter/smooth_surface.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "filter/spline_levels.h"

#include <math.h>
#include <string.h>

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
