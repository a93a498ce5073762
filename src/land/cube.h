// The cells of a planet: six square grids, the faces of a cube. Beyond an edge a face's grid goes on over the
// face across, whose columns and rows may be turned against it.

#ifndef ESKER_CUBE_H
#define ESKER_CUBE_H

#include "core/whole.h"

#include <stdbool.h>

enum { CUBE_FACES = 6, CUBE_EDGES = 4 }; // front, right, back, left, top, bottom; right, lower, left, upper

typedef struct CubeCell {
    int face;
    Int128 x, y;
    int turn; // quarters clockwise by which directions have turned on the way here
} CubeCell;

// The face across an edge.
int cube_across(int face, int edge);

// Moves a cell that lies beyond an edge of its face, by less than a side, to the face across, whose sides
// have so many cells; false for one beyond two edges, where no face lies.
bool cube_resolve(Int128 side, CubeCell *cell);

// A direction (rivers/drainage.h) as it is after so many quarters clockwise.
static inline int turned_direction(int direction, int quarters) {
    return (direction + 2 * quarters) & 7;
}

#endif
