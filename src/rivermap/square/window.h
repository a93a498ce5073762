// A window of the right-angled tiling: the squares of the map are quartered, only where they overlap the
// window, until they are tiles; and the mapping from pixels to the finest lattice of the tiles, whose cells
// are at most a pixel wide.
//
// Depth, tiles and lattices depend only on the position and size of the pixels, so windows on one grid agree
// bit for bit.

#ifndef ESKER_WINDOW_H
#define ESKER_WINDOW_H

#include "rivermap/axis.h"
#include "rivermap/square/lattice.h"
#include "rivermap/square/river_lines.h"
#include "rivermap/view.h"

#include <stdatomic.h>

typedef struct WindowTile {
    Square square;
    int column, row; // the first cell, counted from the window's
    RiverBits rivers;
} WindowTile;

typedef struct Window {
    const View *view;
    Axis across, down;
    int tile_depth, depth; // of the tiles, and of the lattices
    Int128 datum;          // in units of the lattice
    float pixel;           // its side in cells, 1 … 2
    WindowTile *tiles;
    int tile_count;
    atomic_bool failed; // memory ran out on a thread
} Window;

Status window_open(Window *window, const View *view, Error *error);
void window_close(Window *window);

// The cells of a tile that the window needs.
CellArea window_tile_area(const Window *window, const WindowTile *tile);

Status squares_datum(const View *view, Datum *datum, Error *error);

// --- squares_heights.c -------------------------------------------------------------------------------------

Status squares_heights(const View *view, uint32_t *heights, Error *error);

// --- square_rivers.c ---------------------------------------------------------------------------------------

Status squares_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
