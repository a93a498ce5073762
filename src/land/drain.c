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

enum {
    FILL_SPAN = 1024,
    FLOOD = 1 << 28, // units: higher than any pit is deep
};

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

// Marks of cells.
typedef struct Marked {
    int least, most;
} Marked;

static bool is_marked(Marked marked, int mark) {
    return mark >= marked.least && mark <= marked.most;
}

// The next columns of a row, from `first` to `end`, with such marks, FILL_SPAN at most; none: `first` is
// `end`.
static Columns marked_from(const Level *level, Marked marked, int y, int first, int end) {
    const uint8_t *row = level->marks + (size_t)y * (size_t)level->width;
    const uint64_t none = 0;
    while (first + (int)sizeof none <= end && !memcmp(row + first, &none, sizeof none))
        first += (int)sizeof none;
    while (first < end && !is_marked(marked, row[first]))
        first++;
    Columns found = { first, first };
    while (found.end < min(first + FILL_SPAN, end) && is_marked(marked, row[found.end]))
        found.end++;
    return found;
}

// The same of those in which pits are filled.
static Columns filled_from(const Level *level, int y, int first, int end) {
    return level->flooded ? marked_from(level, (Marked){ level->flooded, UINT8_MAX }, y, first, end)
                          : (Columns){ first, min(first + FILL_SPAN, end) };
}

static void lower_block(const Level *level, const Region *block) {
    const size_t width = (size_t)level->width;
    const int32_t fall = filled_fall(&level->land->rules, level->number);
    for (int y = block->top; y < block->bottom; y++) {
        const Columns land = land_between(level, y, block->left, block->right);
        Columns filled = filled_from(level, y, land.first, land.end);
        for (; filled.first < land.end; filled = filled_from(level, y, filled.end, land.end)) {
            const size_t cell = (size_t)y * width + (size_t)filled.first;
            const int32_t *water = level->next + cell - 1;
            lower_water(water - width, water, water + width, level->z + cell, fall, level->spare + cell,
                        filled.end - filled.first);
        }
    }
}

KERNEL static void flood_row(const int32_t *restrict z, const uint8_t *restrict receiver, int32_t deepest,
                             int count, int32_t *restrict water, int32_t *restrict other) {
    for (int i = 0; i < count; i++)
        other[i] = water[i] = receiver[i] == LAND_NONE ? sum(z[i], deepest) : z[i];
}

static void keep_row(const Level *level, size_t cell, int count) {
    const size_t size = (size_t)count * sizeof *level->z;
    memcpy(level->next + cell, level->z + cell, size);
    memcpy(level->spare + cell, level->z + cell, size);
}

static void flood_deep(const Level *level, int y, int first, int end) {
    const Marked marked = { 1, level->deep };
    Columns deep = marked_from(level, marked, y, first, end);
    for (; deep.first < end; deep = marked_from(level, marked, y, deep.end, end)) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)deep.first;
        flood_row(level->z + cell, level->receiver + cell, FLOOD, deep.end - deep.first, level->next + cell,
                  level->spare + cell);
    }
}

static void flood_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t row = (size_t)y * (size_t)level->width;
        if (level->flooded)
            keep_row(level, row + (size_t)block->left, block->right - block->left);
        Columns filled = filled_from(level, y, block->left, block->right);
        for (; filled.first < block->right; filled = filled_from(level, y, filled.end, block->right)) {
            const size_t cell = row + (size_t)filled.first;
            flood_row(level->z + cell, level->receiver + cell, level->deepest, filled.end - filled.first,
                      level->next + cell, level->spare + cell);
        }
        if (level->deep)
            flood_deep(level, y, block->left, block->right);
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

static void settle_columns(const Level *level, int y, Columns columns, int32_t deepest) {
    const size_t width = (size_t)level->width, cell = (size_t)y * width + (size_t)columns.first;
    const int32_t *water = level->next + cell - 1;
    const int count = min(columns.end - columns.first, (int)FILL_SPAN);
    if (count > 0)
        settle(water - width, water, water + width, deepest, filled_fall(&level->land->rules, level->number),
               level->z + cell, count);
}

// Deep pits and others in turn.
static void settle_row(const Level *level, int y, Columns filled) {
    while (level->deep && filled.first < filled.end) {
        const Columns deep = marked_from(level, (Marked){ 1, level->deep }, y, filled.first, filled.end);
        settle_columns(level, y, (Columns){ filled.first, deep.first }, level->deepest);
        settle_columns(level, y, deep, FLOOD);
        filled.first = deep.end;
    }
    settle_columns(level, y, filled, level->deepest);
}

static void settle_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        Columns filled = filled_from(level, y, block->left, block->right);
        for (; filled.first < block->right; filled = filled_from(level, y, filled.end, block->right))
            settle_row(level, y, filled);
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
    level->deepest = min(deepest, (int32_t)FLOOD);
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
    if (level->seams)
        find_stream_owners(level);
    if (status == STATUS_OK)
        find_pits(level);
    if (status == STATUS_OK)
        status = list_streams(level);
    if (status == STATUS_OK && level->runoff)
        status = level_gather_runoff(level);
    if (status == STATUS_OK)
        status = pass_area(level);
    // On soil no stream loses its upper part.
    if (status == STATUS_OK && !level->hillslope.soil)
        status = bound_discharge(level);
    if (status == STATUS_OK && level->runoff)
        status = pass_water(level);
    if (status == STATUS_OK)
        drain_pits(level);
    drain_edge(level);
    return status;
}
