// Random numbers of a level's new detail, hashes of its cells. On soil they are larger in some places than in
// others: rough patches lie beside smooth ones, on every level others, so that ground looks like ground at
// any zoom. Equally rough everywhere it is a plane with a grain.

#include "land/level.h"

#include "core/math.h"
#include "core/random.h"

// A patch's roughness is a smooth noise v, 0 to 1, on a lattice of PATCH cells: the chances count SMOOTH +
// ROUGH v², at most ROUGHEST times. More would leave hollows that the steps of filling do not reach.
enum { PATCH_BITS = 5, PATCH = 1 << PATCH_BITS, PATCH_STREAM = 256 };
#define SMOOTH 0.12f
#define ROUGH 4.0f
#define ROUGHEST 1.2f
#define AT_EDGES 0.43f // v along the edges of the land, as rough as most: on both sides of a cube's edge

KERNEL static void chance_row(RandomKey key, const uint32_t *restrict columns, uint32_t row, int count,
                              float *restrict chance) {
    for (int i = 0; i < count; i++)
        chance[i] = random_signed(key, columns[i], row);
}

// Subtracts the mean of the children of each cell, and makes up for the variance that this takes.
KERNEL static void hold_means(RandomKey key, const uint32_t *restrict columns, uint32_t beside, int count,
                              float *restrict chance) {
    const float share = 1.1547005f; // √(4/3)
    for (int i = 0; i < count; i += 2) {
        const float left = chance[i], right = chance[i + 1];
        const float others =
            random_signed(key, columns[i], beside) + random_signed(key, columns[i + 1], beside);
        const float mean = (left + right + others) * 0.25f;
        chance[i] = (left - mean) * share;
        chance[i + 1] = (right - mean) * share;
    }
}

uint32_t bits_of_place(Int128 place) {
    return (uint32_t)mix64((uint64_t)place) ^ (uint32_t)mix64((uint64_t)(place >> 64) + 1);
}

// --- patches -----------------------------------------------------------------------------------------------

// Between two points of the lattice: their noise, and how much of the second one each cell has.
KERNEL static void vary_cells(float before, float after, const float *restrict weight, int count,
                              float *restrict chance) {
    for (int i = 0; i < count; i++) {
        const float v = before + (after - before) * weight[i], roughness = SMOOTH + ROUGH * v * v;
        chance[i] *= min(roughness, ROUGHEST);
    }
}

static float weight_at(int cell) {
    const float t = ((float)cell + 0.5f) / PATCH;
    return t * t * (3 - 2 * t);
}

// The noise at a point of the lattice, between the rows that it lies on.
static float patch_at(const Level *level, RandomKey key, Int128 column, Int128 row, float down) {
    const Int128 columns = ((Int128)level->land->root.width << level->number) >> PATCH_BITS,
                 rows = ((Int128)level->land->root.height << level->number) >> PATCH_BITS;
    const uint32_t across = bits_of_place(column);
    const bool edge = column == 0 || column >= columns;
    const float above = edge || row == 0 ? AT_EDGES : random_unit(key, across, bits_of_place(row)),
                below = edge || row + 1 >= rows ? AT_EDGES : random_unit(key, across, bits_of_place(row + 1));
    return above + (below - above) * down;
}

static void vary_row(const Level *level, int y, float *chance) {
    const RandomKey key = random_key(level->land->rules.seed, PATCH_STREAM + (uint32_t)level->number);
    float weights[PATCH];
    for (int i = 0; i < PATCH; i++)
        weights[i] = weight_at(i);
    const Int128 row = (level->y + y) >> PATCH_BITS;
    const float down = weights[(level->y + y) & (PATCH - 1)];
    Int128 column = level->x >> PATCH_BITS;
    float before = patch_at(level, key, column, row, down);
    for (int x = 0, skipped = level->x & (PATCH - 1); x < level->width; skipped = 0) {
        const int count = min(PATCH - skipped, level->width - x);
        const float after = patch_at(level, key, ++column, row, down);
        vary_cells(before, after, weights + skipped, count, chance + x);
        before = after;
        x += count;
    }
}

// -----------------------------------------------------------------------------------------------------------

void draw_chances(const Level *level, RandomKey key, const uint32_t *columns, int y, float *chance) {
    const Int128 row = level->y + y;
    chance_row(key, columns, bits_of_place(row), level->width, chance);
    if (level->hillslope.rebound > 0)
        hold_means(key, columns, bits_of_place(row ^ 1), level->width, chance);
    if (level->hillslope.soil)
        vary_row(level, y, chance);
}
