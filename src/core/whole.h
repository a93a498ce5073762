// Conversion from floating point to integers. A cast of a value that does not fit the type, or of NaN, is
// undefined in C: processors disagree, and an index made that way may be anything. All of src converts
// here, which `make lint` checks. Conversions truncate towards zero.

#ifndef ESKER_WHOLE_H
#define ESKER_WHOLE_H

#include <limits.h>
#include <stdint.h>

// Clamped to `low` … `high`; NaN becomes `low`. A float stays a float, for loops over vectors.
#ifdef __cppcheck__ // cppcheck misreads _Generic
#define whole_within(value, low, high) double_to_within(value, low, high)
#else
#define whole_within(value, low, high)                                                                       \
    _Generic((value), float : float_to_within, default : double_to_within)(value, low, high)
#endif

static inline int double_to_within(double value, int low, int high) {
    const double above = value > low ? value : low;
    return (int)(above < high ? above : high);
}

// Converts whatever the value: compilers make no vectors of conversions on a condition.
static inline int float_to_within(float value, int low, int high) {
    const float most = 0x1.fffffep30f; // the largest below INT_MAX
    const float above = value > (float)low ? value : (float)low;
    const int whole = (int)(above < most ? above : most);
    return value >= (float)high ? high : whole;
}

// Converts a value that is known to lie within an int, in loops where a check would cost a quarter of the
// time.
static inline int whole_unchecked(float value) {
    return (int)value;
}

// Clamped to 0 … count - 1; 0 where count is 0.
#define index_within(value, count) whole_within(value, 0, (count) > 0 ? (count)-1 : 0)

// Clamped to the range of an int.
#define whole_int(value) whole_within(value, INT_MIN, INT_MAX)

// Clamped to ±2^62, so that the sum of two still fits; NaN becomes 0.
static inline int64_t whole_64(double value) {
    const double most = 0x1p62;
    return value < most ? value > -most ? (int64_t)value : -(int64_t)most : value >= most ? (int64_t)most : 0;
}

__extension__ typedef __int128 Int128;

// Clamped to ±2^126 in the same way.
static inline Int128 whole_128(double value) {
    const double most = 0x1p126;
    return value < most ? value > -most ? (Int128)value : -(Int128)most : value >= most ? (Int128)most : 0;
}

#endif
