// The streams that a level inherits: their courses are straightened, their profiles evened, lowered and
// peeled.

#include "core/math.h"
#include "land/level.h"

#include <stdlib.h>
#include <string.h>

// --- courses -----------------------------------------------------------------------------------------------

// Straightens inherited streams: each stream cell drains to the steepest adjacent stream or sea cell (D8),
// and the bend that this cuts off loses its water. Stream cells without water then become free ground.

enum { WALK = 6 };    // cells of a bend that may be cut off
enum { CAPTURE = 3 }; // how many times as much a stream must drain to capture another

// The D8 receiver of each stream cell. It is the same in all passes, because altitudes do not change.
static void choose_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        int best = level->receiver[cell];
        float steepest = 0;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t other = towards(level, cell, d);
            if (level->receiver[other] == LAND_NONE)
                continue;
            const int32_t surface = max(level->z[other], level->sea);
            const float fall = (float)difference(level->z[cell], surface) * inverse_distance[d];
            if (fall > steepest) {
                steepest = fall;
                best = d;
            }
        }
        level->direction[cell] = (uint16_t)best;
    }
}

// A stream cell that changes its receiver, and the cells of its old path down to where the new path joins.
typedef struct Bend {
    size_t target, path[WALK], end;
    int count;
    bool blocked; // by another change, or a lake's outlet
} Bend;

static bool is_near(const Level *level, size_t cell, size_t other) {
    const int width = level->width, a = (int)cell, b = (int)other;
    return abs(a % width - b % width) <= WALK_REACH && abs(a / width - b / width) <= WALK_REACH;
}

static Bend bend_of(const Level *level, size_t cell, int direction) {
    Bend bend = { .target = towards(level, cell, direction) };
    size_t at = towards(level, cell, level->receiver[cell]);
    while (bend.count < WALK && at != bend.target && level->receiver[at] < NEIGHBOURS &&
           is_near(level, cell, at)) {
        if (level->direction[at] != level->receiver[at] || is_outlet(level, at)) {
            bend.blocked = true;
            break;
        }
        bend.path[bend.count++] = at;
        at = towards(level, at, level->receiver[at]);
    }
    bend.end = at;
    return bend;
}

// A bend is cut off if it rejoins the new path, or if the stream turns to a much larger one beside it; to one
// that is as large if the bend ends in the sea. Its cells lose the water. A longer bend loses it on finer
// levels (discharge.c); until then the larger stream has too little.
static bool cuts_off(const Level *level, size_t cell, const Bend *bend) {
    const int target = level->receiver[bend->target], end = level->receiver[bend->end];
    if (target == LAND_SEA)
        return true;
    if (target == LAND_LAKE ||
        end == LAND_LAKE) // what enters a lake does not pass it by, nothing else enters
        return target == end && !bend->blocked;
    const float least = level->area[cell] * (end == LAND_SEA ? 1 : CAPTURE);
    return !bend->blocked && (bend->end == bend->target || level->area[bend->target] >= least);
}

// The receiver that each stream gets.
static void find_bends(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int direction = level->direction[cell];
        level->fresh[k] = level->receiver[cell];
        if (direction == level->receiver[cell])
            continue;
        const Bend bend = bend_of(level, cell, direction);
        if (cuts_off(level, cell, &bend) && !is_near_arm(level, cell))
            level->fresh[k] = direction;
    }
}

// The most that any stream brings to a cell, but one: of all that drain there before or after the pass.
static float most_from_others(const Level *level, size_t cell, size_t one) {
    float most = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t beside = towards(level, cell, d);
        const int receiver = level->receiver[beside];
        const bool drains =
            receiver < NEIGHBOURS && (receiver == opposite(d) || level->direction[beside] == opposite(d));
        most = drains && beside != one ? max(most, level->area[beside]) : most;
    }
    return min(most, level->area[cell]);
}

// A bend keeps at least what the largest of its other streams brings, so that discharge falls nowhere.
static void take_from_bend(const Level *level, size_t cell, const Bend *bend) {
    size_t before = cell;
    float kept = 0;
    for (int i = 0; i < bend->count; i++) {
        const size_t at = bend->path[i];
        kept = max(kept, most_from_others(level, at, before));
        level->fresh_area[at] += level->area[cell];
        level->cut[at] = max(level->cut[at], kept);
        before = at;
    }
}

// Sequential, because several streams may take water from one cell; the order is the same in every window.
static void take_from_bends(const Level *level, int first, int end) {
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->fresh[k] == level->receiver[cell])
            continue;
        const Bend bend = bend_of(level, cell, level->fresh[k]);
        if (!bend.blocked)
            take_from_bend(level, cell, &bend);
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->receiver[cell] = (uint8_t)level->fresh[k];
        level->area[cell] = max(level->area[cell] - level->fresh_area[cell], level->cut[cell]);
        level->fresh_area[cell] = level->cut[cell] = 0;
    }
}

static Status cut_bends(Level *level) {
    const Region *region = &level->region;
    Status status = level_step_streams(level, WALK_REACH, find_bends);
    for (int y = region->top; y < region->bottom && status == STATUS_OK; y++) {
        const Streams streams = streams_of_row(level, y);
        take_from_bends(level, streams.first, streams.end);
        status = run_stopped(level->run) ? STATUS_STOPPED : STATUS_OK;
    }
    return status;
}

// --- what has no water left -------------------------------------------------------------------------------

// Stream heads have no donor before straightening and need none.
static void mark_heads(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->flow[cell] = donors_of(level, cell) == 0;
    }
}

static void mark_donors(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->fresh[k] = (int32_t)donors_of(level, (size_t)level->streams[k]);
}

// A stream cell carries at most the sum of its donors and 8 T more. It becomes free ground if its donors are
// gone or if it is a head that drains too little; a cell with donors stays. Below the hillslope length, where
// no streams begin further down, it also becomes free ground if it drains into free ground. Springs of canals
// keep what they carry.
static void measure_ghosts(const Level *level, int y, int first, int end) {
    const float from_sides = 8 * level->hillslope.stream_area;
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        float inflow = 0;
        for (unsigned donors = (unsigned)level->fresh[k]; donors;) {
            const int d = next_direction(&donors);
            const size_t donor = towards(level, cell, d);
            inflow += level->receiver[donor] == opposite(d) ? max(level->area[donor], 1.0f) : 0;
        }
        const float area = level->area[cell], most = inflow + from_sides;
        const bool ends = level->hillslope.soil && level->receiver[cell] < NEIGHBOURS &&
                          level->receiver[towards(level, cell, level->receiver[cell])] == LAND_NONE;
        const bool keeps = is_outlet(level, cell) || (!ends && most < area && is_spring(level, cell));
        const bool dry = ends || (inflow <= 0 && (!level->flow[cell] || area < level->hillslope.stream_area));
        level->fresh_area[k] = keeps ? area : dry ? 0 : min(area, most);
    }
}

static void dry_up(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->receiver[cell] >= NEIGHBOURS)
            continue;
        const bool dry = level->fresh_area[k] <= 0;
        level->area[cell] = dry ? 1 : max(level->fresh_area[k], level->hillslope.stream_area);
        level->receiver[cell] = dry ? LAND_NONE : level->receiver[cell];
    }
}

static void clear_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t width = (size_t)level->width;
    const size_t from = (size_t)first * width, count = (size_t)(end - first) * width;
    memset(level->fresh_area + from, 0, count * sizeof *level->fresh_area);
    memset(level->cut + from, 0, count * sizeof *level->cut);
}

Status straighten_streams(Level *level) {
    Status status = parallel_rows(level->run, level->height, level->width * 0.5, clear_rows, level);
    if (status == STATUS_OK)
        status = level_step_streams(level, 1, mark_heads);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, choose_row);
    level_exchange(level, LEVEL_DIRECTION);
    for (int pass = 0; pass < PASSES && status == STATUS_OK; pass++) {
        status = cut_bends(level);
        if (status == STATUS_OK)
            status = level_step_streams(level, WALK_REACH, take_row);
        level_exchange(level, LEVEL_RECEIVER | LEVEL_AREA);
    }
    if (status == STATUS_OK)
        status = level_step_streams(level, 1, mark_donors);
    for (int round = 0; round < GHOSTS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 1, measure_ghosts);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, dry_up);
        level_exchange(level, LEVEL_RECEIVER | LEVEL_AREA);
    }
    return status;
}

// --- profiles ----------------------------------------------------------------------------------------------

// Stream profiles: evens their falls, lowers them below the ground beside them, removes heads that stand
// above free ground, and raises banks.

static int32_t end_of_fall(const Level *level, size_t cell) {
    return max(level->z[towards(level, cell, level->receiver[cell])], level->sea);
}

// Altitudes of streams as level->fresh has them.
static void set_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        if (level->receiver[level->streams[k]] < NEIGHBOURS)
            level->z[level->streams[k]] = level->fresh[k];
}

static Status set_streams(Level *level, int reach, LevelStreams *row) {
    Status status = level_step_streams(level, reach, row);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, set_row);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}

// (receiver + 2 own + lowest donor)/4 keeps every fall at 1 or more.
static void even_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t own = level->z[cell];
        level->fresh[k] = own;
        if (level->receiver[cell] >= NEIGHBOURS || is_outlet(level, cell))
            continue;
        int32_t lowest = HIGHEST;
        for (unsigned donors = donors_of(level, cell); donors;)
            lowest = min(lowest, level->z[towards(level, cell, next_direction(&donors))]);
        if (lowest == HIGHEST)
            continue;
        const int32_t shift = sum(difference(end_of_fall(level, cell), own), difference(lowest, own)) >> 2;
        level->fresh[k] = sum(own, shift);
    }
}

Status even_streams(Level *level) {
    Status status = STATUS_OK;
    for (int round = 0; round < EVENINGS && status == STATUS_OK; round++)
        status = set_streams(level, 1, even_row);
    return status;
}

// --- sinking ----------------------------------------------------------------------------------------------

// The fall that sinking leaves a stream. Streams that fall by a unit a step can never bend: a bend needs a
// fall for each of its cells, and finer levels divide what there is. Less on plains, and on the finest levels
// without soil, where streams would be left above the ground beside them.
int32_t gentlest_fall(const Level *level, size_t cell) {
    enum { FINE = 12 };
    if (level->graded)
        return whole_int(clamp(level->slope[cell] / 256, (float)level->least_fall, (float)level->cell / 256));
    const float most = level->number > FINE ? 4 : 32, of_ground = level->slope[cell] / 8;
    return whole_int(clamp(of_ground, 1.0f, most));
}

static bool is_inner(const Level *level, size_t cell) {
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    return x > 0 && y > 0 && x < level->width - 1 && y < level->height - 1;
}

// Constant while streams sink. Per stream cell: the lowest free ground that shares a side and a corner with
// it (HIGHEST: none), the fall that it keeps, and the directions, as bits, of its donors that have rivals.
// Per cell, of streams: the directions of their rivals, streams beside them that neither drain into them nor
// take their water.
enum { LEAVES_LAKE = 1 << NEIGHBOURS }; // beside those directions: the stream has just left a lake

typedef struct Sides {
    int32_t *straight, *aslant;
    float *fall;
    uint16_t *donors, *rivals;
} Sides;

// Of the two arrays of flow, which rounds swap, `direction` is one; the other is free.
static Sides sides_of(const Level *level) {
    uint16_t *const other = level->direction == level->flow ? level->next_flow : level->flow;
    return (Sides){ level->next, level->spare, level->fresh_area, other, level->direction };
}

static void find_rivals(const Level *level, int y, int first, int end) {
    const Sides sides = sides_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        unsigned streams = 0;
        for (int d = 0; d < NEIGHBOURS; d++)
            streams |= (unsigned)(level->receiver[towards(level, cell, d)] < NEIGHBOURS) << d;
        const unsigned own = donors_of(level, cell) | 1u << level->receiver[cell];
        sides.rivals[cell] = (uint16_t)(streams & ~own);
    }
}

static void measure_sides(const Level *level, int y, int first, int end) {
    const Sides sides = sides_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        int32_t lowest[2] = { HIGHEST, HIGHEST };
        unsigned with_rivals = 0;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t beside = towards(level, cell, d);
            const int32_t z = level->z[beside], ground = level->receiver[beside] == LAND_NONE ? z : HIGHEST;
            lowest[d & 1] = min(lowest[d & 1], ground);
            with_rivals |= (unsigned)((level->receiver[beside] == opposite(d)) &
                                      (sides.rivals[beside] % LEAVES_LAKE != 0))
                           << d;
        }
        sides.straight[k] = lowest[0];
        sides.aslant[k] = lowest[1];
        sides.fall[k] = (float)gentlest_fall(level, cell);
        sides.donors[k] = (uint16_t)with_rivals;
    }
}

static void mark_below(const Level *level, size_t cell) {
    for (int i = 0; i <= LEAVING_REACH && level->receiver[cell] < NEIGHBOURS && is_inner(level, cell); i++) {
        sides_of(level).rivals[cell] |= LEAVES_LAKE;
        cell = towards(level, cell, level->receiver[cell]);
    }
}

// Marks streams that have left a lake within a few cells. What lies below would sink, but not the lake: level
// by level all that the stream loses would gather in one cell below its outlet, as a fall 10 to 200 m high.
// The receivers that far outside the region are those that straightening has left.
static void mark_leaving(const Level *level) {
    const Region *region = &level->region;
    const int left = max(region->left - LEAVING_REACH, 1),
              right = min(region->right + LEAVING_REACH, level->width - 1),
              top = max(region->top - LEAVING_REACH, 1),
              bottom = min(region->bottom + LEAVING_REACH, level->height - 1);
    for (int y = top; y < bottom && level->lakes; y++) {
        const Streams streams = streams_between(level, y, left, right);
        for (int k = streams.first; k < streams.end; k++)
            if (is_outlet(level, (size_t)level->streams[k]))
                mark_below(level, (size_t)level->streams[k]);
    }
}

// Lowers the stream below free ground that is a steeper descent than its receiver.
static int32_t below_ground(int32_t own, int32_t ground, float closeness, float own_fall, int32_t lowest) {
    const bool steeper = ground <= own && (float)difference(own, ground) * closeness >= own_fall;
    const int32_t below = steeper ? ground - 1 : own;
    return min(lowest, below);
}

// Lowers the stream until its donors' steepest descent leads here, not to another adjacent stream.
static int32_t below_rivals(const Level *level, size_t donor, int way, int32_t own, int32_t lowest) {
    const int32_t z = level->z[donor];
    const float fall = (float)difference(z, own) * inverse_distance[way];
    float steepest = 0;
    for (unsigned rivals = sides_of(level).rivals[donor] % LEAVES_LAKE; rivals;) {
        const int d = next_direction(&rivals);
        const float rival_fall =
            (float)difference(z, level->z[towards(level, donor, d)]) * inverse_distance[d];
        steepest = max(rival_fall, steepest);
    }
    if (steepest <= 0 || steepest < fall)
        return lowest;
    const int32_t below = difference(z, whole_int(steepest / inverse_distance[way])) - 1;
    return min(lowest, below);
}

// Limits the lowering: the stream stays above its receiver.
static void sink_row(const Level *level, int y, int first, int end) {
    const Sides sides = sides_of(level);
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS)
            continue;
        const int32_t own = level->z[cell], bed = end_of_fall(level, cell);
        if (sides.rivals[cell] & LEAVES_LAKE) {
            level->fresh[k] = own;
            continue;
        }
        const float fall = (float)difference(own, bed) * inverse_distance[receiver];
        int32_t lowest = own;
        if (!level->hillslope.soil) {
            lowest = below_ground(own, sides.straight[k], 1, fall, lowest);
            lowest = below_ground(own, sides.aslant[k], ESKER_DIAGONAL, fall, lowest);
        }
        for (unsigned donors = sides.donors[k]; donors;) {
            const int d = next_direction(&donors);
            lowest = below_rivals(level, towards(level, cell, d), opposite(d), own, lowest);
        }
        lowest = max(lowest, bed + whole_unchecked(sides.fall[k]));
        level->fresh[k] = min(lowest, own);
    }
}

Status sink_streams(Level *level) {
    Status status = level_step_streams(level, 1, find_rivals);
    if (status == STATUS_OK)
        status = level_step_streams(level, SINK_REACH - 1, measure_sides);
    mark_leaving(level);
    for (int round = 0; round < SINKINGS && status == STATUS_OK; round++)
        status = set_streams(level, round == 0 ? 0 : SINK_REACH, sink_row);
    return status;
}

// --- upper ends -------------------------------------------------------------------------------------------

// How many donors each stream has.
static void count_donors(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->direction[cell] = (uint16_t)__builtin_popcount(donors_of(level, cell));
    }
}

// Whether a stream head is an eighth of a cell above free ground: the divide has moved past it.
static void find_stranded(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int32_t low =
            level->z[cell] - (level->graded ? whole_int(level->slope[cell] / 4) : level->cell / 8);
        bool stands_over = false;
        level->fresh[k] = 0;
        if (level->direction[cell] > 0 || level->receiver[cell] >= NEIGHBOURS || is_outlet(level, cell))
            continue;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t other = towards(level, cell, d);
            stands_over |= level->receiver[other] == LAND_NONE && level->z[other] < low;
        }
        level->fresh[k] = stands_over && !is_spring(level, cell);
    }
}

static void dry_row(const Level *level, int y) {
    const Streams streams = streams_of_row(level, y);
    for (int k = streams.first; k < streams.end; k++) {
        if (!level->fresh[k])
            continue;
        const size_t cell = (size_t)level->streams[k];
        level->direction[towards(level, cell, level->receiver[cell])]--;
        level->receiver[cell] = LAND_NONE;
        level->area[cell] = 1;
    }
}

typedef struct Drying {
    const Level *level;
    int odd; // whether the second of two bands dries up
} Drying;

enum { BAND = 32 }; // rows

static void dry_bands(void *context, int first, int end) {
    const Drying *drying = context;
    const Region *region = &drying->level->region;
    for (int pair = first; pair < end; pair++) {
        const int top = region->top + (2 * pair + drying->odd) * BAND;
        for (int y = top; y < min(top + BAND, region->bottom); y++)
            dry_row(drying->level, y);
    }
}

// Every second band, and then those between, because two removed cells may share a receiver.
static Status dry_up_heads(const Level *level) {
    const int rows = level->region.bottom - level->region.top, pairs = (rows + 2 * BAND - 1) / (2 * BAND);
    Status status = STATUS_OK;
    for (int odd = 0; odd < 2 && status == STATUS_OK; odd++)
        status =
            parallel_rows(level->run, pairs, level->width * 0.3 * BAND, dry_bands, &(Drying){ level, odd });
    return status;
}

Status peel_streams(Level *level) {
    Status status = level_step_streams(level, 1, count_donors);
    for (int round = 0; round < PEELINGS && status == STATUS_OK; round++) {
        status = level_step_streams(level, round == 0 ? 0 : 1, find_stranded);
        if (status == STATUS_OK)
            status = dry_up_heads(level);
        level_exchange(level, LEVEL_RECEIVER | LEVEL_AREA | LEVEL_COUNT);
    }
    return status;
}

// --- banks ------------------------------------------------------------------------------------------------

// For each cell, how high streams' banks are beside it, and aslant of it: where the ground falls from them no
// more steeply than they do. A stream that ends on free ground has none: other rows raise that ground.
typedef struct Banks {
    int32_t *beside, *aslant;
} Banks;

static Banks banks_of(const Level *level) {
    return (Banks){ level->next, level->spare };
}

static void bank_row(const Level *level, int y, int first, int end) {
    const Banks banks = banks_of(level);
    const int start = y * level->width;
    for (int cell = start + first; cell < start + end; cell++)
        banks.beside[cell] = banks.aslant[cell] = level->sea + 1;
    const Streams streams = streams_between(level, y, first, end);
    for (int k = streams.first; k < streams.end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        if (receiver >= NEIGHBOURS || level->receiver[towards(level, cell, receiver)] == LAND_NONE)
            continue;
        const int32_t own = level->z[cell], fall = difference(own, end_of_fall(level, cell));
        const float steep = (float)fall * inverse_distance[receiver];
        banks.beside[cell] = sum(difference(own, whole_int(steep)), 1);
        banks.aslant[cell] = sum(difference(own, whole_int(steep * (1 / ESKER_DIAGONAL))), 1);
    }
}

static void bank_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++)
        bank_row(level, y, block->left, block->right);
}

// The highest of four, two to either side of a place.
KERNEL_INLINE int32_t highest_around(const int32_t *at, ptrdiff_t one, ptrdiff_t other) {
    const int32_t first = max(at[one], at[-one]), second = max(at[other], at[-other]);
    return max(first, second);
}

KERNEL static void raise_ground(int32_t *restrict z, const uint8_t *restrict receiver,
                                const int32_t *restrict beside, const int32_t *restrict aslant,
                                int32_t lowest, ptrdiff_t stride, int count) {
    for (int i = 0; i < count; i++) {
        const int32_t straight_bank = highest_around(beside + i, 1, stride),
                      slanting_bank = highest_around(aslant + i, stride - 1, stride + 1);
        const int32_t bank = max(straight_bank, slanting_bank), ground = max(z[i], lowest);
        const int32_t raised = max(ground, bank);
        z[i] = receiver[i] == LAND_NONE ? raised : z[i];
    }
}

static void raise_block(const Level *level, const Region *block) {
    const Banks banks = banks_of(level);
    for (int y = block->top; y < block->bottom; y++) {
        const size_t start = (size_t)y * (size_t)level->width + (size_t)block->left;
        raise_ground(level->z + start, level->receiver + start, banks.beside + start, banks.aslant + start,
                     level->sea + 1, level->width, block->right - block->left);
    }
}

Status raise_banks(Level *level) {
    level_shrink(level, 1);
    Status status = level_begin(level, 1.5, bank_block);
    if (status == STATUS_OK)
        status = level_step(level, BANK_REACH - 1, 0.5, raise_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
