// Strata: layers of rock, the same at all places and levels of a land.

#ifndef ESKER_STRATA_H
#define ESKER_STRATA_H

#include "land/level.h"

// 1 for cells of soft rock, and 1 - hardness for hard ones, in a row.
void set_softness(const Level *level, int y, int first, int end, float *softness);

#endif
