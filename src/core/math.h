// Small functions of numbers, for any type that C converts both arguments to: int, float, double and so on.
// Each argument is evaluated once. They are written so that a compiler makes vectors of them.
//
// What is not a number: min and max return b where either argument is NaN, clamp returns `low` for NaN (low
// <= high).

#ifndef ESKER_MATH_H
#define ESKER_MATH_H

#include "core/kernel.h"

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

MATH_FUNCTIONS(int, int)
MATH_FUNCTIONS(unsigned, unsigned)
MATH_FUNCTIONS(long, long)
MATH_FUNCTIONS(unsigned long, unsigned_long)
MATH_FUNCTIONS(long long, long_long)
MATH_FUNCTIONS(float, float)
MATH_FUNCTIONS(double, double)

#ifdef __cppcheck__ // which takes _Generic for a mistake
#define MATH_SELECT(function, number) function##_double
#else
#define MATH_SELECT(function, number)                                                                        \
    _Generic((number), int                                                                                   \
             : function##_int, unsigned                                                                      \
             : function##_unsigned, long                                                                     \
             : function##_long, unsigned long                                                                \
             : function##_unsigned_long, long long                                                           \
             : function##_long_long, float                                                                   \
             : function##_float, double                                                                      \
             : function##_double)
#endif

#define min(a, b) MATH_SELECT(min, (a) + (b))(a, b)
#define max(a, b) MATH_SELECT(max, (a) + (b))(a, b)
#define clamp(value, low, high) MATH_SELECT(clamp, (value) + (low) + (high))(value, low, high)

#endif
