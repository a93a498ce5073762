#include "land/smooth_noise.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

uint32_t bits_of_place(Int128 place) {
    return (uint32_t)mix64((uint64_t)place) ^ (uint32_t)mix64((uint64_t)(place >> 64) + 1);
}

Lattice lattice_at(int bits, Int128 y) {
    const Int128 row = y >> bits, width = (Int128)1 << bits;
    const float share = bits < 31 ? 1 / (float)(1 << bits) : ldexpf(1, -bits);
    const float t = ((float)(int)(y & (width - 1)) + 0.5f) * share, rest = 1 - t;
    return (Lattice){ bits, row, { 0.5f * rest * rest, 0.5f + t * rest, 0.5f * t * t } };
}

// A quadratic spline of three points, for the cells around the middle one from `skipped` cells of them on.
KERNEL static void add_spline(const float points[3], float cell, int skipped, int count,
                              float *restrict sum) {
    const float before = points[0], own = points[1], after = points[2];
    for (int i = 0; i < count; i++) {
        const float t = ((float)(skipped + i) + 0.5f) * cell, rest = 1 - t;
        sum[i] += 0.5f * rest * rest * before + (0.5f + t * rest) * own + 0.5f * t * t * after;
    }
}

// The same for all cells around `count` points, from the second one on: few cells each, LANES at a time.
enum { LANES = 4 };
KERNEL static void add_splines(const float *restrict points, int count, int bits, float *restrict sum) {
    const float cell = 1 / (float)(1 << bits);
    for (int first = 0; first < 1 << bits; first += LANES) {
        float weight[3][LANES];
#pragma GCC unroll 1 // unrolled it would not become a vector
        for (int lane = 0; lane < LANES; lane++) {
            const float t = ((float)(first + lane) + 0.5f) * cell, rest = 1 - t;
            weight[0][lane] = 0.5f * rest * rest;
            weight[1][lane] = 0.5f + t * rest;
            weight[2][lane] = 0.5f * t * t;
        }
        for (int i = 0; i < count; i++) {
            const float before = points[i], own = points[i + 1], after = points[i + 2];
            float *restrict cells = sum + (i << bits) + first;
#pragma GCC unroll 1
            for (int lane = 0; lane < LANES; lane++)
                cells[lane] += weight[0][lane] * before + weight[1][lane] * own + weight[2][lane] * after;
        }
    }
}

void lattice_add(const Lattice *lattice, const float *points, Int128 x, int count, float *span) {
    const int bits = lattice->bits, width = 1 << bits;
    int skipped = (int)(x & (width - 1));
    if (1 << bits >= LANES && bits <= LATTICE_ROOM_BITS) {
        add_splines(points, (skipped + count + width - 1) >> bits, bits, span + LATTICE_ROOM - skipped);
        return;
    }
    for (int i = 0; i < count; skipped = 0, points++) {
        const int some = min(width - skipped, count - i);
        add_spline(points, ldexpf(1, -bits), skipped, some, span + LATTICE_ROOM + i);
        i += some;
    }
}

int lattice_points(const Lattice *lattice, Int128 x, int count) {
    const int width = 1 << lattice->bits;
    return (((int)(x & (width - 1)) + count + width - 1) >> lattice->bits) + 2;
}

// --- noise -------------------------------------------------------------------------------------------------

// bits_of_place, of places whose upper halves are the same.
KERNEL static void set_place_bits(uint64_t first, uint32_t upper, int count, uint32_t *restrict bits) {
    for (int i = 0; i < count; i++)
        bits[i] = (uint32_t)mix64(first + (uint64_t)i) ^ upper;
}

static void set_columns(Int128 first, int count, uint32_t *bits) {
    if ((first + count) >> 64 == first >> 64) {
        set_place_bits((uint64_t)first, bits_of_place(first) ^ (uint32_t)mix64((uint64_t)first), count, bits);
        return;
    }
    for (int i = 0; i < count; i++)
        bits[i] = bits_of_place(first + i);
}

KERNEL static void add_chances(RandomKey key, const uint32_t *restrict columns, uint32_t row, float weight,
                               int count, float *restrict points) {
    for (int i = 0; i < count; i++)
        points[i] += weight * random_signed(key, columns[i], row);
}

void lattice_add_noise(const LatticeNoise *noise, Int128 x, Int128 y, int count, float *span) {
    const Lattice lattice = lattice_at(noise->bits, y);
    const Int128 first = (x >> noise->bits) - 1;
    const int needed = lattice_points(&lattice, x, count);
    uint32_t columns[LATTICE_POINTS];
    float points[LATTICE_POINTS] = { 0 };
    set_columns(first, needed, columns);
    for (int i = 0; i < 3; i++) {
        const Int128 row = lattice.row + i - 1;
        if (!noise->is_zero_at_edges || lattice_is_inside(row, noise->rows >> noise->bits))
            add_chances(noise->key, columns, bits_of_place(row), LATTICE_CONTRAST * lattice.down[i], needed,
                        points);
    }
    for (int k = 0; k < needed && noise->is_zero_at_edges; k++)
        if (!lattice_is_inside(first + k, noise->columns >> noise->bits))
            points[k] = 0;
    lattice_add(&lattice, points, x, count, span);
}

float lattice_noise_at(const LatticeNoise *noise, Int128 x, Int128 y) {
    const Lattice across = lattice_at(noise->bits, x), down = lattice_at(noise->bits, y);
    uint32_t columns[3];
    float sum = 0;
    set_columns(across.row - 1, 3, columns);
    for (int i = 0; i < 3; i++) {
        const Int128 row = down.row + i - 1;
        const uint32_t bits = bits_of_place(row);
        for (int k = 0; k < 3; k++) {
            const bool drawn = !noise->is_zero_at_edges ||
                               (lattice_is_inside(row, noise->rows >> noise->bits) &&
                                lattice_is_inside(across.row + k - 1, noise->columns >> noise->bits));
            const float at = drawn ? random_signed(noise->key, columns[k], bits) : 0;
            sum += LATTICE_CONTRAST * down.down[i] * across.down[k] * at;
        }
    }
    return sum;
}
