// The eroded land of a zoomable map (docs/endless-land.md). src/land erodes the raw map's altitudes in
// levels; each doubles the resolution. A window samples the level whose cells are half a pixel to one pixel
// wide, so a pixel depends only on its position and size.

#ifndef ESKER_ERODED_H
#define ESKER_ERODED_H

#include "core/math.h"
#include "land/land.h"
#include "rivermap/view.h"

// Methods of flat tilings (flat_land.c) and of planets (planet_land.c).
extern const LandMethods eroded_flat, eroded_planet;

// Height of altitude 1, as a fraction of the map's side.
#define VERTICAL_SCALE MAP_HEIGHT

// What raw altitudes of 1 are in cells of level 0: a side of 256 cells times VERTICAL_SCALE. The law makes of
// them what land is like; their own slopes do not matter.

// Maximum pixels along the map's side: the range of 128-bit cell coordinates, less a reserve for cells finer
// than pixels.
#define ERODED_PIXELS_MAX 0x1p90

typedef struct Eroded Eroded;

// Creates level 0 and everything that finer levels need.
typedef Status ErodedBegin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land,
                           Error *error);

// State of a map with eroded land. The land is created with the first window and freed with the map.
struct Eroded {
    LandRules rules;
    int depth;     // level 0 has 2^depth cells along the map's side, or around the planet
    double relief; // with a guide: what its altitude 1 is, in cells of the last graded level
    ErodedBegin *begin;
    Vec3 axes[3]; // of the cube around a planet
    _Atomic(Land *) land;
};

static inline const Eroded *eroded_of(const RiverMap *map) {
    return map->land_state;
}

// Sets the map's land_state. Lengths of the rules, `relief` and `hillslope`, are metres.
Status eroded_create(RiverMap *map, const LandRules *rules, int depth, ErodedBegin *begin, Error *error);
void eroded_free(void *land_state);

// The depth whose cells' sides altitudes are measured by, on a level of a depth: that of the last graded one,
// or its own.
static inline int height_depth(const RiverMap *map, int depth) {
    const Eroded *eroded = eroded_of(map);
    return max(depth, eroded->depth + eroded->rules.graded);
}

// How high its ground is, in map units.
double eroded_top(const RiverMap *map);

// Gets the land of a map, which must have one.
Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error);

#endif
