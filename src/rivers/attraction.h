// Attraction points; each knows the closest tributary that it sees. They are sorted along a space-filling
// curve, with a tree of bounding boxes that finds the points to which a new tributary is the closest so far:
// boxes whose points all have a closer one are skipped.

#ifndef ESKER_ATTRACTION_H
#define ESKER_ATTRACTION_H

#include "core/error.h"
#include "rivers/boundary.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct AttractionPoint {
    double x, y;
    double closest; // squared distance to its tributary; INFINITY: none in reach; negative: reached, removed
    float pull_x, pull_y; // the direction from there, of length 1
    int tributary;        // a number given by the caller
} AttractionPoint;

typedef struct AttractionBox {
    double left, top, right, bottom;
    double farthest; // of `closest` of its points; negative: all removed
} AttractionBox;

typedef struct Attraction {
    AttractionPoint *points;
    int count, left;      // how many there were and are
    AttractionBox *boxes; // 1 … 2 × leaves - 1, the children of i are 2 i and 2 i + 1
    int leaves;           // a power of two
    int *pulled;          // of each leaf: the number of points that have a tributary
} Attraction;

enum { POINTS_PER_LEAF = 16 };

// Copies and sorts `count` positions and builds the tree. Freed by attraction_free, also after a failure.
Status attraction_create(Attraction *attraction, const Vec2 *places, int count, Error *error);

void attraction_free(Attraction *attraction);

// Adds a tributary that may be closer to some points. `sees` says whether a point can be reached in a
// straight line.
typedef struct Arrival {
    Vec2 at;
    int tributary;
    double reach, kill; // squared
    bool (*sees)(void *context, Vec2 from, Vec2 to);
    void *context;
    int reached; // counts the points within `kill`, which are then removed
} Arrival;

void attraction_arrive(Attraction *attraction, Arrival *arrival);

// Removes a point that was not reached.
void attraction_give_up(Attraction *attraction, int point);

#endif
