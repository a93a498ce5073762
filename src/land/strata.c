#include "land/strata.h"

#include "core/math.h"

#include <math.h>

// Strata are 2^bits units of level 0 thick, about 1/208 of the land's longer side.
static int strata_bits(const Land *land) {
    const int side = max(land->root.width, land->root.height);
    int bits = 12;
    for (int cells = 312; cells <= side; cells *= 2) // 208 × √2: the nearest power
        bits++;
    return bits;
}

double mesa_layer(const Land *land) {
    return ldexp(3, strata_bits(land));
}

// The lowest third of each is hard.
void set_softness(const Level *level, int y, int first, int end, float *softness) {
    const float hardness = level->land->rules.hardness;
    const int bits = strata_bits(level->land) + level->number;
    const Int128 thickness = (Int128)1 << bits;
    const int32_t *z = level->z + (size_t)y * (size_t)level->width;
    for (int x = first; x < end; x++)
        softness[x - first] = 1;
    for (int x = first; x < end && hardness > 0; x++)
        if (((level->base + z[x]) & (thickness - 1)) < thickness / 20 * 7)
            softness[x - first] = 1 - hardness;
}
