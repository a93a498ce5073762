// Lakes that evaporate all that comes in, of a land that is watered (land_set_runoff).

#ifndef ESKER_SALT_LAKES_H
#define ESKER_SALT_LAKES_H

#include "land/land.h"

#include <stdbool.h>

// Finds them. `local`: what runs off each cell of level 0, negative in lakes that evaporate more than falls
// on them; `water`: what leaves it, with all that drains into it.
Status land_find_salt_lakes(Land *land, const double *local, const double *water, Error *error);
bool land_has_salt_lakes(const Land *land);

// How deep a full lake is at a place on a face: 2^-LAKE_SPOT_BITS of a cell of level 0.
enum { LAKE_SPOT_BITS = 3 };
typedef float LakeDepth(const void *context, int face, int x, int y);

// Sets how far below its full level the water of each lake stands, by the depths of places of its bed.
Status land_lower_lakes(Land *land, LakeDepth *depth, const void *context, Error *error);

// How far that of the lake of level 0 is to which a cell of a level belongs; INFINITY: it holds no water;
// negative: there is none.
float land_lake_fall(const Land *land, int level, int face, Int128 x, Int128 y);

// Whether a lake there, of a finer level, may be that of an edit, which stays full.
bool land_lake_is_made(const Land *land, int level, int face, Int128 x, Int128 y);

#endif
