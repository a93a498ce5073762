// The lakes of pits: ground that an edit wants below the stream that leaves it holds water as high as the
// stream. A pit is looked at as a whole, and only there, so that windows agree.

#include "land/edits.h"
#include "land/level.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = PIT_REACH, // of the largest box of cells around a pit
    FEWEST = 4,       // cells of a lake
    UNKNOWN = 0,
    DEEP, // wanted below the ground
    DRAINS,
    LAKE,
};
#define LEAST_STREAM 96.0f // cells that drain through an outlet

typedef struct Pit {
    const Level *level;
    int left, top, right, bottom; // the last ones excluded
    size_t outlet;
    uint8_t state[SIDE * SIDE];
} Pit;

static uint8_t *state_of(Pit *pit, int x, int y) {
    return &pit->state[(y - pit->top) * SIDE + x - pit->left];
}

static size_t cell_of(const Pit *pit, int x, int y) {
    return (size_t)y * (size_t)pit->level->width + (size_t)x;
}

// One pass over the cells inside; `visit` tells whether it changed anything.
typedef bool Visit(Pit *pit, int x, int y);

static bool visit_all(Pit *pit, Visit *visit) {
    bool any = false;
    for (int y = pit->top + 1; y < pit->bottom - 1; y++)
        for (int x = pit->left + 1; x < pit->right - 1; x++)
            any |= visit(pit, x, y);
    return any;
}

static bool find_deep(Pit *pit, int x, int y) {
    const Level *level = pit->level;
    const size_t cell = cell_of(pit, x, y);
    const bool deep = level->wanted[cell] < level->z[cell] && level->receiver[cell] < NEIGHBOURS &&
                      level->z[cell] > level->sea;
    *state_of(pit, x, y) = deep ? DEEP : UNKNOWN;
    return deep;
}

// The largest stream into which the deep ground drains.
static bool find_outlet(Pit *pit, int x, int y) {
    const Level *level = pit->level;
    const size_t cell = cell_of(pit, x, y);
    const int receiver = level->receiver[cell];
    if (receiver >= NEIGHBOURS || *state_of(pit, x, y) == DEEP || level->area[cell] < LEAST_STREAM ||
        level->receiver[towards(level, cell, receiver)] >= NEIGHBOURS)
        return false;
    bool drained = false;
    for (unsigned donors = donors_of(level, cell); donors;) {
        const int d = next_direction(&donors);
        drained |= *state_of(pit, x + neighbour_x[d], y + neighbour_y[d]) == DEEP;
    }
    if (drained && (!pit->outlet || level->area[cell] > level->area[pit->outlet]))
        pit->outlet = cell;
    return drained;
}

static bool may_be_lake(Pit *pit, int x, int y) {
    return *state_of(pit, x, y) >= DRAINS || cell_of(pit, x, y) == pit->outlet;
}

// Those that drain to the outlet and are wanted below its water.
static bool find_drained(Pit *pit, int x, int y) {
    const Level *level = pit->level;
    uint8_t *state = state_of(pit, x, y);
    const size_t cell = cell_of(pit, x, y);
    if (*state != DEEP || level->wanted[cell] >= level->z[pit->outlet])
        return false;
    const int receiver = level->receiver[cell];
    if (!may_be_lake(pit, x + neighbour_x[receiver], y + neighbour_y[receiver]))
        return false;
    *state = DRAINS;
    return true;
}

// Water leaves at the outlet alone: what else is around is higher.
static bool is_enclosed(Pit *pit, int x, int y) {
    bool enclosed = true;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int column = x + neighbour_x[d], row = y + neighbour_y[d];
        enclosed &= may_be_lake(pit, column, row) ||
                    pit->level->z[cell_of(pit, column, row)] > pit->level->z[pit->outlet];
    }
    return enclosed;
}

static bool join(Pit *pit, int x, int y) {
    bool beside = false;
    if (*state_of(pit, x, y) != DRAINS || !is_enclosed(pit, x, y))
        return false;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int column = x + neighbour_x[d], row = y + neighbour_y[d];
        beside |=
            (d % 2 == 0 && *state_of(pit, column, row) == LAKE) || cell_of(pit, column, row) == pit->outlet;
    }
    if (beside)
        *state_of(pit, x, y) = LAKE;
    return beside;
}

static void hold_water(Pit *pit) {
    const Level *level = pit->level;
    const int32_t water = level->z[pit->outlet];
    int count = 0;
    for (size_t i = 0; i < sizeof pit->state; i++)
        count += pit->state[i] == LAKE;
    for (int y = pit->top; y < pit->bottom && count >= FEWEST; y++)
        for (int x = pit->left; x < pit->right; x++) {
            const size_t cell = cell_of(pit, x, y);
            if (*state_of(pit, x, y) != LAKE)
                continue;
            level->z[cell] = water;
            level->receiver[cell] = LAND_LAKE;
            level->area[cell] = 1;
        }
}

static void fill_pit(Pit *pit) {
    if (!visit_all(pit, find_deep) || !visit_all(pit, find_outlet))
        return;
    while (visit_all(pit, find_drained))
        ;
    while (visit_all(pit, join))
        ;
    hold_water(pit);
}

// --- which -------------------------------------------------------------------------------------------------

static bool overlap(const LandEdit *a, const LandEdit *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

// Pits that overlap would depend on each other, and a window may hold but one of them.
static bool is_alone(const Level *level, int number) {
    const LandEdits *edits = level->land->rules.edits;
    bool alone = true;
    for (int i = 0; i < level->edit_count && alone; i++) {
        const LandEdit *other = &edits->at[level->edits[i]];
        alone = level->edits[i] == number || other->entry != level->number || !edit_is_pit(other) ||
                !overlap(other, &edits->at[number]);
    }
    return alone;
}

Status fill_edited_pits(Level *level) {
    const LandEdits *edits = level->land->rules.edits;
    const Region region = level->region;
    if (!level->hillslope.pits || !level->wanted)
        return STATUS_OK;
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &edits->at[level->edits[i]];
        if (!edit_is_pit(edit) || edit->entry != level->number || !is_alone(level, level->edits[i]))
            continue;
        const double cells = ldexp(level->land->root.width, level->number);
        const double left = floor(edit->left * cells - (double)level->x) - 1,
                     top = floor(edit->top * cells - (double)level->y) - 1,
                     right = ceil(edit->right * cells - (double)level->x) + 1,
                     bottom = ceil(edit->bottom * cells - (double)level->y) + 1;
        if (left < region.left || top < region.top || right > region.right || bottom > region.bottom)
            continue;
        Pit pit = { .level = level,
                    .left = whole_int(left),
                    .top = whole_int(top),
                    .right = whole_int(min(right, left + SIDE)),
                    .bottom = whole_int(min(bottom, top + SIDE)) };
        fill_pit(&pit);
    }
    level_shrink(level, PIT_REACH);
    return STATUS_OK;
}
