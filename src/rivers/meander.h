// Meandering rivers: smooth curves through the points of a network, bent by a displacement field.

#ifndef ESKER_MEANDER_H
#define ESKER_MEANDER_H

#include "rivers/network.h"

// Makes a copy with more points in `bent`. `amount` 0: smooth curves only; 1: typical meanders. No river
// crosses a ridge, another river or the boundary that it did not cross before. Uses the call's seed and
// stop flag.
Status network_meander(const RiverNetwork *network, double amount, const Call *call, RiverNetwork **bent,
                       Error *error);

#endif
