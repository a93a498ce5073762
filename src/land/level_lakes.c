// The lakes of a level. Their cells have the altitude of their water, which all levels keep; the stream that
// leaves a lake begins at that altitude. Shores are made as coasts are (shore_lines.c); single cells follow
// those around, and thinning (level_seas.c) keeps each lake in one piece.

#include "land/level.h"

#include "core/math.h"

#include <string.h>

// --- where there are lakes ---------------------------------------------------------------------------------

static bool has_lake(const uint8_t *receiver, int count) {
    return memchr(receiver, LAND_LAKE, (size_t)count) != NULL;
}

void find_lakes(Level *level, const Parent *parents) {
    level->lakes = false;
    for (int i = 0; i < level->patch_count && level->hillslope.lakes && !level->lakes; i++) {
        const LandWindow *window = parents[i].window;
        for (int y = 0; y < window->height && !level->lakes; y++)
            level->lakes = has_lake(window->receiver + (size_t)y * (size_t)window->width, window->width);
    }
}

bool window_has_outlet(const LandWindow *window, size_t cell) {
    if (window->receiver[cell] >= NEIGHBOURS)
        return false;
    const int width = window->width, x = (int)(cell % (size_t)width), y = (int)(cell / (size_t)width);
    bool outlet = false;
    for (int d = 0; d < NEIGHBOURS && !outlet; d++) {
        const int column = x + neighbour_x[d], row = y + neighbour_y[d];
        if (column < 0 || row < 0 || column >= width || row >= window->height)
            continue;
        const size_t beside = window_towards(window, cell, d);
        outlet = window->receiver[beside] == LAND_LAKE && window->altitude[beside] == window->altitude[cell];
    }
    return outlet;
}

// --- beds of the coarser land ------------------------------------------------------------------------------

#define BED 0.8f // of the mean height of the land beside it, below the water

// The mean height above the water of the cells of land around; 0: none is land.
static float height_of_shore(const LandWindow *window, int x, int y) {
    const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
    float heights = 0;
    int count = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int column = x + neighbour_x[d], row = y + neighbour_y[d];
        if (column < 0 || row < 0 || column >= window->width || row >= window->height)
            continue;
        const size_t beside = window_towards(window, cell, d);
        const int32_t above = difference(window->altitude[beside], window->altitude[cell]);
        heights += window->receiver[beside] == LAND_LAKE ? 0 : (float)max(above, 1);
        count += window->receiver[beside] != LAND_LAKE;
    }
    return count ? heights / (float)count : 0;
}

void lower_lake_beds(const Parent *parent, int y, int32_t *plain) {
    const LandWindow *window = parent->window;
    const size_t start = (size_t)y * (size_t)window->width;
    if (!parent->lakes || !has_lake(window->receiver + start, window->width))
        return;
    for (int x = 0; x < window->width; x++) {
        if (window->receiver[start + (size_t)x] != LAND_LAKE)
            continue;
        const float shore = height_of_shore(window, x, y);
        const float depth = shore > 0 ? shore * BED : parent->cell;
        const int32_t bed =
            difference(window->altitude[start + (size_t)x], whole_int(min(depth, 4 * parent->cell)) + 1);
        plain[parent_at(parent, x, y)] = max(bed, parent->sea + 1);
    }
}

// --- streams beside lakes ----------------------------------------------------------------------------------

// A lake keeps away from streams that pass it by, so that ground parts their waters: by this many cells from
// the middle of a narrow one, and this many half widths more. Beside an outlet it is as near as cells are.
#define APART 2.5f
#define BANK 1.2f
#define BESIDE_OUTLET 1.5f

// How far it reaches. Of one that is wider still coarser levels have kept away.
static float reach_of(const Level *level, size_t cell) {
    return min(APART + BANK / 2 * stream_width(level, cell), (float)LOWER_REACH);
}

// Whether any row of coarse cells near row y has a lake.
static bool lakes_near(const Shoreline *shores, int y, int reach) {
    const LandWindow *window = shores->parent->window;
    const int row = shores->parent->row + y / 2, coarse = reach / 2 + 1;
    bool any = false;
    for (int i = max(row - coarse, 0); i <= min(row + coarse, window->height - 1) && !any; i++)
        any = has_lake(window->receiver + (size_t)i * (size_t)window->width, window->width);
    return any;
}

// Whether a lake's outlet is near, below which a stream is a little lower than the lake.
static bool outlet_is_near(const Shoreline *shores, int x, int y) {
    const LandWindow *window = shores->parent->window;
    const int column = shores->parent->column + x / 2, row = shores->parent->row + y / 2;
    const int reach = OUTLET_REACH / 2;
    bool near = false;
    for (int v = max(row - reach, 0); v <= min(row + reach, window->height - 1) && !near; v++)
        for (int u = max(column - reach, 0); u <= min(column + reach, window->width - 1) && !near; u++)
            near = window_has_outlet(window, (size_t)v * (size_t)window->width + (size_t)u);
    return near;
}

// Whether a stream ends in a lake within a few cells.
static bool enters_lake(const Level *level, size_t cell) {
    for (int i = 0; i < OUTLET_REACH && level->receiver[cell] < NEIGHBOURS; i++) {
        const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
        if (x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1)
            return false;
        cell = towards(level, cell, level->receiver[cell]);
    }
    return level->receiver[cell] == LAND_LAKE;
}

// How low a lake beside a stream must be, to come near to it: never where the stream passes it by.
static int32_t lowest_lake(const Shoreline *shores, int x, int y) {
    const Level *level = shores->level;
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    if (level->receiver[cell] >= NEIGHBOURS || enters_lake(level, cell))
        return HIGHEST;
    return outlet_is_near(shores, x, y) ? level->z[cell] : -HIGHEST;
}

// In `next`, of each cell.
static void list_rows(void *context, int first, int end) {
    const Shoreline *shores = context;
    const Level *level = shores->level;
    for (int y = first; y < end; y++)
        for (int x = 0; x < level->width && (level->seams || lakes_near(shores, y, LOWER_REACH + 2)); x++)
            level->next[(size_t)y * (size_t)level->width + (size_t)x] = lowest_lake(shores, x, y);
}

// Lowers a row's cells within reach of a stream. Near an outlet only those beside it.
static void lower_around(const Level *level, size_t cell, int x, int off, int32_t *row) {
    const int32_t lowest = level->next[cell];
    const float reach = lowest == -HIGHEST ? reach_of(level, cell) : BESIDE_OUTLET;
    for (int u = max(x - LOWER_REACH, 0); u <= min(x + LOWER_REACH, level->width - 1); u++)
        if ((float)((u - x) * (u - x) + off * off) <= reach * reach)
            row[u] = min(row[u], lowest);
}

// In `fresh`, how high the water of each cell may be.
static void spread_rows(void *context, int first, int end) {
    const Shoreline *shores = context;
    const Level *level = shores->level;
    for (int y = first; y < end; y++) {
        int32_t *row = level->fresh + (size_t)y * (size_t)level->width;
        if (!lakes_near(shores, y, 0))
            continue;
        for (int x = 0; x < level->width; x++)
            row[x] = HIGHEST;
        for (int v = max(y - LOWER_REACH, 0); v <= min(y + LOWER_REACH, level->height - 1); v++)
            for (int x = 0; x < level->width; x++) {
                const size_t cell = (size_t)v * (size_t)level->width + (size_t)x;
                if (level->next[cell] < HIGHEST)
                    lower_around(level, cell, x, v - y, row);
            }
    }
}

// --- shores ------------------------------------------------------------------------------------------------

// In level->flow: what a cell may be.
enum {
    CHILD = 1,  // of a lake or its outlet
    BESIDE = 2, // of land, on the side of a lake
    WET = 4,
    FIXED = 8, // wet or not, it stays so
};

// A cell of the lake beside a coarse cell, on one side of it; false: there is none, or of two.
static bool lake_towards(const Parent *parent, int column, int row, int right, int down, size_t *lake) {
    const LandWindow *window = parent->window;
    bool found = false, same = true;
    for (int i = 1; i < 4; i++) {
        const int x = column + (i & 1 ? right : 0), y = row + (i & 2 ? down : 0);
        if (x < 0 || y < 0 || x >= window->width || y >= window->height)
            continue;
        const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
        if (window->receiver[cell] != LAND_LAKE)
            continue;
        same &= !found || window->altitude[*lake] == window->altitude[cell];
        *lake = cell;
        found = true;
    }
    return found && same;
}

// `lake`: the coarse cell whose water may be there.
static int state_of(const Shoreline *shores, ShoreWaves *waves, int x, int y, int kind, bool of_outlet,
                    size_t lake) {
    const Level *level = shores->level;
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    const bool outer = x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1;
    const int receiver = level->receiver[cell];
    const int32_t water = shores->parent->profile[lake];
    if (receiver < NEIGHBOURS)
        return of_outlet && level->z[cell] == water ? kind | WET | FIXED : 0;
    if (receiver == LAND_SEA)
        return 0;
    if (receiver == LAND_LAKE || of_outlet)
        return kind | WET | FIXED;
    if (!outer && level->fresh[cell] < water)
        return kind | FIXED;
    return kind | (child_is_wet(shores, waves, x, y, shores->parent->window->altitude[lake]) ? WET : 0);
}

static void mark_child(const Shoreline *shores, ShoreWaves *waves, int x, int y) {
    const Level *level = shores->level;
    const Parent *parent = shores->parent;
    const LandWindow *window = parent->window;
    const int column = parent->column + x / 2, row = parent->row + y / 2;
    const size_t coarse = (size_t)row * (size_t)window->width + (size_t)column,
                 cell = (size_t)y * (size_t)level->width + (size_t)x;
    const bool outlet = window_has_outlet(window, coarse);
    size_t lake = coarse;
    int state = 0;
    if (window->receiver[coarse] == LAND_LAKE || outlet)
        state = state_of(shores, waves, x, y, CHILD, outlet, lake);
    else if (lake_towards(parent, column, row, x & 1 ? 1 : -1, y & 1 ? 1 : -1, &lake))
        state = state_of(shores, waves, x, y, BESIDE, false, lake);
    level->flow[cell] = (uint16_t)state;
    level->next[cell] = parent->profile[lake];
}

static void mark_rows(void *context, int first, int end) {
    const Shoreline *shores = context;
    const Level *level = shores->level;
    ShoreWaves waves = { 0 };
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        const bool any = lakes_near(shores, y, 0);
        memset(level->flow + start, 0, (size_t)level->width * sizeof *level->flow);
        memset(level->next_flow + start, 0, (size_t)level->width * sizeof *level->next_flow);
        for (int x = 0; x < level->width && any; x++)
            mark_child(shores, &waves, x, y);
    }
}

// A cell follows seven or more of those around it.
static int state_among(const Level *level, const uint16_t *states, size_t cell) {
    const int state = states[cell];
    int wet = 0;
    if (!state || state & FIXED)
        return state;
    for (int d = 0; d < NEIGHBOURS; d++)
        wet += (states[towards(level, cell, d)] & WET) != 0;
    return wet >= 7 ? state | WET : wet <= 1 ? state & ~WET : state;
}

typedef struct Smoothing {
    const Level *level;
    const uint16_t *from;
    uint16_t *to;
} Smoothing;

static void smooth_rows(void *context, int first, int end) {
    const Smoothing *smoothing = context;
    const Level *level = smoothing->level;
    for (int y = first; y < end; y++)
        for (int x = 0; x < level->width; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const bool outer = x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1;
            smoothing->to[cell] =
                outer ? smoothing->from[cell] : (uint16_t)state_among(level, smoothing->from, cell);
        }
}

// Cells that stay ground until level_seas.c knows better are marked as lake without its altitude.
static void take_rows(void *context, int first, int end) {
    const Level *level = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < level->width; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int state = level->flow[cell];
            if (!(state & CHILD) || level->receiver[cell] < NEIGHBOURS)
                continue;
            level->receiver[cell] = LAND_LAKE;
            level->area[cell] = 1;
            level->z[cell] = state & WET ? level->next[cell] : level->z[cell];
        }
}

static Status by_patches(const Level *level, const Parent *parents, RowsBody *body) {
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
        const Level part = level_part(level, &level->patches[i]);
        Shoreline shores = shoreline_of(&part, &parents[i], true);
        status = parallel_rows(level->run, part.height, part.width * 0.5, body, &shores);
    }
    return status;
}

Status draw_lakes(Level *level, const Parent *parents) {
    if (!level->hillslope.lakes)
        return STATUS_OK;
    level_shrink(level, SHORE_REACH);
    if (!level->lakes)
        return STATUS_OK;
    Status status = by_patches(level, parents, list_rows);
    level_exchange(level, LEVEL_NEXT);
    if (status == STATUS_OK)
        status = by_patches(level, parents, spread_rows);
    if (status == STATUS_OK)
        status = by_patches(level, parents, mark_rows);
    uint16_t *const states[] = { level->flow, level->next_flow };
    for (int pass = 0; pass < 2 && status == STATUS_OK; pass++) {
        Smoothing smoothing = { level, states[pass], states[1 - pass] };
        status = parallel_rows(level->run, level->height, level->width * 1.0, smooth_rows, &smoothing);
    }
    return status == STATUS_OK
               ? parallel_rows(level->run, level->height, level->width * 0.5, take_rows, level)
               : status;
}

// --- what level_seas.c makes of them -----------------------------------------------------------------------

void mark_lake_rows(void *context, int first, int end) {
    const Level *level = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < level->width; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int state = level->flow[cell];
            if (state & CHILD)
                level->direction[cell] = state & WET ? SHORE_WATER : SHORE_DRYING;
            else if (state & WET)
                level->direction[cell] = SHORE_FRINGE;
        }
}

bool settle_lake(const Level *level, size_t cell) {
    if (!level->lakes || !level->flow[cell])
        return false;
    const int mark = level->direction[cell];
    const bool wet = mark == SHORE_WATER || mark == SHORE_DRYING;
    const int32_t water = level->next[cell];
    level->receiver[cell] = wet ? LAND_LAKE : LAND_NONE;
    level->z[cell] = wet ? water : max(level->z[cell], water + level->least_fall);
    level->spare[cell] = level->z[cell];
    level->area[cell] = 1;
    return true;
}

// --- banks -------------------------------------------------------------------------------------------------

static void shore_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        bool any = false;
        for (int row = y - 1; row <= y + 1; row++)
            any |= has_lake(level->receiver + (size_t)row * (size_t)level->width, level->width);
        for (int x = block->left; x < block->right && any; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            for (int d = 0; d < NEIGHBOURS && level->receiver[cell] == LAND_NONE; d++) {
                const size_t beside = towards(level, cell, d);
                if (level->receiver[beside] == LAND_LAKE)
                    level->z[cell] = max(level->z[cell], level->z[beside] + level->least_fall);
            }
        }
    }
}

// Ground beside a lake is higher than its water.
Status raise_shores(Level *level) {
    if (!level->hillslope.lakes)
        return STATUS_OK;
    if (!level->lakes) {
        level_shrink(level, 1);
        return STATUS_OK;
    }
    const Status status = level_step(level, 1, 0.5, shore_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
