#include "rivermap/eroded/bends.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"

enum { SWELL_OCTAVES = 4, BEND_OCTAVES = 4, SWELL_CELLS = 40, BEND_CELLS = 80 }; // the widest octave's cells
enum { BEND_STEP = 2 };
enum { SWELL_STREAM = 1 << 21, ACROSS_STREAM, DOWN_STREAM };
#define SWELL 0.7f       // strength of the widest octave
#define BEND 9.0f        // the same, in cells
#define EVENED 1.4f      // low hills rise by this share, against high mountains
#define HIGH_CELLS 10.0f // height at which nothing rises

typedef struct Noise {
    float cells, strength; // of the widest octave
    int octaves;
} Noise;

// Noise, each octave of which is turned by atan(3/4) against the one before.
static float noise_at(RandomKey key, int x, int y, Noise noise) {
    float sum = 0, strength = noise.strength, across = 0.8f / noise.cells, down = 0.6f / noise.cells;
    for (int octave = 0; octave < noise.octaves; octave++) {
        const float u = 1000 + (float)x * across - (float)y * down,
                    v = 1000 + (float)x * down + (float)y * across;
        sum += strength * value_noise_float(key, (uint32_t)octave << 16, u, v);
        const float turned = 2 * (across * 0.8f - down * 0.6f);
        down = 2 * (across * 0.6f + down * 0.8f);
        across = turned;
        strength /= 2;
    }
    return sum;
}

typedef struct Swelling {
    Field *field;
    RandomKey key;
} Swelling;

static void swell_rows(void *context, int first, int end) {
    const float least = 0.1f;
    const Swelling *swelling = context;
    const Noise noise = { SWELL_CELLS, SWELL, SWELL_OCTAVES };
    for (int y = first; y < end; y++)
        for (int x = 0; x < swelling->field->width; x++) {
            float *height = field_row(swelling->field, y) + x;
            if (!(*height > 0))
                continue;
            const float factor = 1 + noise_at(swelling->key, x, y, noise);
            const float evened = (1 + EVENED) / (1 + EVENED * *height / HIGH_CELLS);
            *height *= evened * max(factor, least);
        }
}

Status swell_land(const Run *run, Field *field, uint32_t seed) {
    Swelling swelling = { field, random_key(seed, SWELL_STREAM) };
    return parallel_rows(run, field->height, field->width * 50.0, swell_rows, &swelling);
}

enum { STEP = BEND_STEP * BEND_FINER }; // finer cells between two places

// Places of a grid, BEND_STEP cells of the field apart, and one more along each side; linear between them.
typedef struct Bends {
    int nodes;            // along a side
    float *across, *down; // in finer cells
    uint32_t seed;
    const uint32_t *from;
    uint32_t *bent;
} Bends;

// A place beyond the border, 0 to `last`, as far inside: if the border's heights were repeated, they would be
// streaks.
static int mirrored(int place, int last) {
    const int above = max(place, -1 - place);
    return min(above, 2 * last + 1 - above);
}

// Of finer cells around one, those that a row of them is moved to.
KERNEL static void bend_row(const uint32_t *restrict from, int nodes, const float *restrict across,
                            const float *restrict down, int y, uint32_t *restrict row) {
    const int last = (nodes - 1) * STEP - 1;
    const float v = (float)(y % STEP) * (1 / (float)STEP);
    for (int node = 0; node < nodes - 1; node++) {
        const float across_here = lerp(across[node], across[node + nodes], v),
                    across_end = lerp(across[node + 1], across[node + 1 + nodes], v),
                    down_here = lerp(down[node], down[node + nodes], v),
                    down_end = lerp(down[node + 1], down[node + 1 + nodes], v);
        for (int i = 0; i < STEP; i++) {
            const float u = (float)i * (1 / (float)STEP);
            const int x = node * STEP + i;
            const int column = x + whole_unchecked(lerp(across_here, across_end, u)),
                      line = y + whole_unchecked(lerp(down_here, down_end, u));
            row[x] = from[mirrored(line, last) * (last + 1) + mirrored(column, last)];
        }
    }
}

static void bend_rows(void *context, int first, int end) {
    const Bends *bends = context;
    const size_t side = (size_t)(bends->nodes - 1) * STEP;
    for (int y = first; y < end; y++) {
        const size_t at = (size_t)(y / STEP) * (size_t)bends->nodes;
        bend_row(bends->from, bends->nodes, bends->across + at, bends->down + at, y,
                 bends->bent + (size_t)y * side);
    }
}

static void set_bends(void *context, int first, int end) {
    const Bends *bends = context;
    const RandomKey across = random_key(bends->seed, ACROSS_STREAM),
                    down = random_key(bends->seed, DOWN_STREAM);
    const Noise noise = { BEND_CELLS, BEND * BEND_FINER, BEND_OCTAVES };
    for (int y = first; y < end; y++)
        for (int x = 0; x < bends->nodes; x++) {
            const size_t at = (size_t)y * (size_t)bends->nodes + (size_t)x;
            bends->across[at] = noise_at(across, x * BEND_STEP, y * BEND_STEP, noise);
            bends->down[at] = noise_at(down, x * BEND_STEP, y * BEND_STEP, noise);
        }
}

Status bend_heights(const Run *run, const uint32_t *heights, int cells, uint32_t seed, uint32_t *bent,
                    Error *error) {
    Bends bends = { .nodes = cells / BEND_STEP + 1, .seed = seed, .from = heights };
    bends.bent = bent;
    const int side = cells * BEND_FINER;
    const size_t nodes = (size_t)bends.nodes * (size_t)bends.nodes;
    bends.across = memory_new(nodes, sizeof *bends.across, error);
    bends.down = memory_new(nodes, sizeof *bends.down, error);
    Status status = bends.across && bends.down ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, bends.nodes, bends.nodes * 100.0, set_bends, &bends);
    if (status == STATUS_OK)
        status = parallel_rows(run, side, side * 2.0, bend_rows, &bends);
    memory_free(bends.across);
    memory_free(bends.down);
    return status;
}
