// A sketch that a zoomable map follows: down to the sketch's resolution vertices take its altitudes, below
// that the map is refined at random. The sketch's outermost cells are on the map's border.

#ifndef ESKER_GUIDE_H
#define ESKER_GUIDE_H

#include "core/whole.h"

#include <stdint.h>

typedef struct Guide {
    int width, height;
    int depth;          // vertices of squares up to this depth follow the sketch
    const float *cells; // altitudes, -1 … 1
} Guide;

// The altitude, in units of `units` to 1, at x / 2^depth, y / 2^depth of the map's side.
static inline int64_t guide_altitude(const Guide *guide, uint64_t x, uint64_t y, int depth, double units) {
    const double size = (double)(UINT64_C(1) << depth);
    const double at_x = (double)x / size * (guide->width - 1), at_y = (double)y / size * (guide->height - 1);
    const int column = index_within(at_x, guide->width - 1);
    const int row = index_within(at_y, guide->height - 1);
    const double right = at_x - column, down = at_y - row;
    const float *upper = guide->cells + (int64_t)row * guide->width + column, *lower = upper + guide->width;
    const double above = (double)upper[0] + ((double)upper[1] - (double)upper[0]) * right;
    const double below = (double)lower[0] + ((double)lower[1] - (double)lower[0]) * right;
    return whole_64((above + (below - above) * down) * units);
}

#endif
