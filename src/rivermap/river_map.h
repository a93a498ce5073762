// A zoomable map: a seed, the constants and the first square, from which every window follows.

#ifndef ESKER_RIVER_MAP_H
#define ESKER_RIVER_MAP_H

#include "core/operation.h"
#include "rivermap/square/square.h"

typedef enum Tiling { TILING_RIGHT, TILING_PENROSE, TILING_SCALENE, TILING_SPHERE, TILING_TETRAHEDRA } Tiling;

struct RiverMap {
    Tiling tiling;
    Constants constants;
    double corners[4]; // altitudes, -1 … 1, in reading order
    uint32_t seeds[4]; // of the corners
    double width;      // of a river that drains the whole map, whether or not rivers are drawn wide
    Guide guide;       // its cells lie behind the map, in the same block; none: width 0
};

// The map's whole square.
Square river_map_root(const RiverMap *map);

#endif
