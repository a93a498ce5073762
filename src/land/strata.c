#include "land/strata.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

// Strata are 2^bits units of level 0 thick: the power nearest to 1/256 of the side of a flat land, or of the
// radius of a planet, which its altitudes are measured by.
static int strata_bits(const Land *land) {
    const int width = land->root.width, height = land->root.height;
    const double side = land->rules.planet ? width * (2 / PI) : max(width, height);
    int bits = 10;
    for (double cells = 64 / (double)ESKER_DIAGONAL; cells <= side; cells *= 2)
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

// --- tables -----------------------------------------------------------------------------------------------

enum { LAYER_BITS = 16, LAYER = 1 << LAYER_BITS, LAYER_STREAM = 1 << 22 }; // 16 cells thick
#define HARD_LAYERS 0.4f // three of ten are hard: more would be the steps of terraced fields
#define FEW 16.0f        // the root of what a stream drains that cuts no canyon
#define MANY 64.0f       // and of one that keeps its bed

// The steepest rise from lower ground: on talus, the lower part of a layer, and on the cliff above.
enum { TALUS_TOP = LAYER * 2 / 5, TALUS = LAND_UNITS_PER_CELL * 9 / 10, CLIFF = LAND_UNITS_PER_CELL * 3 / 2 };

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
    return receiver == LAND_NONE ? 1 : receiver == LAND_SEA ? 0 : stream;
}

static bool is_hard(const Level *level, Int128 layer) {
    const RandomKey key = random_key(level->land->rules.seed, LAYER_STREAM + (uint32_t)level->number);
    return random_signed(key, (uint32_t)mix64((uint64_t)layer), 0) > HARD_LAYERS;
}

static int32_t table_at(const Level *level, size_t cell, float above) {
    const float rise = level->land->rules.hardness * LAYER * share_of_rise(level, cell) * rise_to_top(above);
    return sum(level->z[cell], whole_int(rise));
}

// Sets both arrays of the rounds. Ground keeps its order, so no pit opens and no stream rises.
static void table_block(const Level *level, const Region *block) {
    Int128 layer = 0;
    bool hard = is_hard(level, layer);
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const Int128 altitude = level->base + level->z[cell];
            if (altitude > 0 && altitude >> LAYER_BITS != layer) {
                layer = altitude >> LAYER_BITS;
                hard = is_hard(level, layer);
            }
            const float above = (float)(int)(altitude & (LAYER - 1)) / LAYER;
            const int32_t z = altitude > 0 && hard ? table_at(level, cell, above) : level->z[cell];
            level->next[cell] = level->spare[cell] = z;
        }
}

// How high a cell may stand beside ground at an altitude; `offset`: the base's place in its layer.
KERNEL_INLINE int32_t stands(int32_t ground, uint32_t offset, int32_t talus, int32_t cliff) {
    const uint32_t above = ((uint32_t)ground + offset) & (LAYER - 1);
    return sum(ground, above < TALUS_TOP ? talus : cliff);
}

KERNEL static void ease_cells(const int32_t *restrict above, const int32_t *restrict row,
                              const int32_t *restrict below, const int32_t *restrict former, uint32_t offset,
                              int count, int32_t *restrict eased) {
    const int32_t talus = whole_unchecked(TALUS / ESKER_DIAGONAL),
                  cliff = whole_unchecked(CLIFF / ESKER_DIAGONAL);
    for (int i = 0; i < count; i++) {
        const int32_t straight = min(min(row[i], row[i + 2]), min(above[i + 1], below[i + 1]));
        const int32_t aslant = min(min(above[i], above[i + 2]), min(below[i], below[i + 2]));
        const int32_t most =
            min(stands(straight, offset, TALUS, CLIFF), stands(aslant, offset, talus, cliff));
        eased[i] = max(min(row[i + 1], most), former[i]);
    }
}

// One round: walls become talus and cliffs, where they are not steeper without tables. Streams stay above
// their receivers.
static void wall_block(const Level *level, const Region *block) {
    const uint32_t offset = (uint32_t)level->base;
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        const int32_t *row = level->next + cell - 1;
        ease_cells(row - level->width, row, row + level->width, level->z + cell, offset,
                   block->right - block->left, level->spare + cell);
        const Streams streams = streams_between(level, y, block->left, block->right);
        for (int k = streams.first; k < streams.end; k++) {
            const size_t stream = (size_t)level->streams[k];
            if (level->receiver[stream] >= NEIGHBOURS)
                continue;
            const int32_t bed = max(level->next[towards(level, stream, level->receiver[stream])], level->sea);
            level->spare[stream] = max(level->spare[stream], bed + 1);
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
