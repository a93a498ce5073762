// The parcels of farmland: strips of them side by side, in regions with a direction of their own.

#ifndef ESKER_FARMLAND_H
#define ESKER_FARMLAND_H

#include "core/random.h"
#include "core/vector.h"

#include <stdbool.h>

#define PARCEL_METRES 180.0 // about the side of one

// The parcel at a place.
typedef struct Parcel {
    float chosen;         // at random, 0 to 1: whether it is tilled
    float use;            // the same: what grows there
    float edge;           // metres to its nearest edge
    Vec3 middle;          // as `at`; near it on a planet
    double along, across; // the place in its region, along strips and across them, metres
} Parcel;

// `at`: metres; on a planet from its middle.
Parcel parcel_at(RandomKey key, Vec3 at, bool planet);

#endif
