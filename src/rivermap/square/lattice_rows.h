// Cuts all edges of a lattice as if there were no rivers, in vectors that go on from row to row.

#ifndef ESKER_LATTICE_ROWS_H
#define ESKER_LATTICE_ROWS_H

#include "rivermap/square/lattice.h"

// The constants' altitudes, clamped to a lattice's range, and values that all edges share.
typedef struct Limits {
    struct {
        double k3, k4, lowest, highest;
    } wide;
    struct {
        int32_t k3, k4, lowest, highest;
    } narrow;
    float side, diagonal, k2;
    const Guide *guide; // NULL also where the lattice is finer than it; narrow lattices have none
    Square place;       // of the lattice: depth, x and y of its first cell, base
} Limits;

// The guide's altitude at (x, y) in halves of a cell from the lattice's corner.
double lattice_guided(const Limits *limits, int x, int y);

// Sets vertices, not rivers, of a lattice twice as fine. `begin`: gets, for each row of cells, those in which
// rivers begin, a bit a column.
void lattice_cut(const Lattice *from, Lattice *to, const Limits *limits, bool rivers, uint64_t *begin);

#endif
