// The largest connected area of a map of zeros and ones.

#ifndef ESKER_LARGEST_AREA_H
#define ESKER_LARGEST_AREA_H

#include "analysis/squares.h"

// Sets all cells to zero except those of the largest area; cells are connected to their four neighbours,
// across the edges of a map that wraps. Of two areas of equal size, the first row by row stays.
Status keep_largest_area(const Run *run, const BitMap *map, Error *error);

#endif
