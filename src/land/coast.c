// The coast of a finer level: a cell unlike six or more of its neighbours becomes as they are, twice; and no
// water opens inland.

#include "land/level.h"

#include "core/math.h"

#include <string.h>

typedef struct Coast {
    const Level *level;
    const Parent *parent;
    int pass;
} Coast;

static bool was_land(const Coast *coast, int x, int y) {
    const LandWindow *window = coast->parent->window;
    const int row = coast->parent->row + y / 2, column = coast->parent->column + x / 2;
    return window->altitude[(size_t)row * (size_t)window->width + (size_t)column] > coast->parent->sea;
}

static bool was_inland(const Coast *coast, int x, int y) {
    const Parent *parent = coast->parent;
    const LandWindow *window = parent->window;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int column = clamp(parent->column + x / 2 + neighbour_x[d], 0, window->width - 1),
                  row = clamp(parent->row + y / 2 + neighbour_y[d], 0, window->height - 1);
        if (window->altitude[(size_t)row * (size_t)window->width + (size_t)column] <= parent->sea)
            return false;
    }
    return true;
}

static int32_t coast_cell(const Coast *coast, int x, int y) {
    const Level *level = coast->level;
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    const int32_t z = level->z[cell], sea = level->sea;
    int wet = 0;
    for (int d = 0; d < NEIGHBOURS; d++)
        wet += level->z[towards(level, cell, d)] <= sea;
    if (z > sea)
        return wet >= 6 ? sea - 1 : z;
    if (wet <= 2)
        return sea + 1;
    if (!was_land(coast, x, y))
        return z;
    const bool dries = coast->pass == 0 ? was_inland(coast, x, y) : wet < 4;
    return dries ? sea + 1 : z;
}

KERNEL static int32_t lowest_of_row(const int32_t *z, int count) {
    int32_t lowest = HIGHEST;
    for (int x = 0; x < count; x++)
        lowest = min(lowest, z[x]);
    return lowest;
}

static bool dry(const Level *level, int y) {
    return lowest_of_row(level->z + (size_t)y * (size_t)level->width, level->width) > level->sea;
}

// Rows without sea in or beside them stay as they are.
static void coast_rows(void *context, int first, int end) {
    const Coast *coast = context;
    const Level *level = coast->level;
    const size_t width = (size_t)level->width;
    for (int y = first; y < end; y++) {
        const int32_t *from = level->z + (size_t)y * width;
        int32_t *to = level->next + (size_t)y * width;
        memcpy(to, from, width * sizeof *to);
        if (y == 0 || y == level->height - 1 || (dry(level, y - 1) && dry(level, y) && dry(level, y + 1)))
            continue;
        for (int x = 1; x < level->width - 1; x++)
            to[x] = coast_cell(coast, x, y);
    }
}

// Sea and the land's edge are done with; all else is free until streams are known. What lies at the sea's
// level is sea, a unit below it.
static void mark_rows(void *context, int first, int end) {
    const Level *level = context;
    for (int y = first; y < end; y++) {
        const bool edge_row = (y == 0 && level->ends_top) || (y == level->height - 1 && level->ends_bottom);
        for (int x = 0; x < level->width; x++) {
            const bool edge =
                edge_row || (x == 0 && level->ends_left) || (x == level->width - 1 && level->ends_right);
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            level->receiver[cell] = edge || level->z[cell] <= level->sea ? LAND_SEA : LAND_NONE;
            level->z[cell] -= level->z[cell] == level->sea;
            level->area[cell] = 1;
        }
    }
}

Status draw_coast(Level *level, const Parent *parents) {
    Status status = STATUS_OK;
    for (int pass = 0; pass < 2 && level->sea > -HIGHEST && status == STATUS_OK; pass++) {
        for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
            const Level part = level_part(level, &level->patches[i]);
            Coast coast = { &part, &parents[i], pass };
            status = parallel_rows(level->run, part.height, part.width * 3.0, coast_rows, &coast);
        }
        int32_t *z = level->next;
        level->next = level->z;
        level->z = z;
        level_exchange(level, LEVEL_ALTITUDE);
    }
    return status == STATUS_OK
               ? parallel_rows(level->run, level->height, level->width * 1.0, mark_rows, level)
               : status;
}
