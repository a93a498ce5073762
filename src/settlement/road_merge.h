// New roads of a level that run side by side become one.
//
// Each is searched alone, so that two may lie a pixel or three from each other for a while: at towns, and
// where they join a third. A point of a road moves onto the first of those roads that is near. Where it is
// decided by roads nearby alone, as they were searched, all windows agree.

#ifndef ESKER_SETTLEMENT_ROAD_MERGE_H
#define ESKER_SETTLEMENT_ROAD_MERGE_H

#include "settlement/road_network.h"

enum {
    MERGE_NEAR = 3,   // pixels from a road onto which another one moves
    MERGE_MOVES = 2,  // a road that moved, too
    MERGE_REACH = 24, // pixels around on which a merged road depends: its moves, ways along others, and rungs
    MERGED_POINTS = 4 * ROAD_PIXELS, // of a merged road
};

typedef struct RoadMerge {
    const RoadGrounds *grounds;
    const RoadSearches *searches;
    Cells cells;
    int *owners;  // of each cell 1 + the first search whose road it is on; 0: none
    int *indices; // and which of its pixels it is
} RoadMerge;

// road_merge_close is called also after a failure.
Status road_merge_open(RoadMerge *merge, const Cells *cells, const RoadGrounds *grounds,
                       const RoadSearches *searches, Error *error);
void road_merge_close(RoadMerge *merge);

// The points of a search's road where it is merged with those before it; returns how many there are.
int merge_road(const RoadMerge *merge, int search, const RoadPoint *points, int count,
               RoadPoint merged[MERGED_POINTS]);

#endif
