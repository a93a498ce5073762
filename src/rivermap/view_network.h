// Networks of a window of a map.

#ifndef ESKER_VIEW_NETWORK_H
#define ESKER_VIEW_NETWORK_H

#include "rivermap/view.h"
#include "rivers/network.h"

// Sets where a network lies on its map, whose points are in pixels of the view, and their altitudes, which
// are in map units, to the unit of heights.
void view_place_network(const View *view, RiverNetwork *network);

#endif
