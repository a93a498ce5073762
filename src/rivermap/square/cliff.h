// A square on a cliff, cut into a lattice of vertices: their altitudes are too large for a double, which
// those of a lattice (lattice.h) are, and loops run along rows in vectors all the same. Squares without
// rivers only, in which none begins.

#ifndef ESKER_CLIFF_H
#define ESKER_CLIFF_H

#include "rivermap/square/square.h"

enum { CLIFF_DEPTH = 6, CLIFF_VERTICES = ((1 << CLIFF_DEPTH) + 1) * ((1 << CLIFF_DEPTH) + 1) };

// Altitudes are `high` × CLIFF_LIMB + `low`, 0 … CLIFF_LIMB - 1: whole numbers up to 2^103.
#define CLIFF_LIMB 0x1p50

typedef struct CliffLattice {
    int cells; // in a row; vertices in rows of cells + 1
    double high[CLIFF_VERTICES], low[CLIFF_VERTICES];
    uint32_t seeds[CLIFF_VERTICES];
} CliffLattice;

typedef struct CliffPair {
    CliffLattice at[2];
} CliffPair;

// As lattice_fill; NULL where a river crosses or may begin, where a guide is finer, or where altitudes are
// too large even so.
const CliffLattice *cliff_fill(const Constants *constants, const Square *square, int depth, CliffPair *pair);

// The altitude of a vertex above another base, as the number nearest to it. `from`: that base, seen from the
// square's own, in the lattice's units.
void cliff_altitudes(const CliffLattice *lattice, int first, int count, Int128 from, double *altitudes);

// The altitude's lowest 32 bits.
uint32_t cliff_bits(const CliffLattice *lattice, int vertex);

#endif
