// A grid's roads drawn anew on the next grid, whose pixels are half as wide.
//
// Each stretch has gates: its ends, and in between a point in every 5 to 8. The finer road is searched from
// gate to gate. Those in between are let go then, and new ones are chosen in between again. So corners at
// gates are cut from grid to grid, as Chaikin's curves do, and a road depends on the boxes nearby alone.

#ifndef ESKER_SETTLEMENT_ROAD_REFINE_H
#define ESKER_SETTLEMENT_ROAD_REFINE_H

#include "settlement/road_network.h"

// `before`: the roads of the grids before, of which those in `needed` are drawn: boxes of the grid of each
// face. Those are right that are
// REFINE_REACH pixels farther from the parts of `before` that are wrong. network_free frees what was made,
// also after a failure.
enum {
    GATES_APART = 6,
    GATES_MOST = 12, // points between two at most: where there is none for longer, a point is one
    REFINE_MARGIN = 6,
    GATE_MOVES = 4,  // pixels, away from a river
    LAKE_MOVES = 10, // and out of a lake that the grid before does not show
    REFINE_BOX = 51, // the side of a search's box: margins are narrower where its ends are far apart
    REFINE_REACH = REFINE_BOX + 2 * SMOOTHED
};
// Ends are means of up to 11 points around them, so that two may be 30/11 points farther apart than points: 6
// pixels, with what is lost to whole ones.
_Static_assert(2 * GATES_MOST + 6 + 2 * LAKE_MOVES < REFINE_BOX, "the ends of a search are in its box");
Status refine_roads(const Settlement *settlement, const Network *before, const Grids *grids,
                    const Sites *sites, const GridBox needed[CUBE_FACES], Network *made, Error *error);

// The points of a road with its gates: those after `count` of them, whose last is the first of the road.
int put_road(const Grid *grid, const RoadPixel *road, int road_count, RoadPoint *points, int count);

static inline bool boxes_touch(const GridBox *a, const GridBox *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

#endif
