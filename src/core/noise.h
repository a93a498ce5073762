// Value noise, -1 … 1: random numbers at the points of a lattice, interpolated smoothly.

#ifndef ESKER_NOISE_H
#define ESKER_NOISE_H

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <stdint.h>

// Noise in the lattice cell at `column` and `row`; u and v, 0 … 1, run to the right and down in it.
#define VALUE_NOISE_IN_CELL(type)                                                                            \
    KERNEL_INLINE type value_noise_in_cell_##type(RandomKey key, uint32_t column, uint32_t row, type u,      \
                                                  type v) {                                                  \
        return bilinear((type)random_signed(key, column, row), (type)random_signed(key, column + 1, row),    \
                        (type)random_signed(key, column, row + 1),                                           \
                        (type)random_signed(key, column + 1, row + 1), smoothstep(u), smoothstep(v));        \
    }

// Noise at (x, y), in cells of the lattice, both 0 or more. `layer` is added to the lattice's columns, which
// gives each octave or axis of one key its own lattice.
#define VALUE_NOISE(type)                                                                                    \
    KERNEL_INLINE type value_noise_##type(RandomKey key, uint32_t layer, type x, type y) {                   \
        const int column = whole_int(x), row = whole_int(y);                                                 \
        return value_noise_in_cell_##type(key, (uint32_t)column + layer, (uint32_t)row, x - (type)column,    \
                                          y - (type)row);                                                    \
    }

VALUE_NOISE_IN_CELL(float)
VALUE_NOISE_IN_CELL(double)
VALUE_NOISE(float)
VALUE_NOISE(double)

#endif
