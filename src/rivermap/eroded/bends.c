#include "rivermap/eroded/bends.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"

#include <string.h>

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

void swell_land(Field *field, uint32_t seed) {
    const float least = 0.1f;
    const RandomKey key = random_key(seed, SWELL_STREAM);
    const Noise noise = { SWELL_CELLS, SWELL, SWELL_OCTAVES };
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            float *height = field_row(field, y) + x;
            const float factor = 1 + noise_at(key, x, y, noise);
            const float evened = (1 + EVENED) / (1 + EVENED * *height / HIGH_CELLS);
            *height *= *height > 0 ? evened * max(factor, least) : 1;
        }
}

// Places of a grid, BEND_STEP cells of the field apart, and one more along each side; linear between them.
typedef struct Bends {
    int nodes, step;      // along a side, and finer cells between two
    float *across, *down; // in finer cells
} Bends;

static void bend_row(const Bends *bends, const uint32_t *from, int y, uint32_t *row) {
    const int side = (bends->nodes - 1) * bends->step;
    const float per_step = 1 / (float)bends->step, v = (float)(y % bends->step) * per_step;
    for (int node = 0; node < bends->nodes - 1; node++) {
        const size_t at = (size_t)(y / bends->step) * (size_t)bends->nodes + (size_t)node,
                     below = at + (size_t)bends->nodes;
        const float across = lerp(bends->across[at], bends->across[below], v),
                    across_end = lerp(bends->across[at + 1], bends->across[below + 1], v),
                    down = lerp(bends->down[at], bends->down[below], v),
                    down_end = lerp(bends->down[at + 1], bends->down[below + 1], v);
        for (int i = 0; i < bends->step; i++) {
            const float u = (float)i * per_step;
            const int x = node * bends->step + i;
            const int column = clamp(x + whole_int(lerp(across, across_end, u)), 0, side - 1),
                      line = clamp(y + whole_int(lerp(down, down_end, u)), 0, side - 1);
            row[x] = from[(size_t)line * (size_t)side + (size_t)column];
        }
    }
}

static void set_bends(const Bends *bends, uint32_t seed) {
    const RandomKey across = random_key(seed, ACROSS_STREAM), down = random_key(seed, DOWN_STREAM);
    const Noise noise = { BEND_CELLS, BEND * (float)bends->step / BEND_STEP, BEND_OCTAVES };
    for (int y = 0; y < bends->nodes; y++)
        for (int x = 0; x < bends->nodes; x++) {
            const size_t at = (size_t)y * (size_t)bends->nodes + (size_t)x;
            bends->across[at] = noise_at(across, x * BEND_STEP, y * BEND_STEP, noise);
            bends->down[at] = noise_at(down, x * BEND_STEP, y * BEND_STEP, noise);
        }
}

Status bend_heights(uint32_t *heights, int cells, int finer, uint32_t seed, Error *error) {
    Bends bends = { .nodes = cells / BEND_STEP + 1, .step = finer * BEND_STEP };
    const size_t side = (size_t)cells * (size_t)finer, nodes = (size_t)bends.nodes * (size_t)bends.nodes;
    bends.across = memory_new(nodes, sizeof *bends.across, error);
    bends.down = memory_new(nodes, sizeof *bends.down, error);
    uint32_t *from = memory_new(side * side, sizeof *from, error);
    const bool room = bends.across && bends.down && from;
    if (room) {
        set_bends(&bends, seed);
        memcpy(from, heights, side * side * sizeof *from);
    }
    for (size_t y = 0; room && y < side; y++)
        bend_row(&bends, from, (int)y, heights + y * side);
    memory_free(bends.across);
    memory_free(bends.down);
    memory_free(from);
    return room ? STATUS_OK : STATUS_MEMORY;
}
