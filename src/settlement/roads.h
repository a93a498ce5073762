// Roads between the places of a zoomable map.
//
// On the grid of each level, places that are neighbours are joined by a road of least cost, which prefers the
// roads of coarser levels. Finer grids draw it anew. So a road is a function of the boxes around its ends and
// its gates, and every window finds the same.

#ifndef ESKER_SETTLEMENT_ROADS_H
#define ESKER_SETTLEMENT_ROADS_H

#include "settlement/road_network.h"

// Finds the roads of levels 0 to `level` in a rectangle of the map and a few pixels around it, and shows the
// last grid, that of `bits`, to the visitor.
// `lanes`: those of ships between harbours, too, which the visitor is shown next, with the grid as sea.
typedef Status RoadsVisitor(void *context, const Grid *grid, const Network *network, Error *error);
Status find_roads(const Settlement *settlement, const Int128 corners[4], int level, int bits, bool lanes,
                  RoadsVisitor *visitor, void *context, Error *error);

#endif
