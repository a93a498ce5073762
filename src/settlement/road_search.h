// Roads of least cost from pixel to pixel of a grid, within a box (Galin et al. 2010, "Procedural generation
// of roads"). A step leads to one of 16 pixels nearby. One of length L that rises by s per length costs
//
//     L (1 + (s / 0.2)²) (mean of the prices of the pixels that it touches)
//
// with the lengths that steps have in the middle of the box on a planet, on ground whose pixels are the means
// of 5 × 5, as a road is cut into bumps, with slopes as steep as the ground's own. A pixel's price is 1, less
// where there is a road already, and more in rivers, by their width, above the tree line, on ice and on
// crests.

#ifndef ESKER_SETTLEMENT_ROAD_SEARCH_H
#define ESKER_SETTLEMENT_ROAD_SEARCH_H

#include "settlement/towns.h"

// The eight neighbours, in order of angle; the opposite of d is (d + 4) % 8.
enum { WAYS = 8 };
extern const int road_x[WAYS], road_y[WAYS];

// A grid for roads. Its outermost GROUND_RIM pixels are less even than they would be on a larger grid, unless
// the map ends there.
enum { GROUND_RIM = 4, SHORE_RIM = 4 }; // the latter at sea
typedef struct RoadGround {
    const Settlement *settlement;
    const Grid *grid;
    float steepness; // what a rise of a metre to the next pixel is, as a share of the slope that is steep
    float *heights;  // of each pixel; metres, at least 0
    float *hardship; // how much more a road costs on it than on low level ground; NULL: at sea
    float *prices;   // infinite where no road leads
} RoadGround;

// The grounds of a map's faces.
typedef struct RoadGrounds {
    RoadGround on[CUBE_FACES];
} RoadGrounds;

// `links`: of each pixel, 0 where there is no road yet; NULL: roads do not matter, and are not new.
// Open water has no price, or a high one if it `may` be crossed where gates leave no other way.
// road_ground_close takes a zeroed ground, too, and is called also after a failure.
Status road_ground_open(RoadGround *ground, const Settlement *settlement, const Grid *grid,
                        const uint8_t *links, bool open_water, Error *error);
void road_ground_close(RoadGround *ground);

enum { ROAD_SIDE = 80, ROAD_PIXELS = 400 }; // the largest box's side; the most pixels of a road

typedef struct RoadPixel {
    int x, y;
} RoadPixel;

// A search and its result. The road is a function of its ends and the ground of its box.
typedef struct RoadSearch {
    RoadPixel from, to;
    int face;   // of the grid whose pixels they are
    int margin; // of the box around both ends, in pixels; the box ends at a flat map's edge
    int of;     // of the caller
    bool meets; // of the caller: other roads come to its end
    int first;  // of its pixels; each is a neighbour of the one before
    int count;  // 0: there is no road
} RoadSearch;

typedef struct RoadSearches { // zeroed: empty
    int count, room, pixel_count, pixel_room;
    RoadSearch *at;
    RoadPixel *pixels;
} RoadSearches;

Status add_search(RoadSearches *searches, const RoadSearch *search, Error *error);
void searches_free(RoadSearches *searches);

// The box of a search.
GridBox road_box(const Grid *grid, RoadPixel from, RoadPixel to, int margin);

// Whether it lies in the grid, as far as the map goes, and is no larger than it may be.
bool road_box_is_known(const Grid *grid, const GridBox *box);

// Does all searches, whose boxes are known.
Status search_roads(const RoadGrounds *grounds, const Run *run, RoadSearches *searches, Error *error);

// The cost of the straight line between two pixels where there is no other road; infinite over open water.
float straight_road_cost(const RoadGround *ground, RoadPixel from, RoadPixel to);

#endif
