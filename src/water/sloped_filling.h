// Fills the pits of a heightfield so that all of it falls.

#ifndef ESKER_SLOPED_FILLING_H
#define ESKER_SLOPED_FILLING_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

// From every cell of `filled`, whose cells are there already, a path that falls by `slope` (above 0, height
// per cell) or more leads to the border or to a cell below `sea`; its steps are rounded to heights that a
// float can hold, and none is level. It is the lowest such surface that is nowhere below `height`. `filled`
// is not `height`.
Status fill_with_slope(const Run *run, const Field *height, float sea, float slope, Field *filled,
                       Error *error);

#endif
