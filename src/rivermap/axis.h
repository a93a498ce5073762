// Maps the columns, or the rows, of a window to the lattice from which they are drawn.

#ifndef ESKER_AXIS_H
#define ESKER_AXIS_H

#include "core/error.h"
#include "rivermap/place.h"

typedef struct Axis {
    Int128 first_cell; // of the map's lattice, where `cells` begin
    int pixels;
    int cell_count;   // of those in the window, plus a few beyond its edges whose rivers reach into it
    int *cells;       // of each pixel
    float *fractions; // where in the cell the pixel's centre lies
    int *pixel_of;    // of each cell's centre; may lie outside 0 … pixels - 1
} Axis;

// Pixel centres are at centre + (2 i + 1 - pixels) pixel / 2; the lattice has 2^depth cells. A window that
// exceeds the map by rounding only is kept inside. Fails if memory runs out.
Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error);
void axis_free(Axis *axis);

// The first pixel whose cell is `cell` or a later one.
int axis_first_pixel(const Axis *axis, int cell);

#endif
