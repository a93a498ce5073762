// The region in which rivers may grow: a polygon, or the cells of a mask. Positions are in map units: the
// window's longer side is 1, (0, 0) its upper left corner.

#ifndef ESKER_BOUNDARY_H
#define ESKER_BOUNDARY_H

#include "core/error.h"
#include "core/field.h"
#include "core/vector.h"

#include <stdbool.h>
#include <stddef.h>

// The width of a beach in map units, over which land rises from a coast as from a valley's floor.
#define BEACH 0.008

typedef struct Boundary {
    int corner_count; // of a polygon; 0: a mask
    Vec2 *corners;
    bool convex;
    bool coast; // the sea is beyond it, not the world outside the picture
    // A mask: distances to its edge at the centres of its cells, in map units, negative outside.
    int columns, rows;
    double cell; // its side
    float *shore;
} Boundary;

// Whether the lines from a to b and from c to d have a point in common.
bool lines_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

// The point nearest to a position on the line from a to b, as a share of the line.
double nearest_on_line(Vec2 a, Vec2 b, Vec2 spot);

// The distance to the edge, negative outside.
double boundary_distance(const Boundary *boundary, Vec2 spot);

// The point of the edge nearest to a position inside.
Vec2 boundary_nearest(const Boundary *boundary, Vec2 spot);

// Whether the line between two positions inside stays inside.
bool boundary_holds(const Boundary *boundary, Vec2 from, Vec2 to);

double boundary_area(const Boundary *boundary);

// Fails where a polygon has no area or crosses itself.
Status boundary_check(const Boundary *boundary, Error *error);

// The distances of a mask, whose inside is above one half; beyond the field is outside. `shore` has
// mask->width × mask->height elements. Fails if memory runs out or nothing is inside.
Status boundary_measure_mask(Boundary *boundary, const Field *mask, Error *error);

// The same land sampled as distances on a grid over a window of the given size in map units, for fast
// lookup: corners are rounded by less than a thousandth. A mask is shared. Freed by boundary_sample_free.
Status boundary_sample(Boundary *sample, const Boundary *boundary, double width, double height, Error *error);

void boundary_sample_free(Boundary *sample, const Boundary *boundary);

// Its size as part of a block of memory, and a copy into it.
size_t boundary_size(const Boundary *boundary);
void boundary_copy(Boundary *to, const Boundary *from, void *room);

// Ridges: centripetal Catmull-Rom splines through given points, as lines that no tributary crosses.

// Writes `resolution` + 1 points along the spline from b to c to `places`; a and d control the tangents at
// its ends (Speirs 2020, section 4.1; Catmull and Rom 1974; centripetal: Yuksel, Schaefer and Keyser 2011).
void ridge_span(Vec2 a, Vec2 b, Vec2 c, Vec2 d, int resolution, Vec2 *places);

#endif
