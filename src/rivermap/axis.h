// How the columns, or the rows, of a window lie on the lattice from which they are drawn. Places are whole
// numbers of 2^-120 of the map's side, so that a window is where its digits say, at any zoom.

#ifndef ESKER_AXIS_H
#define ESKER_AXIS_H

#include "core/operation.h"
#include "core/whole.h"

enum { PLACE_BITS = 120 };

typedef struct Axis {
    Int128 first_cell; // of the map's lattice, from which `cells` count
    int pixels;
    int cell_count;   // of those in the window, and a few beyond its edges whose rivers reach into it
    int *cells;       // of each pixel
    float *fractions; // where in the cell the pixel's centre lies
    int *pixel_of;    // of each cell's centre; may lie outside 0 … pixels - 1
} Axis;

// The place that a decimal number of 0 … 1, of any length, names.
Int128 place_from_decimal(Decimal decimal);

// A place as digits that tell places so far apart apart; `up`: the next place above that they name, otherwise
// the next below.
typedef struct PlaceDigits {
    char text[48];
} PlaceDigits;

PlaceDigits place_digits(Int128 place, Int128 apart, bool up);

// The whole numbers around the binary logarithm of a number above 0, exactly: libraries round it differently.
int log2_below(double number);
int log2_above(double number);

// The place of the middle of pixel i, in map units.
double pixel_centre(Int128 centre, Int128 pixel, int pixels, int i);

// Pixel centres lie at centre + (2 i + 1 - pixels) pixel / 2; the lattice has 2^depth cells. A window that
// leaves the map by less than a hair is kept inside. Fails for want of memory.
Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error);
void axis_free(Axis *axis);

// The first pixel whose cell is `cell` or a later one.
int axis_first_pixel(const Axis *axis, int cell);

#endif
