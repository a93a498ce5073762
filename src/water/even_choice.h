// Choices between ways down that are equally good, as they often are where heights are whole numbers. Turned
// or mirrored ground gets turned or mirrored ways: no direction of the compass is preferred. Only where the
// ground around a cell, as far as this looks, is itself the same when mirrored, no rule can do that: there a
// way is drawn by the place.

#ifndef ESKER_EVEN_CHOICE_H
#define ESKER_EVEN_CHOICE_H

#include "core/field.h"

#include <stdbool.h>

// Ways are a set: a bit for each; most often that of a neighbour (drainage.h).
static inline bool several(unsigned ways) {
    return (ways & (ways - 1)) != 0;
}

enum { FALL_RADIUS = 8 }; // rows up and down on which the next depends

typedef struct Towards { // all equally long
    double x[8], y[8];
} Towards;

extern const Towards towards_neighbours;

// Those of the ways from (x, y) that lead most nearly where the ground around it falls: that of the eight
// cells around, then that within two cells, then four, and so on up to FALL_RADIUS. Ground below `sea` counts
// as high as the sea.
unsigned ways_of_the_fall(const Field *ground, float sea, int x, int y, const Towards *towards,
                          unsigned ways);

// One of the ways from (x, y), drawn by the place.
int draw_way(unsigned ways, int x, int y);

#endif
