// Meandering rivers: smooth curves through the points of a network, bent by a displacement field.

#ifndef ESKER_MEANDER_H
#define ESKER_MEANDER_H

#include "rivers/network.h"

// A copy with more points in `bent`. `amount` 0: curves only; 1: as bent as meanders mostly are. No river
// crosses a ridge, another river or the boundary that did not before. The seed and what may stop it are the
// call's.
Status network_meander(const RiverNetwork *network, double amount, const Call *call, RiverNetwork **bent,
                       Error *error);

#endif
