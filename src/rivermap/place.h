// Coordinates on a map: integers in units of 2^-120 of the map's side, so that a window's position is exact
// at any zoom.

#ifndef ESKER_PLACE_H
#define ESKER_PLACE_H

#include "core/param.h"
#include "core/whole.h"

enum { PLACE_BITS = 120 };

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

#endif
