// A finer level inherits the streams of the coarser one. A coarse stream cell has one exit child and an entry
// child for each inflowing stream. Water runs from each entry to the exit, and from there to the receiver's
// entry (child_streams.c).
//
// A child's stream depends on coarse cells up to two away: its own, the donors, and the cells whose exits
// these read; as wide as a cell, up to COURSE_REACH more along its course (child_streams.c).

#include "land/heritage.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

static int child(bool right, bool lower) {
    return right + 2 * lower;
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

// Soil is so smooth that the lower child may be the same for a long way, and the stream straight. Where the
// ground is nearly level across it, any will do; on steeper ground it would leave the valley.
static int32_t level_across(const Heritage *heritage) {
    return heritage->level->cell / 8;
}

static int lower_child(const Heritage *heritage, const Coarse *coarse, int first, int second) {
    const int32_t a = child_altitude(heritage, coarse->x, coarse->y, first),
                  b = child_altitude(heritage, coarse->x, coarse->y, second);
    const int32_t above = difference(a, b),
                  same = heritage->level->hillslope.soil ? level_across(heritage) : 0;
    if (above > same || above < -same)
        return above < 0 ? first : second;
    return coarse_bits(heritage, coarse, 1) & 1 ? first : second;
}

// --- curves and meanders -----------------------------------------------------------------------------------

// On soil a stream that drains this many cells, 0.7 of a cell wide, gets no bends of its own any more: they
// would be sharper than it is wide.
#define CURVED_AREA 30000.0f

// Rivers on gentle ground meander with waves about 11 times as long as they are wide (Leopold and Wolman
// 1960, "River meanders"), which begin on the level whose cells are 1.6 to 3.2 widths large: 100,000 of them
// drain. There a course leans to either side in turn, and on the next level bends are spread and their ends
// pushed out. From then on they are lines. By the usual `river_width`.
#define WAVES_AREA 1e5f
#define LOOPS_AREA 4e5f
#define ROUND_AREA 6.4e6f
typedef enum Meander { NO_MEANDER, WAVES, LOOPS, ROUND } Meander;

// In true slopes: the fall of a river that meanders, at most, and the rise of the coarse cells beside it.
#define MEANDER_FALL 0.004f
#define MEANDER_SIDES 0.02f

// Whether a stream falls gently, on ground that is flat for a cell to either side: a valley as wide as its
// meanders.
static bool is_on_plain(const Heritage *heritage, const Coarse *coarse) {
    const Level *level = heritage->level;
    const LandWindow *window = heritage->parent->window;
    const int direction = window->receiver[coarse->cell];
    const int column = heritage->parent->column + coarse->x, row = heritage->parent->row + coarse->y;
    if (direction >= NEIGHBOURS || column < 1 || row < 1 || column >= window->width - 1 ||
        row >= window->height - 1)
        return false;
    const size_t receiver = window_towards(window, coarse->cell, direction),
                 left = window_towards(window, coarse->cell, (direction + 6) & 7),
                 right = window_towards(window, coarse->cell, (direction + 2) & 7);
    const int32_t own = window->altitude[coarse->cell], sea = heritage->parent->sea;
    const int32_t fall = difference(own, max(window->altitude[receiver], sea)),
                  side =
                      max(difference(window->altitude[left], own), difference(window->altitude[right], own));
    const int finer = level->graded ? level->land->rules.graded - level->number + 1 : 0;
    const float cell = ldexpf((float)level->cell, finer);
    return (float)fall * inverse_distance[direction] < MEANDER_FALL * cell &&
           (float)side * inverse_distance[direction] < MEANDER_SIDES * cell;
}

static Meander meander_of(const Heritage *heritage, const Coarse *coarse) {
    const float area = 4 * heritage->parent->window->area[coarse->cell];
    if (!heritage->level->land->rules.meanders || area < WAVES_AREA || !is_on_plain(heritage, coarse))
        return NO_MEANDER;
    return area < LOOPS_AREA ? WAVES : area < ROUND_AREA ? LOOPS : ROUND;
}

static bool is_curved(const Heritage *heritage, const Coarse *coarse) {
    const float area = 4 * heritage->parent->window->area[coarse->cell];
    return (heritage->level->hillslope.soil && area >= CURVED_AREA) ||
           meander_of(heritage, coarse) != NO_MEANDER;
}

// To either side in turn, for one coarse cell or, where a noise delays it, two.
static int wave_lean(const Heritage *heritage, const Coarse *coarse, CoursePart part) {
    enum { STREAM = 1 << 26, NOISE_BITS = 3, PERIOD = 5, SHORTENED = 4, DELAY = 12 };
    const Level *level = heritage->level;
    const LandRules *rules = &level->land->rules;
    const int direction = heritage->parent->window->receiver[coarse->cell], face = level->patches->place.face;
    const Int128 columns = (Int128)level->land->root.width << (level->number - 1),
                 rows = rules->planet ? columns : (Int128)level->land->root.height << (level->number - 1);
    const int ahead = part == COURSE_ENTRY;
    const Int128 x = level->x / 2 + coarse->x + ahead * neighbour_x[direction],
                 y = level->y / 2 - (rules->planet ? face * rows : 0) + coarse->y +
                     ahead * neighbour_y[direction];
    const uint32_t stream = STREAM + 8 * (uint32_t)level->number + (uint32_t)face;
    const LatticeNoise noise = { random_key(rules->seed, stream), NOISE_BITS, columns, rows, rules->planet };
    const int delay = whole_int((float)DELAY * (lattice_noise_at(&noise, x, y) + 2));
    const Int128 along = neighbour_x[direction] ? x : y;
    return (SHORTENED * along + delay) / PERIOD & 1 ? 1 : -1;
}

// The side on which the smooth line of a course lies; between two cells 0 where that is nearer to their
// middle than half of what a detour's is away from it.
static int line_lean(const LandWindow *window, size_t cell, CoursePart part) {
    const float offset = course_offset(window, cell), least = part == COURSE_BETWEEN ? 0.177f : 0;
    return offset > least ? 1 : offset < -least || part != COURSE_BETWEEN ? -1 : 0;
}

static int lean_of(const Heritage *heritage, const Coarse *coarse, CoursePart part) {
    const LandWindow *window = heritage->parent->window;
    switch (meander_of(heritage, coarse)) {
    case WAVES:
        return wave_lean(heritage, coarse, part);
    case LOOPS: // a course without bends, which nothing would bend any more, gets its waves here
        return course_runs_on(window, coarse->cell) ? wave_lean(heritage, coarse, part)
                                                    : -course_side(window, coarse->cell, part);
    case ROUND:
        return line_lean(window, coarse->cell, part);
    default:
        return course_lean(window, coarse->cell, part);
    }
}

// The child at the front or back of a cell, as a cardinal step goes, on one side.
static int side_child(int direction, bool front, bool to_right) {
    const int across = neighbour_x[direction];
    const bool right = across > 0, lower = neighbour_y[direction] > 0;
    return across ? child(right == front, right == to_right) : child(lower != to_right, lower == front);
}

// That to which the course leans.
static int leaning_child(const Heritage *heritage, const Coarse *coarse, CoursePart part) {
    const LandWindow *window = heritage->parent->window;
    return side_child(window->receiver[coarse->cell], part == COURSE_EXIT,
                      lean_of(heritage, coarse, part) > 0);
}

static Detour leaning_detour(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    const int direction = window->receiver[coarse->cell];
    const int lean = lean_of(heritage, coarse, COURSE_BETWEEN);
    const bool right_is_down = neighbour_x[direction] == neighbour_y[direction];
    return lean == 0 ? STRAIGHT : (lean > 0) == right_is_down ? DOWN_FIRST : ACROSS_FIRST;
}

// --- exits ------------------------------------------------------------------------------------------------

// The fall that a step needs for a detour, which leaves a quarter of it. In lowlands streams fall by the
// least on every level, so each level may use up a share of that, the last one all but a unit. Where the
// first levels use up all, or none of them may, rivers run straight for kilometres on finer ones.
static int32_t least_of_detours(const Level *level) {
    const int levels = max(level->land->rules.graded, 1);
    return level->graded ? (int32_t)((int64_t)level->least_fall * (2 * levels - level->number) / levels) : 2;
}

// Whether a step may lead through a cell that is neither stream nor sea, if the fall is enough for one more.
static bool is_open(const Heritage *heritage, const Coarse *coarse, size_t corner) {
    const LandWindow *window = heritage->parent->window;
    const size_t receiver = window_towards(window, coarse->cell, window->receiver[coarse->cell]);
    const int32_t sea = heritage->parent->sea, end = max(window->altitude[receiver], sea);
    const bool water = window->receiver[corner] == LAND_SEA || window->receiver[corner] == LAND_LAKE;
    const bool open = !water && !is_stream(heritage->parent, corner);
    const bool steep =
        heritage->level->hillslope.soil &&
        difference(window->altitude[corner], window->altitude[coarse->cell]) > level_across(heritage);
    return open && !steep &&
           difference(window->altitude[coarse->cell], end) >= least_of_detours(heritage->level);
}

static Detour choose_detour(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    const int direction = window->receiver[coarse->cell];
    const Detour detour = is_curved(heritage, coarse) ? leaning_detour(heritage, coarse)
                                                      : (Detour)(coarse_bits(heritage, coarse, 2) % 3);
    if (detour == STRAIGHT)
        return STRAIGHT;
    const ptrdiff_t across = neighbour_x[direction], down = neighbour_y[direction] * (ptrdiff_t)window->width;
    const size_t corner = (size_t)((ptrdiff_t)coarse->cell + (detour == ACROSS_FIRST ? across : down));
    return is_open(heritage, coarse, corner) ? detour : STRAIGHT;
}

// A cardinal step between two bends to the same side: at the end of a meander, which is pushed out. Not where
// the cell on that side drains into the receiver, as its step may lead through the same child.
static Detour choose_bulge(const Heritage *heritage, const Coarse *coarse) {
    const LandWindow *window = heritage->parent->window;
    const int direction = window->receiver[coarse->cell];
    const int side = meander_of(heritage, coarse) == LOOPS ? course_bulge(window, coarse->cell) : 0;
    if (side == 0)
        return STRAIGHT;
    const int beside = (direction + 2 * side) & 7;
    if (window->receiver[window_towards(window, coarse->cell, beside)] == ((direction - side) & 7))
        return STRAIGHT;
    const size_t corner = window_towards(window, coarse->cell, (direction + side) & 7);
    return is_open(heritage, coarse, corner) ? side > 0 ? BULGE_RIGHT : BULGE_LEFT : STRAIGHT;
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
    const Detour bulge = choose_bulge(heritage, coarse);
    heritage->detour[coarse->own] = (uint8_t)bulge;
    if (bulge != STRAIGHT)
        return side_child(direction, true, bulge == BULGE_RIGHT);
    if (is_curved(heritage, coarse))
        return leaning_child(heritage, coarse, COURSE_EXIT);
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

// Which of a row's coarse cells get an exit: streams, and sinks inside the land. The others: NO_CHILD.
KERNEL static void begin_exits(const uint8_t *restrict receiver, const float *restrict area,
                               const int32_t *restrict altitude, float stream_area, int32_t sea, int count,
                               uint8_t *restrict exit) {
    for (int x = 0; x < count; x++) {
        const bool stream = (receiver[x] < NEIGHBOURS) & (area[x] >= stream_area);
        const bool sink = (receiver[x] == LAND_SEA) & (altitude[x] > sea);
        exit[x] = (stream | sink) ? 0 : NO_CHILD;
    }
}

static void find_exits(void *context, int first, int end) {
    Heritage *heritage = context;
    const Parent *parent = heritage->parent;
    const LandWindow *window = parent->window;
    const int width = heritage->width;
    for (int y = first; y < end; y++) {
        const Coarse row = coarse_at(heritage, 0, y);
        uint8_t *exit = heritage->exit + row.own;
        memset(heritage->detour + row.own, STRAIGHT, (size_t)width);
        memset(heritage->entry + row.own, NO_CHILD, (size_t)width);
        begin_exits(window->receiver + row.cell, window->area + row.cell, window->altitude + row.cell,
                    parent->stream_area, parent->sea, width, exit);
        for (int x = next_child(exit, 0, width); x < width; x = next_child(exit, x + 1, width)) {
            const Coarse coarse = coarse_at(heritage, x, y);
            exit[x] = (uint8_t)(window->receiver[coarse.cell] < NEIGHBOURS ? stream_exit(heritage, &coarse)
                                                                           : end_exit(heritage, &coarse));
        }
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
    const Detour bulge = (Detour)heritage->detour[coarse->own];
    if (bulge >= BULGE_RIGHT)
        return side_child(direction, true, bulge == BULGE_RIGHT);
    if (!(direction & 1) && is_curved(heritage, coarse))
        return leaning_child(heritage, coarse, COURSE_ENTRY);
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
    const int width = heritage->width;
    for (int y = first; y < end; y++) {
        const uint8_t *exit = heritage->exit + (size_t)y * (size_t)width;
        for (int x = next_child(exit, 0, width); x < width; x = next_child(exit, x + 1, width)) {
            const Coarse coarse = coarse_at(heritage, x, y);
            const int direction = window->receiver[coarse.cell];
            if (direction >= NEIGHBOURS)
                continue;
            const int to_x = x + neighbour_x[direction], to_y = y + neighbour_y[direction];
            if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= heritage->height)
                continue;
            const Coarse receiver = coarse_at(heritage, to_x, to_y);
            heritage->entry[coarse.own] = (uint8_t)stream_entry(heritage, &coarse, &receiver);
        }
    }
}

// --- all --------------------------------------------------------------------------------------------------

static void set_profiles(void *context, int first, int end) {
    const Heritage *heritage = context;
    const Parent *parent = heritage->parent;
    const LandWindow *window = parent->window;
    for (int y = first; y < end; y++)
        for (int x = 0; x < window->width; x++) {
            const size_t cell = (size_t)y * (size_t)window->width + (size_t)x;
            const int32_t above = difference(window->altitude[cell], parent->offset);
            parent->profile[cell] = heritage->level->graded ? above : doubled(above);
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
        status = inherit_by(&heirs, set_inherited_streams, false);
    memory_free(children);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    if (status == STATUS_OK && !level->seams) {
        const Region *all = &level->region;
        level->region = (Region){ level->ends_left ? all->left : INHERIT_REACH,
                                  level->ends_top ? all->top : INHERIT_REACH,
                                  level->ends_right ? all->right : level->width - INHERIT_REACH,
                                  level->ends_bottom ? all->bottom : level->height - INHERIT_REACH };
    }
    return status == STATUS_OK ? list_streams(level) : status;
}
