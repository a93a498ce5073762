// Lanes between harbours are searched as roads are, on a grid whose land and sea are exchanged: ships sail on
// level ground, and land is the open water that no road crosses.

#ifndef ESKER_SETTLEMENT_SEA_LANES_H
#define ESKER_SETTLEMENT_SEA_LANES_H

#include "settlement/road_network.h"

// Pixels from a port to the sea at most on its level's grid: of a harbour, and of any place; by which its
// mooring moves towards it from grid to grid; and between both where a lane still ends in the town.
enum { COASTAL = 2, BESIDE = 1, MOVES = 8, MOORED = 24 };

// Grids' harbours, mouths of rivers, and other places by the sea. Where lanes end is a pixel of the sea,
// and no two have the same.
typedef struct Ports {
    Sites moored;     // with these pixels
    RoadPixel *towns; // the pixels where the places are, on the same faces
} Ports;

// Both may be freed when zeroed, and are called also after a failure. `before`: the ports of the grids
// before.
Status ports_find(Ports *ports, const Ports *before, const Grids *seas, const Sites *sites, Error *error);
void ports_free(Ports *ports);

// grids_free frees them, also after a failure.
Status sea_grids(Grids *seas, const Grids *grids, Error *error);

// Whether most of the straight line between two ports' places is sea on the grid of the first one, so that
// ships have the shorter way.
bool lies_sea_between(const Grid *sea, const Ports *ports, const Site *from, const Site *to);

// Replaces pieces of a lane by straight lines where those cost no more: on a grid of steps all ways between
// the axis and the diagonal cost the same, with turns in open sea. Gives the number of its pixels, which is
// no larger.
int straighten_lane(const RoadGround *sea, RoadPixel lane[], int count);

// Lets lanes end at the places.
void reach_ports(Network *network, const Grids *seas, const Ports *ports);

#endif
