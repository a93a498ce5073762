// The roads of grids: stretches from pixel to pixel, and where they meet. A stretch is on the grid of one
// face, and may go on beyond an edge of it. Pixels where roads lead are those of the faces.

#ifndef ESKER_SETTLEMENT_ROAD_NETWORK_H
#define ESKER_SETTLEMENT_ROAD_NETWORK_H

#include "settlement/road_search.h"

// The pixels of all faces of grids, as numbers.
typedef struct Cells {
    int bits;
    bool round;
    GridBox on[CUBE_FACES];
    ptrdiff_t first[CUBE_FACES], count;
} Cells;

Cells cells_of_grids(const Grids *grids);

// The number of a pixel of a face's grid, which may lie beyond an edge. `turn`: quarter turns of directions
// from the grid to there. -1: it is not among them.
ptrdiff_t cell_beyond_edge(const Cells *cells, int face, int x, int y, int *turn);

static inline ptrdiff_t cell_number(const Cells *cells, int face, int x, int y, int *turn) {
    const GridBox *box = &cells->on[face];
    *turn = 0;
    return box_holds(box, x, y) ? cells->first[face] + (ptrdiff_t)box_index(box, x, y)
           : cells->round       ? cell_beyond_edge(cells, face, x, y, turn)
                                : -1;
}

// A pixel of a road.
typedef struct RoadPoint {
    int x, y;
    bool gate; // the next grid draws the road through it
    Vec2 at;   // where the road leads, in pixels of the grid: set by network_smooth
} RoadPoint;

// A stretch of road that belongs to one pair of places; where roads run together it is the first one's.
typedef struct Stretch {
    int first, count; // points
    int face;         // of the grid whose pixels they are
    int level;
    Site from, to; // places; their pixels are those of the level's grid
} Stretch;

typedef struct Network { // zeroed: there is none
    Cells cells;
    uint8_t *links; // of each cell: bits of the ways that roads lead on
    bool *joints;   // and whether a stretch ends there, or a place is
    int count, room, point_count, point_room;
    Stretch *at;
    RoadPoint *points;
} Network;

// Without roads. network_free is called also after a failure.
Status network_create(Network *network, const Grids *grids, Error *error);
void network_free(Network *network);

// Adds those steps of a road that no road has yet, as stretches.
Status add_road(Network *network, const RoadPoint *points, int count, const Stretch *of, Error *error);

// Whether roads lead from a pixel of a face's grid to another one in so many steps, at most NETWORK_STEPS.
enum { NETWORK_STEPS = 12 };
bool are_linked(const Network *network, int face, RoadPixel from, RoadPixel to, int steps);

// The ways on which roads lead from a pixel of a face's grid, as bits.
int links_at(const Network *network, int face, int x, int y);

// Whether a pixel of a road stays where it is: roads meet or end there, or a place is.
bool is_joint(const Network *network, int face, int x, int y);

// Roads meet or end there, or a place is.
void set_joint(Network *network, int face, int x, int y);

// The grounds of all grids that are drawn. `network`: roads that matter; NULL: none do (road_ground_open).
Status road_grounds_open(RoadGrounds *grounds, const Settlement *settlement, const Grids *grids,
                         const Network *network, bool open_water, Error *error);
void road_grounds_close(RoadGrounds *grounds);

// Sets where roads lead: at means of points around, so that steps from pixel to pixel do not show. A mean
// depends on SMOOTHED points on each side at most, and on none beyond a joint. Points on land stay there.
enum { SMOOTHED = 5 };
void network_smooth(Network *network, const Grids *grids);

#endif
