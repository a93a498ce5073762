// What erosion has removed comes back as smooth uplift, as the crust rises where erosion makes it lighter
// (Molnar and England 1990, "Late Cenozoic uplift of mountain ranges and global climate change: chicken or
// egg?"): valleys remain, crests rise, and the mean height stays that of the coarser level. Without this a
// map would sink below its guide from zoom to zoom.

#include "land/level.h"

#include "core/math.h"

static void copy_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            level->spare[cell] = level->next[cell];
        }
}

// The mean of 3 × 3 cells. Streams have lost nothing, so less comes back beside them.
KERNEL static void spread_row(const int32_t *restrict above, const int32_t *restrict row,
                              const int32_t *restrict below, int count, int32_t *restrict mean) {
    for (int i = 0; i < count; i++) {
        const int32_t upper = above[i - 1] + above[i] + above[i + 1];
        const int32_t middle = row[i - 1] + row[i] + row[i + 1];
        const int32_t lower = below[i - 1] + below[i] + below[i + 1];
        mean[i] = whole_unchecked((float)(upper + middle + lower) * (1 / 9.0f));
    }
}

static void spread_block(const Level *level, const Region *block) {
    const ptrdiff_t width = level->width;
    for (int y = block->top; y < block->bottom; y++) {
        const ptrdiff_t cell = y * width + block->left;
        const int32_t *row = level->next + cell;
        spread_row(row - width, row, row + width, block->right - block->left, level->spare + cell);
    }
}

// Streams keep their beds, so nothing rises downstream.
KERNEL static void raise_row(int32_t *restrict z, const uint8_t *restrict receiver,
                             const int32_t *restrict rise, float share, int32_t lowest, int count) {
    for (int i = 0; i < count; i++) {
        const int32_t raised = sum(z[i], whole_unchecked((float)rise[i] * share));
        z[i] = receiver[i] == LAND_NONE ? max(raised, lowest) : z[i];
    }
}

static void raise_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        raise_row(level->z + cell, level->receiver + cell, level->next + cell, level->hillslope.rebound,
                  level->sea + 1, block->right - block->left);
    }
}

Status rebound(Level *level) {
    if (level->hillslope.rebound <= 0)
        return STATUS_OK;
    Status status = level_begin(level, 0.5, copy_block); // the land's edge, which no round sets
    if (status == STATUS_OK)
        status = level_rounds(level, REBOUNDS, 1, 1, LEVEL_NEXT, spread_block);
    return status == STATUS_OK ? level_step(level, 0, 0.5, raise_block) : status;
}
