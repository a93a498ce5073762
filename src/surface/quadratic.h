// First and second derivatives of the surface at the middle of nine cells, for kernels: of the quadratic
// fitted to them by least squares (Evans 1980, "An integrated system of terrain analysis and slope mapping"),
// or of the partial quartic through all nine (Zevenbergen and Thorne 1987, "Quantitative analysis of land
// surface topography", equations 5 to 9, where r = 2 D, s = -E, t = 2 F, p = G and q = -H).

#ifndef ESKER_QUADRATIC_H
#define ESKER_QUADRATIC_H

#include "surface/nine_points.h"

#include <math.h>

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
