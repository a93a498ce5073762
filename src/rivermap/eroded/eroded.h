// The eroded land of a zoomable map (docs/endless-land.md): src/land erodes the map's own altitudes, level by
// level, each twice as fine as the one before. A window takes its pixels from the level whose cells are half
// a pixel to a pixel large, so what a pixel shows depends on its place and its size alone.

#ifndef ESKER_ERODED_H
#define ESKER_ERODED_H

#include "land/land.h"
#include "rivermap/view.h"

// What tilings have: flat ones (flat_land.c) and those of planets (planet_land.c).
extern const LandMethods eroded_flat, eroded_planet;

// An altitude of 1 is this part of the map's side high: raw maps, whose slopes are 2.4 on average, are far
// too steep for land.
#define VERTICAL_SCALE 0.045

// Along the map's side: what 128 bits hold, less what cells need beyond the pixels.
#define ERODED_PIXELS_MAX 0x1p90

enum { EROSIONS = 12 }; // of level 0

typedef struct Eroded Eroded;

// Makes level 0 and all that is needed for finer levels.
typedef Status ErodedBegin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land,
                           Error *error);

// What a map with eroded land keeps. The land begins when a window is first asked for, and goes with the map.
struct Eroded {
    LandRules rules;
    int depth; // level 0 has 2^depth cells along the map's side, or around the planet
    ErodedBegin *begin;
    Vec3 axes[3]; // of the cube around a planet
    _Atomic(Land *) land;
};

static inline const Eroded *eroded_of(const RiverMap *map) {
    return map->land_state;
}

// Sets the map's land_state.
Status eroded_create(RiverMap *map, const LandRules *rules, int depth, ErodedBegin *begin, Error *error);
void eroded_free(void *land_state);

// The land of a map that has one.
Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error);

#endif
