// The places of windows that a map was asked for last: roads find them all, and places need not do so again.

#ifndef ESKER_KEPT_SITES_H
#define ESKER_KEPT_SITES_H

#include "settlement/towns.h"

// Keeps the places in a region and SITES_MARGIN pixels of the grid of `bits` around it, in their order.
void keep_sites(const Settlement *settlement, const Region *region, int level, int bits, const Sites *sites);

// Adds those that are kept. `found`: whether they are.
Status find_kept_sites(const Settlement *settlement, const Region *region, int level, int bits, Sites *sites,
                       bool *found, Error *error);

#endif
