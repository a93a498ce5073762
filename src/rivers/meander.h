// Meandering rivers: smooth curves through the points of a network, bent by a displacement field.

#ifndef ESKER_MEANDER_H
#define ESKER_MEANDER_H

#include "rivers/network.h"

// Finds where a network's rivers cross each other, ridges or the boundary.
typedef struct Crossings {
    int count, room;
    Vec2 *at; // in cells; freed by crossings_free
} Crossings;

// Lines that share an end do not count, nor do mouths on the boundary.
Status crossings_find(const RiverNetwork *network, Crossings *crossings, Error *error);

void crossings_free(Crossings *crossings);

// Makes a copy with more points in `bent`. `amount` 0: smooth curves only; 1: typical meanders. No river
// crosses a ridge, another river or the boundary that it did not cross before. Uses the call's seed and
// stop flag.
Status network_meander(const RiverNetwork *network, double amount, const Call *call, RiverNetwork **bent,
                       Error *error);

#endif
