// What flows in the streams of a level: the drained area and the water that they have inherited, so far as
// that agrees with what their donors carry and the ground drains into them.

#include "land/drain.h"
#include "land/level.h"
#include "land/runoff.h"

#include "core/math.h"
#include "water/drainage.h"

#include <math.h>

// The directions from which streams drain into a cell, as bits.
static unsigned streams_into(const Level *level, size_t cell) {
    const float least = level->hillslope.soil ? level->hillslope.stream_area : STREAM_CELLS;
    unsigned streams = 0;
    for (unsigned donors = donors_of(level, cell); donors;) {
        const int d = next_direction(&donors);
        streams |= (unsigned)(level->area[towards(level, cell, d)] >= least) << d;
    }
    return streams;
}

// What streams bring to a cell, from the directions given as bits: all, and the most of one.
typedef struct Inflow {
    float all, most;
} Inflow;

// What a cell carries: cells that drain, or water.
typedef float Carried(const Level *level, size_t cell);

static float area_at(const Level *level, size_t cell) {
    return level->area[cell];
}

static float water_at(const Level *level, size_t cell) {
    return level->area[cell] * runoff_of(level->runoff[cell]);
}

static inline Inflow inflow_from(const Level *level, size_t cell, unsigned directions, Carried *carried) {
    Inflow inflow = { 0, 0 };
    while (directions) {
        const float one = carried(level, towards(level, cell, next_direction(&directions)));
        inflow.all += one;
        inflow.most = max(inflow.most, one);
    }
    return inflow;
}

// --- what streams carry at most ----------------------------------------------------------------------------

#define HEAD_AREA_MAX (64.0f * STREAM_CELLS) // larger streams begin outside the window
#define GAIN 1.25f     // the most that a stream gains, relative to what free ground drains into it
#define GAIN_MIN 12.0f // and in addition, in cells
#define HOLLOW 2.0f    // minimum curvature across the flow, relative to slope, at stream heads

enum { NO_HOLLOW = 1 << NEIGHBOURS }; // above the bits of a stream's donors

// On steep ground a stream begins only where the ground is concave across the flow.
static bool is_no_hollow(const Level *level, size_t cell) {
    const float steep = steepness(level->slope[cell], (float)level->cell), area = level->area[cell];
    const int receiver = level->receiver[cell];
    if (level->graded || steep <= 0 || area > HEAD_AREA_MAX)
        return false;
    const size_t left = towards(level, cell, (receiver + 2) & 7),
                 right = towards(level, cell, (receiver + 6) & 7);
    const float curvature = (float)difference(level->z[left], level->z[cell]) +
                            (float)difference(level->z[right], level->z[cell]);
    return curvature < HOLLOW * steep * level->slope[cell];
}

// Those of each stream, and whether it may not begin here.
static void mark_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int no_hollow = !level->hillslope.soil && is_no_hollow(level, cell) ? NO_HOLLOW : 0;
        level->fresh[k] = (int32_t)streams_into(level, cell) | no_hollow;
    }
}

// A stream carries little more than its donors and what free ground drains into it. It may have inherited
// more, where its upper part was lost or drains elsewhere now. And a head ends in ground without a hollow.
// Not so the springs of canals.
static void bound_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const Inflow inflow = inflow_from(level, cell, (unsigned)level->fresh[k] % NO_HOLLOW, area_at);
        const int drained = level->flow[cell] / FLOW_CELL;
        const float gain = GAIN * (float)drained + GAIN_MIN, area = level->area[cell];
        const float most = max(min(inflow.all, AREA_MAX) + gain, (float)STREAM_CELLS);
        const bool ends = level->fresh[k] >= NO_HOLLOW && inflow.most < STREAM_CELLS;
        const bool keeps = !ends && is_outlet(level, cell),
                   springs = (ends || most < area) && is_spring(level, cell);
        level->fresh_area[k] = keeps || springs ? area
                               : ends           ? STREAM_CELLS - 1
                                                : max(min(area, most), inflow.most);
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->area[level->streams[k]] = level->fresh_area[k];
}

Status bound_discharge(Level *level) {
    Status status = level_step_streams(level, 1, mark_row);
    for (int round = 0; round < GAINS && status == STATUS_OK; round++) {
        status = level_step_streams(level, round == 0 ? 0 : 1, bound_row);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_row);
        level_exchange(level, LEVEL_AREA);
    }
    return status;
}

// --- what tributaries bring --------------------------------------------------------------------------------

// A stream may have inherited less than its donors carry: where the coarser level counted a tributary's water
// farther down, or a stream that begins here drains wetter ground. What it lacks is passed on downstream, up
// to where that much flows anyway, but at most for PASS_REACH cells: so much that it falls nowhere. All of it
// follows from what was carried before, so the order does not matter.

// Which cells those of the halos are copies of, in `next`. The outermost rows of each patch, beyond which
// another one lies in the array, are nobody's, but for copies. So are cells beyond the cube's corners.
void find_stream_owners(const Level *level) {
    const Seams *seams = level->seams;
    for (size_t i = 0; i < level->count; i++)
        level->next[i] = (int32_t)i;
    for (int k = 0; k < level->patch_count; k++) {
        const PatchPlace *place = &level->patches[k].place;
        for (int y = 0; y < place->height; y++)
            for (int x = 0; x < level->width && (y < GUARD || y >= place->height - GUARD); x++)
                level->next[(size_t)(place->row + y) * (size_t)level->width + (size_t)x] = NOBODY;
    }
    for (int turn = 0; turn < 4; turn++)
        for (int i = 0; i < seams->count[turn]; i++)
            level->next[seams->to[turn][i]] = seams->from[turn][i];
    for (int i = 0; i < seams->corner_count; i++)
        level->next[seams->corners[i].to] = NOBODY;
}

static bool is_in_region(const Level *level, size_t cell) {
    const Region *region = &level->region;
    const int x = (int)(cell % (size_t)level->width), y = (int)(cell / (size_t)level->width);
    return x >= region->left && x < region->right && y >= region->top && y < region->bottom;
}

// Moves on to the stream's next cell, on planets to where that is no copy; false: the stream ends there, or
// too far away to be known.
static bool stream_goes_on(const Level *level, size_t *cell) {
    size_t next = towards(level, *cell, level->receiver[*cell]);
    if (level->seams && level->next[next] == NOBODY)
        return false;
    next = level->seams ? (size_t)level->next[next] : next;
    *cell = next;
    return is_in_region(level, next) && level->receiver[next] < NEIGHBOURS;
}

// In `fresh_area` what streams bring, where that is more; in `cut` what each cell carries, and then what is
// passed to it.
static inline void find_lacks_of(const Level *level, int first, int end, Carried *carried) {
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const float all = inflow_from(level, cell, streams_into(level, cell), carried).all,
                    here = carried(level, cell);
        level->fresh_area[k] = all > here ? all : 0;
        level->cut[cell] = here;
    }
}

static void find_area_lacks(const Level *level, int y, int first, int end) {
    (void)y;
    find_lacks_of(level, first, end, area_at);
}

static void find_water_lacks(const Level *level, int y, int first, int end) {
    (void)y;
    find_lacks_of(level, first, end, water_at);
}

// The most that a stream may carry: what it does PASS_REACH cells farther down.
static float most_to_pass(const Level *level, size_t cell, Carried *carried) {
    for (int i = 0; i < PASS_REACH; i++)
        if (!stream_goes_on(level, &cell))
            return INFINITY;
    return carried(level, cell);
}

// A cell keeps the most that is passed to it.
static void pass_on(const Level *level, size_t cell, Carried *carried) {
    const Inflow inflow = inflow_from(level, cell, streams_into(level, cell), carried);
    const float most = max(most_to_pass(level, cell, carried), inflow.most);
    float passed = min(inflow.all, most);
    for (int i = 0; i < PASS_REACH && passed > carried(level, cell); i++) {
        const float before = carried(level, cell);
        level->cut[cell] = max(level->cut[cell], passed);
        if (!stream_goes_on(level, &cell))
            return;
        const float others = inflow_from(level, cell, streams_into(level, cell), carried).all - before;
        passed = min(passed + max(others, 0), most);
    }
}

static void pass_lacks(const Level *level, Carried *carried) {
    for (int y = level->region.top; y < level->region.bottom; y++) {
        const Streams streams = streams_of_row(level, y);
        for (int k = streams.first; k < streams.end; k++) {
            const int cell = level->streams[k];
            if (level->fresh_area[k] > 0 && (!level->seams || level->next[cell] == cell))
                pass_on(level, (size_t)cell, carried);
        }
    }
}

// The water of a stream that drains more now is the same, until it is known what that lacks.
static void take_area(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const float before = level->area[cell], passed = min(level->cut[cell], AREA_MAX);
        if (level->runoff && passed > before)
            level->runoff[cell] = runoff_code(runoff_of(level->runoff[cell]) * (before / passed));
        level->area[cell] = passed;
    }
}

static void take_water(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->cut[cell] > water_at(level, cell))
            level->runoff[cell] = runoff_code(level->cut[cell] / level->area[cell]);
    }
}

static Status pass(Level *level, LevelStreams *find_lacks, Carried *carried, LevelStreams *take) {
    Status status = level_step_streams(level, 1, find_lacks);
    if (status == STATUS_OK) {
        pass_lacks(level, carried);
        status = level_step_streams(level, PASS_REACH, take);
    }
    level_exchange(level, LEVEL_AREA);
    return status;
}

Status pass_area(Level *level) {
    return pass(level, find_area_lacks, area_at, take_area);
}

Status pass_water(Level *level) {
    return pass(level, find_water_lacks, water_at, take_water);
}
