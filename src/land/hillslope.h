// What a level does to its ground. Above the hillslope length water shapes it. Below, streams begin no more
// and ground is soil that creeps: crests are convex, feet concave, and what is new at a level is faint.

#ifndef ESKER_HILLSLOPE_H
#define ESKER_HILLSLOPE_H

#include "land/land.h"

#include <stdbool.h>

enum { STREAM_CELLS = 24 }; // T: what drains so many cells is a stream, and inherited

typedef struct Hillslope {
    bool soil;         // whether the level's cells are below the hillslope length
    float stream_area; // what drains so many of them is a stream
    float water;       // 1, and below the hillslope length less, by which water cuts and ground is lifted
    float detail;      // likewise: new detail
    float rounding;    // diffusion of free ground
    int first_fill;    // cells of the longest way out of a pit that is filled before erosion
    int erosions;      // steps of it
    int last_fill;     // likewise, after erosion
    bool deposits;     // whether streams lay down what they carry
} Hillslope;

Hillslope hillslope_of(const LandRules *rules, int level);

#endif
