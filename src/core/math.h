// Small functions of numbers, for any type that C converts both arguments to: int, Int128, float, double and
// so on. Each argument is evaluated once. They are written so that a compiler makes vectors of them.
//
// What is not a number: min and max return b where either argument is NaN, clamp returns `low` for NaN (low
// <= high).

#ifndef ESKER_MATH_H
#define ESKER_MATH_H

#include "core/kernel.h"
#include "core/whole.h"

#include <math.h>
#include <stdint.h>

#define MATH_FUNCTIONS(type, name)                                                                           \
    KERNEL_INLINE type min_##name(type a, type b) {                                                          \
        return a < b ? a : b;                                                                                \
    }                                                                                                        \
    KERNEL_INLINE type max_##name(type a, type b) {                                                          \
        return a > b ? a : b;                                                                                \
    }                                                                                                        \
    KERNEL_INLINE type clamp_##name(type value, type low, type high) {                                       \
        return min_##name(max_##name(value, low), high);                                                     \
    }

// lerp: a at share 0, b at share 1. smoothstep: 0 … 1 for 0 … 1, level at both ends. bilinear: between a and
// b above, c and d below, u to the right and v down.
#define MATH_INTERPOLATION(type, name)                                                                       \
    KERNEL_INLINE type lerp_##name(type a, type b, type share) {                                             \
        return a + (b - a) * share;                                                                          \
    }                                                                                                        \
    KERNEL_INLINE type smoothstep_##name(type t) {                                                           \
        return t * t * (3 - 2 * t);                                                                          \
    }                                                                                                        \
    KERNEL_INLINE type bilinear_##name(type a, type b, type c, type d, type u, type v) {                     \
        return lerp_##name(lerp_##name(a, b, u), lerp_##name(c, d, u), v);                                   \
    }

// A segment from (0, 0) to (dx, dy). segment_share: the position along it, 0 … 1, of the point nearest to
// (x, y); segment_share_by takes 1 / (dx² + dy²), for loops. segment_distance: from (x, y) to the point at
// a share.
#define MATH_SEGMENTS(type, name, root)                                                                      \
    KERNEL_INLINE type segment_share_by_##name(type x, type y, type dx, type dy, type inverse) {             \
        return clamp_##name((x * dx + y * dy) * inverse, 0, 1);                                              \
    }                                                                                                        \
    KERNEL_INLINE type segment_share_##name(type x, type y, type dx, type dy) {                              \
        const type squared = dx * dx + dy * dy;                                                              \
        return squared > 0 ? clamp_##name((x * dx + y * dy) / squared, 0, 1) : 0;                            \
    }                                                                                                        \
    KERNEL_INLINE type segment_distance_##name(type x, type y, type dx, type dy, type share) {               \
        const type off_x = x - share * dx, off_y = y - share * dy;                                           \
        return root(off_x * off_x + off_y * off_y);                                                          \
    }

MATH_FUNCTIONS(int, int)
MATH_FUNCTIONS(unsigned, unsigned)
MATH_FUNCTIONS(long, long)
MATH_FUNCTIONS(unsigned long, unsigned_long)
MATH_FUNCTIONS(long long, long_long)
MATH_FUNCTIONS(unsigned long long, unsigned_long_long)
MATH_FUNCTIONS(float, float)
MATH_FUNCTIONS(double, double)
MATH_FUNCTIONS(Int128, int_128)
MATH_INTERPOLATION(float, float)
MATH_INTERPOLATION(double, double)
MATH_SEGMENTS(float, float, sqrtf)
MATH_SEGMENTS(double, double, sqrt)

#ifdef __cppcheck__ // cppcheck misreads _Generic
#define MATH_SELECT(function, number) function##_double
#else
#define MATH_SELECT(function, number)                                                                        \
    _Generic((number), int                                                                                   \
             : function##_int, unsigned                                                                      \
             : function##_unsigned, long                                                                     \
             : function##_long, unsigned long                                                                \
             : function##_unsigned_long, long long                                                           \
             : function##_long_long, unsigned long long                                                      \
             : function##_unsigned_long_long, float                                                          \
             : function##_float, double                                                                      \
             : function##_double, Int128                                                                     \
             : function##_int_128)
#endif

#ifdef __cppcheck__
#define MATH_SELECT_REAL(function, number) function##_double
#else
#define MATH_SELECT_REAL(function, number)                                                                   \
    _Generic((number), float : function##_float, default : function##_double)
#endif

// The whole number that a value misses by the rounding of a few steps, else the value: 29.0 / 100 * 100 is
// less than 29.
static inline double mend_rounding(double value) {
    const double whole = floor(value + 0.5);
    return fabs(value - whole) <= 0x1p-48 * whole ? whole : value;
}

#define min(a, b) MATH_SELECT(min, (a) + (b))(a, b)
#define max(a, b) MATH_SELECT(max, (a) + (b))(a, b)
#define clamp(value, low, high) MATH_SELECT(clamp, (value) + (low) + (high))(value, low, high)

#define lerp(a, b, share) MATH_SELECT_REAL(lerp, (a) + (b) + (share))(a, b, share)
#define smoothstep(t) MATH_SELECT_REAL(smoothstep, t)(t)
#define bilinear(a, b, c, d, u, v)                                                                           \
    MATH_SELECT_REAL(bilinear, (a) + (b) + (c) + (d) + (u) + (v))(a, b, c, d, u, v)

#define segment_share_by(x, y, dx, dy, inverse)                                                              \
    MATH_SELECT_REAL(segment_share_by, (x) + (y) + (dx) + (dy) + (inverse))(x, y, dx, dy, inverse)
#define segment_share(x, y, dx, dy) MATH_SELECT_REAL(segment_share, (x) + (y) + (dx) + (dy))(x, y, dx, dy)
#define segment_distance(x, y, dx, dy, share)                                                                \
    MATH_SELECT_REAL(segment_distance, (x) + (y) + (dx) + (dy) + (share))(x, y, dx, dy, share)

// --- angles ------------------------------------------------------------------------------------------------

// For kernels: the arctangent in floats, from + - * / only, within 2e-7 of the true value. Where that does
// not do: elementary.h.

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
