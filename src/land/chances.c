// Random numbers of a level's new detail, hashes of its cells.

#include "land/level.h"

#include "core/random.h"

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

void draw_chances(const Level *level, RandomKey key, const uint32_t *columns, int y, float *chance) {
    const Int128 row = level->y + y;
    chance_row(key, columns, bits_of_place(row), level->width, chance);
    if (level->hillslope.rebound > 0)
        hold_means(key, columns, bits_of_place(row ^ 1), level->width, chance);
}
