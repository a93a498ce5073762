// The erosion score of a slope map, for operations that already have one.

#ifndef ESKER_SCORES_H
#define ESKER_SCORES_H

#include "core/field.h"
#include "core/parallel.h"

// ε of a slope map; 0 where there is no slope at all.
Status erosion_score(const Run *run, const Field *slope, double *score, Error *error);

#endif
