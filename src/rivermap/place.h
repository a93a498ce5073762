// Coordinates on a map: integers in units of 2^-120 of the map's side, so that a window's position is exact
// at any zoom.

#ifndef ESKER_PLACE_H
#define ESKER_PLACE_H

#include "core/param.h"
#include "core/whole.h"

enum { PLACE_BITS = 120 };

// The position given by a number 0 … 1 with any number of digits. Hexadecimal ones are exact to the last bit.
Int128 place_from_decimal(Decimal decimal);

// A position as decimal digits, enough to distinguish positions at this distance; `up`: rounded up,
// otherwise down.
typedef struct PlaceDigits {
    char text[48];
} PlaceDigits;

PlaceDigits place_digits(Int128 place, Int128 apart, bool up);

// The integers around the binary logarithm of a positive number, computed exactly: libraries round it
// differently.
int log2_below(double number);
int log2_above(double number);

// The position of the centre of pixel i, in map units.
double pixel_centre(Int128 centre, Int128 pixel, int pixels, int i);

#endif
