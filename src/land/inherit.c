// A finer level inherits the streams of the coarser one. A coarse stream cell has one exit child and an entry
// child for each inflowing stream. Water runs from each entry to the exit, and from there to the receiver's
// entry. Discharge in cells becomes four times larger. Altitudes double, so a coarse fall of 1 becomes 2 and
// leaves room for fine falls of at least 1.
//
// A child's stream depends on coarse cells up to two away: its own, the donors, and the cells whose exits
// these read.

#include "land/level.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <assert.h>

enum { NO_CHILD = 4 }; // children are numbered 0 to 3 in reading order

// A diagonal step would stay diagonal at every level, in straight lines, so some steps detour around a
// corner.
typedef enum Detour { STRAIGHT, ACROSS_FIRST, DOWN_FIRST } Detour;

typedef struct Heritage {
    Level *level;
    const Parent *parent;
    int width, height; // of the coarse cells that have children here
    uint8_t *exit, *entry, *detour;
} Heritage;

// A coarse cell: its position among those with children, and in the parent's window.
typedef struct Coarse {
    int x, y;
    size_t own, cell;
} Coarse;

static Coarse coarse_at(const Heritage *heritage, int x, int y) {
    const Parent *parent = heritage->parent;
    return (Coarse){ x, y, (size_t)y * (size_t)heritage->width + (size_t)x,
                     (size_t)(parent->row + y) * (size_t)parent->window->width +
                         (size_t)(parent->column + x) };
}

static size_t child_of(const Heritage *heritage, int x, int y, int child) {
    return (size_t)(2 * y + child / 2) * (size_t)heritage->level->width + (size_t)(2 * x + child % 2);
}

static int child(bool right, bool lower) {
    return right + 2 * lower;
}

static int direction_of(int dx, int dy) {
    static const uint8_t directions[9] = { 5, 6, 7, 4, LAND_NONE, 0, 3, 2, 1 };
    const int at = (dy + 1) * 3 + dx + 1;
    assert(at >= 0 && at < 9);
    return directions[at];
}

static uint32_t coarse_bits(const Heritage *heritage, const Coarse *coarse, uint32_t use) {
    const Level *level = heritage->level;
    const Int128 x = level->x / 2 + coarse->x, y = level->y / 2 + coarse->y;
    uint64_t bits =
        mix64((uint64_t)level->land->rules.seed + ((uint64_t)use << 32) + (uint64_t)level->number);
    bits = mix64(mix64(bits ^ (uint64_t)x) ^ (uint64_t)(x >> 64));
    return (uint32_t)(mix64(mix64(bits ^ (uint64_t)y) ^ (uint64_t)(y >> 64)) >> 32);
}

static int32_t child_altitude(const Heritage *heritage, int x, int y, int which) {
    return heritage->level->z[child_of(heritage, x, y, which)];
}

static int lower_child(const Heritage *heritage, const Coarse *coarse, int first, int second) {
    const int32_t a = child_altitude(heritage, coarse->x, coarse->y, first),
                  b = child_altitude(heritage, coarse->x, coarse->y, second);
    if (a != b)
        return a < b ? first : second;
    return coarse_bits(heritage, coarse, 1) & 1 ? first : second;
}

// --- exits ------------------------------------------------------------------------------------------------

// Chooses a detour through a cell that is neither stream nor sea, if the fall is large enough.
static Detour choose_detour(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    const int direction = window->receiver[coarse->cell];
    const Detour detour = (Detour)(coarse_bits(heritage, coarse, 2) % 3);
    if (detour == STRAIGHT)
        return STRAIGHT;
    const ptrdiff_t across = neighbour_x[direction], down = neighbour_y[direction] * (ptrdiff_t)window->width;
    const size_t corner = (size_t)((ptrdiff_t)coarse->cell + (detour == ACROSS_FIRST ? across : down)),
                 receiver = (size_t)((ptrdiff_t)coarse->cell + across + down);
    const int32_t sea = heritage->parent->sea, end = max(window->altitude[receiver], sea);
    const bool open = window->receiver[corner] != LAND_SEA && !is_stream(heritage->parent, corner);
    return open && difference(window->altitude[coarse->cell], end) >= 4 ? detour : STRAIGHT;
}

static int stream_exit(Heritage *heritage, const Coarse *coarse) {
    const int direction = heritage->parent->window->receiver[coarse->cell];
    const bool right = neighbour_x[direction] > 0, lower = neighbour_y[direction] > 0;
    if (direction & 1) {
        const Detour detour = choose_detour(heritage, coarse);
        heritage->detour[coarse->own] = (uint8_t)detour;
        return detour == ACROSS_FIRST ? child(right, !lower)
               : detour == DOWN_FIRST ? child(!right, lower)
                                      : child(right, lower);
    }
    return neighbour_x[direction] ? lower_child(heritage, coarse, child(right, false), child(right, true))
                                  : lower_child(heritage, coarse, child(false, lower), child(true, lower));
}

// The lowest child of a sink inside the land.
static int lowest_child(const Heritage *heritage, const Coarse *coarse) {
    const int upper = lower_child(heritage, coarse, 0, 1), lower = lower_child(heritage, coarse, 2, 3);
    return lower_child(heritage, coarse, upper, lower);
}

// The exit of a stream that leaves the land at its edge, or ends in a sink.
static int end_exit(const Heritage *heritage, const Coarse *coarse) {
    const Level *level = heritage->level;
    const bool left = coarse->x == 0 && level->ends_left, top = coarse->y == 0 && level->ends_top;
    const bool right = coarse->x == heritage->width - 1 && level->ends_right,
               bottom = coarse->y == heritage->height - 1 && level->ends_bottom;
    if (!left && !right && !top && !bottom)
        return lowest_child(heritage, coarse);
    if ((left || right) && (top || bottom))
        return child(!left, !top);
    return left || right ? lower_child(heritage, coarse, child(!left, false), child(!left, true))
                         : lower_child(heritage, coarse, child(false, !top), child(true, !top));
}

static void find_exits(void *context, int first, int end) {
    Heritage *heritage = context;
    const LandWindow *window = heritage->parent->window;
    for (int y = first; y < end; y++)
        for (int x = 0; x < heritage->width; x++) {
            const Coarse coarse = coarse_at(heritage, x, y);
            heritage->detour[coarse.own] = STRAIGHT;
            heritage->entry[coarse.own] = NO_CHILD;
            const bool dry = window->altitude[coarse.cell] > heritage->parent->sea;
            heritage->exit[coarse.own] =
                (uint8_t)(is_stream(heritage->parent, coarse.cell)           ? stream_exit(heritage, &coarse)
                          : dry && window->receiver[coarse.cell] == LAND_SEA ? end_exit(heritage, &coarse)
                                                                             : NO_CHILD);
        }
}

// --- entries ----------------------------------------------------------------------------------------------

// The entry child in the receiver, next to the exit: the receiver's own exit if possible, otherwise the lower
// of the two candidates.
static int stream_entry(const Heritage *heritage, const Coarse *coarse, const Coarse *receiver) {
    const int direction = heritage->parent->window->receiver[coarse->cell];
    const bool right = neighbour_x[direction] > 0, lower = neighbour_y[direction] > 0;
    const int from = heritage->exit[coarse->own];
    int first, second;
    if (direction & 1) {
        const Detour detour = (Detour)heritage->detour[coarse->own];
        first = child(!right, !lower);
        second = detour == ACROSS_FIRST ? child(right, !lower) : child(!right, lower);
        if (detour == STRAIGHT)
            return first;
    } else {
        const bool beside = from % 2, below = from / 2;
        first = neighbour_x[direction] ? child(!beside, below) : child(beside, !below);
        second = child(!beside, !below);
    }
    const int exit = heritage->exit[receiver->own];
    if (exit == first || exit == second)
        return exit;
    return child_altitude(heritage, receiver->x, receiver->y, first) <=
                   child_altitude(heritage, receiver->x, receiver->y, second)
               ? first
               : second;
}

static void find_entries(void *context, int first, int end) {
    const Heritage *heritage = context;
    const LandWindow *window = heritage->parent->window;
    for (int y = first; y < end; y++)
        for (int x = 0; x < heritage->width; x++) {
            const Coarse coarse = coarse_at(heritage, x, y);
            const int direction = window->receiver[coarse.cell];
            if (heritage->exit[coarse.own] == NO_CHILD || direction >= NEIGHBOURS)
                continue;
            const int to_x = x + neighbour_x[direction], to_y = y + neighbour_y[direction];
            if (to_x < 0 || to_y < 0 || to_x >= heritage->width || to_y >= heritage->height)
                continue;
            const Coarse receiver = coarse_at(heritage, to_x, to_y);
            heritage->entry[coarse.own] = (uint8_t)stream_entry(heritage, &coarse, &receiver);
        }
}

// --- altitudes and discharge ------------------------------------------------------------------------------

static void set_profiles(void *context, int first, int end) {
    const Heritage *heritage = context;
    const Parent *parent = heritage->parent;
    const LandWindow *window = parent->window;
    for (int y = first; y < end; y++)
        for (int x = 0; x < window->width; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            parent->profile[cell] = doubled(difference(window->altitude[cell], parent->offset));
        }
}

// Inflow of a coarse cell, by entry child.
typedef struct Inflow {
    bool any, at[4];
    int32_t lowest[4]; // of the donors' altitudes
    float area[4];
} Inflow;

static Inflow inflow_of(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    Inflow inflow = { .lowest = { HIGHEST, HIGHEST, HIGHEST, HIGHEST } };
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int x = coarse->x + neighbour_x[d], y = coarse->y + neighbour_y[d];
        if (x < 0 || y < 0 || x >= heritage->width || y >= heritage->height)
            continue;
        const size_t cell = window_towards(window, coarse->cell, d);
        if (window->receiver[cell] != opposite(d))
            continue;
        const int entry = heritage->entry[(size_t)y * (size_t)heritage->width + (size_t)x];
        if (entry == NO_CHILD)
            continue;
        inflow.any = inflow.at[entry] = true;
        inflow.lowest[entry] = min(inflow.lowest[entry], heritage->parent->profile[cell]);
        inflow.area[entry] += 4 * window->area[cell];
    }
    return inflow;
}

// Below the hillslope length a stream may be too small to continue.
static void set_stream(const Heritage *heritage, size_t cell, int32_t altitude, float area, int direction) {
    Level *level = heritage->level;
    if (area < level->hillslope.stream_area)
        return;
    level->z[cell] = altitude;
    level->area[cell] = min(area, AREA_MAX);
    level->receiver[cell] = (uint8_t)direction;
}

// Connects an entry to the exit of the same coarse cell.
static void set_entries(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow, int exit,
                        int32_t altitude) {
    for (int k = 0; k < 4; k++) {
        if (k == exit || !inflow->at[k])
            continue;
        const size_t cell = child_of(heritage, coarse->x, coarse->y, k);
        if (heritage->level->receiver[cell] == LAND_SEA && exit != NO_CHILD &&
            heritage->level->z[cell] > heritage->level->sea) { // the land's edge
            heritage->level->z[cell] = difference(altitude, 1);
            heritage->level->area[cell] = min(inflow->area[k], AREA_MAX);
            continue;
        }
        const int32_t between = sum(altitude, difference(inflow->lowest[k], altitude) / 4);
        set_stream(heritage, cell, between, inflow->area[k],
                   direction_of(exit % 2 - k % 2, exit / 2 - k / 2));
    }
}

static void enter_sea(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    Level *level = heritage->level;
    for (int k = 0; k < 4; k++) {
        if (!inflow->at[k])
            continue;
        const size_t cell = child_of(heritage, coarse->x, coarse->y, k);
        level->z[cell] = min(level->z[cell], level->sea - 1);
        level->receiver[cell] = LAND_SEA;
    }
}

static void end_streams(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    Level *level = heritage->level;
    const int exit = heritage->exit[coarse->own];
    const int32_t altitude = heritage->parent->profile[coarse->cell];
    const size_t cell = child_of(heritage, coarse->x, coarse->y, exit);
    const float area = inflow->area[0] + inflow->area[1] + inflow->area[2] + inflow->area[3];
    if (level->receiver[cell] != LAND_SEA && area < level->hillslope.stream_area)
        return;
    level->receiver[cell] = LAND_SEA;
    level->z[cell] = difference(altitude, 1);
    level->area[cell] = min(area, AREA_MAX);
    set_entries(heritage, coarse, inflow, exit, altitude);
}

// Connects the exit to the receiver's entry, directly or through the child at the corner.
static void set_exit(const Heritage *heritage, const Coarse *coarse, int32_t altitude, int32_t end) {
    const Level *level = heritage->level;
    const int direction = heritage->parent->window->receiver[coarse->cell];
    const int dx = neighbour_x[direction], dy = neighbour_y[direction];
    const int exit = heritage->exit[coarse->own], entry = heritage->entry[coarse->own];
    const Detour detour = (Detour)heritage->detour[coarse->own];
    const size_t cell = child_of(heritage, coarse->x, coarse->y, exit);
    const float area = 4 * heritage->parent->window->area[coarse->cell];
    const int32_t fall = difference(altitude, end), first_fall = max(fall / 4, 1);
    int from_x = 2 * coarse->x + exit % 2, from_y = 2 * coarse->y + exit / 2;
    const int to_x = 2 * (coarse->x + dx) + entry % 2, to_y = 2 * (coarse->y + dy) + entry / 2;
    if (detour == STRAIGHT) {
        set_stream(heritage, cell, difference(altitude, first_fall), area,
                   direction_of(to_x - from_x, to_y - from_y));
        return;
    }
    set_stream(heritage, cell, difference(altitude, first_fall), area, direction);
    from_x += dx;
    from_y += dy;
    if (from_x < 0 || from_y < 0 || from_x >= level->width || from_y >= level->height)
        return; // at the end of a planet's patch
    const size_t corner = (size_t)from_y * (size_t)level->width + (size_t)from_x;
    if (level->receiver[corner] != LAND_SEA)
        set_stream(heritage, corner, difference(altitude, fall / 2), area,
                   direction_of(to_x - from_x, to_y - from_y));
}

static void run_through(const Heritage *heritage, const Coarse *coarse, const Inflow *inflow) {
    const Parent *parent = heritage->parent;
    const LandWindow *window = parent->window;
    const size_t receiver = window_towards(window, coarse->cell, window->receiver[coarse->cell]);
    const int32_t altitude = parent->profile[coarse->cell];
    const int32_t end =
        window->altitude[receiver] <= parent->sea ? heritage->level->sea : parent->profile[receiver];
    if (heritage->entry[coarse->own] != NO_CHILD)
        set_exit(heritage, coarse, altitude, end);
    set_entries(heritage, coarse, inflow, heritage->exit[coarse->own], altitude);
}

static void set_stream_of(const Heritage *heritage, int x, int y) {
    const Parent *parent = heritage->parent;
    const Coarse coarse = coarse_at(heritage, x, y);
    const bool sea = parent->window->altitude[coarse.cell] <= parent->sea;
    if (heritage->exit[coarse.own] == NO_CHILD && !sea)
        return;
    const Inflow inflow = inflow_of(heritage, &coarse);
    if (sea)
        enter_sea(heritage, &coarse, &inflow);
    else if (parent->window->receiver[coarse.cell] < NEIGHBOURS)
        run_through(heritage, &coarse, &inflow);
    else if (inflow.any)
        end_streams(heritage, &coarse, &inflow);
}

KERNEL static bool has_children(const uint8_t *children, int count) {
    uint8_t any = 0;
    for (int i = 0; i < count; i++)
        any |= children[i] ^ NO_CHILD;
    return any != 0;
}

// Whether a stream leaves or enters columns `first` … `end` - 1 of row y, or those around them: a sea has
// few.
static bool has_streams(const Heritage *heritage, int y, int first, int end) {
    const int left = max(first - 1, 0), right = min(end + 1, heritage->width);
    for (int row = max(y - 1, 0); row < min(y + 2, heritage->height); row++)
        if (has_children(heritage->exit + (size_t)row * (size_t)heritage->width + left, right - left))
            return true;
    return false;
}

static void set_streams(void *context, int first, int end) {
    enum { PIECE = 64 };
    const Heritage *heritage = context;
    for (int y = first; y < end; y++)
        for (int left = 0; left < heritage->width; left += PIECE) {
            const int right = min(left + PIECE, heritage->width);
            const bool any = has_streams(heritage, y, left, right);
            for (int x = left; x < right && any; x++)
                set_stream_of(heritage, x, y);
        }
}

typedef struct Heirs {
    Level part[PATCHES];
    Heritage of[PATCHES];
    int count;
} Heirs;

// Each patch as a part of the shared arrays.
static void divide(Heirs *heirs, const Level *level, const Parent *parents, uint8_t *children, size_t count) {
    heirs->count = level->patch_count;
    for (int i = 0; i < level->patch_count; i++) {
        heirs->part[i] = level_part(level, &level->patches[i]);
        const Level *part = &heirs->part[i];
        uint8_t *own = children + (size_t)(level->patches[i].place.row / 2) * (size_t)(level->width / 2);
        heirs->of[i] = (Heritage){ .level = &heirs->part[i],
                                   .parent = &parents[i],
                                   .width = part->width / 2,
                                   .height = part->height / 2,
                                   .exit = own,
                                   .entry = own + count,
                                   .detour = own + 2 * count };
    }
}

static Status inherit_by(Heirs *heirs, RowsBody *body, bool whole_parent) {
    Status status = STATUS_OK;
    for (int i = 0; i < heirs->count && status == STATUS_OK; i++) {
        Heritage *heritage = &heirs->of[i];
        const int rows = whole_parent ? heritage->parent->window->height : heritage->height;
        status = parallel_rows(heritage->level->run, rows, heritage->width * 5.0, body, heritage);
    }
    return status;
}

static void exchange_children(const Level *level, uint8_t *children, size_t count) {
    if (!level->coarse_seams)
        return;
    seams_exchange_children(level->coarse_seams, children, NO_CHILD);
    seams_exchange_children(level->coarse_seams, children + count, NO_CHILD);
    seams_exchange_detours(level->coarse_seams, children + 2 * count);
}

Status inherit_streams(Level *level, const Parent *parents, Error *error) {
    const size_t count = (size_t)(level->width / 2) * (size_t)(level->height / 2);
    uint8_t *children = cells_new(3 * count, 1, error);
    if (!children)
        return STATUS_MEMORY;
    Heirs heirs;
    divide(&heirs, level, parents, children, count);
    Status status = inherit_by(&heirs, set_profiles, true);
    if (status == STATUS_OK)
        status = inherit_by(&heirs, find_exits, false);
    exchange_children(level, children, count);
    if (status == STATUS_OK)
        status = inherit_by(&heirs, find_entries, false);
    exchange_children(level, children, count);
    if (status == STATUS_OK)
        status = inherit_by(&heirs, set_streams, false);
    memory_free(children);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    if (status == STATUS_OK && !level->seams) {
        const Region *all = &level->region;
        level->region = (Region){ level->ends_left ? all->left : INHERIT_REACH,
                                  level->ends_top ? all->top : INHERIT_REACH,
                                  level->ends_right ? all->right : level->width - INHERIT_REACH,
                                  level->ends_bottom ? all->bottom : level->height - INHERIT_REACH };
    }
    if (status == STATUS_OK)
        list_streams(level);
    return status;
}
