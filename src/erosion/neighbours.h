// Functions of a cell's neighbours that give the same bits for a mirrored or rotated field: sums add
// opposite neighbours first, and equally low neighbours share.

#ifndef ESKER_NEIGHBOURS_H
#define ESKER_NEIGHBOURS_H

#include "core/kernel.h"
#include "core/math.h"

// The sum of eight neighbours' values, row by row.
KERNEL_INLINE float sum_around(const float *at) {
    return ((at[0] + at[7]) + (at[2] + at[5])) + ((at[1] + at[6]) + (at[3] + at[4]));
}

KERNEL_INLINE float lowest_of(float a, float b, float c, float d) {
    const float ab = min(a, b), cd = min(c, d);
    return min(ab, cd);
}

// The share of each of the lowest neighbours: 1 to 1/4.
KERNEL_INLINE float part_of_lowest(float lowest, float a, float b, float c, float d) {
    const float ab = (a == lowest ? 1.0f : 0.0f) + (b == lowest ? 1.0f : 0.0f);
    const float cd = (c == lowest ? 1.0f : 0.0f) + (d == lowest ? 1.0f : 0.0f);
    const float equal = ab + cd;
    return equal < 2 ? 1.0f : equal < 3 ? 0.5f : equal < 4 ? 1 / 3.0f : 0.25f;
}

// What a cell of this height receives from a neighbour whose lowest neighbours may include it.
KERNEL_INLINE float part_from(float its_lowest, float its_part, float height) {
    return its_lowest == height ? its_part : 0;
}

#endif
