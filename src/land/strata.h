// Strata: layers of rock, the same at all places and levels of a land.

#ifndef ESKER_STRATA_H
#define ESKER_STRATA_H

#include "land/level.h"

// The shift of an altitude above the sea, in whole numbers modulo 2^32, by the benches of a level.
float bench_at(const Level *level, uint32_t altitude);

// Adds the benches to a row of new ground.
void add_benches(const Level *level, int y);

// 1 for cells of soft rock, and 1 - hardness for hard ones, in a row.
void set_softness(const Level *level, int y, int first, int end, float *softness);

#endif
