// The slope map S and the erosion score of one that is there already, shared by the scores.

#ifndef ESKER_SCORES_H
#define ESKER_SCORES_H

#include "core/field.h"
#include "core/parallel.h"

// The slope map S: the greatest height difference between a cell and its four neighbours. `slope` has the
// size of `height` and is another field. `wraps`: whether opposite edges meet; where they do not, only the
// neighbours inside count.
Status slope_map(const Run *run, const Field *height, bool wraps, Field *slope);

// ε of a slope map; 0 where there is no slope at all.
Status erosion_score(const Run *run, const Field *slope, double *score, Error *error);

#endif
