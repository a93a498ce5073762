// Water runs down in a planet's picture, in whatever projection: a pixel's altitude is a mean of cells, which
// dams streams. A pixel that shows a cell's middle is not higher than the cell, and not lower than the one
// into which it drains: so it is not below the pixel that shows that one. Of several cells in a pixel, the
// lowest counts, and the lowest into which they drain. Pixels between those of two cells, where a pixel shows
// less than a cell, have the altitude of the lower. All this is of cells and whole pixels, so windows agree.

#include "rivermap/eroded/planet.h"
#include "rivers/drainage.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bounds {
    const PlanetWindow *window;
    Field *altitude;
    _Atomic uint32_t *most, *least; // marks of each pixel's
    double around;                  // pixels around the planet, if they meet, or 0
    float area;                     // cells that drain less bound nothing
    int face;
} Bounds;

// On the steep ground of fine levels, cells that drain little would make slopes rough. On coarse levels,
// whose slopes are gentler, pictures of whole planets show many valleys less than a pixel wide.
static float least_area(const PlanetWindow *window) {
    const RiverMap *map = window->view->map;
    const double every = 0.5; // cell of level 0
    return (float)min(stream_area(map, window->depth),
                      ldexp(every, 2 * (window->depth - eroded_of(map)->depth)));
}

// --- bounds of pixels --------------------------------------------------------------------------------------

enum { NO_BOUND = 0 };

// Greater for lower altitudes.
static uint32_t mark_of(float altitude) {
    uint32_t bits;
    memcpy(&bits, &altitude, sizeof bits);
    return bits >> 31 ? bits : ~bits & 0x7fffffff;
}

static float altitude_of(uint32_t mark) {
    const uint32_t bits = mark >> 31 ? mark : ~mark & 0x7fffffff;
    float altitude;
    memcpy(&altitude, &bits, sizeof altitude);
    return altitude;
}

static void lower_bound(_Atomic uint32_t *bound, uint32_t mark) {
    uint32_t known = atomic_load_explicit(bound, memory_order_relaxed);
    while (known < mark && !atomic_compare_exchange_weak_explicit(bound, &known, mark, memory_order_relaxed,
                                                                  memory_order_relaxed)) {
    }
}

static void bound_pixel(const Bounds *bounds, int64_t column, int64_t row, uint32_t most, uint32_t least) {
    const Field *altitude = bounds->altitude;
    if (column < 0 || row < 0 || column >= altitude->width || row >= altitude->height)
        return;
    const size_t pixel = (size_t)row * (size_t)altitude->width + (size_t)column;
    lower_bound(&bounds->most[pixel], most);
    lower_bound(&bounds->least[pixel], least);
}

// A cell as the picture shows it, and the mark of its altitude.
typedef struct ShownCell {
    PlanetSpot spot;
    uint32_t mark;
    bool sea;
} ShownCell;

// Of steps by whole pixels from `from` on, in one direction, those that stay within 0 … `size` - 1.
static void clip_steps(int64_t from, bool back, int64_t size, int64_t *first, int64_t *end) {
    *first = max(back ? from - size + 1 : -from, *first);
    *end = min(back ? from + 1 : size - from, *end);
}

static int64_t part_of(int64_t way, int64_t step, int64_t steps) {
    const int64_t twice = 2 * step * way + steps, rest = twice % (2 * steps); // rounded
    return twice / (2 * steps) - (rest < 0);
}

// From a pixel up to the one before another: corners may meet.
static void bound_way(const Bounds *bounds, const ShownCell *cell, const ShownCell *next, double across) {
    const double longest = 0x1p30; // longer only beside a pole, in deep zooms
    const double x = floor(cell->spot.x + across), y = floor(cell->spot.y),
                 off_x = floor(next->spot.x + across) - x, off_y = floor(next->spot.y) - y;
    if (fabs(x) > longest || fabs(y) > longest || fabs(off_x) > longest || fabs(off_y) > longest)
        return;
    const int64_t column = whole_64(x), row = whole_64(y), right = whole_64(off_x), down = whole_64(off_y),
                  steps = max(llabs(right), llabs(down));
    bound_pixel(bounds, column, row, cell->mark, next->mark);
    int64_t first = 1, end = steps;
    if (llabs(right) == steps)
        clip_steps(column, right < 0, bounds->altitude->width, &first, &end);
    else
        clip_steps(row, down < 0, bounds->altitude->height, &first, &end);
    for (int64_t i = first; i < end; i++)
        bound_pixel(bounds, column + part_of(right, i, steps), row + part_of(down, i, steps),
                    next->sea ? cell->mark : next->mark, next->mark);
}

static void bound_ways(const Bounds *bounds, const ShownCell *cell, ShownCell next) {
    const double around = bounds->around, off = next.spot.x - cell->spot.x;
    if (!cell->spot.shown || !next.spot.shown)
        return;
    next.spot.x += off > around / 2 ? -around : -off > around / 2 ? around : 0;
    for (int turn = around > 0 ? -1 : 0; turn <= (around > 0 ? 1 : 0); turn++)
        bound_way(bounds, cell, &next, turn * around);
}

// --- blocks of cells ---------------------------------------------------------------------------------------

// Cells, and with those around.
enum { BLOCK = 32, WIDE = BLOCK + 2 };

static bool drains(const Bounds *bounds, int x, int y) {
    const LandWindow *land = &bounds->window->land.on[bounds->face];
    const int cell = y * land->width + x;
    return land->receiver[cell] < NEIGHBOURS && land->area[cell] >= bounds->area;
}

static bool any_drains(const Bounds *bounds, int left, int top, int right, int bottom) {
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            if (drains(bounds, x, y))
                return true;
    return false;
}

static ShownCell shown_cell(const PlanetWindow *window, CubeCell cell) {
    const int number = planet_cell(window, &cell);
    if (number < 0)
        return (ShownCell){ .spot.shown = false };
    const LandWindow *land = &window->land.on[cell.face];
    return (ShownCell){ planet_spot(window, &cell),
                        mark_of((float)planet_altitude(window, cell.face, number)),
                        land->base + land->altitude[number] <= 0 };
}

static void bound_block(const Bounds *bounds, int left, int top) {
    const LandWindow *land = &bounds->window->land.on[bounds->face];
    const int right = min(left + BLOCK, land->width), bottom = min(top + BLOCK, land->height);
    if (!any_drains(bounds, left, top, right, bottom))
        return;
    ShownCell cells[WIDE * WIDE];
    for (int y = top - 1; y <= bottom; y++)
        for (int x = left - 1; x <= right; x++)
            cells[(y - top + 1) * WIDE + x - left + 1] =
                shown_cell(bounds->window, (CubeCell){ bounds->face, land->x + x, land->y + y, 0 });
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const int direction = land->receiver[y * land->width + x];
            const ShownCell *cell = &cells[(y - top + 1) * WIDE + x - left + 1];
            if (drains(bounds, x, y))
                bound_ways(bounds, cell, cell[neighbour_y[direction] * WIDE + neighbour_x[direction]]);
        }
}

static void bound_blocks(void *context, int first, int end) {
    const Bounds *bounds = context;
    for (int row = first; row < end; row++)
        for (int left = 0; left < bounds->window->land.on[bounds->face].width; left += BLOCK)
            bound_block(bounds, left, row * BLOCK);
}

// -----------------------------------------------------------------------------------------------------------

// No land becomes sea, nor sea land.
static void keep_bounds(void *context, int first, int end) {
    const Bounds *bounds = context;
    const float sea = (float)(-(double)bounds->window->datum * bounds->window->unit);
    for (int y = first; y < end; y++) {
        float *altitudes = field_row(bounds->altitude, y);
        const size_t row = (size_t)y * (size_t)bounds->altitude->width;
        for (int x = 0; x < bounds->altitude->width; x++) {
            const uint32_t most = atomic_load_explicit(&bounds->most[row + (size_t)x], memory_order_relaxed),
                           least =
                               atomic_load_explicit(&bounds->least[row + (size_t)x], memory_order_relaxed);
            if (most != NO_BOUND && altitudes[x] >= sea)
                altitudes[x] = clamp(altitudes[x], max(altitude_of(least), sea), altitude_of(most));
        }
    }
}

Status planet_bound_altitudes(const PlanetWindow *window, Error *error) {
    const View *view = window->view;
    Field *altitude = view->altitude;
    Bounds bounds = { .window = window,
                      .altitude = altitude,
                      .most = memory_new_zeroed(2 * field_count(altitude), sizeof *bounds.most, error),
                      .around = view_goes_round(view) ? view->pixels : 0,
                      .area = least_area(window) };
    if (!bounds.most)
        return STATUS_MEMORY;
    bounds.least = bounds.most + field_count(altitude);
    Status status = STATUS_OK;
    for (; bounds.face < CUBE_FACES && status == STATUS_OK; bounds.face++) {
        const LandWindow *land = &window->land.on[bounds.face];
        if (land->altitude)
            status = parallel_rows(view->run, (land->height + BLOCK - 1) / BLOCK, land->width * BLOCK * 200.0,
                                   bound_blocks, &bounds);
    }
    if (status == STATUS_OK)
        status = parallel_rows(view->run, altitude->height, altitude->width, keep_bounds, &bounds);
    memory_free((void *)bounds.most);
    return status;
}
