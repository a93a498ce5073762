// A square cut level by level into a lattice of cells, in arrays: every loop runs along rows in vectors, and
// only cells near a river are cut one by one.

#ifndef ESKER_LATTICE_H
#define ESKER_LATTICE_H

#include "subdivision/square.h"

enum { LATTICE_DEPTH = 6, LATTICE_CELLS = 1 << LATTICE_DEPTH };
enum { NO_RIVER = (int32_t)0x80808080 }; // what memset can write

// `cells` in a row; vertices in rows of cells + 1; crossings in units, with their basins where there is one.
typedef struct Lattice {
    int cells;
    int32_t altitudes[(LATTICE_CELLS + 1) * (LATTICE_CELLS + 1)];
    uint32_t seeds[(LATTICE_CELLS + 1) * (LATTICE_CELLS + 1)];
    int32_t across[(LATTICE_CELLS + 1) * LATTICE_CELLS]; // horizontal edges, in rows of `cells`
    int32_t down[LATTICE_CELLS * (LATTICE_CELLS + 1)];   // vertical edges, in rows of cells + 1
    int32_t diagonals[LATTICE_CELLS * LATTICE_CELLS];
    // The sign bit, that of a basin of 0 too, says that a river flows against the direction of squares.
    float across_basins[(LATTICE_CELLS + 1) * LATTICE_CELLS];
    float down_basins[LATTICE_CELLS * (LATTICE_CELLS + 1)];
    float diagonal_basins[LATTICE_CELLS * LATTICE_CELLS];
} Lattice;

// Two lattices, the coarser one and the finer one, take turns.
typedef struct LatticePair {
    Lattice at[2];
} LatticePair;

// Whether the altitudes of the lattice after `depth` cuts of the square surely fit into 32 bits.
bool lattice_holds(const Square *square, int depth);

// Cuts `square` `depth` times, 1 to LATTICE_DEPTH, and returns the lattice, which lies in `pair`. Its
// altitudes count from the square's base, in the finest depth's units; crossings are set only
// where the map has rivers.
const Lattice *lattice_fill(const Constants *constants, const Square *square, int depth, LatticePair *pair);

// Cell (x, y) of a lattice as a square. `place`: depth, first cell and base of the lattice.
Square lattice_square(const Lattice *lattice, const Square *place, int x, int y);

// The place of a lattice `depth` cuts deep in a square.
Square lattice_place(const Square *square, int depth);

#endif
