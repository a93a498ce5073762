// How near a pixel is to places, around which farmland lies. Each place has a circle whose size goes with the
// squares of its level, where it is on the level's own grid: so every window finds the same.

#ifndef ESKER_FARMS_H
#define ESKER_FARMS_H

#include "core/vector.h"
#include "settlement/built.h"
#include "settlement/towns.h"

typedef struct Farm {
    double x, y;   // its middle, in shares of the map's side
    double radius; // the same
} Farm;

typedef struct Farms { // zeroed: none
    int count, room;
    Farm *at;
    float mean; // about how near pixels of good ground are
} Farms;

// Finds those that reach into a rectangle of the map, of places that a window with so many pixels along the
// map shows, and the ground that towns cover; either may be NULL. Maps without places, planets, have none.
// Both are freed also after a failure.
Status farms_find(Farms *farms, Built *built, const RiverMap *map, const Int128 corners[4], double pixels,
                  const Run *run, Error *error);
void farms_free(Farms *farms);

// How near the pixels of a row are, from 0 at the edge of a circle to 1 in its middle.
void farms_near(const Farms *farms, const Vec3 *places, int count, float *near);

#endif
