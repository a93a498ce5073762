// A square cut level by level into a lattice of cells, stored in arrays: loops run along rows in vectors,
// and only cells near a river are cut one by one.

#ifndef ESKER_LATTICE_H
#define ESKER_LATTICE_H

#include "rivermap/square/square.h"

// --- lattices of cliffs ------------------------------------------------------------------------------------

// A square on a cliff, cut into a lattice of vertices: their altitudes are too large for a double, which
// those of a lattice (lattice.h) are, and loops run along rows in vectors all the same. Squares without
// rivers only, in which none begins.

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

// --- lattices ----------------------------------------------------------------------------------------------

enum { LATTICE_DEPTH = 6, LATTICE_CELLS = 1 << LATTICE_DEPTH };

// Which edges carry a river: a bit a column, a word a row.
typedef struct RiverBits {
    uint64_t across[LATTICE_CELLS + 1], left[LATTICE_CELLS], diagonals[LATTICE_CELLS];
    uint64_t right; // of the last column, a bit a row
} RiverBits;

// Cells of a lattice: columns left … right - 1 and rows top … bottom - 1.
typedef struct CellArea {
    int left, right, top, bottom;
} CellArea;

static inline CellArea area_of_all(int cells) {
    return (CellArea){ 0, cells, 0, cells };
}

// A bit a column.
static inline uint64_t area_columns(CellArea area) {
    return UINT64_MAX >> (64 - (area.right - area.left)) << area.left;
}

// A cell's top and left edge, and its diagonal.
typedef enum EdgeKind { EDGE_ACROSS, EDGE_DOWN, EDGE_DIAGONAL, EDGE_KINDS } EdgeKind;

typedef struct LatticeCrossing {
    int64_t altitude;
    float basin;
    uint8_t forwards; // not a bool, for it is read where there is no river, too
} LatticeCrossing;

enum { LATTICE_VERTICES = (LATTICE_CELLS + 1) * (LATTICE_CELLS + 1) };

// `cells` in a row; vertices in rows of cells + 1. Altitudes are whole numbers: narrow ones, of which vectors
// hold twice as many, where ground is not steep, and else doubles, which hold those of all but the steepest
// cliffs and go through vectors as quickly as integers.
typedef struct Lattice {
    int cells;
    CellArea area; // what was asked for: vertices and rivers elsewhere are nonsense
    bool is_narrow;
    union {
        int32_t narrow[LATTICE_VERTICES];
        double wide[LATTICE_VERTICES];
    };
    uint32_t seeds[LATTICE_VERTICES];
    RiverBits rivers; // crossings are set where it says: of the cell right of and below each vertex
    LatticeCrossing crossings[LATTICE_VERTICES * EDGE_KINDS];
} Lattice;

static inline int64_t lattice_altitude(const Lattice *lattice, int vertex) {
    return lattice->is_narrow ? lattice->narrow[vertex] : whole_64(lattice->wide[vertex]);
}

// Where the crossing of an edge is kept.
static inline int lattice_edge(const Lattice *lattice, EdgeKind kind, int x, int y) {
    return EDGE_KINDS * (y * (lattice->cells + 1) + x) + (int)kind;
}

// The right edges of row y of cells that carry a river.
static inline uint64_t river_right_edges(const RiverBits *rivers, int cells, int y) {
    return rivers->left[y] >> 1 | (rivers->right >> y & 1) << (cells - 1);
}

// The cells of row y that one touches.
static inline uint64_t river_cells(const RiverBits *rivers, int cells, int y) {
    return rivers->across[y] | rivers->across[y + 1] | rivers->left[y] | river_right_edges(rivers, cells, y) |
           rivers->diagonals[y];
}

// Two lattices, a coarser and a finer one, used alternately; or two of a cliff.
typedef union LatticePair {
    Lattice at[2];
    CliffPair cliffs;
} LatticePair;

// Cuts `square` `depth` times, 1 to LATTICE_DEPTH, and returns the lattice, which lies in `pair`. Its
// altitudes count from the square's base, in the finest depth's units. `area`, of cells, is not empty.
const Lattice *lattice_fill(const Constants *constants, const Square *square, int depth, CellArea area,
                            LatticePair *pair);

// Whether doubles surely hold the altitudes of the lattice after `depth` cuts of the square.
bool lattice_holds(const Square *square, int depth);

// What is done with the lattices of a square; x and y: cells from the square's upper left corner, and those
// given to begin with.
typedef struct LatticeVisitor {
    void (*lattice)(void *context, const Square *square, const Lattice *lattice, int x, int y);
    void (*cell)(void *context, const Square *cell, int x, int y);

    // NULL: only rivers count, and there are none.
    void (*cliff)(void *context, const Square *square, const CliffLattice *lattice, int x, int y);
} LatticeVisitor;

// The cells of a square in `area`, 0 to LATTICE_DEPTH cuts deep: as one lattice; where a cliff is too high
// for that, as a lattice of a cliff, or its quarters, down to the cells along rivers and their sources.
void lattice_visit(const Constants *constants, const Square *square, int depth, CellArea area,
                   LatticePair *pair, const LatticeVisitor *visitor, void *context, int x, int y);

// Cell (x, y) of a lattice as a square. `place`: depth, first cell and base of the lattice.
Square lattice_square(const Lattice *lattice, const Square *place, int x, int y);

// The place of a lattice `depth` cuts deep in a square.
Square lattice_place(const Square *square, int depth);

#endif
