// Argument reduction, then the Taylor series truncated where its next term is below half a unit in the last
// place. The order of operations is fixed, so the bits are.

#include "core/elementary.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h> // floor, sqrt, isnan: exact
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LN2_HIGH 6.93147180369123816490e-01 // the upper 32 bits of ln 2, so that k · LN2_HIGH is exact
#define LN2_LOW 1.90821492927058770002e-10
#define HALF_PI_HIGH 1.57079632673412561417e+00 // the upper 33 bits of π/2
#define HALF_PI_LOW 6.07710050650619224932e-11

// Sum of coefficients[i] · x^i by Horner's rule.
KERNEL_INLINE double polynomial(double x, const double *coefficients, int count) {
    double sum = coefficients[count - 1];
#pragma GCC unroll 16
    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + coefficients[i];
    return sum;
}

// sin and cos on -π/4 … π/4.
static double sine_near_zero(double x) {
    static const double c[] = { 1.0,
                                -1.0 / 6,
                                1.0 / 120,
                                -1.0 / 5040,
                                1.0 / 362880,
                                -1.0 / 39916800,
                                1.0 / 6227020800,
                                -1.0 / 1307674368000,
                                1.0 / 355687428096000 };
    return x * polynomial(x * x, c, 9);
}

static double cosine_near_zero(double x) {
    static const double c[] = { 1.0,
                                -1.0 / 2,
                                1.0 / 24,
                                -1.0 / 720,
                                1.0 / 40320,
                                -1.0 / 3628800,
                                1.0 / 479001600,
                                -1.0 / 87178291200,
                                1.0 / 20922789888000,
                                -1.0 / 6402373705728000 };
    return polynomial(x * x, c, 10);
}

// sin(radians + quarter_turns · π/2)
static double turned_sine(double radians, int quarter_turns) {
    const double turns = floor(radians / (PI / 2) + 0.5);
    const double rest = (radians - turns * HALF_PI_HIGH) - turns * HALF_PI_LOW;
    const int quadrant = (int)((whole_64(turns) + quarter_turns) & 3);
    const double value = quadrant & 1 ? cosine_near_zero(rest) : sine_near_zero(rest);
    return quadrant & 2 ? -value : value;
}

double sine(double radians) {
    return turned_sine(radians, 0);
}

double cosine(double radians) {
    return turned_sine(radians, 1);
}

// On 0 … 1: atan(x) = atan(k/8) + atan(t), t = (x - k/8) / (1 + x·k/8), |t| ≤ 1/16.
static double arctangent_unit(double x) {
    static const double eighths[] = { 0.0,
                                      0.12435499454676144,
                                      0.24497866312686414,
                                      0.35877067027057225,
                                      0.4636476090008061,
                                      0.5585993153435624,
                                      0.6435011087932844,
                                      0.7188299996216245,
                                      0.7853981633974483 };
    static const double c[] = { 1.0, -1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13 };
    const int k = index_within(x * 8 + 0.5, 9);
    const double near = k / 8.0, t = (x - near) / (1 + x * near);
    return eighths[k] + t * polynomial(t * t, c, 7);
}

double arctangent2(double y, double x) {
    const double tall = fabs(y), wide = fabs(x);
    if (tall == 0 && wide == 0)
        return 0;
    double angle = tall <= wide ? arctangent_unit(tall / wide) : PI / 2 - arctangent_unit(wide / tall);
    if (x < 0)
        angle = PI - angle;
    return y < 0 ? -angle : angle;
}

// --- exponentials, logarithms and powers ------------------------------------------------------------------

// 2^exponent for -1022 … 1023.
static double power_of_two(int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// e^x = 2^k · e^rest
KERNEL_INLINE double exponential_rest(double x, double k) {
    return (x - k * LN2_HIGH) - k * LN2_LOW;
}

KERNEL_INLINE double exponential_near_zero(double rest) {
    static const double c[] = { 1.0,
                                1.0,
                                1.0 / 2,
                                1.0 / 6,
                                1.0 / 24,
                                1.0 / 120,
                                1.0 / 720,
                                1.0 / 5040,
                                1.0 / 40320,
                                1.0 / 362880,
                                1.0 / 3628800,
                                1.0 / 39916800,
                                1.0 / 479001600,
                                1.0 / 6227020800.0 };
    return polynomial(rest, c, 14);
}

double exponential(double x) {
    if (isnan(x))
        return x;
    if (x > 709.78)
        return INFINITY;
    if (x < -745)
        return 0;
    const double k = floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
    const int half = whole_int(k) / 2; // in two steps: 2^k itself may be out of range
    return exponential_near_zero(exponential_rest(x, k)) * power_of_two(half) *
           power_of_two(whole_int(k) - half);
}

// ln(mantissa · 2^exponent) for 1 … 2: from √½ to √2, ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172
KERNEL_INLINE double logarithm_of(double mantissa, double exponent) {
    static const double c[] = { 2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9, 2.0 / 11,
                                2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21 };
    const double high = mantissa > 1.4142135623730951 ? 1 : 0;
    const double m = mantissa > 1.4142135623730951 ? mantissa * 0.5 : mantissa, e = exponent + high;
    const double s = (m - 1) / (m + 1);
    return e * LN2_HIGH + (s * polynomial(s * s, c, 11) + e * LN2_LOW);
}

#define MANTISSA_BITS UINT64_C(0x000fffffffffffff)
#define ONE_BITS UINT64_C(0x3ff0000000000000)

double logarithm(double x) {
    if (isnan(x) || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    if (isinf(x))
        return x;
    int exponent = -1023;
    if (x < 0x1p-1022) { // below the normal range
        x *= 0x1p60;
        exponent -= 60;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int)(bits >> 52);
    bits = (bits & MANTISSA_BITS) | ONE_BITS;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    return logarithm_of(mantissa, exponent);
}

// base^(halves / 2): the root for an odd number, times powers of the base.
static double half_power(double base, int halves) {
    const int size = halves < 0 ? -halves : halves;
    double result = size & 1 ? sqrt(base) : 1;
    for (int left = size / 2; left > 0; left >>= 1, base *= base)
        if (left & 1)
            result *= base;
    return halves < 0 ? 1 / result : result;
}

double power(double base, double exponent) {
    if (power_is_half(exponent))
        return half_power(base, whole_int(2 * exponent));
    if (base < 0 && exponent == floor(exponent)) {
        const double size = exponential(exponent * logarithm(-base));
        return floor(exponent / 2) * 2 == exponent ? size : -size;
    }
    return exponential(exponent * logarithm(base));
}
