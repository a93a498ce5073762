// Roads between the places of a zoomable map.
//
// On the grid of each level, places that are neighbours are joined by a road of least cost, which prefers the
// roads of coarser levels. Finer grids draw it anew. So a road is a function of the boxes around its ends and
// its gates, and every window finds the same.

#ifndef ESKER_SETTLEMENT_ROADS_H
#define ESKER_SETTLEMENT_ROADS_H

#include "settlement/road_network.h"

// Finds the roads of levels 0 to `level` in a region of the map and a few pixels around it, and shows the
// last grids, those of `bits`, to the visitor.
// `lanes`: those of ships between harbours, too, which the visitor is shown next, with the grids as sea.
typedef Status RoadsVisitor(void *context, const Grids *grids, const Network *network, Error *error);
Status find_roads(const Settlement *settlement, const Region *region, int level, int bits, bool lanes,
                  RoadsVisitor *visitor, void *context, Error *error);

#endif
