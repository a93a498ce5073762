// The cell of a field in a triangle that is farthest from the triangle's plane.

#ifndef ESKER_FARTHEST_CELL_H
#define ESKER_FARTHEST_CELL_H

#include "mesh/refinement.h"

static inline int64_t doubled_area(GridPoint a, GridPoint b, GridPoint c) { // positive: clockwise
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(c.x - a.x) * (b.y - a.y);
}

// Corners clockwise with y down, not in one line. Returns the distance in heights, 0 if there is no cell
// besides the corners or all lie in the plane.
double find_farthest_cell(const Field *field, const GridPoint corners[3], GridPoint *farthest);

#endif
