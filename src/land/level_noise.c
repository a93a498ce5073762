// Random numbers of a level's new detail, hashes of its cells. On soil they are larger in some places than in
// others: rough patches lie beside smooth ones, on every level others, so that ground looks like ground at
// any zoom. Equally rough everywhere it is a plane with a grain.

#include "core/math.h"
#include "core/random.h"
#include "land/level.h"
#include "land/smooth_noise.h"

#include <string.h>

// A patch's roughness is a smooth noise v, about −0.3 to 1, on a lattice of 16 cells: the chances count
// SMOOTH + ROUGH v², at most ROUGHEST times. More would leave hollows that the steps of filling do not reach.
// Swells are another such noise.
enum { PATCH_BITS = 4, SWELL_BITS = 4, SOIL_STREAM = 1 << 24, SWELL_STREAM = 1 << 20 };
#define SMOOTH 0.05f
#define ROUGH 1.0f
#define ROUGHEST 0.6f

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

// --- soil --------------------------------------------------------------------------------------------------

// `patches`: a smooth noise of about -1 to 1.
KERNEL static void vary_cells(const float *restrict patches, int count, float *restrict chance) {
    for (int i = 0; i < count; i++) {
        const float v = 0.35f + 0.65f * patches[i];
        const float roughness = SMOOTH + ROUGH * v * v;
        chance[i] *= min(roughness, ROUGHEST);
    }
}

static void vary_row(const Level *level, int y, float *chance, float *patch, float *swell) {
    const LandRules *rules = &level->land->rules;
    const Int128 columns = (Int128)level->land->root.width << level->number;
    const Int128 rows = rules->planet ? columns : (Int128)level->land->root.height << level->number;
    const int face = level->patches->place.face;
    const uint32_t stream = SOIL_STREAM + 8 * (uint32_t)level->number + (uint32_t)face;
    const LatticeNoise patchy = { random_key(rules->seed, stream), PATCH_BITS, columns, rows, rules->planet },
                       swelling = { random_key(rules->seed, stream + SWELL_STREAM), SWELL_BITS, columns, rows,
                                    rules->planet };
    for (int x = 0; x < level->width; x += LATTICE_SPAN) {
        const int count = min(LATTICE_SPAN, level->width - x);
        LatticeSpan patches = { 0 }, swells = { 0 };
        lattice_add_noise(&patchy, level->x + x, level->y + y - face * rows, count, patches);
        lattice_add_noise(&swelling, level->x + x, level->y + y - face * rows, count, swells);
        vary_cells(patches + LATTICE_ROOM, count, chance + x);
        memcpy(patch + x, patches + LATTICE_ROOM, (size_t)count * sizeof *patch);
        memcpy(swell + x, swells + LATTICE_ROOM, (size_t)count * sizeof *swell);
    }
}

// -----------------------------------------------------------------------------------------------------------

void draw_chances(const Level *level, RandomKey key, const uint32_t *columns, int y, float *chance,
                  float *patch, float *swell) {
    const Int128 row = level->y + y;
    chance_row(key, columns, bits_of_place(row), level->width, chance);
    if (level->hillslope.rebound > 0)
        hold_means(key, columns, bits_of_place(row ^ 1), level->width, chance);
    if (level->hillslope.soil)
        vary_row(level, y, chance, patch, swell);
}
