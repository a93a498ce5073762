// The smoothest surface through cells of given heights.

#ifndef ESKER_SMOOTH_SURFACE_H
#define ESKER_SMOOTH_SURFACE_H

#include "core/field.h"
#include "core/parallel.h"

// Replaces the heights of the cells whose byte in `free` is 1 (of at least one it is 0). `tension`, 0 … 1:
// 0 bends like a thin plate, 1 is a stretched membrane; the same at any resolution.
Status smooth_surface(const Run *run, Field *height, const uint8_t *free, double tension, bool wraps,
                      Error *error);

#endif
