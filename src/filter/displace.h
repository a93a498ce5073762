// Displacement of a field: each cell takes the height, bilinear between four cells, at another place.

#ifndef ESKER_DISPLACE_H
#define ESKER_DISPLACE_H

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/parallel.h"

// The integer below: a conversion and a comparison, which vectorise; floorf does not. Far away it is any
// integer.
KERNEL_INLINE int whole_below(float at) {
    const int towards_zero = whole_int(at);
    return (int)((unsigned)towards_zero - (at < (float)towards_zero));
}

// Wraps into 0 … period, from any number of periods away; never below 0, where rounding would put it just
// before a whole period, and never outside, from however far away.
KERNEL_INLINE float wrap_place(float at, float period) {
    const float place = at - period * (float)whole_below(at / period);
    return clamp(place, 0, period);
}

// Reflects into 0 … last.
KERNEL_INLINE float mirror_place(float at, float last) {
    const float there_and_back = wrap_place(at, 2 * last);
    return there_and_back < last ? there_and_back : 2 * last - there_and_back;
}

// One axis of a position between cells: the two cells, and the distance from the first one.
typedef struct Between {
    int first, second;
    float t;
} Between;

// The cells around the place `off` beyond the cell `at`. Where edges meet, `off` alone is wrapped, so that
// the place in the field does not matter to the last bit.
KERNEL_INLINE Between between(int at, float off, int cells, bool wraps) {
    const float last = (float)(cells - 1), place = wraps       ? wrap_place(off, (float)cells)
                                                   : cells > 1 ? mirror_place((float)at + off, last)
                                                               : 0;
    const int below = whole_below(place), reached = wraps ? at + below : below;
    const int first = reached < cells ? reached : wraps ? reached - cells : 0;
    const int beyond = wraps ? 0 : first;
    return (Between){ first, first + 1 < cells ? first + 1 : beyond, place - (float)below };
}

// Bilinear between the four cells around the place (right, down) of the cell (x, y). `middle` is the middle
// row, so that 32 bits tell every cell's place, as vectors want it.
KERNEL_INLINE float sample(const float *restrict middle, int width, int height, int x, int y, float right,
                           float down, bool wraps) {
    const Between across = between(x, right, width, wraps), along = between(y, down, height, wraps);
    const int upper = (along.first - height / 2) * width, lower = (along.second - height / 2) * width;
    const int left = across.first, beside = across.second;
    return bilinear(middle[upper + left], middle[upper + beside], middle[lower + left],
                    middle[lower + beside], across.t, along.t);
}

// `result` first holds displacements to the right, then the heights. Displacements count as
// (value - still) · reach cells.
typedef struct Displacement {
    const Field *height, *down;
    Field *result;
    float still, reach;
    bool wraps; // else the field is mirrored beyond its edges
} Displacement;

Status displace(const Run *run, Displacement *displacement);

// The same of `count` cells from (x, y) on, with `down` of these cells.
void displace_part(const Displacement *displacement, int x, int y, int count, const float *down);

#endif
