// A cell and its eight neighbours, as operations on the form of the surface see them: in true proportion, and
// continued beyond the edges of a field that does not wrap.

#ifndef ESKER_NINE_POINTS_H
#define ESKER_NINE_POINTS_H

#include "core/kernel.h"
#include "core/operation.h"

#include <math.h>

enum { NINE_POINTS_CHUNK = 512 }; // cells of a row handled at once

typedef struct NinePoints {
    const float *up, *row, *down;
    int x, y;                    // the first cell
    float per_width, per_height; // 1 / the sides of a cell, as field_row_shape gives them
} NinePoints;

// Computes `out` for `count` cells (at most NINE_POINTS_CHUNK) from the row above, the cells' own and the one
// below, which may be read from -1 to count. `out` has what was there before.
typedef void NinePointsKernel(const void *context, NinePoints at, int count, float *out);

// Fills `to` from the first input of the call, which has its size; NULL: the kernel writes elsewhere. Beyond
// an edge the surface continues with the same slope (2 × the cell at the edge - its neighbour inside), so
// a plane stays a plane; where edges meet, the opposite side's cells are used. `nanoseconds`: the kernel's
// cost of a cell.
Status nine_points(const Call *call, NinePointsKernel *kernel, const void *context, double nanoseconds,
                   Field *to);

// The same for the user.
#define ON_BEYOND_EDGES                                                                                      \
    "Beyond the edge of a field that does not wrap, the ground continues with the same slope."

// One row of the same: cells first - 1 … first + count of row y, -1 … height.
void nine_points_row(const Field *height, bool wraps, int first, int count, int y, float *cells);

// Cells that a height of 1 stands for at an exaggeration of 1: true where the frame says how long a cell is
// and what heights are; elsewhere N/16, as in `relief` (Olsen 2004, "Base terrain modifications", Analysis).
static inline float cells_per_height(const Field *height, double exaggeration) {
    const double cell = field_cell_heights(height);
    return (float)(cell > 0 ? exaggeration / cell : exaggeration * field_side(height) / 16);
}

// The declaration of the parameter `exaggeration` of operations on the form of the surface; its unit, if they
// always need slopes, is UNIT_EXAGGERATION.
#define EXAGGERATION_PARAM(type, of)                                                                         \
    PARAM(type, exaggeration, .initial = 1, .min = 0, .max = 1e6, .unit = of,                                \
          .doc =                                                                                             \
              "vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see " \
              "georeference), elsewhere a height of 1 stands for N/16 cells, as in relief")

// The gradient from a cell's neighbours, per side of a square of its area: to the right and down.
typedef enum GradientMethod {
    GRADIENT_HORN,        // three pairs of cells, the middle one twice (Horn 1981, "Hill shading and the
                          // reflectance map", section "Digital terrain models")
    GRADIENT_ZEVENBERGEN, // the middle pair (Zevenbergen and Thorne 1987, "Quantitative analysis of land
                          // surface topography", equations 8 and 9)
} GradientMethod;

KERNEL_INLINE void gradient_at(GradientMethod method, NinePoints at, int x, float *across, float *along) {
    const float *up = at.up, *row = at.row, *down = at.down;
    const float middle_across = row[x + 1] - row[x - 1], middle_along = down[x] - up[x];
    if (method == GRADIENT_ZEVENBERGEN) {
        *across = 0.5f * at.per_width * middle_across;
        *along = 0.5f * at.per_height * middle_along;
        return;
    }
    *across =
        ((up[x + 1] - up[x - 1]) + 2 * middle_across + (down[x + 1] - down[x - 1])) * (0.125f * at.per_width);
    *along =
        ((down[x - 1] - up[x - 1]) + 2 * middle_along + (down[x + 1] - up[x + 1])) * (0.125f * at.per_height);
}

// The length of the same for height × scale: the tangent of the slope. It is scaled before it is squared,
// since the squares of differences of heights in deep windows of maps are too small for a float.
KERNEL_INLINE float slope_at(GradientMethod method, NinePoints at, int x, float scale) {
    float across, along;
    gradient_at(method, at, x, &across, &along);
    const float p = across * scale, q = along * scale;
    return sqrtf(p * p + q * q);
}

// The declaration of the parameter `method`.
#define GRADIENT_PARAM(type)                                                                                 \
    PARAM(type, method, .choices = CHOICES("horn", "zevenbergen"),                                           \
          .doc = "horn: from all eight neighbours, less noise; zevenbergen: from the four nearest, sharper")

// First and second derivatives of the surface at the middle of nine cells, for kernels: of the quadratic
// fitted to them by least squares (Evans 1980, "An integrated system of terrain analysis and slope mapping"),
// or of the partial quartic through all nine (Zevenbergen and Thorne 1987, "Quantitative analysis of land
// surface topography", equations 5 to 9, where r = 2 D, s = -E, t = 2 F, p = G and q = -H).
typedef enum SurfaceFit { FIT_EVANS, FIT_ZEVENBERGEN } SurfaceFit;

typedef struct Quadratic {
    float p, q;    // first derivatives: to the right, down
    float r, s, t; // second derivatives: twice to the right, mixed, twice down
} Quadratic;

// Of height × scale, per side of a square of a cell's area.
KERNEL_INLINE Quadratic quadratic_at(SurfaceFit fit, NinePoints at, int x, float scale) {
    const float *up = at.up, *row = at.row, *down = at.down;
    const float across = at.per_width, along = at.per_height;
    const float mixed =
        ((down[x + 1] - down[x - 1]) - (up[x + 1] - up[x - 1])) * (scale / 4 * across * along);
    if (fit == FIT_ZEVENBERGEN)
        return (Quadratic){ .p = (row[x + 1] - row[x - 1]) * (scale / 2 * across),
                            .q = (down[x] - up[x]) * (scale / 2 * along),
                            .r = (row[x - 1] + row[x + 1] - 2 * row[x]) * (scale * across * across),
                            .s = mixed,
                            .t = (up[x] + down[x] - 2 * row[x]) * (scale * along * along) };
    const float left = up[x - 1] + row[x - 1] + down[x - 1], right = up[x + 1] + row[x + 1] + down[x + 1];
    const float top = up[x - 1] + up[x] + up[x + 1], bottom = down[x - 1] + down[x] + down[x + 1];
    const float middle_column = up[x] + row[x] + down[x], middle_row = row[x - 1] + row[x] + row[x + 1];
    return (Quadratic){ .p = (right - left) * (scale / 6 * across),
                        .q = (bottom - top) * (scale / 6 * along),
                        .r = (left + right - 2 * middle_column) * (scale / 3 * across * across),
                        .s = mixed,
                        .t = (top + bottom - 2 * middle_row) * (scale / 3 * along * along) };
}

// Half the sum of the two principal curvatures, per cell; above 0 where the surface is convex (Young 1978,
// "Statistical characterization of altitude matrices by computer").
KERNEL_INLINE float mean_curvature(Quadratic at) {
    const float p = at.p, q = at.q, metric = 1 + p * p + q * q;
    const float across = q * q * at.r - 2 * p * q * at.s + p * p * at.t;
    return -(at.r + at.t + across) / (2 * metric * sqrtf(metric));
}

#endif
