// Draws the rivers of a lattice.

#ifndef ESKER_RIVER_LINES_H
#define ESKER_RIVER_LINES_H

#include "rivermap/axis.h"
#include "rivermap/line_cover.h"
#include "rivermap/square/lattice.h"

// Adds the edges of a lattice or of a square that lies at cell (x, y) of one of `cells`; rivers whose basin
// is `line_basin` or more are left out.
void river_bits_add_lattice(const Lattice *lattice, float line_basin, int x, int y, int cells,
                            RiverBits *bits);
void river_bits_add_square(const Square *square, float line_basin, int x, int y, int cells, RiverBits *bits);

// Where on an edge of cell (x, y) of a lattice the river crosses, from its west or upper end: around its
// middle, by a hash of the edge's place in the map. Edges across and down are a cell's top and left one.
float along_edge(EdgeKind kind, uint64_t x, uint64_t y);

typedef struct RiverSketch {
    const RiverBits *rivers;
    int cells, column, row;    // of the lattice: how many, and where in the window it begins
    uint64_t place_x, place_y; // and where in the map, in lattices of its size
    const Axis *across, *down;
    float pixel; // its side in cells
    Field *river;
    int first_row, end_row; // of pixels that may be drawn
} RiverSketch;

// An antialiased line from crossing to crossing: the covered share of the pixel, 0 … 1. The maximum counts.
void river_draw_lines(const RiverSketch *sketch);

// As published: 1 in every pixel with a cell that a river crosses.
void river_mark_pixels(const RiverSketch *sketch);

#endif
