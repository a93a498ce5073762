// From floating point to whole numbers. A cast of what does not fit the type, or is not a number, is
// undefined in C: processors disagree, and an index made that way may lie anywhere. All of src casts here;
// `make lint` looks.

#ifndef ESKER_WHOLE_H
#define ESKER_WHOLE_H

#include <stdint.h>

// Cut off towards zero, and at `low` and `high`; what is not a number becomes `low`.
static inline int whole_within(double value, int low, int high) {
    return value > low ? value < high ? (int)value : high : low;
}

// 0 … count - 1, likewise.
static inline int index_within(double value, int count) {
    return whole_within(value, 0, count - 1);
}

// Cut off towards zero, and at ±2^62, where the sum of two still fits; 0 for what is not a number.
static inline int64_t whole_64(double value) {
    const double most = 0x1p62;
    return value < most ? value > -most ? (int64_t)value : -(int64_t)most : value >= most ? (int64_t)most : 0;
}

#endif
