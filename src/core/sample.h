// Values between the points of a grid, bilinear in double precision; beyond the grid those of its edge.

#ifndef ESKER_SAMPLE_H
#define ESKER_SAMPLE_H

#include "core/math.h"
#include "core/whole.h"

#include <stddef.h>

// The four points around a place: the upper left one, how far the others are from it in memory, and the place
// between them, 0 … 1. So it serves grids of any type.
typedef struct GridCell {
    size_t at, right, below;
    double u, v;
} GridCell;

// (x, y): in points of a grid of width × height, row by row; 0 … width - 1.
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
