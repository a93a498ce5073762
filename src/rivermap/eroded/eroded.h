// The eroded land of a zoomable map (docs/endless-land.md): src/land erodes the map's own altitudes, level by
// level, each twice as fine as the one before. A window takes its pixels from the level whose cells are half
// a pixel to a pixel large, so what a pixel shows depends on its place and its size alone.

#ifndef ESKER_ERODED_H
#define ESKER_ERODED_H

#include "land/land.h"
#include "rivermap/view.h"

// An altitude of 1 is this part of the map's side high: raw maps, whose slopes are 2.4 on average, are far
// too steep for land.
#define VERTICAL_SCALE 0.045

// Along the map's side: what 128 bits hold, less what cells need beyond the pixels.
#define ERODED_PIXELS_MAX 0x1p90

// A map's land begins when a window is first asked for, and goes with the map.
struct Eroded {
    LandRules rules;
    int depth;    // level 0 has 2^depth cells along the map's side, or around the planet
    Vec3 axes[3]; // of the cube around a planet
    _Atomic(Land *) land;
};

// The eroded land of a map that is set up but for it; NULL for want of memory. NULL may be freed.
Eroded *eroded_new(const RiverMap *map, const LandRules *rules, Error *error);
void eroded_free(Eroded *eroded);

// The land of a map that has one.
Status eroded_land(const RiverMap *map, const Run *run, Land **land, Error *error);

Status eroded_render(const View *view, Field *flow, Error *error);

// No river that drains less is drawn or given as a line.
#define RIVER_PIXELS 64.0f

Status eroded_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

#endif
