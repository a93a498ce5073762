#include "rivermap/channel_banks.h"

#include "core/math.h"
#include "core/random.h"

#include <math.h>

// In half widths: the largest cells of the noise.
#define WIDEST 4.0

void banks_begin(Banks *banks, const Channels *channels) {
    banks->finest_level = channels->finest_level;
    banks->finest_cell = channels->finest_cell;
    for (int level = 0; level <= channels->finest_level; level++)
        banks->levels[level].known = false;
}

// The position in its cell of 2^shift, 0 … 1.
static double within_cell(Int128 place, int shift) {
    const uint64_t bits = shift > 64 ? (uint64_t)(place >> (shift - 64)) : (uint64_t)place << (64 - shift);
    return (double)(bits >> 11) * 0x1p-53;
}

static void look_at(BankCell *cell, int level, uint32_t column, uint32_t row) {
    *cell = (BankCell){ .column = column, .row = row, .known = true };
    for (uint32_t axis = 0; axis < 2; axis++) {
        const RandomKey key = random_key((uint64_t)level, axis);
        for (uint32_t i = 0; i < 4; i++)
            cell->slopes[i][axis] = (double)random_signed(key, column + i % 2, row + i / 2);
    }
}

// Gradient noise (Perlin 1985), whose cells are 0.8 · 2^-`level` of the map's side. Its lattice is turned, at
// odd levels to the other side: along rows and columns, banks would have steps. 4² + 3² = 5², and 0.8 = 4/5.
static double noise_at(Banks *banks, Int128 x, Int128 y, int level) {
    const int shift = PLACE_BITS + 2 - level, turn = level % 2 ? -3 : 3;
    const Int128 above_0 = (Int128)4 << PLACE_BITS, u = 4 * x - turn * y + above_0,
                 v = 4 * y + turn * x + above_0;
    const uint32_t column = (uint32_t)(u >> shift), row = (uint32_t)(v >> shift);
    BankCell *cell = &banks->levels[level];
    if (!cell->known || cell->column != column || cell->row != row)
        look_at(cell, level, column, row);
    const double x_in = within_cell(u, shift), y_in = within_cell(v, shift);
    double corners[4];
    for (int i = 0; i < 4; i++) {
        const int right = i & 1, below = i >> 1;
        corners[i] = cell->slopes[i][0] * (x_in - right) + cell->slopes[i][1] * (y_in - below);
    }
    return 1.7 * bilinear(corners[0], corners[1], corners[2], corners[3], smoothstep(x_in), smoothstep(y_in));
}

// Noise at every scale from twice the river's width down to a pixel, so that at any zoom a bank has as much
// detail as the coast and keeps its position from zoom to zoom. Below half a width each octave is gentler
// than the one before: with octaves of equal slopes banks had teeth. It bends the bank as the wider ones left
// it, a few of its cells on either side: farther out it would only make the land rough.
double bank_at(Banks *banks, Int128 x, Int128 y, double ratio, double half) {
    const double strength = 0.22, finest = banks->finest_cell;
    int level = banks->finest_level;
    double cell = finest;
    for (; level > 1 && 2 * cell < WIDEST * half; level--)
        cell *= 2;
    for (; level > 0 && level <= banks->finest_level; level++, cell *= 0.5) {
        const double size = cell / half, weight = clamp(2 - 2 * size / WIDEST, 0, 1);
        const double share = cell > finest ? 1 : finest - 1; // fades in with the zoom
        const double near = clamp(1.5 - 0.5 * fabs(ratio - 1) / min(size, 0.6), 0, 1);
        if (weight * share * near > 0)
            ratio += strength * min(size * sqrt(sqrt(size)), 1) * weight * share * smoothstep(near) *
                     noise_at(banks, x, y, level);
    }
    return ratio;
}
