// Roads between the places of a zoomable map.
//
// On the grid of each level, places that are neighbours are joined by a road of least cost, which prefers the
// roads of coarser levels. Finer grids draw it anew between gates: pixels of it that stay. So a road is a
// function of the boxes around its ends and its gates, and every window finds the same.

#ifndef ESKER_SETTLEMENT_ROADS_H
#define ESKER_SETTLEMENT_ROADS_H

#include "settlement/road_search.h"

// A pixel of a road; `gate`: finer grids keep it, and roads join there.
typedef struct RoadPoint {
    int x, y;
    bool gate;
} RoadPoint;

// A stretch of road that belongs to one pair of places; where roads run together it is the first one's.
typedef struct Stretch {
    int first, count; // points
    int level;
    Site from, to; // places; their pixels are those of the level's grid
} Stretch;

typedef struct Roads { // zeroed: empty
    int count, room, point_count, point_room;
    Stretch *at;
    RoadPoint *points;
} Roads;

void roads_free(Roads *roads);

// Finds the roads of levels 0 to `level` in a rectangle of the map and a few pixels around it, and shows the
// last grid, that of `bits`, to the visitor. `links`: of each of its pixels, bits of the ways that roads lead
// on.
typedef Status RoadsVisitor(void *context, const Grid *grid, const Roads *roads, const uint8_t *links,
                            Error *error);
Status find_roads(const Settlement *settlement, const Int128 corners[4], int level, int bits,
                  RoadsVisitor *visitor, void *context, Error *error);

#endif
