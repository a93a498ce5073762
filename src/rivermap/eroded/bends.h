// Turned noise that takes the grid out of level 0: the raw map's first edges are straight coasts and ridges.

#ifndef ESKER_BENDS_H
#define ESKER_BENDS_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <stdint.h>

enum { BEND_FINER = 4 }; // finer cells along the side of a cell

// Moves the heights of the finer cells of a square of `cells` by a few cells, into `bent`.
Status bend_heights(const Run *run, const uint32_t *heights, int cells, uint32_t seed, uint32_t *bent,
                    Error *error);

// Raises and lowers the land by a factor, so that the coast stays.
Status swell_land(const Run *run, Field *field, uint32_t seed);

#endif
