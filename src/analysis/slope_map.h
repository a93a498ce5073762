// The slope map S, shared by the scores: the greatest height difference between a cell and its four
// neighbours.

#ifndef ESKER_SLOPE_MAP_H
#define ESKER_SLOPE_MAP_H

#include "core/field.h"
#include "core/parallel.h"

// `slope` has the size of `height` and is another field. `wraps`: whether opposite edges meet; where they do
// not, only the neighbours inside count.
Status slope_map(const Run *run, const Field *height, bool wraps, Field *slope);

#endif
