// The roads of a grid: stretches from pixel to pixel, and where they meet.

#ifndef ESKER_SETTLEMENT_ROAD_NETWORK_H
#define ESKER_SETTLEMENT_ROAD_NETWORK_H

#include "settlement/road_search.h"

// A pixel of a road.
typedef struct RoadPoint {
    int x, y;
    bool gate; // the next grid draws the road through it
    Vec2 at;   // where the road leads, in pixels of the grid: set by network_smooth
} RoadPoint;

// A stretch of road that belongs to one pair of places; where roads run together it is the first one's.
typedef struct Stretch {
    int first, count; // points
    int level;
    Site from, to; // places; their pixels are those of the level's grid
} Stretch;

typedef struct Network { // zeroed: there is none
    GridBox box;         // the grid's
    uint8_t *links;      // of its pixels: bits of the ways that roads lead on
    bool *joints;        // and whether a stretch ends there, or a place is
    int count, room, point_count, point_room;
    Stretch *at;
    RoadPoint *points;
} Network;

// Without roads. network_free is called also after a failure.
Status network_create(Network *network, const GridBox *box, Error *error);
void network_free(Network *network);

// Adds those steps of a road that no road has yet, as stretches.
Status add_road(Network *network, const RoadPoint *points, int count, const Stretch *of, Error *error);

// Whether roads lead from a pixel to another one in so many steps, at most NETWORK_STEPS.
enum { NETWORK_STEPS = 12 };
bool are_linked(const Network *network, RoadPixel from, RoadPixel to, int steps);

// Whether a pixel of a road stays where it is: roads meet or end there, or a place is.
bool is_joint(const Network *network, int x, int y);

// Sets where roads lead: at means of points around, so that steps from pixel to pixel do not show. A mean
// depends on SMOOTHED points on each side at most, and on none beyond a joint. Points on land stay there.
enum { SMOOTHED = 5 };
void network_smooth(Network *network, const Grid *grid);

#endif
