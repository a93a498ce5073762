// A window of the right-angled tiling: the squares of the map are quartered, only where they overlap the
// window, until they are tiles; and the mapping from pixels to the finest lattice of the tiles, whose cells
// are at most a pixel wide.
//
// Depth, tiles and lattices depend only on the position and size of the pixels, so windows on one grid agree
// bit for bit.

#ifndef ESKER_WINDOW_H
#define ESKER_WINDOW_H

#include "core/error.h"
#include "core/kernel.h"
#include "core/random.h"
#include "rivermap/square/lattice.h"
#include "rivermap/view.h"

#include <stdatomic.h>

// --- columns and rows --------------------------------------------------------------------------------------

// Maps the columns, or the rows, of a window to the lattice from which they are drawn.

typedef struct Axis {
    Int128 first_cell; // of the map's lattice, where `cells` begin
    int pixels;
    int cell_count;   // of those in the window, plus a few beyond its edges whose rivers reach into it
    int *cells;       // of each pixel
    float *fractions; // where in the cell the pixel's centre lies
    int *pixel_of;    // of each cell's centre; may lie outside 0 … pixels - 1
} Axis;

// Pixel centres are at centre + (2 i + 1 - pixels) pixel / 2; the lattice has 2^depth cells. A window that
// exceeds the map by rounding only is kept inside. Fails if memory runs out.
Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error);
void axis_free(Axis *axis);

// The first pixel whose cell is `cell` or a later one.
int axis_first_pixel(const Axis *axis, int cell);

// --- windows -----------------------------------------------------------------------------------------------

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

// --- crossings of rivers -----------------------------------------------------------------------------------

// Random numbers of the edges of a kind around a cell of the map's lattice.
static inline RandomKey along_key(EdgeKind kind, uint64_t x, uint64_t y) {
    return random_key(x >> 32 ^ y >> 32 << 32, (uint32_t)kind);
}

KERNEL_INLINE float along_of(RandomKey key, uint64_t x, uint64_t y) {
    return 0.5f + 0.25f * random_signed(key, (uint32_t)x, (uint32_t)y);
}

// Where on an edge of cell (x, y) of a lattice the river crosses, from its west or upper end: around its
// middle, by a hash of the edge's place in the map. Edges across and down are a cell's top and left one.
static inline float along_edge(EdgeKind kind, uint64_t x, uint64_t y) {
    return along_of(along_key(kind, x, y), x, y);
}

// --- squares_data.c ----------------------------------------------------------------------------------------

Status squares_heights(const View *view, uint32_t *heights, Error *error);
Status squares_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
