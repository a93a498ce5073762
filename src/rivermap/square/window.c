#include "rivermap/square/window.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>

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
