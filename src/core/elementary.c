// Argument reduction, then the Taylor series truncated where its next term is below half a unit in the last
// place. The order of operations is fixed, so the bits are.

#include "core/elementary.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h>
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

// --- powers ------------------------------------------------------------------------------------------------

// Powers of many numbers at once: a quick estimate whose error is known, and `power` for the few cells that
// it leaves undecided (Ziv 1991, "Fast evaluation of elementary mathematical functions with correctly rounded
// last bit"). An estimate decides if all numbers within its error round to the same float; one cell of 4,000
// is undecided.
//
//     x^y = 2^(y · log2 x),   x = 2^e · m with √½ ≤ m < √2
//     log2 m = 2 / ln 2 · artanh s,   s = (m - 1) / (m + 1)

enum { LANES = 64 }; // estimated together

#define ROUNDER 0x1.8p52 // added to a number below 2^51, it leaves the nearest whole number in the lower bits

KERNEL_INLINE uint32_t bits_of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

KERNEL_INLINE float float_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

KERNEL_INLINE uint64_t bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

KERNEL_INLINE double double_of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The logarithm of a normal positive float is exponent + log2 m. The quotient s is a float's; what is missing
// from it is the remainder divided by (m + 1) / 2, which is multiplied by 1 - s.
KERNEL_INLINE double quotient(float x, double *exponent) {
    const uint32_t root_half = 0x3f3504f3, half = 0x00800000, above = bits_of_float(x) - root_half;
    *exponent = (double)((int32_t)above >> 23);
    const float half_m = float_of_bits((above & 0x007fffff) + root_half - half), over = half_m - 0.5f;
    const double near = (double)(over / (half_m + 0.5f)), above_half = (double)over;
    return near + (above_half - near * (above_half + 1)) * (1 - near);
}

// 2 / ln 2 · artanh(s): the minimax on 0 ≤ s² ≤ 0.02945 has a relative error of 2^-45. In pairs, which do not
// wait for each other.
KERNEL_INLINE double logarithm_of_quotient(double s) {
    const double z = s * s, z2 = z * z;
    const double c0 = 0x1.71547652b8252p+1 + z * 0x1.ec709dc53a51fp-1;
    const double c2 = 0x1.2776c2956bf50p-1 + z * 0x1.a61a2d3229672p-2;
    const double c4 = 0x1.4795930157333p-2 + z * 0x1.21adbe62ac00cp-2;
    return s * (c0 + z2 * (c2 + z2 * c4));
}

// 2^x for -½ … ½: 2^-39.7.
KERNEL_INLINE double quick_power_of_two(double x) {
    const double x2 = x * x, x4 = x2 * x2;
    const double c0 = 1 + x * 0x1.62e42fef84c25p-1, c2 = 0x1.ebfbdff823cb5p-3 + x * 0x1.c6b08dd71cba5p-5,
                 c4 = 0x1.3b2ab71824365p-7 + x * 0x1.5d874581411cbp-10,
                 c6 = 0x1.4308ac70a8e77p-13 + x * 0x1.00dc6396f4ca0p-16;
    return (c0 + x2 * c2) + x4 * ((c4 + x2 * c6) + x4 * 0x1.63d1523780311p-20);
}

// 2^log, normally; sets the highest bit of `undecided` if it may round to either of two floats.
KERNEL_INLINE float quick_power(double log, uint64_t *undecided) {
    const double rounded = log + ROUNDER, power = quick_power_of_two(log - (rounded - ROUNDER));
    // The error is below 2^-37, 2^16 units of a double's last place. A double has 29 places more than a
    // float; in the middle between two floats, the highest of them alone is 1.
    const uint64_t error = 1 << 16, middle = 1 << 28, places = (1 << 29) - 1;
    *undecided |= ((bits_of_double(power) + middle + error) & places) - 2 * error;
    return (float)double_of_bits(bits_of_double(power) + (bits_of_double(rounded) << 52));
}

// As the highest bit, whether x is no normal positive number.
KERNEL_INLINE uint32_t is_special(float x) {
    const uint32_t bits = bits_of_float(x);
    return (bits - 0x00800000) | (0x7f7fffff - bits);
}

KERNEL_INLINE float power_of_zero(float exponent) {
    return exponent > 0 ? 0 : INFINITY;
}

// As the highest bit, whether `exponent` is no number, or one for which `power` takes roots; ±65 does no
// harm.
KERNEL_INLINE uint32_t is_special_exponent(float exponent) {
    const int halves = whole_within(2 * exponent, -130, 130);
    const uint32_t is_half = (float)halves == 2 * exponent ? UINT32_C(1) << 31 : 0;
    return is_half | (0x7f7fffff - (bits_of_float(exponent) & 0x7fffffff));
}

// Sets `logs` to the products of exponents and logarithms. Three short loops, since a long one would wait: a
// processor looks ahead by some hundred instructions.
KERNEL_INLINE void find_logarithms(double *restrict logs, const float *restrict base,
                                   const float *restrict exponent, bool one) {
    double quotients[LANES], exponents[LANES];
    for (int i = 0; i < LANES; i++)
        quotients[i] = quotient(base[i], &exponents[i]);
    for (int i = 0; i < LANES; i++)
        logs[i] = (double)exponent[one ? 0 : i] * (exponents[i] + logarithm_of_quotient(quotients[i]));
}

// One exponent for all, at most EXPONENT_MAX, so that 2^log is a double. Returns whether any is undecided.
#define EXPONENT_MAX 8
KERNEL static bool estimate_powers_of(float *restrict out, const float *restrict base, float exponent) {
    double logs[LANES];
    float results[LANES];
    find_logarithms(logs, base, &exponent, true);
    uint64_t undecided = 0;
    for (int i = 0; i < LANES; i++)
        results[i] = quick_power(logs[i], &undecided);
    uint32_t special = 0;
    const float of_zero = power_of_zero(exponent);
    for (int i = 0; i < LANES; i++) {
        const uint32_t unusual = is_special(base[i]) | is_special(results[i]);
        special |= unusual & -(uint32_t)(base[i] != 0);
        out[i] = base[i] == 0 ? of_zero : results[i];
    }
    return undecided >> 63 || special >> 31;
}

// Results are normal up to 2^±125.
KERNEL static bool estimate_powers(float *restrict out, uint32_t *restrict undecided,
                                   const float *restrict base, const float *restrict exponent) {
    double logs[LANES];
    find_logarithms(logs, base, exponent, false);
    uint32_t any = 0;
    for (int i = 0; i < LANES; i++) {
        uint64_t unsure = bits_of_double(125 - fabs(logs[i]));
        const float result = quick_power(logs[i], &unsure);
        const uint32_t unusual = (uint32_t)(unsure >> 32) | is_special(base[i]);
        undecided[i] = (base[i] == 0 ? 0 : unusual) | is_special_exponent(exponent[i]);
        out[i] = base[i] == 0 ? power_of_zero(exponent[i]) : result;
        any |= undecided[i];
    }
    return any >> 31;
}

static void powers_of_lanes(float *restrict out, const float *restrict base, const float *restrict exponent) {
    uint32_t undecided[LANES];
    const bool any = estimate_powers(out, undecided, base, exponent);
    for (int i = 0; i < LANES && any; i++)
        if (undecided[i] >> 31)
            out[i] = (float)power((double)base[i], (double)exponent[i]);
}

typedef struct Lanes {
    float out[LANES], base[LANES], exponent[LANES];
} Lanes;

// Fewer numbers than LANES.
static void powers_of_rest(float *restrict out, const float *restrict base, const float *restrict exponent,
                           int count) {
    Lanes lanes;
    const size_t bytes = (size_t)count * sizeof(float);
    for (int i = 0; i < LANES; i++)
        lanes.base[i] = lanes.exponent[i] = 1.25f;
    memcpy(lanes.base, base, bytes);
    memcpy(lanes.exponent, exponent, bytes);
    powers_of_lanes(lanes.out, lanes.base, lanes.exponent);
    memcpy(out, lanes.out, bytes);
}

void powers(float *restrict out, const float *restrict base, const float *restrict exponent, int count) {
    int first = 0;
    for (; first + LANES <= count; first += LANES)
        powers_of_lanes(out + first, base + first, exponent + first);
    if (first < count)
        powers_of_rest(out + first, base + first, exponent + first, count - first);
}

void powers_of_one(float *restrict out, const float *restrict base, float exponent, int count) {
    const bool quick = fabsf(exponent) <= EXPONENT_MAX && !power_is_half((double)exponent);
    float exponents[LANES];
    for (int i = 0; i < LANES; i++)
        exponents[i] = exponent;
    for (int first = 0; first < count; first += LANES)
        if (!quick || first + LANES > count || estimate_powers_of(out + first, base + first, exponent))
            powers(out + first, base + first, exponents, min(count - first, LANES));
}

// --- whole and half exponents -----------------------------------------------------------------------------

enum { CHUNK = 256 };

// One squaring or multiplication of all numbers after the other, as half_power does.
KERNEL static void begin_powers(double *restrict result, double *restrict squares, const float *restrict base,
                                int halves, int count) {
    if (halves & 1)
        for (int i = 0; i < count; i++)
            result[i] = sqrt((double)base[i]);
    else
        for (int i = 0; i < count; i++)
            result[i] = 1;
    for (int i = 0; i < count; i++)
        squares[i] = (double)base[i];
}

KERNEL static void multiply_by(double *restrict a, const double *restrict b, int count) {
    for (int i = 0; i < count; i++)
        a[i] *= b[i];
}

KERNEL static void square_all(double *restrict a, int count) {
    for (int i = 0; i < count; i++)
        a[i] *= a[i];
}

KERNEL static void end_powers(float *restrict out, const double *restrict result, bool inverse, int count) {
    if (inverse)
        for (int i = 0; i < count; i++)
            out[i] = (float)(1 / result[i]);
    else
        for (int i = 0; i < count; i++)
            out[i] = (float)result[i];
}

static void half_powers_of_lanes(float *restrict out, const float *restrict base, int halves, int count) {
    double result[CHUNK], squares[CHUNK];
    begin_powers(result, squares, base, halves, count);
    for (int left = abs(halves) / 2; left > 0; left >>= 1) {
        if (left & 1)
            multiply_by(result, squares, count);
        if (left > 1)
            square_all(squares, count);
    }
    end_powers(out, result, halves < 0, count);
}

void half_powers(float *restrict out, const float *restrict base, int halves, int count) {
    for (int first = 0; first < count; first += CHUNK)
        half_powers_of_lanes(out + first, base + first, halves, min(count - first, CHUNK));
}
