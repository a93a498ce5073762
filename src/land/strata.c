#include "land/strata.h"

#include "land/law.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

// A power of two near 1/32 of the land's height.
void set_strata(Land *land, double highest) {
    land->strata_bits = 4;
    while (land->strata_bits < 28 && ldexp(1 / (double)ESKER_DIAGONAL, land->strata_bits) * 32 < highest)
        land->strata_bits++;
}

double mesa_layer(const Land *land) {
    return ldexp(3, land->strata_bits);
}

// The lowest third of each is hard.
void set_softness(const Level *level, int y, int first, int end, float *softness) {
    const float hardness = level->land->rules.hardness;
    const int bits = level->land->strata_bits + doublings(&level->land->rules, level->number);
    const Int128 thickness = (Int128)1 << bits;
    const int32_t *z = level->z + (size_t)y * (size_t)level->width;
    for (int x = first; x < end; x++)
        softness[x - first] = 1;
    for (int x = first; x < end && hardness > 0; x++)
        if (((level->base + z[x]) & (thickness - 1)) < thickness / 20 * 7)
            softness[x - first] = 1 - hardness;
}

// --- tables -----------------------------------------------------------------------------------------------

enum { LAYER_STREAM = 1 << 22 };
#define HARD_LAYERS 0.4f // three of ten are hard: more would be the steps of terraced fields
#define FEW 16.0f        // the root of what a stream drains that cuts no canyon
#define MANY 64.0f       // and of one that keeps its bed

// The steepest rise from lower ground: on talus, the lower part of a layer, and on the cliff above.
#define TALUS_TOP 0.4f
#define TALUS 0.9f
#define CLIFF 1.5f

// Layers of tables are two strata thick.
static int layer_bits(const Level *level) {
    return level->land->strata_bits + 1;
}

// How far ground rises that lies `above`, 0 to 1, in its layer: flat tops and cliffs, as level 0 has them.
static float rise_to_top(float above) {
    const float steep = 0.3f, share = 0.92f;
    const float cliff = above * share / steep, top = share + (above - steep) * (1 - share) / (1 - steep);
    return min(cliff, top) - above;
}

// The share of the rise that a cell takes. Streams take less the more they drain: canyons deepen downstream.
static float share_of_rise(const Level *level, size_t cell) {
    const int receiver = level->receiver[cell];
    const float stream = clamp((MANY - sqrtf(level->area[cell])) / (MANY - FEW), 0.0f, 1.0f);
    const bool stays = receiver >= NEIGHBOURS || is_outlet(level, cell);
    return receiver == LAND_NONE ? 1 : stays ? 0 : stream;
}

static bool is_hard(const Level *level, Int128 layer) {
    const RandomKey key = random_key(level->land->rules.seed, LAYER_STREAM + (uint32_t)level->number);
    return random_signed(key, (uint32_t)mix64((uint64_t)layer), 0) > HARD_LAYERS;
}

static int32_t table_at(const Level *level, size_t cell, float above) {
    const float layer = ldexpf(1, layer_bits(level));
    const float rise = level->land->rules.hardness * layer * share_of_rise(level, cell) * rise_to_top(above);
    return sum(level->z[cell], whole_int(rise));
}

// Sets both arrays of the rounds. Ground keeps its order, so no pit opens and no stream rises.
static void table_block(const Level *level, const Region *block) {
    const int bits = layer_bits(level);
    const Int128 within = ((Int128)1 << bits) - 1;
    Int128 layer = 0;
    bool hard = is_hard(level, layer);
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const Int128 altitude = level->base + level->z[cell];
            if (altitude > 0 && altitude >> bits != layer) {
                layer = altitude >> bits;
                hard = is_hard(level, layer);
            }
            const float above = ldexpf((float)(int)(altitude & within), -bits);
            const int32_t z = altitude > 0 && hard ? table_at(level, cell, above) : level->z[cell];
            level->next[cell] = level->spare[cell] = z;
        }
}

// How steep walls are, in units per cell, and `top` of the talus in its layer of 2^bits units.
typedef struct Walls {
    int32_t talus, cliff, talus_aslant, cliff_aslant, top;
    uint32_t within; // the bits of a layer
    uint32_t offset; // the base's place in its layer
} Walls;

static Walls walls_of(const Level *level) {
    const float steepest = ldexpf((float)level->cell, min(level->land->rules.graded - level->number, 12));
    const float talus = min(TALUS * steepest, (float)HIGHEST / 4),
                cliff = min(CLIFF * steepest, (float)HIGHEST / 4);
    const int bits = layer_bits(level);
    return (Walls){ whole_int(talus),
                    whole_int(cliff),
                    whole_int(talus / ESKER_DIAGONAL),
                    whole_int(cliff / ESKER_DIAGONAL),
                    whole_int(TALUS_TOP * ldexpf(1, bits)),
                    (UINT32_C(1) << bits) - 1,
                    (uint32_t)level->base };
}

// How high a cell may stand beside ground at an altitude.
KERNEL_INLINE int32_t stands(int32_t ground, Walls walls, int32_t talus, int32_t cliff) {
    const uint32_t above = ((uint32_t)ground + walls.offset) & walls.within;
    return sum(ground, above < (uint32_t)walls.top ? talus : cliff);
}

KERNEL static void ease_cells(const int32_t *restrict above, const int32_t *restrict row,
                              const int32_t *restrict below, const int32_t *restrict former, Walls walls,
                              int count, int32_t *restrict eased) {
    for (int i = 0; i < count; i++) {
        const int32_t straight = min(min(row[i], row[i + 2]), min(above[i + 1], below[i + 1]));
        const int32_t aslant = min(min(above[i], above[i + 2]), min(below[i], below[i + 2]));
        const int32_t most = min(stands(straight, walls, walls.talus, walls.cliff),
                                 stands(aslant, walls, walls.talus_aslant, walls.cliff_aslant));
        eased[i] = max(min(row[i + 1], most), former[i]);
    }
}

// One round: walls become talus and cliffs, where they are not steeper without tables. Streams stay above
// their receivers.
static void wall_block(const Level *level, const Region *block) {
    const Walls walls = walls_of(level);
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        const int32_t *row = level->next + cell - 1;
        ease_cells(row - level->width, row, row + level->width, level->z + cell, walls,
                   block->right - block->left, level->spare + cell);
        const Streams streams = streams_between(level, y, block->left, block->right);
        for (int k = streams.first; k < streams.end; k++) {
            const size_t stream = (size_t)level->streams[k];
            if (level->receiver[stream] >= NEIGHBOURS)
                continue;
            const int32_t bed = max(level->next[towards(level, stream, level->receiver[stream])], level->sea);
            level->spare[stream] = max(level->spare[stream], bed + level->least_fall);
        }
    }
}

static void take_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        memcpy(level->z + cell, level->next + cell, (size_t)(block->right - block->left) * sizeof *level->z);
    }
}

Status raise_tables(Level *level) {
    if (!level->hillslope.tables)
        return STATUS_OK;
    Status status = level_begin(level, 1, table_block);
    if (status == STATUS_OK)
        status = level_rounds(level, WALLS, 1, 2, LEVEL_NEXT, wall_block);
    if (status == STATUS_OK)
        status = level_begin(level, 0.3, take_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
