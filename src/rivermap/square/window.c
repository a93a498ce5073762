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
    window->tiles = memory_new((size_t)columns * (size_t)rows, sizeof *window->tiles, error);
    if (!window->tiles)
        return STATUS_MEMORY;
    const Square root = first_square(window->view->map);
    find_tiles(window, &root);
    return STATUS_OK;
}

// The altitude of a cell's upper left vertex, in units of the lattice.
static Int128 altitude_of_cell(const Window *window, Int128 x, Int128 y) {
    Square square = first_square(window->view->map);
    while (square.depth < window->depth) {
        Square quarters[4];
        square_split(&window->view->map->constants, &square, quarters);
        const int shift = window->depth - quarters[0].depth;
        square = quarters[(int)(y >> shift & 1) * 2 + (int)(x >> shift & 1)];
    }
    return square.base + square.corners[UPPER_LEFT].altitude;
}

Status window_open(Window *window, const View *view, Error *error) {
    int depth = log2_above(view->pixels);
    depth = max(depth, 1);
    *window = (Window){ .view = view,
                        .depth = depth,
                        .tile_depth = depth > LATTICE_DEPTH ? depth - LATTICE_DEPTH : 0,
                        .pixel = (float)ldexp((double)view->pixel, depth - PLACE_BITS) };
    Status status = axis_create(&window->across, view->width, view->x, view->pixel, depth, error);
    if (status == STATUS_OK)
        status = axis_create(&window->down, view->height, view->y, view->pixel, depth, error);
    if (status == STATUS_OK && view->relative)
        window->datum =
            altitude_of_cell(window, window->across.first_cell + window->across.cells[view->width / 2],
                             window->down.first_cell + window->down.cells[view->height / 2]);
    return status == STATUS_OK ? collect_tiles(window, error) : status;
}

void window_close(Window *window) {
    memory_free(window->tiles);
    axis_free(&window->across);
    axis_free(&window->down);
}
