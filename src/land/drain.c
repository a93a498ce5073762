// Where water goes on a level: the steepest descent, pits that are filled, the land's edge, and the final
// drainage.

#include "land/drain.h"

#include "core/math.h"
#include "land/law.h"
#include "land/level.h"
#include "land/runoff.h"
#include "water/drainage.h"

#include <string.h>

// --- the steepest descent ----------------------------------------------------------------------------------

// v - z plus a direction in the two low bits, for altitudes times 4; exact even after overflow.
KERNEL_INLINE int32_t towards_at(int32_t v, int32_t z, uint32_t direction) {
    return (int32_t)((uint32_t)v + direction - (uint32_t)z);
}

KERNEL_INLINE int32_t greatest_of(int32_t a, int32_t b, int32_t c, int32_t d) {
    const int32_t ab = max(a, b), cd = max(c, d);
    return max(ab, cd);
}

KERNEL static void find_falls_kernel(const int32_t *restrict above, const int32_t *restrict row,
                                     const int32_t *restrict below, int count, int32_t *restrict fall,
                                     int32_t *restrict direction) {
    for (int i = 0; i < count; i++) {
        const int32_t v = row[i + 1];
        const int32_t straight = greatest_of(towards_at(v, row[i + 2], 0), towards_at(v, below[i + 1], 1),
                                             towards_at(v, row[i], 2), towards_at(v, above[i + 1], 3));
        const int32_t aslant = greatest_of(towards_at(v, below[i + 2], 0), towards_at(v, below[i], 1),
                                           towards_at(v, above[i], 2), towards_at(v, above[i + 2], 3));
        const int32_t straight_fall = straight >> 2, aslant_fall = aslant >> 2;
        const int32_t diagonal = (float)aslant_fall * ESKER_DIAGONAL > (float)straight_fall;
        const int32_t best = diagonal ? aslant_fall : straight_fall;
        const int32_t way = 2 * ((diagonal ? aslant : straight) & 3) + diagonal;
        fall[i] = best;
        direction[i] = best > 0 ? way : way + FALLS_NOWHERE;
    }
}

void find_falls(const int32_t *quarters, ptrdiff_t stride, int count, int32_t *fall, int32_t *direction) {
    const int32_t *row = quarters - 1;
    find_falls_kernel(row - stride, row, row + stride, count, fall, direction);
}

// The flow of a neighbour if it drains in the given direction, otherwise 0; direction bits cleared.
KERNEL_INLINE uint32_t brought(uint16_t flow, uint16_t wanted) {
    const uint16_t cells = flow ^ wanted;
    return cells & FLOW_DIRECTION ? 0 : cells;
}

KERNEL static void gather_flow_kernel(const uint16_t *restrict above, const uint16_t *restrict row,
                                      const uint16_t *restrict below, int count,
                                      uint16_t *restrict gathered) {
    for (int i = 0; i < count; i++) {
        const uint16_t beside = (uint16_t)(brought(row[i + 2], 4) + brought(row[i], 0));
        const uint16_t from_below =
            (uint16_t)(brought(below[i + 2], 5) + brought(below[i + 1], 6) + brought(below[i], 7));
        const uint16_t from_above =
            (uint16_t)(brought(above[i], 1) + brought(above[i + 1], 2) + brought(above[i + 2], 3));
        const uint16_t own = (uint16_t)(FLOW_CELL + (row[i + 1] & FLOW_DIRECTION));
        gathered[i] = (uint16_t)(beside + from_below + from_above + own);
    }
}

void gather_flow(const uint16_t *flow, ptrdiff_t stride, int count, uint16_t *gathered) {
    gather_flow_kernel(flow - stride - 1, flow - 1, flow + stride - 1, count, gathered);
}

// --- pits --------------------------------------------------------------------------------------------------

// Fills small pits (Planchon and Darboux 2002, "A fast, simple and versatile algorithm to fill the
// depressions of digital elevation models", without their order of cells): free ground is flooded to the
// depth of the deepest pit, then each step lowers the water to the least fall above the lowest neighbour, but
// not below the ground. With n steps, pits whose path out is at most n cells long end filled to the brim.
// Sloping ground is dry after a few steps, however far the next stream is.

enum { FILL_SPAN = 1024 };

// The lowest of each column of three cells.
KERNEL_INLINE void find_lowest(const int32_t *restrict above, const int32_t *restrict water,
                               const int32_t *restrict below, int count, int32_t *restrict lowest) {
    for (int i = 0; i < count + 2; i++) {
        const int32_t outer = min(above[i], below[i]);
        lowest[i] = min(outer, water[i]);
    }
}

// The level to which the water of the middle column falls.
KERNEL_INLINE int32_t level_above(const int32_t *lowest, int32_t fall) {
    const int32_t outer = min(lowest[0], lowest[2]);
    return min(outer, lowest[1]) + fall;
}

// `above`, `water`, `below` begin one cell to the left. Streams and sea, which begin at their own level, keep
// it: water never rises.
KERNEL static void lower_water(const int32_t *restrict above, const int32_t *restrict water,
                               const int32_t *restrict below, const int32_t *restrict ground, int32_t fall,
                               int32_t *restrict lowered, int count) {
    int32_t lowest[FILL_SPAN + 2];
    find_lowest(above, water, below, count, lowest);
    for (int i = 0; i < count; i++) {
        const int32_t level = level_above(lowest + i, fall);
        const int32_t above_ground = max(level, ground[i]);
        lowered[i] = min(above_ground, water[i + 1]);
    }
}

static void lower_block(const Level *level, const Region *block) {
    const size_t width = (size_t)level->width;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    for (int y = block->top; y < block->bottom; y++) {
        const Columns land = land_between(level, y, block->left, block->right);
        for (int x = land.first; x < land.end; x += FILL_SPAN) {
            const size_t cell = (size_t)y * width + (size_t)x;
            const int32_t *water = level->next + cell - 1;
            lower_water(water - width, water, water + width, level->z + cell, fall, level->spare + cell,
                        min(FILL_SPAN, land.end - x));
        }
    }
}

KERNEL static void flood_row(const int32_t *restrict z, const uint8_t *restrict receiver, int32_t deepest,
                             int count, int32_t *restrict water, int32_t *restrict other) {
    for (int i = 0; i < count; i++)
        other[i] = water[i] = receiver[i] == LAND_NONE ? sum(z[i], deepest) : z[i];
}

static void keep_unmarked(const Level *level, size_t cell, int count) {
    for (size_t i = cell; i < cell + (size_t)count; i++)
        if (!level->flooded[i])
            level->next[i] = level->spare[i] = level->z[i];
}

static void flood_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        flood_row(level->z + cell, level->receiver + cell, level->deepest, block->right - block->left,
                  level->next + cell, level->spare + cell);
        if (level->flooded)
            keep_unmarked(level, cell, block->right - block->left);
    }
}

// Water that is still falling (more than that above its lowest neighbour) is far from any path out and
// would leave a block with steep sides on gentle ground. So would water that has hardly fallen: on a divide
// it may lie lower than all around, although no path out has reached it. There the ground is kept.
KERNEL static void settle(const int32_t *restrict above, const int32_t *restrict water,
                          const int32_t *restrict below, int32_t deepest, int32_t fall, int32_t *restrict z,
                          int count) {
    int32_t lowest[FILL_SPAN + 2];
    find_lowest(above, water, below, count, lowest);
    for (int i = 0; i < count; i++) {
        const int32_t level = level_above(lowest + i, fall);
        const bool rests = water[i + 1] <= level, shallow = difference(water[i + 1], z[i]) <= deepest / 2;
        z[i] = rests && shallow ? water[i + 1] : z[i];
    }
}

static void settle_block(const Level *level, const Region *block) {
    const size_t width = (size_t)level->width;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += FILL_SPAN) {
            const size_t cell = (size_t)y * width + (size_t)x;
            const int32_t *water = level->next + cell - 1;
            settle(water - width, water, water + width, level->deepest, fall, level->z + cell,
                   min(FILL_SPAN, block->right - x));
        }
}

// Nothing around a crater drains into its bowl over the rim, which would fill all behind the rim up to its
// crest. Nor is the bowl filled.
static void close_craters(const Level *level) {
    const Region *box = &level->changed;
    for (int y = box->top; y < box->bottom && level->marks; y++)
        for (int x = box->left; x < box->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->marks[cell] >= MARK_BOWL)
                level->next[cell] = level->spare[cell] = HIGHEST;
        }
}

// The last step detects where water has come to rest.
Status fill_pits(Level *level, int steps, int32_t deepest) {
    level->deepest = deepest;
    Status status = level_begin(level, 0.5, flood_block);
    close_craters(level);
    if (status == STATUS_OK)
        status = level_rounds(level, steps - 1, 1, 0.5, LEVEL_NEXT, lower_block);
    close_craters(level);
    if (status == STATUS_OK)
        status = level_step(level, 1, 0.5, settle_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}

// --- the edge of the land ----------------------------------------------------------------------------------

// The edge of the whole land, where water leaves it. No step reaches its cells, which have no neighbours
// beyond.

typedef void EdgeCell(const Level *level, int x, int y);

static void visit_edge(const Level *level, EdgeCell *visit) {
    for (int x = 0; x < level->width; x++) {
        if (level->ends_top)
            visit(level, x, 0);
        if (level->ends_bottom)
            visit(level, x, level->height - 1);
    }
    for (int y = 0; y < level->height; y++) {
        if (level->ends_left)
            visit(level, 0, y);
        if (level->ends_right)
            visit(level, level->width - 1, y);
    }
}

static void lower_cell(const Level *level, int x, int y) {
    const int behind_x = clamp(x, level->ends_left, level->width - 1 - level->ends_right),
              behind_y = clamp(y, level->ends_top, level->height - 1 - level->ends_bottom);
    const size_t width = (size_t)level->width, cell = (size_t)y * width + (size_t)x;
    const int32_t fall = level->graded ? level->least_fall : 0;
    const int32_t behind = max(level->z[(size_t)behind_y * width + (size_t)behind_x] - fall, level->sea + 1);
    level->z[cell] = min(level->z[cell], behind);
}

// To the ground behind it, but not into the sea; else it would stand above eroded ground as a wall. What
// drains to it falls the more.
void lower_edge(const Level *level) {
    visit_edge(level, lower_cell);
}

static void gather_cell(const Level *level, int x, int y) {
    const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
    float area = 1;
    if (level->z[cell] <= level->sea)
        return;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const int from_x = x + neighbour_x[d], from_y = y + neighbour_y[d];
        if (from_x < 0 || from_y < 0 || from_x >= level->width || from_y >= level->height)
            continue;
        const size_t donor = towards(level, cell, d);
        area += level->receiver[donor] == opposite(d) ? level->area[donor] : 0;
    }
    level->area[cell] = min(area, AREA_MAX);
}

// Free ground's water too, not just that of inherited streams.
void drain_edge(Level *level) {
    level_shrink(level, EDGE_REACH);
    visit_edge(level, gather_cell);
}

// --- drainage ----------------------------------------------------------------------------------------------

// Drainage of the finished ground. Free ground drains to its steepest neighbour. T steps of flow accumulation
// find exactly the cells that drain T cells or more, so the next level's streams connect to the inherited
// ones.

enum { DRAIN_SPAN = 512 };
// What drains less on the coarser level: its streams carry at least as much, so none loses by a new one.
#define NEW_STREAM_MAX (4.0f * STREAM_CELLS)
#define HEAD_AREA_MAX (64.0f * STREAM_CELLS) // larger streams begin outside the window
#define GAIN 1.25f     // the most that a stream gains, relative to what free ground drains into it
#define GAIN_MIN 12.0f // and in addition, in cells
#define HOLLOW 2.0f    // minimum curvature across the flow, relative to slope, at stream heads

KERNEL static void set_quarters(const int32_t *restrict z, int32_t *restrict quarters, int count) {
    for (int i = 0; i < count; i++)
        quarters[i] = (int32_t)((uint32_t)z[i] << 2);
}

// Streams that begin below are new; those that no longer run here had some.
KERNEL static void forget_runoff(const uint8_t *restrict receiver, uint16_t *restrict runoff, int count) {
    for (int i = 0; i < count; i++)
        runoff[i] = receiver[i] == LAND_NONE ? RUNOFF_UNKNOWN : runoff[i];
}

static void begin_block(const Level *level, const Region *block) {
    const int count = block->right - block->left;
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        set_quarters(level->z + cell, level->next + cell, count);
        for (int i = 0; i < count; i++)
            level->flow[cell + (size_t)i] = level->next_flow[cell + (size_t)i] = FLOW_CELL + LAND_NONE;
        if (level->runoff)
            forget_runoff(level->receiver + cell, level->runoff + cell, count);
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
    int32_t fall[DRAIN_SPAN];
    int32_t direction[DRAIN_SPAN];
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += DRAIN_SPAN) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int count = min(DRAIN_SPAN, block->right - x);
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
    const float most = form->soil ? form->stream_area * 0.99f : NEW_STREAM_MAX;
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

// Those of each stream, and whether it may not begin here.
static void mark_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int no_hollow = !level->hillslope.soil && is_no_hollow(level, cell) ? NO_HOLLOW : 0;
        level->fresh[k] = (int32_t)streams_into(level, cell) | no_hollow;
    }
}

// What streams bring to a cell, from the directions given as bits: all, and the most of one.
typedef struct Inflow {
    float all, most;
} Inflow;

static Inflow inflow_from(const Level *level, size_t cell, unsigned directions) {
    Inflow inflow = { 0, 0 };
    while (directions) {
        const float area = level->area[towards(level, cell, next_direction(&directions))];
        inflow.all += area;
        inflow.most = max(inflow.most, area);
    }
    inflow.all = min(inflow.all, AREA_MAX);
    return inflow;
}

// A stream carries little more than its donors and what free ground drains into it. It may have inherited
// more, where its upper part was lost or drains elsewhere now. And a head ends in ground without a hollow.
static void bound_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const Inflow inflow = inflow_from(level, cell, (unsigned)level->fresh[k] % NO_HOLLOW);
        const int drained = level->flow[cell] / FLOW_CELL;
        const float gain = GAIN * (float)drained + GAIN_MIN, area = level->area[cell];
        const float most = max(inflow.all + gain, (float)STREAM_CELLS);
        const bool ends = level->fresh[k] >= NO_HOLLOW && inflow.most < STREAM_CELLS;
        level->fresh_area[k] = ends                     ? STREAM_CELLS - 1
                               : is_outlet(level, cell) ? area
                                                        : max(min(area, most), inflow.most);
    }
}

static void take_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++)
        level->area[level->streams[k]] = level->fresh_area[k];
}

static Status bound_discharge(Level *level) {
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

// A stream may have inherited less than its donors carry, where the coarser level counted a tributary's water
// farther down. What it lacks is passed on downstream, up to where that much drains anyway, but at most for
// PASS_REACH cells: so much that discharge falls nowhere. All of it follows from what drained before, so the
// order does not matter.

// Which cells those of the halos are copies of, in `next`. The outermost rows of each patch, beyond which
// another one lies in the array, are nobody's, but for copies.
static void find_owners(const Level *level) {
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
}

static void find_lacks(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const float inflow = inflow_from(level, cell, streams_into(level, cell)).all;
        level->fresh_area[k] = inflow > level->area[cell] ? inflow : 0;
    }
}

// The most that a stream may carry: what drains PASS_REACH cells farther down.
static float most_to_pass(const Level *level, size_t cell) {
    for (int i = 0; i < PASS_REACH; i++)
        if (!stream_goes_on(level, &cell))
            return AREA_MAX;
    return level->area[cell];
}

// A cell keeps the most that is passed to it, in `cut`.
static void pass_on(const Level *level, size_t cell) {
    const Inflow inflow = inflow_from(level, cell, streams_into(level, cell));
    const float most = max(most_to_pass(level, cell), inflow.most);
    float passed = min(inflow.all, most);
    for (int i = 0; i < PASS_REACH && passed > level->area[cell]; i++) {
        const float before = level->area[cell];
        level->cut[cell] = max(level->cut[cell], passed);
        if (!stream_goes_on(level, &cell))
            return;
        const float others = inflow_from(level, cell, streams_into(level, cell)).all - before;
        passed = min(passed + others, most);
    }
}

static void copy_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t from = (size_t)first * (size_t)level->width, after = (size_t)end * (size_t)level->width;
    memcpy(level->cut + from, level->area + from, (after - from) * sizeof *level->area);
}

// The water of a stream that drains more now is the same, until runoff.c knows what it lacks.
static void take_passed(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const float before = level->area[cell], passed = level->cut[cell];
        if (level->runoff && passed > before)
            level->runoff[cell] = runoff_code(runoff_of(level->runoff[cell]) * (before / passed));
        level->area[cell] = passed;
    }
}

static Status pass_discharge(Level *level) {
    Status status = level_step_streams(level, 1, find_lacks);
    if (status == STATUS_OK)
        status = parallel_rows(level->run, level->height, level->width * 0.5, copy_rows, level);
    if (status != STATUS_OK)
        return status;
    for (int y = level->region.top; y < level->region.bottom; y++) {
        const Streams streams = streams_of_row(level, y);
        for (int k = streams.first; k < streams.end; k++) {
            const int cell = level->streams[k];
            if (level->fresh_area[k] > 0 && (!level->seams || level->next[cell] == cell))
                pass_on(level, (size_t)cell);
        }
    }
    status = level_step_streams(level, PASS_REACH, take_passed);
    level_exchange(level, LEVEL_AREA);
    return status;
}

// --- all of it ---------------------------------------------------------------------------------------------

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
    if (status == STATUS_OK && level->runoff)
        status = level_spread_runoff(level);
    if (status == STATUS_OK)
        status = list_streams(level);
    if (level->seams)
        find_owners(level);
    if (status == STATUS_OK && level->runoff)
        status = level_gather_runoff(level);
    if (status == STATUS_OK)
        status = pass_discharge(level);
    // On soil no stream loses its upper part.
    if (status == STATUS_OK && !level->hillslope.soil)
        status = bound_discharge(level);
    if (status == STATUS_OK && level->runoff)
        status = level_pass_runoff(level);
    drain_edge(level);
    return status;
}
