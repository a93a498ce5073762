// Drainage of the finished ground. Free ground drains to its steepest neighbour. T steps of flow accumulation
// find exactly the cells that drain T cells or more, so the next level's streams connect to the inherited
// ones.

#include "land/falls.h"
#include "land/level.h"

#include "core/math.h"

enum { SPAN = 512 };
#define HEAD_AREA_MAX (64.0f * STREAM_CELLS) // larger streams begin outside the window
#define GAIN 1.25f     // the most that a stream gains, relative to what free ground drains into it
#define GAIN_MIN 12.0f // and in addition, in cells
#define HOLLOW 2.0f    // minimum curvature across the flow, relative to slope, at stream heads

KERNEL static void set_quarters(const int32_t *restrict z, int32_t *restrict quarters, int count) {
    for (int i = 0; i < count; i++)
        quarters[i] = (int32_t)((uint32_t)z[i] << 2);
}

static void begin_block(const Level *level, const Region *block) {
    const int count = block->right - block->left;
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        set_quarters(level->z + cell, level->next + cell, count);
        for (int i = 0; i < count; i++)
            level->flow[cell + (size_t)i] = level->next_flow[cell + (size_t)i] = FLOW_CELL + LAND_NONE;
    }
}

// Streams pass on no flow here: their discharge is already known.
KERNEL static void set_receivers(const int32_t *restrict direction, uint8_t *restrict receiver,
                                 uint16_t *restrict flow, uint16_t *restrict next_flow, int count) {
    for (int i = 0; i < count; i++) {
        const bool free_ground = receiver[i] == LAND_NONE;
        const int32_t way = direction[i] < FALLS_NOWHERE ? direction[i] : LAND_NONE;
        flow[i] = next_flow[i] = (uint16_t)(FLOW_CELL + (free_ground ? way : LAND_NONE));
        receiver[i] = (uint8_t)(free_ground ? way : receiver[i]);
    }
}

static void fall_block(const Level *level, const Region *block) {
    int32_t fall[SPAN];
    int32_t direction[SPAN];
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += SPAN) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int count = min(SPAN, block->right - x);
            find_falls(level->next + cell, level->width, count, fall, direction);
            set_receivers(direction, level->receiver + cell, level->flow + cell, level->next_flow + cell,
                          count);
        }
}

static void flow_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        gather_flow(level->flow + cell, level->width, block->right - block->left, level->next_flow + cell);
    }
}

// Sets the area of free ground to the accumulated flow, limited to below a stream's where no streams begin.
KERNEL static void set_areas(const uint16_t *restrict flow, const uint8_t *restrict receiver, float most,
                             float *restrict area, int count) {
    for (int i = 0; i < count; i++) {
        const bool known = receiver[i] == LAND_SEA || area[i] >= STREAM_CELLS;
        const int32_t cells = flow[i] / FLOW_CELL;
        area[i] = known ? area[i] : min((float)cells, most);
    }
}

// A pit into which a stream drains becomes a sink, which no finer level fills. Its way out is longer than the
// steps reach; left as free ground, a finer level would raise it above the end of the stream.
KERNEL static void set_sinks(const float *restrict area, uint8_t *restrict receiver, int count) {
    for (int i = 0; i < count; i++)
        receiver[i] = receiver[i] == LAND_NONE && area[i] >= STREAM_CELLS ? LAND_SEA : receiver[i];
}

static void area_block(const Level *level, const Region *block) {
    const Hillslope *form = &level->hillslope;
    const float most = form->soil ? form->stream_area * 0.99f : AREA_MAX;
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        set_areas(level->flow + cell, level->receiver + cell, most, level->area + cell,
                  block->right - block->left);
        if (!form->soil)
            set_sinks(level->area + cell, level->receiver + cell, block->right - block->left);
    }
}

// --- heads ------------------------------------------------------------------------------------------------

// On steep ground a stream begins only where the ground is concave across the flow.
static bool is_no_hollow(const Level *level, size_t cell) {
    const float steep = steepness(level->slope[cell]), area = level->area[cell];
    const int receiver = level->receiver[cell];
    if (steep <= 0 || area > HEAD_AREA_MAX)
        return false;
    const size_t left = towards(level, cell, (receiver + 2) & 7),
                 right = towards(level, cell, (receiver + 6) & 7);
    const float curvature = (float)difference(level->z[left], level->z[cell]) +
                            (float)difference(level->z[right], level->z[cell]);
    return curvature < HOLLOW * steep * level->slope[cell];
}

// Marked cells become free ground as soon as they have no donor.
static void mark_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->flow[k] = is_no_hollow(level, (size_t)level->streams[k]);
}

static void find_heads(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->fresh[k] = 0;
        if (!level->flow[k])
            continue;
        bool is_head = true;
        for (int d = 0; d < NEIGHBOURS && is_head; d++) {
            const size_t donor = towards(level, cell, d);
            is_head = level->receiver[donor] != opposite(d) || level->area[donor] < STREAM_CELLS;
        }
        level->fresh[k] = is_head;
    }
}

static void end_heads(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        if (level->fresh[k]) {
            level->area[level->streams[k]] = STREAM_CELLS - 1;
            level->flow[k] = 0;
        }
}

// After `begin`, rounds of two steps: what one finds beside each stream the other writes into its area.
static Status step_in_rounds(Level *level, int rounds, LevelStreams *begin, LevelStreams *find,
                             LevelStreams *write) {
    Status status = level_step_streams(level, 1, begin);
    for (int round = 0; round < rounds && status == STATUS_OK; round++) {
        status = level_step_streams(level, round == 0 ? 0 : 1, find);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, write);
        level_exchange(level, LEVEL_AREA);
    }
    return status;
}

static Status cut_heads(Level *level) {
    return step_in_rounds(level, HEADS, mark_row, find_heads, end_heads);
}

// --- discharge --------------------------------------------------------------------------------------------

// The directions in which streams drain into a stream, as bits.
static void mark_donors(const Level *level, int y, int first, int end) {
    const float least = level->hillslope.stream_area;
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->fresh[k] = 0;
        for (int d = 0; d < NEIGHBOURS; d++) {
            const size_t donor = towards(level, cell, d);
            level->fresh[k] |= (level->receiver[donor] == opposite(d) && level->area[donor] >= least) << d;
        }
    }
}

// A stream carries what its donors carry and little more than what free ground drains into it. It may have
// inherited more, where its upper part was lost or drains elsewhere now.
static void measure_gains(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        float inflow = 0;
        for (int left = level->fresh[k]; left; left &= left - 1) {
            const int d = __builtin_ctz((unsigned)left);
            inflow += level->area[towards(level, cell, d)];
        }
        const int drained = level->flow[cell] / FLOW_CELL;
        const float gain = GAIN * (float)drained + GAIN_MIN;
        const float most = max(inflow + gain, level->hillslope.stream_area);
        level->fresh_area[k] = min(level->area[cell], most);
    }
}

static void take_gains(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        if (level->receiver[level->streams[k]] < NEIGHBOURS)
            level->area[level->streams[k]] = level->fresh_area[k];
}

static Status bound_discharge(Level *level) {
    return step_in_rounds(level, GAINS, mark_donors, measure_gains, take_gains);
}

// ----------------------------------------------------------------------------------------------------------

Status drain(Level *level) {
    Status status = level_begin(level, 1, begin_block);
    if (status == STATUS_OK)
        status = level_step(level, 1, 1, fall_block);
    level_exchange(level, LEVEL_FLOW | LEVEL_RECEIVER);
    _Static_assert((2 * STREAM_CELLS + 1) * (2 * STREAM_CELLS + 1) * FLOW_CELL <= UINT16_MAX,
                   "flow holds all");
    if (status == STATUS_OK)
        status = level_rounds(level, STREAM_CELLS, 1, 0.5, LEVEL_FLOW, flow_block);
    if (status == STATUS_OK)
        status = level_step(level, 0, 0.5, area_block);
    if (status == STATUS_OK)
        status = list_streams(level);
    if (status == STATUS_OK && !level->hillslope.soil) // where hillslopes are longer than the steps reach
        status = bound_discharge(level);
    if (status == STATUS_OK && !level->hillslope.soil)
        status = cut_heads(level);
    drain_edge(level);
    return status;
}
