#include "land/strata.h"

#include "core/math.h"
#include "core/random.h"

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

// --- tables -----------------------------------------------------------------------------------------------

enum { TABLE_LEVELS = 3 }; // every third one has layers of its own
enum { LAYER = 16 * LAND_UNITS_PER_CELL, LAYER_STREAM = 1 << 22 };
#define HARD_LAYERS 0.4f // three of ten are hard: more would be the steps of terraced fields

// Where ground rises to that lies `above`, 0 to 1, in its layer: flat tops and cliffs, as level 0 has them.
static float towards_top(float above) {
    const float steep = 0.3f, share = 0.92f;
    const float cliff = above * share / steep, top = share + (above - steep) * (1 - share) / (1 - steep);
    return min(cliff, top);
}

// Ground keeps its order, so no pit opens, and streams their beds, in canyons.
static void table_block(const Level *level, const Region *block) {
    const float hardness = level->land->rules.hardness;
    const RandomKey key = random_key(level->land->rules.seed, LAYER_STREAM + (uint32_t)level->number);
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const Int128 altitude = level->base + level->z[cell];
            if (level->receiver[cell] != LAND_NONE || altitude <= 0)
                continue;
            const uint32_t layer = (uint32_t)mix64((uint64_t)(altitude / LAYER));
            const float hard = random_signed(key, layer, 0) > HARD_LAYERS ? hardness : 0;
            const float above = (float)(int)(altitude % LAYER) / LAYER;
            level->z[cell] = sum(level->z[cell], whole_int(hard * LAYER * (towards_top(above) - above)));
        }
}

Status raise_tables(Level *level) {
    const int number = level->number;
    const bool own = number % TABLE_LEVELS == 0 && !level->hillslope.soil;
    if (level->land->rules.hardness <= 0 || !own)
        return STATUS_OK;
    const Status status = level_step(level, 0, 1, table_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
