// The right-angled tiling (section 2) as squares: a square is two triangles whose long edge is its diagonal.
// Cutting the diagonals and then the sides makes four squares of half the side. The diagonal of the square in
// column i, row j runs from upper left to lower right where i + j is even, and the other way where it is odd.

#ifndef ESKER_SQUARE_H
#define ESKER_SQUARE_H

#include "rivermap/tiling.h"

#include <stdbool.h>
#include <stdint.h>

enum { TOP, RIGHT, BOTTOM, LEFT };
enum { UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT };

// Crossings: `forwards` means eastwards through left, right and diagonal, southwards through top and bottom.
typedef struct Square {
    int depth;     // its side is 2^-depth of the map's
    Int128 base;   // altitudes count from it, in units of 2^-depth / UNITS_PER_CELL
    uint64_t x, y; // modulo 2^64: its place among the squares of its depth
    bool rising;   // the diagonal: from lower left to upper right
    Vertex corners[4];
    Crossing sides[4], diagonal;
} Square;

// The map's whole square.
Square first_square(const RiverMap *map);

// The constants' altitudes as seen from the square's base.
Scales square_scales(const Constants *constants, int depth, Int128 base);

// Its quarters, in the order of the corners.
void square_split(const Constants *constants, const Square *square, Square quarters[4]);

// Of the triangle above or below the diagonal: its top or bottom edge, its left or right one, and the
// diagonal.
typedef struct SquareEdge {
    Crossing crossing;
    int first, second; // corners, from west to east or from north to south
    bool out;          // the river leaves the triangle
} SquareEdge;

// Returns whether the triangle lies east of the diagonal.
bool square_triangle(const Square *square, bool lower, SquareEdge edges[3]);

// The result of cutting a square, in its own units and relative to its own base: two by two smaller squares,
// nine vertices in rows of three, the edges between them, and the square's sides as they were.
enum { CENTRE = 4 };
enum { ACROSS = 0, DOWN = 6, SPOKES = 12, UNCUT = 16 }; // in rows of two; of three; by corner; by side

typedef struct Pieces {
    Vertex vertices[9];
    Crossing edges[20];
} Pieces;

// Of `square`, depth, base and position are used only with a guide.
Pieces square_cut(const Constants *constants, const Scales *scales, const Square *square);

// Of the triangles that the square's diagonal makes, which are larger than those at its sides.
Scales spoke_scales(const Scales *scales);

// An edge of a square that is cut: its ends in reading order, the vertex at its middle, and its halves.
typedef struct LongEdge {
    uint8_t first, second, middle, halves[2];
} LongEdge;

extern const LongEdge square_sides[4], square_diagonals[2]; // the second one rises

// A new edge from a corner or the centre to a cut, and the triangle that it halves: V0 … V3, e1, e2, e4 and
// e5 of rules.h, and whether each of these is turned where `forwards` is to lead out of the triangle.
typedef struct ShortEdge {
    uint8_t vertices[4], edges[4];
    bool turned[4];
    uint8_t edge;
} ShortEdge;

// In the order in which they are found: those to the centre, in a square whose diagonal falls or rises,
// then those from the centre to the sides.
enum { SHORT_EDGES = 6, SPOKES_FOUND = 2 };
extern const ShortEdge square_short_edges[2][SHORT_EDGES];

// What an edge of UNITS_PER_CELL, and the diagonal of such a square, add to a displacement.
static inline float side_step(const Constants *constants) {
    return constants->k1 * (float)UNITS_PER_CELL;
}

static inline float diagonal_step(const Constants *constants) {
    return constants->k1 * ((float)UNITS_PER_CELL * 1.41421356f);
}

#endif
