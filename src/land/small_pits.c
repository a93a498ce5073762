// Ways out of the pits that filling leaves: those whose way out is so long that water still falls there after
// the last step of filling (drain.c). Pits that drain STREAM_CELLS cells or more are sinks; the others are
// rare, and small. The ground that drains into one is raised as by the flood, from its lowest way out to
// ground with a way down. No other ground changes. All are looked at before any does, so their order does not
// matter.

#include "land/drain.h"
#include "land/law.h"
#include "land/level.h"

#include "core/math.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = STREAM_CELLS - 1 };

// A pit, with the ground that drains into it.
typedef struct Hollow {
    const Level *level;
    int x, y;
    int count;
    size_t cells[CELLS_MAX]; // the pit first
    int32_t z[CELLS_MAX];    // once it is filled
    uint8_t ways[CELLS_MAX]; // and where water goes then
} Hollow;

// On planets, those beyond a face's edge are copies, whose pits others look at.
static bool is_near(const Hollow *hollow, size_t cell) {
    const Level *level = hollow->level;
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    return abs(x - hollow->x) <= PIT_REACH && abs(y - hollow->y) <= PIT_REACH &&
           (!level->seams || level->next[cell] == (int32_t)cell);
}

static int number_of(const Hollow *hollow, size_t cell) {
    int number = 0;
    while (number < hollow->count && hollow->cells[number] != cell)
        number++;
    return number < hollow->count ? number : -1;
}

// Whether all that drains into the pit is few cells, near it.
static bool gather(Hollow *hollow, const Level *level, size_t pit) {
    const size_t width = (size_t)level->width;
    *hollow =
        (Hollow){ level, .x = (int)(pit % width), .y = (int)(pit / width), .count = 1, .cells = { pit } };
    if (!is_near(hollow, pit))
        return false;
    for (int i = 0; i < hollow->count; i++)
        for (unsigned donors = donors_of(level, hollow->cells[i]); donors;) {
            const size_t donor = towards(level, hollow->cells[i], next_direction(&donors));
            if (hollow->count == CELLS_MAX || !is_near(hollow, donor))
                return false;
            hollow->cells[hollow->count++] = donor;
        }
    return true;
}

// Whether water runs from a cell to a stream, a lake, the sea or the land's edge, all of the way near the
// pit.
static bool has_way_down(const Hollow *hollow, size_t cell) {
    const Level *level = hollow->level;
    while (is_near(hollow, cell) && level->area[cell] < STREAM_CELLS && level->receiver[cell] < NEIGHBOURS)
        cell = towards(level, cell, level->receiver[cell]);
    return is_near(hollow, cell) && level->receiver[cell] != LAND_NONE;
}

// How high the ground or water is that a cell of the hollow may drain into; HIGHEST: it may not.
static int32_t beyond(const Hollow *hollow, int number, int direction) {
    const Level *level = hollow->level;
    const size_t cell = towards(level, hollow->cells[number], direction);
    const int inner = number_of(hollow, cell);
    if (inner >= 0)
        return hollow->z[inner];
    return has_way_down(hollow, cell) ? max(level->z[cell], level->sea) : HIGHEST;
}

// The flood falls until it rests: at most as often as there are cells.
static bool fill(Hollow *hollow) {
    const Level *level = hollow->level;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    bool falls = true;
    for (int i = 0; i < hollow->count; i++)
        hollow->z[i] = HIGHEST;
    while (falls) {
        falls = false;
        for (int i = 0; i < hollow->count; i++)
            for (int d = 0; d < NEIGHBOURS; d++) {
                const int32_t ground = level->z[hollow->cells[i]], out = beyond(hollow, i, d);
                const int32_t water = out < HIGHEST ? max(ground, sum(out, fall)) : HIGHEST;
                falls |= water < hollow->z[i];
                hollow->z[i] = min(hollow->z[i], water);
            }
    }
    return hollow->z[0] < HIGHEST;
}

static void find_ways(Hollow *hollow) {
    for (int i = 0; i < hollow->count; i++) {
        float steepest = 0;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const float fall = (float)difference(hollow->z[i], beyond(hollow, i, d)) * inverse_distance[d];
            if (fall > steepest) {
                steepest = fall;
                hollow->ways[i] = (uint8_t)d;
            }
        }
    }
}

// --- all of them -------------------------------------------------------------------------------------------

typedef void PitDone(const Level *level, size_t pit);

// Pits of the region and up to so many cells beyond.
static void visit_pits(const Level *level, int beyond, PitDone *visit) {
    const Region *region = &level->region, all = { 0, 0, level->width, level->height };
    const Region wide = { region->left - beyond, region->top - beyond, region->right + beyond,
                          region->bottom + beyond },
                 inner = { 1, 1, level->width - 1, level->height - 1 },
                 within = region_within(level->seams ? all : wide, inner);
    for (int y = within.top; y < within.bottom; y++) {
        const size_t row = (size_t)y * (size_t)level->width, end = row + (size_t)within.right;
        size_t cell = row + (size_t)within.left;
        while (cell < end) {
            const uint8_t *found = memchr(level->receiver + cell, LAND_NONE, end - cell);
            cell = found ? (size_t)(found - level->receiver) : end;
            if (found)
                visit(level, cell++);
        }
    }
}

// Leaves heights in `spare` and ways in `next_flow`.
static void look_at_pit(const Level *level, size_t pit) {
    Hollow hollow;
    const bool crater = level->marks && level->marks[pit] >= MARK_SHORE;
    level->next_flow[pit] = LAND_NONE;
    if (crater || !gather(&hollow, level, pit) || !fill(&hollow))
        return;
    find_ways(&hollow);
    for (int i = 0; i < hollow.count; i++) {
        level->spare[hollow.cells[i]] = hollow.z[i];
        level->next_flow[hollow.cells[i]] = hollow.ways[i];
    }
}

void find_pits(const Level *level) {
    visit_pits(level, 0, look_at_pit);
}

// A cell's own water, down to where a stream has its discharge already.
static void drain_cell(const Hollow *hollow, size_t cell) {
    const Level *level = hollow->level;
    while (is_near(hollow, cell) && level->area[cell] < STREAM_CELLS && level->receiver[cell] < NEIGHBOURS) {
        level->area[cell] = min(level->area[cell] + 1, STREAM_CELLS - 1);
        cell = towards(level, cell, level->receiver[cell]);
    }
}

static void take_pit(const Level *level, size_t pit) {
    Hollow hollow;
    if (level->next_flow[pit] == LAND_NONE || !gather(&hollow, level, pit))
        return;
    for (int i = 0; i < hollow.count; i++) {
        const size_t cell = hollow.cells[i];
        level->z[cell] = level->spare[cell];
        level->receiver[cell] = (uint8_t)level->next_flow[cell];
        level->area[cell] = 0;
    }
    for (int i = 0; i < hollow.count; i++)
        drain_cell(&hollow, hollow.cells[i]);
}

// What a pit needs lies within PIT_REACH of it (receivers a cell farther), and what it changes too: no more
// than discharge shrinks the region by.
void drain_pits(const Level *level) {
    _Static_assert(2 * PIT_REACH + 1 <= 1 + PASS_REACH, "no margin of its own");
    visit_pits(level, PIT_REACH, take_pit);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_RECEIVER | LEVEL_AREA);
}
