// Fills small pits (Planchon and Darboux 2002, "A fast, simple and versatile algorithm to fill the
// depressions of digital elevation models", without their order of cells): free ground is flooded to the
// depth of the deepest pit, then each step lowers the water to the least fall above the lowest neighbour, but
// not below the ground. With n steps, pits whose path out is at most n cells long end filled to the brim.
// Sloping ground is dry after a few steps, however far the next stream is.

#include "land/law.h"

#include "core/math.h"

enum { SPAN = 1024 };

// The lowest of each column of three cells.
KERNEL_INLINE void find_lowest(const int32_t *restrict above, const int32_t *restrict water,
                               const int32_t *restrict below, int count, int32_t *restrict lowest) {
    for (int i = 0; i < count + 2; i++) {
        const int32_t outer = min(above[i], below[i]);
        lowest[i] = min(outer, water[i]);
    }
}

// The level to which the water of the middle column falls.
KERNEL_INLINE int32_t level_above(const int32_t *lowest, int32_t fall) {
    const int32_t outer = min(lowest[0], lowest[2]);
    return min(outer, lowest[1]) + fall;
}

// `above`, `water`, `below` begin one cell to the left. Streams and sea, which begin at their own level, keep
// it: water never rises.
KERNEL static void lower_water(const int32_t *restrict above, const int32_t *restrict water,
                               const int32_t *restrict below, const int32_t *restrict ground, int32_t fall,
                               int32_t *restrict lowered, int count) {
    int32_t lowest[SPAN + 2];
    find_lowest(above, water, below, count, lowest);
    for (int i = 0; i < count; i++) {
        const int32_t level = level_above(lowest + i, fall);
        const int32_t above_ground = max(level, ground[i]);
        lowered[i] = min(above_ground, water[i + 1]);
    }
}

static void lower_block(const Level *level, const Region *block) {
    const size_t width = (size_t)level->width;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    for (int y = block->top; y < block->bottom; y++) {
        const Columns land = land_between(level, y, block->left, block->right);
        for (int x = land.first; x < land.end; x += SPAN) {
            const size_t cell = (size_t)y * width + (size_t)x;
            const int32_t *water = level->next + cell - 1;
            lower_water(water - width, water, water + width, level->z + cell, fall, level->spare + cell,
                        min(SPAN, land.end - x));
        }
    }
}

KERNEL static void flood_row(const int32_t *restrict z, const uint8_t *restrict receiver, int32_t deepest,
                             int count, int32_t *restrict water, int32_t *restrict other) {
    for (int i = 0; i < count; i++)
        other[i] = water[i] = receiver[i] == LAND_NONE ? sum(z[i], deepest) : z[i];
}

static void flood_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        flood_row(level->z + cell, level->receiver + cell, level->deepest, block->right - block->left,
                  level->next + cell, level->spare + cell);
    }
}

// Water that is still falling (more than that above its lowest neighbour) is far from any path out and
// would leave a block with steep sides on gentle ground. So would water that has hardly fallen: on a divide
// it may lie lower than all around, although no path out has reached it. There the ground is kept.
KERNEL static void settle(const int32_t *restrict above, const int32_t *restrict water,
                          const int32_t *restrict below, int32_t deepest, int32_t fall, int32_t *restrict z,
                          int count) {
    int32_t lowest[SPAN + 2];
    find_lowest(above, water, below, count, lowest);
    for (int i = 0; i < count; i++) {
        const int32_t level = level_above(lowest + i, fall);
        const bool rests = water[i + 1] <= level, shallow = difference(water[i + 1], z[i]) <= deepest / 2;
        z[i] = rests && shallow ? water[i + 1] : z[i];
    }
}

static void settle_block(const Level *level, const Region *block) {
    const size_t width = (size_t)level->width;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += SPAN) {
            const size_t cell = (size_t)y * width + (size_t)x;
            const int32_t *water = level->next + cell - 1;
            settle(water - width, water, water + width, level->deepest, fall, level->z + cell,
                   min(SPAN, block->right - x));
        }
}

// The last step detects where water has come to rest.
Status fill_pits(Level *level, int steps, int32_t deepest) {
    level->deepest = deepest;
    Status status = level_begin(level, 0.5, flood_block);
    if (status == STATUS_OK)
        status = level_rounds(level, steps - 1, 1, 0.5, LEVEL_NEXT, lower_block);
    if (status == STATUS_OK)
        status = level_step(level, 1, 0.5, settle_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
