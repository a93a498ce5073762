// Straightens inherited streams: each stream cell drains to the steepest adjacent stream or sea cell (D8),
// and the bend that this cuts off loses its water. Stream cells without water then become free ground.

#include "land/level.h"

#include "core/math.h"

#include <stdlib.h>
#include <string.h>

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

// A bend is cut off if it rejoins the new path or ends in the sea, or if the stream turns to a much larger
// one beside it. Its cells lose the water. A longer bend loses it on finer levels (drain.c); until then the
// larger stream has too little.
static bool cuts_off(const Level *level, size_t cell, const Bend *bend) {
    const int target = level->receiver[bend->target], end = level->receiver[bend->end];
    if (target == LAND_SEA)
        return true;
    if (target == LAND_LAKE ||
        end == LAND_LAKE) // what enters a lake does not pass it by, nothing else enters
        return target == end && !bend->blocked;
    const bool ends = bend->end == bend->target || level->receiver[bend->end] == LAND_SEA;
    return !bend->blocked && (ends || level->area[bend->target] >= CAPTURE * level->area[cell]);
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
        if (cuts_off(level, cell, &bend))
            level->fresh[k] = direction;
    }
}

// Sequential, because several streams may take water from one cell; the order is the same in every window.
static void take_from_bends(const Level *level, int first, int end) {
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->fresh[k] == level->receiver[cell])
            continue;
        const Bend bend = bend_of(level, cell, level->fresh[k]);
        for (int i = 0; i < bend.count && !bend.blocked; i++)
            level->fresh_area[bend.path[i]] += level->area[cell];
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->receiver[cell] = (uint8_t)level->fresh[k];
        level->area[cell] -= level->fresh_area[cell];
        level->fresh_area[cell] = 0;
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

// A stream cell carries the sum of its donors and at most 8 T more. It becomes free ground if its donors are
// gone or if it is a head that drains too little; a cell with donors stays. Below the hillslope length, where
// no streams begin further down, it also becomes free ground if it drains into free ground.
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
        const float at_least = max(area, inflow);
        const bool ends = level->hillslope.soil && level->receiver[cell] < NEIGHBOURS &&
                          level->receiver[towards(level, cell, level->receiver[cell])] == LAND_NONE;
        const bool keeps = is_outlet(level, cell);
        const bool dry = ends || (inflow <= 0 && (!level->flow[cell] || area < level->hillslope.stream_area));
        level->fresh_area[k] = keeps ? at_least : dry ? 0 : min(at_least, most);
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
    memset(level->fresh_area + (size_t)first * width, 0,
           (size_t)(end - first) * width * sizeof *level->fresh_area);
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
