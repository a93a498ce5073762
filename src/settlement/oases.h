// The green belts of rivers in dry land. A river's water reaches the level ground beside it, the farther the
// more water it has. It spreads on a grid whose pixels are no finer than OASIS_METRES, so that belts are wide
// at any zoom and depend on a few pixels around.

#ifndef ESKER_OASES_H
#define ESKER_OASES_H

#include "climate/climate.h"
#include "core/vector.h"
#include "settlement/grid.h"

#define OASIS_METRES 250.0

typedef struct Oases { // zeroed: none
    GridBox box;
    int bits;
    float *green; // of each pixel, 0 to 1
} Oases;

// Finds those in a rectangle of a flat map, for a window with so many pixels along the map. There are none
// where it rains enough, and on maps whose rivers do not depend on rain. oases_free is called also after a
// failure.
Status oases_find(Oases *oases, const RiverMap *map, const Climate *climate, const Int128 corners[4],
                  double pixels, const Run *run, Error *error);
void oases_free(Oases *oases);

// How green the ground of a row's pixels is for its rivers, 0 to 1.
void oases_row(const Oases *oases, const Vec3 *places, int count, float *green);

#endif
