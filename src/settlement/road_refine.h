// A grid's roads drawn anew on the next grid, whose pixels are half as wide.
//
// Each stretch has gates: its ends, and in between a point in every 5 to 8. The finer road is searched from
// gate to gate. Those in between are let go then, and new ones are chosen in between again. So corners at
// gates are cut from grid to grid, as Chaikin's curves do, and a road depends on the boxes nearby alone.

#ifndef ESKER_SETTLEMENT_ROAD_REFINE_H
#define ESKER_SETTLEMENT_ROAD_REFINE_H

#include "settlement/road_network.h"

// `before`: the roads of the grid before, of which those in `needed` are drawn. Those are right that are
// REFINE_REACH pixels farther from the parts of `before` that are wrong. network_free frees what was made,
// also after a failure.
enum {
    GATES_APART = 6,
    REFINE_MARGIN = 6,
    GATE_MOVES = 4,                               // pixels, away from a river
    LAKE_MOVES = 10,                              // and out of a lake that the grid before does not show
    GATES_FAR = 4 * GATES_APART + 2 * LAKE_MOVES, // pixels between two at most
    REFINE_BOX = GATES_FAR + 2 * REFINE_MARGIN,   // the side of a search's box
    REFINE_REACH = GATES_FAR + REFINE_MARGIN + 2 * SMOOTHED
};
Status refine_roads(const Settlement *settlement, const Network *before, const Grid *grid, const Sites *sites,
                    const GridBox *needed, Network *made, Error *error);

// The points of a road with its gates: those after `count` of them, whose last is the first of the road.
int put_road(const Grid *grid, const RoadPixel *road, int road_count, RoadPoint *points, int count);

static inline bool boxes_touch(const GridBox *a, const GridBox *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

#endif
