// Angles for kernels: the arctangent in floats, from + - * / only, within 2e-7 of the true value. Where that
// does not do: elementary.h.

#ifndef ESKER_ANGLE_H
#define ESKER_ANGLE_H

#include "core/kernel.h"

#include <math.h>

#define ANGLE_PI 3.14159265f
#define DEGREES_PER_RADIAN 57.2957795f

// On 0 … 1: a polynomial in x², interpolated at the Chebyshev points.
KERNEL_INLINE float angle_below_diagonal(float x) {
    const float t = x * x;
    float sum = 0.00283406433f;
    sum = sum * t - 0.0160050306f;
    sum = sum * t + 0.0425876076f;
    sum = sum * t - 0.0749544546f;
    sum = sum * t + 0.106367541f;
    sum = sum * t - 0.142025705f;
    sum = sum * t + 0.199924836f;
    sum = sum * t - 0.333330668f;
    sum = sum * t + 0.999999984f;
    return sum * x;
}

// The angle of the direction (x, y), -π … π from (1, 0) towards (0, 1), in radians; 0 for (0, 0).
KERNEL_INLINE float angle_of(float y, float x) {
    const float tall = fabsf(y), wide = fabsf(x);
    const float longer = tall > wide ? tall : wide, shorter = tall > wide ? wide : tall;
    const float octant = angle_below_diagonal(longer > 0 ? shorter / longer : 0);
    const float quarter = tall > wide ? 0.5f * ANGLE_PI - octant : octant;
    const float half = x < 0 ? ANGLE_PI - quarter : quarter;
    return y < 0 ? -half : half;
}

#endif
