// Roads of least cost from pixel to pixel of a grid, within a box (Galin et al. 2010, "Procedural generation
// of roads"). A step of length L that rises by s per length costs
//
//     L (1 + (s / 0.3)²) (mean of both pixels' prices)
//
// where slopes are as steep as the ground's own. A pixel's price is 1, less where there is a road already,
// and more in rivers, by their width.

#ifndef ESKER_SETTLEMENT_ROAD_SEARCH_H
#define ESKER_SETTLEMENT_ROAD_SEARCH_H

#include "settlement/sites.h"

// The eight neighbours, in order of angle; the opposite of d is (d + 4) % 8.
enum { WAYS = 8 };
extern const int road_x[WAYS], road_y[WAYS];

// A grid for roads. `prices`: of each pixel; infinite where no road leads.
typedef struct RoadGround {
    const Grid *grid;
    double steeper; // slopes of the ground against those between pixels
    float *prices;
} RoadGround;

// Sets prices, which memory_free frees; `links`: 0 where there is no road yet. Open water has no price, or a
// high one if it `may` be crossed where gates leave no other way.
Status road_ground_open(RoadGround *ground, const Settlement *settlement, const Grid *grid,
                        const uint8_t *links, bool open_water, Error *error);
void road_ground_close(RoadGround *ground);

// Width in metres of the river of a pixel.
double river_metres(const Settlement *settlement, const Grid *grid, size_t at);

enum { ROAD_SIDE = 80, ROAD_PIXELS = 400 }; // the largest box's side; the most pixels of a road

typedef struct RoadPixel {
    int x, y;
} RoadPixel;

// A search and its result. The road is a function of its ends, the ground of its box and `margin` alone.
typedef struct RoadSearch {
    RoadPixel from, to;
    int margin; // of the box around both ends, in pixels; the box ends at the map's edge
    bool meets; // of the caller: other roads come to its end
    int count;  // pixels of the road; 0: there is none
    float cost;
    RoadPixel road[ROAD_PIXELS];
} RoadSearch;

// The box of a search.
GridBox road_box(const Grid *grid, RoadPixel from, RoadPixel to, int margin);

// Whether it lies in the grid, as far as the map goes, and is no larger than it may be.
bool road_box_is_known(const Grid *grid, const GridBox *box);

// Does all searches, whose boxes are known.
Status search_roads(const RoadGround *ground, const Run *run, RoadSearch *searches, int count, Error *error);

#endif
