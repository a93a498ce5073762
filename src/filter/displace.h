// Displacement of a field: each cell takes the height, bilinear between four cells, at another place.

#ifndef ESKER_DISPLACE_H
#define ESKER_DISPLACE_H

#include "core/field.h"

// `result` first holds displacements to the right, then the heights. Displacements count as
// (value - still) · reach cells.
typedef struct Displacement {
    const Field *height;
    Field *result;
    float still, reach;
    bool wraps; // else the field is mirrored beyond its edges
} Displacement;

// Displaces `count` cells from (x, y) on; `down` has their displacements down.
void displace_part(const Displacement *displacement, int x, int y, int count, const float *down);

#endif
