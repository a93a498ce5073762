// The apparent depth of the sea: the depth of the floor inside the field, of the nearby border just beyond
// it, and a uniform depth far away.

#ifndef ESKER_OPEN_SEA_H
#define ESKER_OPEN_SEA_H

#include "picture/max_pyramid.h"

typedef struct OpenSea {
    const MaxPyramid *pyramid;
    double *sums; // of the border's cells, clockwise from the upper left corner: of the first 0, 1, 2, …
    int count;    // cells of the border
    double far;   // the value far away
} OpenSea;

// Freed by open_sea_free, also after a failure.
Status open_sea_create(OpenSea *sea, const MaxPyramid *pyramid, Error *error);

void open_sea_free(OpenSea *sea);

// 1 where the sea has no depth, approaching 0 with depth.
double shallow_at(const OpenSea *sea, double x, double y);

#endif
