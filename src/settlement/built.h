// The ground that towns cover. A town grows from its place over the cheapest ground, pixel by pixel, until it
// has room for its people: along valleys and coasts, around hills and water. It does so on the grid of its
// level three times finer, whatever a window's own pixels are, so that it lies in one place at every zoom.

#ifndef ESKER_BUILT_H
#define ESKER_BUILT_H

#include "core/vector.h"
#include "settlement/towns.h"

enum {
    BUILT_BITS = 3,   // of its grid, more than those of its level's
    BUILT_REACH = 15, // pixels of that grid, within which a town ends
    BUILT_SIDE = 2 * BUILT_REACH + 1,
    BUILT_EDGE = 96, // what `growth` is at its edge
};

typedef struct BuiltTown {
    double x, y;  // the upper left corner of `growth`, in shares of the map's side
    double pixel; // a side of its pixels, the same
    float people;
    float city;                              // 0 a village, 1 a city of a million
    uint8_t growth[BUILT_SIDE * BUILT_SIDE]; // what it costs to come there: 0 in the middle
} BuiltTown;

typedef struct Built { // zeroed: none
    int count, room;
    BuiltTown *at;
} Built;

void built_free(Built *built);

// Adds those of a grid's places whose ground is found on it and reaches the rectangle.
Status built_add(Built *built, const Settlement *settlement, const Grid *grid, const Sites *sites,
                 const Region *region, Error *error);

// The ground of a pixel.
typedef struct BuiltPixel {
    float growth; // of the nearest town, by what it costs to come there: 0 in its middle, 1 at its edge
    float city;   // of that town
    float close;  // the share of the ground that houses have, of all towns the most
} BuiltPixel;

// Of a row's pixels; far from towns growth is BUILT_NOWHERE.
#define BUILT_NOWHERE 2.5f
void built_row(const Built *built, const Vec3 *places, int count, BuiltPixel *pixels);

#endif
