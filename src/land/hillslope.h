// How a level shapes its ground. On levels with cells above the hillslope length, water erodes it. Below,
// no streams begin and soil creeps: crests are convex, feet concave, and new detail is weak.

#ifndef ESKER_HILLSLOPE_H
#define ESKER_HILLSLOPE_H

#include "land/land.h"

#include <stdbool.h>

enum { STREAM_CELLS = 24 }; // T: a cell that drains more is a stream, which finer levels inherit

typedef struct Hillslope {
    bool soil;         // whether the level's cells are below the hillslope length
    bool smooth;       // and it is not one of the first, on which water cuts gullies
    float stream_area; // a cell that drains this many cells is a stream
    float water;       // factor of stream erosion and uplift: 1, less below the hillslope length
    float rounding;    // diffusion of free ground
    int first_fill;    // longest path out of a pit that is filled before erosion, in cells
    int erosions;      // iterations of erosion
    int last_fill;     // longest path out of a pit that is filled after erosion, in cells
    bool creeps;       // whether hillslopes are longer in some places than in others (erode.c)
    bool deposits;     // whether streams deposit sediment
    bool tables;       // whether the level has flat tops and cliffs of its own (strata.c)
    bool lakes;        // whether the land may have lakes
    bool small_lakes; // whether the level has lakes of its own: not where tables raise the streams below them
    bool edits;       // whether edits enter the level
    bool lowers;      // whether any of these may lower ground
    bool seaward;     // or raise sea
    bool canals;      // whether any is a canal
    int rises;        // cells by which raising them shrinks the region
    int fills;        // the same of filling pits around them
    int basins;       // cells of the largest box of these that is looked at as a whole; 0: none is
    int bowls;        // the same of craters
    int deltas;       // cells by which building those that are near shrinks the region
    bool watered;     // whether streams know their runoff
    float rebound;    // share of what erosion removes that comes back as uplift (rebound.c)
} Hillslope;

Hillslope hillslope_of(const LandRules *rules, int level);

// The margin of a level, in cells; and how much of it the steps before those need that raise edits.
int margin_of(const Hillslope *form);
int margin_before_edits(const Hillslope *form);

#endif
