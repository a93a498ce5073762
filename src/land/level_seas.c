// The seas of a finer level: straits stay open, and the floor near the coast is smooth.

#include "core/math.h"
#include "land/level.h"

#include <string.h>

// --- straits that stay open --------------------------------------------------------------------------------

// Keeps the seas of the coarser level connected. The spline and its detail close narrow water, and rivers
// would end in what is cut off. So all children of the sea are water at first, and those that are to be land
// become it from the coast inward, one layer after another, each only if the water around it stays connected:
// thinning (Rosenfeld 1975, "A characterization of parallel thinning algorithms", in four directions by
// turns). What is left of a strait is a child wide, and what lies farther in remains sea.
//
// Water is connected over sides, streams and land over corners too: a stream that runs diagonally parts the
// sea on either side of it.

// Depth of water that was to be land, as much as that would have been high, at most.
enum { STRAIT_DEPTHS = 4 }; // of a cell

typedef struct Seaways {
    const Level *level;
    const Parent *parent;
} Seaways;

static bool is_outer(const Level *level, int x, int y) {
    return x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1;
}

static int mark_of(const Level *level, int x, int y, bool was_sea) {
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    if (level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea)
        return was_sea || is_outer(level, x, y) || donors_of(level, cell) ? SHORE_WATER : SHORE_FRINGE;
    return was_sea && level->receiver[cell] != LAND_SEA ? SHORE_DRYING : SHORE_GROUND;
}

enum { PIECE = 64 }; // cells of a row

// Whether any of `count` cells, or of their parents, is sea.
KERNEL static bool any_is_sea(const int32_t *z, int32_t sea, const int32_t *coarse, int32_t coarse_sea,
                              int count) {
    int any = 0;
    for (int x = 0; x < count; x++)
        any |= z[x] <= sea;
    for (int x = 0; x < count / 2; x++)
        any |= coarse[x] <= coarse_sea;
    return any != 0;
}

static void mark_rows(void *context, int first, int end) {
    const Seaways *seaways = context;
    const Level *level = seaways->level;
    const Parent *parent = seaways->parent;
    const LandWindow *window = parent->window;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        const int32_t *coarse =
            window->altitude + (size_t)(parent->row + y / 2) * (size_t)window->width + parent->column;
        memset(level->direction + start, SHORE_GROUND, (size_t)level->width * sizeof *level->direction);
        for (int left = 0; left < level->width; left += PIECE) {
            const int right = min(left + PIECE, level->width);
            const bool any =
                any_is_sea(level->z + start + left, level->sea, coarse + left / 2, parent->sea, right - left);
            for (int x = left; x < right && any; x++)
                level->direction[start + (size_t)x] =
                    (uint16_t)mark_of(level, x, y, coarse[x / 2] <= parent->sea);
        }
    }
}

// --- thinning ---------------------------------------------------------------------------------------------

static bool is_wet(const Level *level, size_t cell) {
    return level->direction[cell] == SHORE_WATER || level->direction[cell] == SHORE_DRYING;
}

// Whether the water around a cell remains connected over sides without it.
static bool is_simple(const Level *level, size_t cell) {
    int pieces = 0;
    for (int d = 0; d < NEIGHBOURS; d += 2) {
        const bool corner = is_wet(level, towards(level, cell, d + 1)),
                   next = is_wet(level, towards(level, cell, (d + 2) & 7));
        pieces += is_wet(level, towards(level, cell, d)) && !(corner && next);
    }
    return pieces <= 1;
}

static bool is_beside_water(const Level *level, size_t cell) {
    bool water = false;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        water |= level->direction[towards(level, cell, d)] == SHORE_WATER;
    return water;
}

// Land comes from one side at a time, so that no two cells between them close a strait.
static int mark_after(const Level *level, size_t cell, int side) {
    const int mark = level->direction[cell];
    if (mark == SHORE_FRINGE)
        return is_beside_water(level, cell) ? SHORE_WATER : SHORE_FRINGE;
    if (mark == SHORE_DRYING && !is_wet(level, towards(level, cell, side)) && is_simple(level, cell))
        return SHORE_GROUND;
    return mark;
}

// The cells that may change: few, along the coast.
KERNEL static void mark_changing(const uint16_t *restrict marks, int count, uint8_t *restrict changing) {
    for (int i = 0; i < count; i++)
        changing[i] = marks[i] == SHORE_DRYING || marks[i] == SHORE_FRINGE;
}

static void mark_coast(const Level *level, size_t cell, int count, uint8_t *marks) {
    mark_changing(level->direction + cell, count, marks);
}

typedef struct Thinning {
    const Level *level;
    int side;
} Thinning;

// Rows of the region.
static void find_rows(void *context, int first, int end) {
    const Thinning *thinning = context;
    const Level *level = thinning->level;
    for (int y = level->region.top + first; y < level->region.top + end; y++) {
        const Streams cells = streams_of_row(level, y);
        for (int k = cells.first; k < cells.end; k++)
            level->fresh[k] = mark_after(level, (size_t)level->streams[k], thinning->side);
    }
}

static Status find_marks(Level *level, int side) {
    level_shrink(level, 1);
    const Region *region = &level->region;
    Thinning thinning = { level, side };
    return parallel_rows(level->run, region->bottom - region->top, (region->right - region->left) * 2.0,
                         find_rows, &thinning);
}

static void take_marks(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->direction[level->streams[k]] = (uint16_t)level->fresh[k];
}

// --- what is left -----------------------------------------------------------------------------------------

static void fill_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (settle_lake(level, cell))
            continue;
        if (level->direction[cell] == SHORE_DRYING) {
            level->z[cell] =
                level->sea - clamp(difference(level->z[cell], level->sea), 1, level->cell / STRAIT_DEPTHS);
            level->receiver[cell] = LAND_SEA;
            level->area[cell] = 1;
        } else if (level->direction[cell] == SHORE_FRINGE) {
            level->z[cell] = level->spare[cell] = level->sea + 1;
            level->receiver[cell] = LAND_NONE;
        }
    }
}

Status keep_seas_open(Level *level, const Parent *parents) {
    static const int sides[] = { 6, 4, 2, 0 }; // above, left, below and right
    Status status = STATUS_OK;
    if (level->dry && !level->lakes) {
        level_shrink(level, DRYINGS);
        return STATUS_OK;
    }
    for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
        const Level part = level_part(level, &level->patches[i]);
        Seaways seaways = { &part, &parents[i] };
        status = parallel_rows(level->run, part.height, part.width * 0.3, mark_rows, &seaways);
    }
    if (status == STATUS_OK && level->lakes)
        status = parallel_rows(level->run, level->height, level->width * 0.3, mark_lake_rows, level);
    level_exchange(level, LEVEL_COUNT);
    if (status == STATUS_OK)
        status = list_cells(level, mark_coast);
    for (int i = 0; i < DRYINGS && status == STATUS_OK; i++) {
        status = find_marks(level, sides[i % 4]);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_marks);
        level_exchange(level, LEVEL_COUNT);
    }
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, fill_row);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    return status == STATUS_OK ? list_streams(level) : status;
}

// --- the floor away from coasts ----------------------------------------------------------------------------

// Smooths the floor of the sea away from coasts. Beside land the floor is as deep as the coast of the next
// level needs it: straits stay open, deltas dry, and new detail bends the coast. Finer levels would show each
// cell of that as a block, and coasts of coarser levels as scarps.

enum {
    ROUNDS = 6,                   // of a binomial mean: a width of 1.7 cells
    SHORE = SHELF_REACH - ROUNDS, // cells from coasts on which nothing changes: neither the next level's land
                                  // nor pixels of land
    // Of a cell: depth of water that counts as land, since new detail may make it land on the next level.
    DEPTHS = 32,
};

// In level->direction: whether a cell keeps its depth.
enum { SMOOTH = 0, KEPT = 1 };

KERNEL static void mark_deep(const int32_t *restrict z, int32_t shallow, int count, uint16_t *restrict marks,
                             int32_t *restrict next) {
    for (int i = 0; i < count; i++) {
        marks[i] = z[i] > shallow ? KEPT : SMOOTH;
        next[i] = z[i];
    }
}

static void mark_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        mark_deep(level->z + cell, level->sea - level->cell / DEPTHS, block->right - block->left,
                  level->direction + cell, level->next + cell);
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

// Differences from the cell in the middle: they do not depend on the base. A cell keeps its depth by a mask:
// clang makes no vectors of words between which `kept` chooses.
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
        const int32_t keep = -(int32_t)kept[i];
        smooth[i] = (row[i] & keep) | (mean & ~keep);
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
