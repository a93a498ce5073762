// From floating point to whole numbers. A cast of what does not fit the type, or is not a number, is
// undefined in C: processors disagree, and an index made that way may lie anywhere. All of src casts here;
// `make lint` looks. Each cuts off towards zero.

#ifndef ESKER_WHOLE_H
#define ESKER_WHOLE_H

#include <limits.h>
#include <stdint.h>

// `low` … `high`: what lies outside becomes the nearer end, and what is not a number `low`. A float stays
// one, for loops over vectors.
#ifdef __cppcheck__ // which takes _Generic for a mistake
#define whole_within(value, low, high) double_to_within(value, low, high)
#else
#define whole_within(value, low, high)                                                                       \
    _Generic((value), float : float_to_within, default : double_to_within)(value, low, high)
#endif

static inline int double_to_within(double value, int low, int high) {
    return value > low ? value < high ? (int)value : high : low;
}

static inline int float_to_within(float value, int low, int high) {
    return value > (float)low ? value < (float)high ? (int)value : high : low;
}

// 0 … count - 1, likewise.
#define index_within(value, count) whole_within(value, 0, (count)-1)

// What an int holds, likewise.
#define whole_int(value) whole_within(value, INT_MIN, INT_MAX)

// Up to ±2^62, where the sum of two still fits; 0 for what is not a number.
static inline int64_t whole_64(double value) {
    const double most = 0x1p62;
    return value < most ? value > -most ? (int64_t)value : -(int64_t)most : value >= most ? (int64_t)most : 0;
}

__extension__ typedef __int128 Int128;

// Likewise up to ±2^126.
static inline Int128 whole_128(double value) {
    const double most = 0x1p126;
    return value < most ? value > -most ? (Int128)value : -(Int128)most : value >= most ? (Int128)most : 0;
}

#endif
