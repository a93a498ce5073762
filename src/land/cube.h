// The cells of a planet: six square grids, the faces of a cube. A cell beyond an edge of a face is a cell of
// the adjacent face, whose columns and rows may be rotated.

#ifndef ESKER_CUBE_H
#define ESKER_CUBE_H

#include "core/whole.h"

#include <stdbool.h>

enum { CUBE_FACES = 6, CUBE_EDGES = 4 }; // front, right, back, left, top, bottom; right, lower, left, upper

typedef struct CubeCell {
    int face;
    Int128 x, y;
    int turn; // rotation of directions since the original face, in clockwise quarter turns
} CubeCell;

// Moves a cell beyond an edge of its face (by less than `side`, the cells along a face's side) to the
// adjacent face. Returns false for a cell beyond two edges: no face contains it.
bool cube_resolve(Int128 side, CubeCell *cell);

// Rotates a direction (water/drainage.h) by clockwise quarter turns.
static inline int turned_direction(int direction, int quarters) {
    return (direction + 2 * quarters) & 7;
}

#endif
