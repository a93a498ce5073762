// Strata: horizontal layers of rock, the same everywhere and on every level of a land.

#ifndef ESKER_STRATA_H
#define ESKER_STRATA_H

#include "land/level.h"

// Sets `softness` for the cells `first` … `end` - 1 of row y: 1 for soft rock, 1 - hardness for hard rock.
void set_softness(const Level *level, int y, int first, int end, float *softness);

// Sets how thick strata are in a land whose highest ground is so many units high.
void set_strata(Land *land, double highest);

// Thickness of the layers that level 0 has as flat tops and cliffs, in its units: three strata.
double mesa_layer(const Land *land);

// Raises ground towards the tops of layers that are a few cells of the level thick, after erosion, with talus
// and cliffs below.
Status raise_tables(Level *level);

#endif
