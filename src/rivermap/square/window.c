#include "rivermap/square/window.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

// --- columns and rows --------------------------------------------------------------------------------------

enum { BEYOND = 3 }; // cells

Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error) {
    const int shift = PLACE_BITS - depth;
    const Int128 last_cell = ((Int128)1 << depth) - 1, origin = centre - pixel * pixels / 2;
    Int128 first = origin >> shift, last = (origin + pixel * pixels - 1) >> shift;
    first -= BEYOND;
    last += BEYOND;
    first = clamp(first, 0, last_cell);
    last = clamp(last, first, last_cell);
    *axis = (Axis){ .first_cell = first, .pixels = pixels, .cell_count = (int)(last - first) + 1 };
    axis->cells = memory_new((size_t)pixels, sizeof *axis->cells, error);
    axis->fractions = axis->cells ? memory_new((size_t)pixels, sizeof *axis->fractions, error) : NULL;
    axis->pixel_of =
        axis->fractions ? memory_new((size_t)axis->cell_count, sizeof *axis->pixel_of, error) : NULL;
    if (!axis->pixel_of)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Int128 place = centre + (2 * (Int128)i + 1 - pixels) * pixel / 2;
        const Int128 cell = clamp((place >> shift) - first, 0, axis->cell_count - 1);
        const Int128 inside = place - ((first + cell) << shift);
        const double fraction = (double)(inside >> (shift - 16)) * 0x1p-16;
        axis->cells[i] = (int)cell;
        axis->fractions[i] = (float)clamp(fraction, 0, 1);
    }
    for (int i = 0; i < axis->cell_count; i++) {
        const Int128 middle = ((2 * (first + i) + 1) << shift) / 2;
        axis->pixel_of[i] =
            middle >= origin ? (int)((middle - origin) / pixel) : -1 - (int)((origin - middle) / pixel);
    }
    return STATUS_OK;
}

void axis_free(Axis *axis) {
    memory_free(axis->cells);
    memory_free(axis->fractions);
    memory_free(axis->pixel_of);
}

int axis_first_pixel(const Axis *axis, int cell) {
    int low = 0, high = axis->pixels;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (axis->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// --- windows -----------------------------------------------------------------------------------------------

static bool touches(const Axis *axis, uint64_t place, int depth_left) {
    // Differences modulo 2^64 suffice, since the window has few cells.
    const int64_t first = (int64_t)(place - (uint64_t)(axis->first_cell >> depth_left));
    const int64_t last = (int64_t)((uint64_t)((axis->first_cell + axis->cell_count - 1) >> depth_left) -
                                   (uint64_t)(axis->first_cell >> depth_left));
    return first >= 0 && first <= last;
}

static void add_tile(Window *window, const Square *square) {
    const int cells = window->depth - window->tile_depth;
    WindowTile *tile = &window->tiles[window->tile_count++];
    tile->square = *square;
    tile->column = (int)(int64_t)((square->x << cells) - (uint64_t)window->across.first_cell);
    tile->row = (int)(int64_t)((square->y << cells) - (uint64_t)window->down.first_cell);
}

static void find_tiles(Window *window, const Square *square) {
    const int left = window->depth - square->depth;
    if (!touches(&window->across, square->x, left) || !touches(&window->down, square->y, left))
        return;
    if (square->depth == window->tile_depth) {
        add_tile(window, square);
        return;
    }
    Square quarters[4];
    square_split(&window->view->map->constants, square, quarters);
    for (int corner = 0; corner < 4; corner++)
        find_tiles(window, &quarters[corner]);
}

static Status collect_tiles(Window *window, Error *error) {
    const int cells = 1 << (window->depth - window->tile_depth);
    const int columns = window->across.cell_count / cells + 2, rows = window->down.cell_count / cells + 2;
    window->tiles = memory_new_cells(columns, rows, sizeof *window->tiles, error);
    if (!window->tiles)
        return STATUS_MEMORY;
    const Square root = first_square(window->view->map);
    find_tiles(window, &root);
    return STATUS_OK;
}

static int depth_of(const View *view) {
    const int depth = log2_above(view->pixels);
    return max(depth, 1);
}

// The altitude of the upper left vertex of the cell around the centre.
Status squares_datum(const View *view, Datum *datum, Error *error) {
    const int depth = depth_of(view);
    const Int128 last = ((Int128)1 << PLACE_BITS) - 1, x = clamp(view->x, 0, last),
                 y = clamp(view->y, 0, last);
    Square square = first_square(view->map);
    (void)error;
    while (square.depth < depth) {
        Square quarters[4];
        square_split(&view->map->constants, &square, quarters);
        const int shift = PLACE_BITS - quarters[0].depth;
        square = quarters[(int)(y >> shift & 1) * 2 + (int)(x >> shift & 1)];
    }
    *datum = (Datum){ square.base + square.corners[UPPER_LEFT].altitude, depth, 1.0 / UNITS_PER_CELL };
    return STATUS_OK;
}

Status window_open(Window *window, const View *view, Error *error) {
    const int depth = depth_of(view);
    *window = (Window){ .view = view,
                        .depth = depth,
                        .tile_depth = depth > LATTICE_DEPTH ? depth - LATTICE_DEPTH : 0,
                        .pixel = (float)ldexp((double)view->pixel, depth - PLACE_BITS) };
    Status status =
        axis_create(&window->across, view->width, view->x + view_nudge(view), view->pixel, depth, error);
    if (status == STATUS_OK)
        status =
            axis_create(&window->down, view->height, view->y + view_nudge(view), view->pixel, depth, error);
    if (view->datum)
        window->datum = datum_at(view->datum, depth);
    return status == STATUS_OK ? collect_tiles(window, error) : status;
}

void window_close(Window *window) {
    memory_free(window->tiles);
    axis_free(&window->across);
    axis_free(&window->down);
}

CellArea window_tile_area(const Window *window, const WindowTile *tile) {
    const int cells = 1 << (window->depth - window->tile_depth);
    return (CellArea){ clamp(-tile->column, 0, cells),
                       clamp(window->across.cell_count - tile->column, 0, cells), clamp(-tile->row, 0, cells),
                       clamp(window->down.cell_count - tile->row, 0, cells) };
}
