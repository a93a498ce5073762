// Finds where a network's rivers cross each other, ridges or the boundary.

#ifndef ESKER_CROSSINGS_H
#define ESKER_CROSSINGS_H

#include "rivers/network.h"

typedef struct Crossings {
    int count, room;
    Vec2 *at; // in cells; freed by crossings_free
} Crossings;

// Lines that share an end do not count, nor do mouths on the boundary.
Status crossings_find(const RiverNetwork *network, Crossings *crossings, Error *error);

void crossings_free(Crossings *crossings);

#endif
