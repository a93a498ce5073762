// Lanes between harbours are searched as roads are, on a grid whose land and sea are exchanged: ships sail on
// level ground, and land is the open water that no road crosses.

#ifndef ESKER_SETTLEMENT_SEA_LANES_H
#define ESKER_SETTLEMENT_SEA_LANES_H

#include "settlement/road_network.h"

// Pixels from a port to the sea at most on its level's grid: of a harbour, and of any place; by which its
// mooring moves towards it from grid to grid; and between both where a lane still ends in the town.
enum { COASTAL = 2, BESIDE = 1, MOVES = 8, MOORED = 24 };

// A grid's harbours, mouths of rivers, and other places by the sea. Where lanes end is a pixel of the sea,
// and no two have the same.
typedef struct Ports {
    Sites moored;     // with these pixels
    RoadPixel *towns; // the pixels where the places are
} Ports;

// Both may be freed when zeroed, and are called also after a failure. `before`: the ports of the grid before.
Status ports_find(Ports *ports, const Ports *before, const Grid *sea, const Sites *sites, Error *error);
void ports_free(Ports *ports);

// grid_free frees it, also after a failure.
Status sea_grid(Grid *sea, const Grid *grid, Error *error);

// Whether most of the straight line between two ports' places is sea, so that ships have the shorter way.
bool lies_sea_between(const Grid *sea, const Ports *ports, const Site *from, const Site *to);

// Replaces pieces of a lane by straight lines where those cost no more: on a grid of steps all ways between
// the axis and the diagonal cost the same, with turns in open sea. Gives the number of its pixels, which is
// no larger.
int straighten_lane(const RoadGround *sea, RoadPixel lane[], int count);

// Lets lanes end at the places.
void reach_ports(Network *network, const Ports *ports);

#endif
