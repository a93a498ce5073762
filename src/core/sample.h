// Interpolation on a grid: bilinear in double precision, constant beyond the edge; and the weights of
// cubics.

#ifndef ESKER_SAMPLE_H
#define ESKER_SAMPLE_H

#include "core/math.h"
#include "core/whole.h"

#include <stddef.h>

// The weights of four points on a line, for a position between the second and the third.
typedef struct CubicWeights {
    float at[4];
} CubicWeights;

// The weights of the cubic through the points (Catmull-Rom), at t = 0 … 1 after the second.
static inline CubicWeights catmull_rom(float t) {
    const float t2 = t * t, t3 = t2 * t;
    return (CubicWeights){ { 0.5f * (2 * t2 - t3 - t), 0.5f * (3 * t3 - 5 * t2 + 2),
                             0.5f * (4 * t2 - 3 * t3 + t), 0.5f * (t3 - t2) } };
}

// The four grid points around a position: the upper left one, the offsets of the others in memory, and the
// position between them, 0 … 1. It works for grids of any type.
typedef struct GridCell {
    size_t at, right, below;
    double u, v;
} GridCell;

// (x, y) in points of a grid of width × height, row by row; 0 … width - 1.
static inline GridCell grid_cell(int width, int height, double x, double y) {
    const double in_x = clamp(x, 0, width - 1), in_y = clamp(y, 0, height - 1);
    const int left = index_within(in_x, width - 1), top = index_within(in_y, height - 1);
    return (GridCell){ (size_t)top * (size_t)width + (size_t)left, width > 1, height > 1 ? (size_t)width : 0,
                       in_x - left, in_y - top };
}

static inline double grid_sample(const float *points, int width, int height, double x, double y) {
    const GridCell cell = grid_cell(width, height, x, y);
    const float *upper = points + cell.at, *lower = upper + cell.below;
    return bilinear((double)upper[0], (double)upper[cell.right], (double)lower[0], (double)lower[cell.right],
                    cell.u, cell.v);
}

#endif
