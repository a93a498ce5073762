// Smooths the floor of the sea away from coasts. Beside land the floor is as deep as the coast of the next
// level needs it: straits stay open, deltas dry, and new detail bends the coast. Finer levels would show each
// cell of that as a block, and coasts of coarser levels as scarps.

#include "land/level.h"

#include "core/math.h"

#include <string.h>

enum {
    ROUNDS = 4,                   // of a binomial mean: a width of 1.4 cells
    SHORE = SHELF_REACH - ROUNDS, // cells from coasts on which nothing changes: neither the next level's land
                                  // nor pixels of land
    // Of a cell: depth of water that counts as land, since new detail may make it land on the next level.
    DEPTHS = 32,
    PIECE = 64, // cells of a row
};

// In level->direction: whether a cell keeps its depth.
enum { SMOOTH, KEPT };

static void mark_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        for (size_t cell = start + (size_t)block->left; cell < start + (size_t)block->right; cell++) {
            level->direction[cell] = level->z[cell] > level->sea - level->cell / DEPTHS ? KEPT : SMOOTH;
            level->next[cell] = level->z[cell];
        }
    }
}

KERNEL static bool any_smooth(const uint16_t *marks, int count) {
    int all = KEPT;
    for (int i = 0; i < count; i++)
        all &= marks[i];
    return all == SMOOTH;
}

// --- the shore --------------------------------------------------------------------------------------------

KERNEL static void spread_marks(const uint16_t *restrict above, const uint16_t *restrict row,
                                const uint16_t *restrict below, int count, uint16_t *restrict spread) {
    for (int i = 0; i < count; i++)
        spread[i] = (uint16_t)(above[i - 1] | above[i] | above[i + 1] | row[i - 1] | row[i] | row[i + 1] |
                               below[i - 1] | below[i] | below[i + 1]);
}

static void spread_block(const Level *level, const Region *block) {
    const ptrdiff_t width = level->width;
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += PIECE) {
            const ptrdiff_t cell = y * width + x;
            const uint16_t *row = level->direction + cell;
            const int count = min(PIECE, block->right - x);
            if (any_smooth(row, count))
                spread_marks(row - width, row, row + width, count, level->flow + cell);
            else
                memcpy(level->flow + cell, row, (size_t)count * sizeof *row);
        }
}

static void take_block(const Level *level, const Region *block) {
    const size_t count = (size_t)(block->right - block->left);
    for (int y = block->top; y < block->bottom; y++) {
        const size_t start = (size_t)y * (size_t)level->width + (size_t)block->left;
        memcpy(level->direction + start, level->flow + start, count * sizeof *level->flow);
    }
}

// --- the floor --------------------------------------------------------------------------------------------

// Differences from the cell in the middle: they do not depend on the base.
KERNEL static void smooth_row(const int32_t *restrict above, const int32_t *restrict row,
                              const int32_t *restrict below, const uint16_t *restrict kept, int count,
                              int32_t *restrict smooth) {
    for (int i = 0; i < count; i++) {
        const uint32_t own = (uint32_t)row[i];
        const uint32_t sides =
            (uint32_t)row[i - 1] + (uint32_t)row[i + 1] + (uint32_t)above[i] + (uint32_t)below[i] - 4 * own;
        const uint32_t corners = (uint32_t)above[i - 1] + (uint32_t)above[i + 1] + (uint32_t)below[i - 1] +
                                 (uint32_t)below[i + 1] - 4 * own;
        const int32_t rise = (int32_t)(2 * sides + corners + 8) >> 4, mean = (int32_t)(own + (uint32_t)rise);
        smooth[i] = kept[i] == KEPT ? row[i] : mean;
    }
}

static void smooth_rows(const Level *level, const Region *block, const int32_t *from, int32_t *to) {
    const ptrdiff_t width = level->width;
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += PIECE) {
            const ptrdiff_t cell = y * width + x;
            const int32_t *row = from + cell;
            const int count = min(PIECE, block->right - x);
            if (any_smooth(level->direction + cell, count))
                smooth_row(row - width, row, row + width, level->direction + cell, count, to + cell);
        }
}

static void smooth_there(const Level *level, const Region *block) {
    smooth_rows(level, block, level->z, level->next);
}

static void smooth_back(const Level *level, const Region *block) {
    smooth_rows(level, block, level->next, level->z);
}

static void clear_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t width = (size_t)level->width;
    memset(level->direction + (size_t)first * width, 0,
           (size_t)(end - first) * width * sizeof *level->direction);
}

static Status find_shore(Level *level) {
    Status status = level_begin(level, 0.3, mark_block);
    for (int i = 0; i < SHORE && status == STATUS_OK; i++) {
        level_exchange(level, LEVEL_COUNT);
        status = level_step(level, 1, 0.1, spread_block);
        if (status == STATUS_OK)
            status = level_step(level, 0, 0.05, take_block);
    }
    return status;
}

// The margin need not be wider: no later step reads the floor beyond the shore, whose depth is kept.
Status smooth_shelf(Level *level) {
    if (level->dry)
        return STATUS_OK;
    const Region region = level->region;
    Status status = find_shore(level);
    for (int i = 0; i < ROUNDS / 2 && status == STATUS_OK; i++) {
        status = level_step(level, 1, 0.2, smooth_there);
        level_exchange(level, LEVEL_NEXT);
        if (status == STATUS_OK)
            status = level_step(level, 1, 0.2, smooth_back);
        level_exchange(level, LEVEL_ALTITUDE);
    }
    level->region = region;
    return status == STATUS_OK
               ? parallel_rows(level->run, level->height, level->width * 0.3, clear_rows, level)
               : status;
}
