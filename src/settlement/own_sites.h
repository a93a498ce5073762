// The places of a map's author on the grids of a search.

#ifndef ESKER_SETTLEMENT_OWN_SITES_H
#define ESKER_SETTLEMENT_OWN_SITES_H

#include "settlement/suitability.h"

enum { OWN_MOVE = 8 }; // pixels that a place is away at most where its own one is water

// The level of one of the map's own places. It is fine enough that none with more people is within the
// radius. Where all other places are, too, it also has places with so many people.
int own_level(const Settlement *settlement, const OwnPlace *place);

// The pixel of a place on its face.
void own_pixel(const OwnPlace *place, int bits, int *x, int *y);

// Where it is on a grid: that pixel, or the nearest one that is dry, within OWN_MOVE.
void find_own_pixel(const Grid *grid, const OwnPlace *place, int *x, int *y);

// Whether a place of a level would be too near to one of the map's own.
bool is_near_own(const Settlement *settlement, const Site *site);

// Whether one of the map's own places has the name.
bool is_own_name(const Settlement *settlement, const char *name);

#endif
