// Value noise: random numbers at the points of a lattice, smooth in between, -1 … 1.

#ifndef ESKER_NOISE_H
#define ESKER_NOISE_H

#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <stdint.h>

// At (x, y), counted in cells of the lattice, both 0 or more. `layer` is added to the lattice's columns: a
// lattice of its own for each octave or axis of one key.
KERNEL_INLINE float value_noise_float(RandomKey key, uint32_t layer, float x, float y) {
    const int column = whole_int(x), row = whole_int(y);
    const uint32_t cx = (uint32_t)column + layer, cy = (uint32_t)row;
    return bilinear(random_signed(key, cx, cy), random_signed(key, cx + 1, cy),
                    random_signed(key, cx, cy + 1), random_signed(key, cx + 1, cy + 1),
                    smoothstep(x - (float)column), smoothstep(y - (float)row));
}

KERNEL_INLINE double value_noise_double(RandomKey key, uint32_t layer, double x, double y) {
    const int column = whole_int(x), row = whole_int(y);
    const uint32_t cx = (uint32_t)column + layer, cy = (uint32_t)row;
    return bilinear((double)random_signed(key, cx, cy), (double)random_signed(key, cx + 1, cy),
                    (double)random_signed(key, cx, cy + 1), (double)random_signed(key, cx + 1, cy + 1),
                    smoothstep(x - column), smoothstep(y - row));
}

#endif
