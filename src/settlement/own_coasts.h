// Islands and bays that edits make are on all grids, though only the levels from their own on draw them: else
// places on an island would lie in the sea of coarse grids, and lanes that were found there would cross it.

#ifndef ESKER_SETTLEMENT_OWN_COASTS_H
#define ESKER_SETTLEMENT_OWN_COASTS_H

#include "settlement/grid.h"

// Of a face's own pixels.
void show_coasts(Grid *grid, const RiverMap *map);

#endif
