// Narrow fjords of a coarse grid.

#ifndef ESKER_FJORDS_H
#define ESKER_FJORDS_H

#include "core/field.h"
#include "core/parallel.h"

#include <stdint.h>

enum { FJORD_CELLS = 4 }; // finer cells along the side of a coarse one

// A coarse cell whose mean is land, but through which the sea passes between two pieces of land, becomes sea.
// `fine`: heights of the finer cells, the sea below 0; `unit`: what one is in `field`.
Status open_fjords(const Run *run, const int32_t *fine, float unit, Field *field, Error *error);

#endif
