#include "land/strata.h"

#include "core/math.h"
#include "core/random.h"

enum { BENCH_BITS = 14 }; // a stratum of a level is 2^14 units, four of its cells, thick
enum { BENCH_STREAM = 1 << 16, BENCH_OFFSET = 5 };

// A stratum holds a bench, on which ground is less steep, and a riser above it. The shift falls by `depth`
// along the bench and rises by it along the riser: continuous, 0 on average, and less than ground rises
// itself.
KERNEL_INLINE float bench(RandomKey key, uint32_t offset, uint32_t altitude) {
    const float thickness = 1 << BENCH_BITS, depth = 0.28f * 1.6f * thickness;
    const uint32_t above = altitude + offset, number = above >> BENCH_BITS;
    const float share = 0.45f + 0.4f / 255 * (float)(int32_t)(random_bits(key, number, 0) >> 24);
    const float edge = thickness * share, t = (float)(int32_t)(above & ((1U << BENCH_BITS) - 1));
    const float on_bench = t / edge, on_riser = (thickness - t) / (thickness - edge);
    const float along = t < edge ? on_bench : on_riser;
    return depth * (0.5f - along);
}

static RandomKey bench_key(const Level *level) {
    return random_key(level->land->rules.seed, BENCH_STREAM + (uint32_t)level->number);
}

static uint32_t bench_offset(const Level *level) {
    return (uint32_t)mix64((uint64_t)level->number * 77 + BENCH_OFFSET);
}

float bench_at(const Level *level, uint32_t altitude) {
    return bench(bench_key(level), bench_offset(level), altitude);
}

// Land as steep as it can be gets no steeper: what a finer level adds there is steps along the fall.
KERNEL static void add_bench_row(int32_t *restrict z, const float *restrict slope, int count, int32_t sea,
                                 uint32_t base, uint32_t offset, RandomKey key) {
    for (int i = 0; i < count; i++) {
        const float steep = steepness(slope[i]), most = 0.5f * slope[i];
        const float shift = steep * bench(key, offset, (uint32_t)z[i] + base);
        const float cut = clamp(shift, -most, most);
        const int32_t whole = whole_within(cut, -HIGHEST, HIGHEST);
        z[i] = z[i] > sea ? sum(z[i], whole) : z[i];
    }
}

KERNEL static int any_steep(const float *slope, int count) {
    int any = 0;
    for (int i = 0; i < count; i++)
        any |= steepness(slope[i]) > 0;
    return any;
}

void add_benches(const Level *level, int y) {
    enum { SPAN = 64 };
    const size_t start = (size_t)y * (size_t)level->width;
    const RandomKey key = bench_key(level);
    const uint32_t offset = bench_offset(level);
    for (int x = 0; x < level->width; x += SPAN) {
        const size_t cell = start + (size_t)x;
        const int count = min(SPAN, level->width - x);
        if (any_steep(level->slope + cell, count))
            add_bench_row(level->z + cell, level->slope + cell, count, level->sea, (uint32_t)level->base,
                          offset, key);
    }
}

// The strata of hardness are 2^bits units thick, about 1/208 of the land's longer side; the lowest third of
// each is hard.
void set_softness(const Level *level, int y, int first, int end, float *softness) {
    const float hardness = level->land->rules.hardness;
    const int side = max(level->land->root.width, level->land->root.height);
    int bits = 12 + level->number;
    for (int cells = 312; cells <= side; cells *= 2) // 208 × √2: the nearest power
        bits++;
    const Int128 thickness = (Int128)1 << bits;
    const int32_t *z = level->z + (size_t)y * (size_t)level->width;
    for (int x = first; x < end; x++)
        softness[x - first] = 1;
    for (int x = first; x < end && hardness > 0; x++)
        if (((level->base + z[x]) & (thickness - 1)) < thickness / 20 * 7)
            softness[x - first] = 1 - hardness;
}
