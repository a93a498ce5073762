// The region in which rivers may grow: a polygon, or the cells of a mask. Positions are in map units: the
// window's longer side is 1, (0, 0) its upper left corner.

#ifndef ESKER_BOUNDARY_H
#define ESKER_BOUNDARY_H

#include "core/error.h"
#include "core/field.h"
#include "core/vector.h"

#include <stdbool.h>
#include <stddef.h>

// Land rises from a coast over so many map units as from a valley's floor: a beach.
#define BEACH 0.008

typedef struct Boundary {
    int corner_count; // of a polygon; 0: a mask
    Vec2 *corners;
    bool convex;
    bool coast; // beyond it lies the sea, not the world beyond the picture
    // A mask: distances to its edge at the centres of its cells, in map units, negative outside.
    int columns, rows;
    double cell; // its side
    float *shore;
} Boundary;

// Whether the lines from a to b and from c to d have a point in common.
bool lines_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

// The place on the line from a to b that is nearest: the share of the way from a.
double nearest_on_line(Vec2 a, Vec2 b, Vec2 spot);

// The distance to the edge, negative outside.
double boundary_distance(const Boundary *boundary, Vec2 spot);

// The place on the edge nearest to one inside.
Vec2 boundary_nearest(const Boundary *boundary, Vec2 spot);

// Whether the line between two places inside stays inside.
bool boundary_holds(const Boundary *boundary, Vec2 from, Vec2 to);

double boundary_area(const Boundary *boundary);

// Fails where a polygon has no area or crosses itself.
Status boundary_check(const Boundary *boundary, Error *error);

// The distances of a mask, inside where it is over one half; beyond the field is outside. `shore` has
// mask->width × mask->height elements. Fails for want of memory, or where nothing is inside.
Status boundary_measure_mask(Boundary *boundary, const Field *mask, Error *error);

// The same land as distances on a grid over a window of so many map units, which are quick to ask for:
// corners are rounded by less than a thousandth. A mask is shared. Freed by boundary_sample_free.
Status boundary_sample(Boundary *sample, const Boundary *boundary, double width, double height, Error *error);

void boundary_sample_free(Boundary *sample, const Boundary *boundary);

// As part of a block of memory: how large, and a copy into it.
size_t boundary_size(const Boundary *boundary);
void boundary_copy(Boundary *to, const Boundary *from, void *room);

#endif
