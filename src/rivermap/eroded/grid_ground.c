// Draws a flat map's eroded land: a pixel's altitude is a mean of the cells around its middle, weighed
// by a cubic (Catmull and Rom 1974) stretched to the pixel's size; where cells and pixels are the same it is
// the cell's own.

#include "rivermap/eroded/cell_weights.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/pixel_seas.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

// How the pixels of a row or column lie on the window's cells.
typedef struct Taps {
    int reach, count; // of cells to each side, and in all, that a pixel's altitude comes from
    int *first;       // of each pixel's
    float *weights;   // `count` of each pixel's
    int *begins;      // pixel i holds the middles of cells begins[i] … begins[i + 1] - 1
} Taps;

typedef struct GridPicture {
    const Atlas *atlas;
    Field *altitude, *flow;
    Taps across, down;
} GridPicture;

// `start`: of the window, `first_cell`: of its land.
static Status taps_create(Taps *taps, const Atlas *atlas, Int128 start, int pixels, Int128 first_cell,
                          Error *error) {
    enum { FINE = 16 }; // bits of a place in a cell
    const Int128 pixel = atlas->view->pixel, size = (Int128)1 << (PLACE_BITS - atlas->depth);
    const Int128 origin = start + view_nudge(atlas->view), first_middle = first_cell * size + size / 2;
    const bool same = pixel == size && (origin & (size - 1)) == 0;
    taps->reach = same ? 0 : double_to_within(ceil(2 / atlas->cell), 1, SIDE_MAX);
    taps->count = same ? 1 : 2 * taps->reach;
    taps->first = memory_new((size_t)pixels, sizeof *taps->first, error);
    taps->weights = memory_new_cells(pixels, taps->count, sizeof *taps->weights, error);
    taps->begins = memory_new((size_t)pixels + 1, sizeof *taps->begins, error);
    if (!taps->first || !taps->weights || !taps->begins)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Int128 middle = origin + pixel * i + pixel / 2 - first_middle;
        const Int128 fine = middle >> (PLACE_BITS - atlas->depth - FINE);
        const int cell = (int)(fine >> FINE);
        const float part = (float)(int)(fine & ((1 << FINE) - 1)) * 0x1p-16f;
        taps->first[i] = same ? cell : cell - taps->reach + 1;
        if (same)
            taps->weights[i] = 1;
        else
            weigh_cells(taps->weights + i * taps->count, taps->count, part + (float)(taps->reach - 1),
                        (float)atlas->cell);
    }
    for (int i = 0; i <= pixels; i++)
        taps->begins[i] =
            (int)((origin + pixel * i - first_middle + size - 1) >> (PLACE_BITS - atlas->depth));
    return STATUS_OK;
}

static void taps_free(Taps *taps) {
    memory_free(taps->first);
    memory_free(taps->weights);
    memory_free(taps->begins);
}

// --- altitude ----------------------------------------------------------------------------------------------

enum { SPAN = 4096 }; // cells across, at most, that are added up at a time

KERNEL static void add_weighted_cells(const int32_t *restrict altitudes, int count, double base,
                                      double weight, double *restrict sums) {
    for (int i = 0; i < count; i++)
        sums[i] += weight * (base + (double)altitudes[i]);
}

// Where a double does not hold the base: each altitude is rounded by itself, the same in every window.
static void add_cells_far_up(const int32_t *altitudes, int count, Int128 base, double weight, double *sums) {
    for (int i = 0; i < count; i++)
        sums[i] += weight * (double)(base + altitudes[i]);
}

// Adds the rows of cells that pixels of row y come from, by weight: `count` columns from `left` on.
static void add_rows(const GridPicture *picture, int y, int left, int count, double *sums) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const Taps *down = &picture->down;
    const Int128 base = land->base - picture->atlas->datum, most = (Int128)1 << 51;
    for (int tap = 0; tap < down->count; tap++) {
        const double weight = (double)down->weights[y * down->count + tap];
        const int row = clamp(down->first[y] + tap, 0, land->height - 1);
        const int32_t *altitudes = land->altitude + (size_t)row * (size_t)land->width + left;
        if (base < most && base > -most)
            add_weighted_cells(altitudes, count, (double)base, weight, sums);
        else
            add_cells_far_up(altitudes, count, base, weight, sums);
    }
}

// Pixels `first` … `end` - 1 of row y.
static void draw_pixels(const GridPicture *picture, int y, int first, int end) {
    const Taps *across = &picture->across;
    const int width = picture->atlas->land.on[0].width, taps = across->count;
    const int left = clamp(across->first[first], 0, width - 1);
    const int right = clamp(across->first[end - 1] + taps, left + 1, width);
    const double unit = picture->atlas->unit;
    double sums[SPAN];
    memset(sums, 0, (size_t)(right - left) * sizeof *sums);
    add_rows(picture, y, left, right - left, sums);
    float *row = field_row(picture->altitude, y);
    for (int x = first; x < end; x++) {
        const float *weights = across->weights + x * taps;
        double sum = 0;
        for (int tap = 0; tap < taps; tap++)
            sum += (double)weights[tap] * sums[clamp(across->first[x] + tap, left, right - 1) - left];
        row[x] = (float)(sum * unit);
    }
}

static int pixels_at_once(const GridPicture *picture) {
    const int cells = double_to_within(ceil(1 / picture->atlas->cell), 1, SIDE_MAX);
    return (SPAN - picture->across.count) / cells;
}

static void draw_altitudes(void *context, int first, int end) {
    const GridPicture *picture = context;
    const int width = picture->altitude->width, step = pixels_at_once(picture);
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += step)
            draw_pixels(picture, y, x, min(x + step, width));
}

// --- flow --------------------------------------------------------------------------------------------------

// Of the columns of cells that lie in a row of pixels, `first` … `end` - 1: the cell of land through which
// most drains, what drains through it, and whether water may end in one of the cells. -1, and less than 0:
// sea alone.
typedef struct Columns {
    int first, end;
    int cell[SPAN];
    float most[SPAN];
    uint8_t ends[SPAN];
} Columns;

// `shore`: an altitude below which the cells where water ends are sea.
KERNEL static void add_row_of_cells(const uint8_t *restrict receiver, const int32_t *restrict altitude,
                                    const float *restrict area, int64_t shore, int first_cell, int count,
                                    int *restrict cell, float *restrict most, uint8_t *restrict ends) {
    for (int i = 0; i < count; i++) {
        const bool end = receiver[i] == LAND_SEA;
        const float here = end & (altitude[i] < shore) ? -1 : area[i];
        cell[i] = here > most[i] ? first_cell + i : cell[i];
        most[i] = max(here, most[i]);
        ends[i] |= end;
    }
}

// Those of pixels `first` … `end` - 1 of row y.
static void find_columns(const GridPicture *picture, int y, int first, int end, Columns *columns) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const Int128 most = (Int128)1 << 40, shore = clamp(-land->base, -most, most);
    columns->first = clamp(picture->across.begins[first], 0, land->width);
    columns->end = clamp(picture->across.begins[end], columns->first, land->width);
    const int count = columns->end - columns->first;
    for (int i = 0; i < count; i++) {
        columns->cell[i] = -1;
        columns->most[i] = -1;
        columns->ends[i] = 0;
    }
    const int last = min(picture->down.begins[y + 1], land->height);
    for (int row = max(picture->down.begins[y], 0); row < last; row++) {
        const int at = row * land->width + columns->first;
        add_row_of_cells(land->receiver + at, land->altitude + at, land->area + at, (int64_t)shore, at, count,
                         columns->cell, columns->most, columns->ends);
    }
}

// The cell of a pixel's land through which most drains, or -1: it holds sea alone. Of several with the same
// it is the first, row by row. Says what drains through it, and whether water may end in one of the pixel's
// cells.
static inline int main_cell(const GridPicture *picture, const Columns *columns, int x, float *area,
                            bool *ends) {
    const int *begins = picture->across.begins + x;
    const int first = max(begins[0], columns->first) - columns->first,
              end = min(begins[1], columns->end) - columns->first;
    int cell = -1;
    float most = -1;
    for (int i = first; i < end; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): columns first … end - 1 are set
        const bool better = columns->most[i] > most || (columns->most[i] == most && columns->cell[i] < cell);
        cell = better ? columns->cell[i] : cell;
        most = better ? columns->most[i] : most;
        *ends |= columns->ends[i];
    }
    *area = max(most, 0.0f);
    return cell;
}

// The cell of a pixel's sea into which most drains, if that is `least` or more; otherwise -1.
static int mouth_cell(const GridPicture *picture, int x, int y, float least) {
    const LandWindow *land = &picture->atlas->land.on[0];
    const int *columns = picture->across.begins + x, *rows = picture->down.begins + y;
    int mouth = -1;
    for (int row = max(rows[0], 0); row < min(rows[1], land->height); row++)
        for (int column = max(columns[0], 0); column < min(columns[1], land->width); column++) {
            const int cell = row * land->width + column;
            if (land->receiver[cell] != LAND_SEA || land->base + land->altitude[cell] > 0)
                continue;
            const float area = most_into(picture->atlas, (AtlasCell){ 0, column, row, 0 });
            if (area >= least) {
                least = area;
                mouth = cell;
            }
        }
    return mouth;
}

typedef struct Water {
    float least, least_at_mouth; // of streams, cells
    float pixels;                // that a cell covers
    float sea;                   // its altitude
    bool beds;                   // pixels show the altitudes of streams
} Water;

static Water water_of(const Atlas *atlas) {
    return (Water){ .least = (float)stream_area(atlas->view->map, atlas->depth),
                    .least_at_mouth = least_at_mouth(atlas),
                    .pixels = (float)(atlas->cell * atlas->cell),
                    .sea = (float)shore_of(atlas),
                    .beds = shows_beds(atlas) };
}

// A pixel whose altitude is a mean of cells. Where a stream runs through it, that would dam the stream, and
// average away the sea into which one runs: it shows the stream, or the sea if no more drains elsewhere.
static void show_water(const GridPicture *picture, const Water *water, int x, int y, float area, int cell,
                       bool ends) {
    const Atlas *atlas = picture->atlas;
    float *altitude = &field_row(picture->altitude, y)[x];
    if (water->beds && area >= water->least)
        *altitude = (float)altitude_in(atlas, &atlas->land.on[0], cell);
    if (ends && *altitude >= water->sea) {
        const int mouth = mouth_cell(picture, x, y, max(area, water->least_at_mouth));
        if (mouth >= 0)
            *altitude =
                min((float)altitude_in(atlas, &atlas->land.on[0], mouth), water->sea - (float)atlas->unit);
    }
}

// Pixels `first` … `end` - 1 of row y.
static void draw_flow_pixels(const GridPicture *picture, const Water *water, int y, int first, int end) {
    const bool between = picture->across.count > 1 || picture->down.count > 1;
    const float *altitudes = field_row(picture->altitude, y);
    float *flow = field_row(picture->flow, y);
    Columns columns;
    find_columns(picture, y, first, end, &columns);
    for (int x = first; x < end; x++) {
        bool ends = false;
        float area = 0;
        const int cell = main_cell(picture, &columns, x, &area, &ends);
        if (between) {
            if (ends || area >= water->least)
                show_water(picture, water, x, y, area, cell, ends);
            flow[x] = altitudes[x] < water->sea ? 0 : max(area * water->pixels, 1.0f);
        } else
            flow[x] = area * water->pixels;
    }
}

static void draw_flow(void *context, int first, int end) {
    const GridPicture *picture = context;
    const Water water = water_of(picture->atlas);
    const int width = picture->flow->width, step = pixels_at_once(picture);
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += step)
            draw_flow_pixels(picture, &water, y, x, min(x + step, width));
}

// -----------------------------------------------------------------------------------------------------------

int grid_ground_margin(const View *view, int depth) {
    const double cells = ldexp(1, depth) / view->pixels; // along a pixel's side
    return double_to_within(ceil((2 + PIXEL_SEAS_MARGIN) * cells), 1, SIDE_MAX) + 1;
}

Status grid_ground(const Atlas *atlas, Error *error) {
    const View *view = atlas->view;
    const int width = view->width;
    GridPicture picture = { .atlas = atlas, .altitude = view->altitude, .flow = view->flow };
    Status status = taps_create(&picture.across, atlas, view_left(view), width, atlas->land.on[0].x, error);
    if (status == STATUS_OK)
        status = taps_create(&picture.down, atlas, view_top(view), view->height, atlas->land.on[0].y, error);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->height, width * 20.0, draw_altitudes, &picture);
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->height, width * 5.0, draw_flow, &picture);
    taps_free(&picture.across);
    taps_free(&picture.down);
    return status;
}
