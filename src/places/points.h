// Points on a terrain, each with attributes: trees, rocks, houses.

#ifndef ESKER_POINTS_H
#define ESKER_POINTS_H

#include "core/value.h"
#include "rivers/network.h"

typedef struct PlacePoint {
    double x, y;     // cells, (0, 0) the upper left corner of the first
    float altitude;  // of the ground
    float radius;    // half the distance to others of its species, in cells
    float variation; // a random number of its own, 0 … 1
    int species;     // from 1
} PlacePoint;

typedef struct Points {       // one block of memory
    int count, width, height; // of the window, in cells
    bool wraps;               // its opposite edges meet
    PlacePoint *at;
    Frame frame;
} Points;

extern const ValueType type_points;

// Room for `count` points, not set yet; NULL if memory runs out. Freed by memory_free.
Points *points_new(int count, Error *error);

// The lines that an input of type Points or RiverNetwork stands for: the network, or a dot of each
// point's radius, which the caller
// frees as *dots (NULL otherwise). NULL if memory runs out.
const RiverNetwork *input_lines(const Input *input, RiverNetwork **dots, Error *error);

#endif
