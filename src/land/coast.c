// The coast of a finer level. Twice, a cell that differs (land or sea) from six or more neighbours (seven
// along shorelines, which are smooth) changes to match them, unless that would close a strait. No water opens
// inland.

#include "land/level.h"

#include "core/math.h"

#include <string.h>

typedef struct Coast {
    const Level *level;
    const Parent *parent;
    int pass, alike; // cells around one that it follows
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

// Whether the sea around a cell is in several pieces, which the cell would join.
static bool joins_sea(const Level *level, size_t cell) {
    int pieces = 0;
    bool last = level->z[towards(level, cell, NEIGHBOURS - 1)] <= level->sea;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const bool wet = level->z[towards(level, cell, d)] <= level->sea;
        pieces += wet && !last;
        last = wet;
    }
    return pieces > 1;
}

// How many of the cells around each are sea; the rows begin one cell to the left.
KERNEL static void count_wet(const int32_t *restrict above, const int32_t *restrict row,
                             const int32_t *restrict below, int32_t sea, int count, uint8_t *restrict wet) {
    for (int x = 0; x < count; x++) {
        const int over = (above[x] <= sea) + (above[x + 1] <= sea) + (above[x + 2] <= sea),
                  under = (below[x] <= sea) + (below[x + 1] <= sea) + (below[x + 2] <= sea);
        wet[x] = (uint8_t)(over + under + (row[x] <= sea) + (row[x + 2] <= sea));
    }
}

// `wet`: how many cells around it are sea.
static int32_t coast_cell(const Coast *coast, int x, int y, int wet) {
    const Level *level = coast->level;
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    const int32_t z = level->z[cell], sea = level->sea;
    if (z > sea)
        return wet >= coast->alike || (wet >= 2 && !was_land(coast, x, y) && joins_sea(level, cell)) ? sea - 1
                                                                                                     : z;
    if (wet <= NEIGHBOURS - coast->alike && !joins_sea(level, cell))
        return sea + 1;
    if (!was_land(coast, x, y))
        return z;
    const bool dries = coast->pass == 0 ? was_inland(coast, x, y) : wet < 4;
    return dries ? sea + 1 : z;
}

// --- where nothing changes --------------------------------------------------------------------------------

KERNEL static int32_t lowest_of(const int32_t *above, const int32_t *row, const int32_t *below, int count) {
    int32_t lowest = HIGHEST;
    for (int x = 0; x < count; x++) {
        const int32_t beside = min(above[x], below[x]), all = min(beside, row[x]);
        lowest = min(lowest, all);
    }
    return lowest;
}

KERNEL static int32_t highest_of(const int32_t *above, const int32_t *row, const int32_t *below, int count) {
    int32_t highest = -HIGHEST;
    for (int x = 0; x < count; x++) {
        const int32_t beside = max(above[x], below[x]), all = max(beside, row[x]);
        highest = max(highest, all);
    }
    return highest;
}

KERNEL static int32_t highest_of_row(const int32_t *row, int count) {
    int32_t highest = -HIGHEST;
    for (int x = 0; x < count; x++)
        highest = max(highest, row[x]);
    return highest;
}

// Whether the parents of cells `first` … `end` - 1 of row y are sea.
static bool were_sea(const Coast *coast, int y, int first, int end) {
    const Parent *parent = coast->parent;
    const LandWindow *window = parent->window;
    const size_t row = (size_t)(parent->row + y / 2) * (size_t)window->width;
    const int left = first / 2, right = (end - 1) / 2;
    return highest_of_row(window->altitude + row + (size_t)(parent->column + left), right - left + 1) <=
           parent->sea;
}

// Whether no cell of a span changes: no sea in or around it, or sea whose parents are sea.
static bool stays(const Coast *coast, int y, int first, int end) {
    const Level *level = coast->level;
    const size_t width = (size_t)level->width;
    const int32_t *row = level->z + (size_t)y * width + (size_t)first - 1;
    const int count = end - first + 2;
    return lowest_of(row - width, row, row + width, count) > level->sea ||
           (highest_of(row - width, row, row + width, count) <= level->sea && were_sea(coast, y, first, end));
}

// -----------------------------------------------------------------------------------------------------------

static void coast_rows(void *context, int first, int end) {
    enum { PIECE = 64 };
    const Coast *coast = context;
    const Level *level = coast->level;
    const size_t width = (size_t)level->width;
    for (int y = first; y < end; y++) {
        int32_t *to = level->next + (size_t)y * width;
        memcpy(to, level->z + (size_t)y * width, width * sizeof *to);
        if (y == 0 || y == level->height - 1)
            continue;
        for (int left = 1; left < level->width - 1; left += PIECE) {
            const int right = min(left + PIECE, level->width - 1);
            if (stays(coast, y, left, right))
                continue;
            const int32_t *row = level->z + (size_t)y * width + left - 1;
            uint8_t wet[PIECE];
            count_wet(row - width, row, row + width, level->sea, right - left, wet);
            for (int x = left; x < right; x++)
                to[x] = coast_cell(coast, x, y, wet[x - left]);
        }
    }
}

KERNEL static void mark_ground(int32_t *restrict z, int32_t sea, int count, uint8_t *restrict receiver,
                               float *restrict area) {
    for (int x = 0; x < count; x++) {
        receiver[x] = z[x] <= sea ? LAND_SEA : LAND_NONE;
        z[x] -= z[x] == sea;
        area[x] = 1;
    }
}

// Marks sea and the land's edge as final and all other cells as free ground until streams are known. Cells at
// sea level become sea, one unit below it.
static void mark_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t width = (size_t)level->width;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * width;
        mark_ground(level->z + start, level->sea, level->width, level->receiver + start, level->area + start);
        if ((y == 0 && level->ends_top) || (y == level->height - 1 && level->ends_bottom))
            memset(level->receiver + start, LAND_SEA, width);
        if (level->ends_left)
            level->receiver[start] = LAND_SEA;
        if (level->ends_right)
            level->receiver[start + width - 1] = LAND_SEA;
    }
}

// --- where there is no sea --------------------------------------------------------------------------------

KERNEL static bool any_sea(const int32_t *z, int count, int32_t sea) {
    int below = 0;
    for (int i = 0; i < count; i++)
        below |= z[i] <= sea;
    return below;
}

typedef struct Search {
    const int32_t *z;
    int width;
    int32_t sea;
    _Atomic bool found;
} Search;

static void search_rows(void *context, int first, int end) {
    Search *search = context;
    for (int y = first; y < end && !search->found; y++)
        if (any_sea(search->z + (size_t)y * (size_t)search->width, search->width, search->sea))
            search->found = true;
}

// Whether the level has sea, or the coarser one around it: else all steps that shape coasts are left out.
static Status find_sea(Level *level, const Parent *parents) {
    Search search = { level->z, level->width, level->sea, false };
    Status status = parallel_rows(level->run, level->height, level->width * 0.1, search_rows, &search);
    level->dry = !search.found;
    for (int i = 0; i < level->patch_count && level->dry && status == STATUS_OK; i++) {
        const LandWindow *window = parents[i].window;
        search = (Search){ window->altitude, window->width, parents[i].sea, false };
        status = parallel_rows(level->run, window->height, window->width * 0.1, search_rows, &search);
        level->dry = !search.found;
    }
    return status;
}

Status draw_coast(Level *level, const Parent *parents) {
    Status status = find_sea(level, parents);
    for (int pass = 0; pass < 2 && !level->dry && status == STATUS_OK; pass++) {
        for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
            const Level part = level_part(level, &level->patches[i]);
            Coast coast = { &part, &parents[i], pass, has_shorelines(&level->land->rules) ? 7 : 6 };
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
