// Random numbers of a level's new detail, hashes of its cells. On soil they are larger in some places than in
// others: rough patches lie beside smooth ones, on every level others, so that ground looks like ground at
// any zoom. Equally rough everywhere it is a plane with a grain.

#include "core/math.h"
#include "core/random.h"
#include "land/level.h"

// A patch's roughness is a smooth noise v, about 0 to 1, on a lattice of PATCH cells: the chances count
// SMOOTH + ROUGH v², at most ROUGHEST times. More would leave hollows that the steps of filling do not reach.
enum { PATCH_BITS = 5, PATCH = 1 << PATCH_BITS, PATCH_STREAM = 256 };
#define SMOOTH 0.12f
#define ROUGH 4.0f
#define ROUGHEST 1.2f
#define CONTRAST 1.35f // of the points, as a spline evens them out
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

// How much each of three points of the lattice counts for the cells of the middle one: a quadratic spline,
// which shows no axes, as noise between two points would.
typedef struct Weights {
    float of[3][PATCH];
} Weights;

static void set_weights(Weights *weights) {
    for (int i = 0; i < PATCH; i++) {
        const float t = ((float)i + 0.5f) / PATCH;
        weights->of[0][i] = 0.5f * (1 - t) * (1 - t);
        weights->of[1][i] = 0.5f + t * (1 - t);
        weights->of[2][i] = 0.5f * t * t;
    }
}

// Cells from `skipped` on of those around the middle one of three points.
KERNEL static void vary_cells(const float points[3], const Weights *weights, int skipped, int count,
                              float *restrict chance) {
    const float before = points[0], own = points[1], after = points[2];
    const float *restrict first = weights->of[0] + skipped, *restrict second = weights->of[1] + skipped,
                          *restrict third = weights->of[2] + skipped;
    for (int i = 0; i < count; i++) {
        const float v = before * first[i] + own * second[i] + after * third[i];
        const float roughness = SMOOTH + ROUGH * v * v;
        chance[i] *= min(roughness, ROUGHEST);
    }
}

typedef struct Patches {
    RandomKey key;
    Int128 columns, rows; // of the lattice
    Int128 row;           // that a row of cells lies in
    float down[3];        // what it and those above and below count
} Patches;

static Patches patches_of(const Level *level, const Weights *weights, int y) {
    const Land *land = level->land;
    Patches patches = { .key = random_key(land->rules.seed, PATCH_STREAM + (uint32_t)level->number),
                        .columns = ((Int128)land->root.width << level->number) >> PATCH_BITS,
                        .rows = ((Int128)land->root.height << level->number) >> PATCH_BITS,
                        .row = (level->y + y) >> PATCH_BITS };
    for (int i = 0; i < 3; i++)
        patches.down[i] = weights->of[i][(level->y + y) & (PATCH - 1)];
    return patches;
}

// The noise of a column of the lattice along a row of cells.
static float patch_at(const Patches *patches, Int128 column) {
    const uint32_t across = bits_of_place(column);
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        const Int128 row = patches->row + i - 1;
        const bool edge =
            column <= 0 || row <= 0 || column >= patches->columns - 1 || row >= patches->rows - 1;
        const float chance = random_unit(patches->key, across, bits_of_place(row));
        sum += patches->down[i] * (edge ? AT_EDGES : 0.5f + CONTRAST * (chance - 0.5f));
    }
    return sum;
}

static void vary_row(const Level *level, int y, float *chance) {
    Weights weights;
    set_weights(&weights);
    const Patches patches = patches_of(level, &weights, y);
    Int128 column = level->x >> PATCH_BITS;
    float points[3] = { 0, patch_at(&patches, column - 1), patch_at(&patches, column) };
    for (int x = 0, skipped = level->x & (PATCH - 1); x < level->width; skipped = 0) {
        const int count = min(PATCH - skipped, level->width - x);
        points[0] = points[1];
        points[1] = points[2];
        points[2] = patch_at(&patches, ++column);
        vary_cells(points, &weights, skipped, count, chance + x);
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
