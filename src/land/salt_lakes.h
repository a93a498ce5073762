// Lakes that evaporate all that comes in, of a flat land that is watered (land_set_runoff).

#ifndef ESKER_SALT_LAKES_H
#define ESKER_SALT_LAKES_H

#include "land/land.h"

#include <stdbool.h>

// Finds them. `local`: what runs off each cell of level 0, negative in lakes that evaporate more than falls
// on them; `water`: what leaves it, with all that drains into it.
Status land_find_salt_lakes(Land *land, const double *local, const double *water, Error *error);
bool land_has_salt_lakes(const Land *land);

// Sets how far below its full level the water of each lake stands. `depths`: of level 0's cells, in lakes
// that are full.
Status land_lower_lakes(Land *land, const float *depths, Error *error);

// How far that of the lake is to which a cell of a level belongs; INFINITY: it holds no water.
float land_lake_fall(const Land *land, int level, Int128 x, Int128 y);

#endif
