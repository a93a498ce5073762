// A preconditioner for smooth surfaces with fixed cells: sums of cubic B-splines on ever coarser grids.

#ifndef ESKER_SPLINE_LEVELS_H
#define ESKER_SPLINE_LEVELS_H

#include "core/error.h"
#include "core/parallel.h"

#include <stdint.h>

enum { SPLINE_LEVELS_MAX = 16 };

// What lies beyond the ends of an axis: nothing, the other end, or cells that are fixed.
typedef enum Beyond { BEYOND_FREE, BEYOND_WRAPS, BEYOND_FIXED } Beyond;

typedef struct SplineLevel {
    int width, height;
    Beyond across, down;
    const uint8_t *free; // 1 where the spline covers free cells only, and may take part
    double *values;
} SplineLevel;

typedef struct SplineLevels {
    int count;
    SplineLevel at[SPLINE_LEVELS_MAX]; // 0: the cells themselves
} SplineLevels;

// `free` has a byte a cell, 1 where it is to be found, and must outlive the levels.
Status spline_levels_create(SplineLevels *levels, const Run *run, int width, int height, bool wraps,
                            const uint8_t *free, Error *error);

void spline_levels_free(SplineLevels *levels);

// result = the sum over the levels of weights[level] · (the residual's splines, summed).
Status spline_levels_apply(const SplineLevels *levels, const Run *run, const double *weights,
                           double *residual, double *result);

#endif
