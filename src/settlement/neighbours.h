// Which places a road joins. Two that are near are neighbours if no third lies in the circle whose diameter
// they are (Gabriel and Sokal 1969). They get no road if there is a third, neighbour of both, to which the
// straight roads from both cost less than the one between them (Toussaint 1980, by cost). Those roads lie on
// land, so that both stay joined.

#ifndef ESKER_SETTLEMENT_NEIGHBOURS_H
#define ESKER_SETTLEMENT_NEIGHBOURS_H

#include "settlement/road_search.h"

enum { LONGEST = 28, LONGEST_LANE = 48 }; // pixels between neighbours: of roads, and of lanes

typedef struct Neighbours {
    const Site *from, *to;
    float cost; // of the straight road
    bool joined;
} Neighbours;

typedef struct Pairs { // zeroed: empty
    int count, room;
    Neighbours *at;
} Pairs;

// Pairs of places that are `longest` pixels apart at most, those with coarser places first. A pair depends on
// places so far around it, and on the ground between, as the grid of its first place has it.
Status find_pairs(const RoadGrounds *grounds, const Sites *sites, int longest, Pairs *pairs, Error *error);
void pairs_free(Pairs *pairs);

#endif
