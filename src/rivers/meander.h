// Rivers that wind: smooth curves through the points of a network, bent by a field of displacements.

#ifndef ESKER_MEANDER_H
#define ESKER_MEANDER_H

#include "rivers/network.h"

// A copy with more points, or NULL for want of memory. `amount` 0: curves only; 1: as bent as meanders mostly
// are. No river crosses a ridge, another river or the boundary that did not before.
RiverNetwork *network_meander(const RiverNetwork *network, double amount, uint64_t seed, Error *error);

#endif
