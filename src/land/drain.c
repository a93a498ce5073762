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
        const Columns land = land_between(level, y, block->left, block->right);
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)land.first;
        gather_flow(level->flow + cell, level->width, land.end - land.first, level->next_flow + cell);
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

// --- discharge --------------------------------------------------------------------------------------------

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

// The directions from which streams drain into a stream, as bits, and whether it may not begin here.
static void mark_row(const Level *level, int y, int first, int end) {
    (void)y;
    const float least = level->hillslope.soil ? level->hillslope.stream_area : STREAM_CELLS;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        level->fresh[k] = !level->hillslope.soil && is_no_hollow(level, cell) ? NO_HOLLOW : 0;
        for (unsigned donors = donors_of(level, cell); donors;) {
            const int d = next_direction(&donors);
            level->fresh[k] |= (level->area[towards(level, cell, d)] >= least) << d;
        }
    }
}

// Whether a donor is a stream still.
static bool has_stream_donor(const Level *level, int k) {
    const size_t cell = (size_t)level->streams[k];
    for (unsigned donors = (unsigned)level->fresh[k] % NO_HOLLOW; donors;)
        if (level->area[towards(level, cell, next_direction(&donors))] >= STREAM_CELLS)
            return true;
    return false;
}

// What a stream's donors carry. It may have inherited less, where the coarser level counted the water farther
// down.
static float inflow_of(const Level *level, int k) {
    const size_t cell = (size_t)level->streams[k];
    float inflow = 0;
    for (unsigned donors = (unsigned)level->fresh[k] % NO_HOLLOW; donors;)
        inflow += level->area[towards(level, cell, next_direction(&donors))];
    return min(inflow, AREA_MAX);
}

// A stream carries little more than its donors and what free ground drains into it. It may have inherited
// more, where its upper part was lost or drains elsewhere now.
static void bound_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int drained = level->flow[cell] / FLOW_CELL;
        const float inflow = inflow_of(level, k), gain = GAIN * (float)drained + GAIN_MIN;
        const float most = max(inflow + gain, (float)STREAM_CELLS), area = min(level->area[cell], most);
        level->fresh_area[k] = is_outlet(level, cell) ? level->area[cell] : max(area, inflow);
    }
}

// Passes on what the donors carry, and ends heads in ground without a hollow.
static void pass_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const float inflow = inflow_of(level, k), area = max(level->area[level->streams[k]], inflow);
        const bool ends = level->fresh[k] >= NO_HOLLOW && !has_stream_donor(level, k);
        level->fresh_area[k] = ends ? STREAM_CELLS - 1 : area;
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->area[level->streams[k]] = level->fresh_area[k];
}

// In each round a stream's discharge follows that of its donors. What was lost is followed for fewer rounds:
// farther down it matters less than that rivers keep their places from level to level. On soil, where no
// stream loses its upper part, it is not.
static Status balance_discharge(Level *level) {
    Status status = level_step_streams(level, 1, mark_row);
    const int first = level->hillslope.soil ? GAINS : 0;
    for (int round = first; round < BALANCES && status == STATUS_OK; round++) {
        LevelStreams *const balance_row = round < GAINS ? bound_row : pass_row;
        status = level_step_streams(level, round == first ? 0 : 1, balance_row);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_row);
        level_exchange(level, LEVEL_AREA);
    }
    return status;
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
    if (status == STATUS_OK)
        status = balance_discharge(level);
    drain_edge(level);
    return status;
}
