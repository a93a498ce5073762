// Erosion of a level: implicit stream power with bounded slopes, all cells at once, EROSIONS times (after
// Braun and Willett 2013, "A very efficient O(n), implicit and parallel method to solve the stream power
// equation", section 2, with one step towards the receiver as it was before in place of their order of
// cells).
//
// A cell at height h above its receiver becomes h' = (h + u)/(1 + K √a/d), where u is uplift plus rounding
// and a the drained area. For free ground, a is the flow accumulated in the iterations so far. Streams keep
// their receiver and use the area of two cells; with their own area valleys would deepen at every level.
//
// On graded levels the power of a is that of the law, uplift is K times the law's slope, and streams do not
// move: ground approaches slopes that are the law's. On the last of them hillslopes are longer in some places
// than in others.

#include "land/drain.h"
#include "land/edits.h"
#include "land/law.h"
#include "land/smooth_noise.h"
#include "land/strata.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

enum { SPAN = 512 };    // of cells
enum { STEEPEST = 16 }; // upper bound of the stable slope, in cells per cell
#define GRADING 0.5f    // K on graded levels

// Hillslopes are longer than `hillslope`, 2^SPREAD times for each octave of a smooth noise of -1 to 1, where
// it is above 0. The points of its octaves are 2^WIDEST_BITS to 2^LEAST_BITS cells of the last graded level
// apart. On levels whose valleys would be closer together than such slopes are long, water cuts less there
// and soil creeps more, but more is uplifted: tops become round, and small valleys end. The last SETTLING
// steps are without this creep, so that water finds its way again. With ROUNDEST above 1 heights would swing.
#define SPREAD 4.0f
#define CUT_LESS 0.3f
#define CUT_LEAST ((1 - CUT_LESS) * GRADING - 0.001f)
#define LIFT 1.9f
#define ROUNDEST 0.9f // of rounding
enum { WIDEST_BITS = 8, LEAST_BITS = 5, SETTLING = 6, CREEP_STREAM = 3 << 25 };

// --- what does not change ----------------------------------------------------------------------------------

// Sets the erosion factor and the stable slope of each cell; the slope is negative for streams and 0 for
// fixed cells. 1.5 times the coarse slope is stable for any talus: a finer level cannot reduce the coarse
// slope, and cut to one slope the ground would be a plane with parallel streams. Steep rock is eroded less.
KERNEL static void set_rates(const float *restrict slope, const uint8_t *restrict receiver,
                             const float *restrict softness, float erodibility, float talus, float settled_to,
                             float cell, int count, float *restrict cut, float *restrict limit) {
    for (int i = 0; i < count; i++) {
        const float steep = steepness(slope[i], cell), stands = 1.5f * slope[i];
        const float holds = talus * (2 - softness[i]);
        const float bound = min(stands, STEEPEST * cell);
        const float most = max(holds, bound);
        cut[i] = erodibility * softness[i] * (1 - 0.5f * steep) * settled(slope[i], cell, settled_to);
        limit[i] = receiver[i] == LAND_NONE ? most : receiver[i] < NEIGHBOURS ? -most : 0;
    }
}

// The same on graded levels.
KERNEL static void set_graded_rates(const uint8_t *restrict receiver, const float *restrict softness,
                                    float talus, int count, float *restrict cut, float *restrict limit) {
    for (int i = 0; i < count; i++) {
        cut[i] = GRADING * softness[i];
        limit[i] = receiver[i] == LAND_NONE ? talus * (2 - softness[i]) : 0;
    }
}

KERNEL static void set_quarters_above(const int32_t *restrict z, int32_t lowest, int count,
                                      int32_t *restrict quarters, int32_t *restrict others) {
    for (int i = 0; i < count; i++) {
        const int32_t surface = max(z[i], lowest);
        quarters[i] = others[i] = (int32_t)((uint32_t)surface << 2);
    }
}

// Where lakes are left, streams are as high as they.
static void hold_outlets(const Level *level, int y, int first, int end) {
    if (!level->lakes)
        return;
    const Streams streams = streams_between(level, y, first, end);
    for (int k = streams.first; k < streams.end; k++)
        if (is_outlet(level, (size_t)level->streams[k]))
            level->limit[level->streams[k]] = 0;
}

// The sea floor counts as sea level. On soil, which creeps, it keeps its depth next to the coast: if the
// ground bent there, all land beside the sea would become equally high, and the coast would follow the edges
// of cells.
enum { SHORE_DEPTHS = 2 }; // of a cell

static void begin_block(const Level *level, const Region *block) {
    const LandRules *rules = &level->land->rules;
    const int32_t lowest = level->hillslope.soil ? level->sea - level->cell / SHORE_DEPTHS : level->sea;
    const float cell_units = (float)level->cell,
                steepest = ldexpf(cell_units, min(rules->graded - level->number, 32));
    float softness[SPAN];
    for (int y = block->top; y < block->bottom; y++)
        for (int x = block->left; x < block->right; x += SPAN) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int count = min(SPAN, block->right - x);
            set_softness(level, y, x, x + count, softness);
            if (level->graded)
                set_graded_rates(level->receiver + cell, softness, rules->talus * steepest, count,
                                 level->cut + cell, level->limit + cell);
            else
                set_rates(level->slope + cell, level->receiver + cell, softness,
                          rules->erodibility * level->hillslope.water, rules->talus * cell_units,
                          settled_min(rules), cell_units, count, level->cut + cell, level->limit + cell);
            hold_outlets(level, y, x, x + count);
            set_quarters_above(level->z + cell, lowest, count, level->next + cell, level->spare + cell);
            for (int i = 0; i < count; i++)
                level->flow[cell + (size_t)i] = level->next_flow[cell + (size_t)i] =
                    FLOW_CELL + FALLS_NOWHERE;
        }
}

// --- creep -------------------------------------------------------------------------------------------------

// `coarser`: by how many levels the level is coarser than the last graded one.
KERNEL static void lessen_cut(const float *restrict noise, float coarser, int count, float *restrict cut) {
    for (int i = 0; i < count; i++)
        cut[i] *= 1 - CUT_LESS * clamp(SPREAD * noise[i] - coarser, 0.0f, 1.0f);
}

// `context`: a patch of a level as a level.
static void creep_rows(void *context, int first, int end) {
    const Level *level = context;
    const LandRules *rules = &level->land->rules;
    const int face = level->patches->place.face, coarser = rules->graded - level->number;
    const Int128 columns = (Int128)level->land->root.width << level->number;
    const Int128 rows = rules->planet ? columns : (Int128)level->land->root.height << level->number;
    for (int y = first; y < end; y++)
        for (int x = 0; x < level->width; x += LATTICE_SPAN) {
            const int count = min(LATTICE_SPAN, level->width - x);
            LatticeSpan noise = { 0 };
            for (int last = WIDEST_BITS; last >= LEAST_BITS; last--) {
                const RandomKey key = random_key(rules->seed, CREEP_STREAM + (uint32_t)(last * 8 + face));
                const LatticeNoise octave = { key, last - coarser, columns, rows, rules->planet };
                lattice_add_noise(&octave, level->x + x, level->y + y - face * rows, count, noise);
            }
            lessen_cut(noise + LATTICE_ROOM, (float)coarser, count,
                       level->cut + (size_t)y * (size_t)level->width + (size_t)x);
        }
}

static Status begin_creep(const Level *level) {
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK && level->hillslope.creeps; i++) {
        Level part = level_part(level, &level->patches[i]);
        status = parallel_rows(level->run, part.height, part.width * 1.0, creep_rows, &part);
    }
    return status;
}

// --- one step ----------------------------------------------------------------------------------------------

typedef struct Rates {
    float rounding, uplift; // uplift, relative to erosion
    float graded;           // and that in proportion to the slope
    float creep, lift; // further rounding, and uplift in proportion to the slope, where K is below GRADING
    int32_t lowest;    // in quarters: just above the sea
} Rates;

static Rates rates_of(const Level *level, bool creeping) {
    const LandRules *rules = &level->land->rules;
    const float uplift = rules->uplift * (float)level->cell;
    const bool sea_is_near = level->sea > -HIGHEST / 2 && level->sea < HIGHEST / 2;
    return (Rates){ .rounding = level->hillslope.rounding / 16,
                    .uplift = !level->graded && rules->erodibility > 0 ? uplift / rules->erodibility : 0,
                    .graded = level->graded,
                    .creep =
                        creeping ? (ROUNDEST - level->hillslope.rounding) / (16 * CUT_LESS * GRADING) : 0,
                    .lift = creeping ? LIFT : 0,
                    .lowest = sea_is_near ? 4 * (level->sea + 1) : INT32_MIN };
}

typedef struct Cells { // pointers into a row, to the same cell
    const int32_t *above, *row, *below, *fall;
    const int32_t *direction;
    const float *cut, *limit, *root, *slope;
    int32_t *result;
} Cells;

// Computes the power of the accumulated flow, which drives erosion, and the new flow direction.
KERNEL static void turn_graded_flow(const int32_t *restrict direction, const float *restrict powers,
                                    int count, uint16_t *restrict flow, float *restrict power) {
    for (int i = 0; i < count; i++) {
        const int32_t drained = flow[i] / FLOW_CELL;
        power[i] = powers[drained];
        flow[i] = (uint16_t)(drained * FLOW_CELL + direction[i]);
    }
}

// The same, of the square root.
KERNEL static void turn_flow(const int32_t *restrict direction, int count, uint16_t *restrict flow,
                             float *restrict root) {
    for (int i = 0; i < count; i++) {
        const int32_t drained = flow[i] / FLOW_CELL;
        root[i] = sqrtf((float)drained);
        flow[i] = (uint16_t)(drained * FLOW_CELL + direction[i]);
    }
}

KERNEL_INLINE void cut_all(const Cells *cells, Rates rates, bool creeping, int count) {
    const int32_t *restrict above = cells->above, *restrict row = cells->row, *restrict below = cells->below;
    const int32_t *restrict falls = cells->fall;
    const int32_t *restrict direction = cells->direction;
    const float *restrict cut = cells->cut, *restrict limit = cells->limit, *restrict root = cells->root,
                          *restrict slope = cells->slope;
    int32_t *restrict result = cells->result;
    for (int i = 0; i < count; i++) {
        const uint32_t v = (uint32_t)row[i];
        const float own_limit = limit[i], own_cut = cut[i], aslant = (float)(direction[i] & 1);
        const int32_t around = (int32_t)((uint32_t)row[i - 1] + (uint32_t)row[i + 1] + (uint32_t)above[i] +
                                         (uint32_t)below[i] - 4 * v);
        const float rate = own_cut * root[i] * (1 - (1 - ESKER_DIAGONAL) * aslant);
        const float less = own_cut < CUT_LEAST ? 0 : GRADING - own_cut; // less: ground that edits hold
        const float crept = creeping ? less * ((float)around * rates.creep + slope[i] * rates.lift) : 0;
        const float moves =
            (float)around * rates.rounding + (rates.uplift + rates.graded * slope[i]) * own_cut + crept;
        const float rise = (float)falls[i] + (own_limit < 0 ? 0.0f : moves);
        const float holds = fabsf(own_limit) * (1 + (1 / ESKER_DIAGONAL - 1) * aslant);
        const float eroded = rise / (1 + rate);
        const float eased = holds + 0.25f * (eroded - holds);
        const float bounded = min(eroded, eased);
        const float height = max(bounded, 1.0f); // below 2^30, as falls are below 2^29
        const uint32_t up = (uint32_t)whole_unchecked(height + 0.5f);
        const int32_t moved = (int32_t)(v + 4 * (up - (uint32_t)falls[i]));
        const int32_t above_sea = max(moved, rates.lowest);
        result[i] = own_limit == 0 ? (int32_t)v : above_sea;
    }
}

KERNEL static void cut_cells(const Cells *cells, Rates rates, int count) {
    cut_all(cells, rates, false, count);
}

KERNEL static void cut_creeping_cells(const Cells *cells, Rates rates, int count) {
    cut_all(cells, rates, true, count);
}

enum { DRY = -1 };

// The cells that streams drain into.
static void find_receivers(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        level->fresh[k] = receiver < NEIGHBOURS ? (int)towards(level, cell, receiver) : DRY;
    }
}

// Finds the falls and the flow of a span of row y. Streams fall towards their receiver and use the area of
// two cells.
static void find_row(const Level *level, int y, int first, int end, int32_t *fall, int32_t *direction) {
    const int32_t *z = level->next;
    const int start = y * level->width;
    find_falls(z + start + first, level->width, end - first, fall, direction);
    gather_flow(level->flow + start + first, level->width, end - first, level->next_flow + start + first);
    const Streams streams = streams_between(level, y, first, end);
    for (int k = streams.first; k < streams.end; k++) {
        const int cell = level->streams[k], receiver = level->fresh[k], x = cell - start;
        if (receiver == DRY)
            continue;
        level->next_flow[cell] = 2 * FLOW_CELL;
        direction[x - first] = level->receiver[cell];
        fall[x - first] = difference(z[cell], z[receiver]) / 4;
    }
}

// A stream retreats more slowly than the cliff that it falls over, which crumbles from all sides, and would
// be left on a wall: it sinks to the free ground beside and behind it, not to that towards its receiver.
static void sink_beside(const Level *level, size_t cell, size_t receiver) {
    const int32_t bed = level->next[receiver], own = difference(level->spare[cell], bed);
    int32_t lowest = own;
    for (int turn = 2; turn <= 6; turn++) {
        const size_t beside = towards(level, cell, (level->receiver[cell] + turn) & 7);
        const int32_t ground = difference(level->next[beside], bed);
        lowest = level->receiver[beside] == LAND_NONE ? min(lowest, ground) : lowest;
    }
    lowest = max(lowest, 4 * gentlest_fall(level, cell));
    level->spare[cell] = sum(bed, min(lowest, own));
}

static void sink_row_beside(const Level *level, int y, int first, int end) {
    const Streams streams = streams_between(level, y, first, end);
    for (int k = streams.first; k < streams.end; k++)
        if (level->fresh[k] != DRY && !is_outlet(level, (size_t)level->streams[k]))
            sink_beside(level, (size_t)level->streams[k], (size_t)level->fresh[k]);
}

// Flow follows the directions of the round before, so that a cell reads only its neighbours.
static void take_step(const Level *level, const Region *block, Rates rates) {
    const bool cliffs = level->land->rules.hardness > 0 && !level->hillslope.soil;
    const ptrdiff_t width = level->width;
    int32_t fall[SPAN];
    int32_t direction[SPAN];
    float root[SPAN];
    for (int y = block->top; y < block->bottom; y++) {
        const Columns land = land_between(level, y, block->left, block->right);
        for (int x = land.first; x < land.end; x += SPAN) {
            const int end = min(x + SPAN, land.end);
            const size_t cell = (size_t)y * (size_t)width + (size_t)x;
            const int32_t *z = level->next + cell;
            find_row(level, y, x, end, fall, direction);
            const Cells cells = { z - width,           z,
                                  z + width,           fall,
                                  direction,           level->cut + cell,
                                  level->limit + cell, root,
                                  level->slope + cell, level->spare + cell };
            if (level->graded)
                turn_graded_flow(direction, level->land->law->power, end - x, level->next_flow + cell, root);
            else
                turn_flow(direction, end - x, level->next_flow + cell, root);
            if (rates.creep > 0)
                cut_creeping_cells(&cells, rates, end - x);
            else
                cut_cells(&cells, rates, end - x);
            if (cliffs)
                sink_row_beside(level, y, x, end);
        }
    }
}

static void erode_block(const Level *level, const Region *block) {
    take_step(level, block, rates_of(level, false));
}

static void creep_block(const Level *level, const Region *block) {
    take_step(level, block, rates_of(level, true));
}

// What free ground has lost, at most 16 cells, replaces the quarters.
KERNEL static void take_quarters(int32_t *restrict z, const uint8_t *restrict receiver,
                                 int32_t *restrict lost, int32_t most, int count) {
    for (int i = 0; i < count; i++) {
        const int32_t before = z[i], after = lost[i] >> 2;
        z[i] = receiver[i] == LAND_SEA ? before : after;
        lost[i] = receiver[i] == LAND_NONE ? clamp(difference(before, after), -most, most) : 0;
    }
}

static void end_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left;
        take_quarters(level->z + cell, level->receiver + cell, level->next + cell, STEEPEST * level->cell,
                      block->right - block->left);
    }
}

Status erode(Level *level) {
    Status status = level_begin(level, 1, begin_block);
    if (status == STATUS_OK)
        status = begin_creep(level);
    if (status == STATUS_OK)
        status = hold_edits(level);
    if (status == STATUS_OK)
        status = level_step_streams(level, 0, find_receivers);
    const int rounds = level->hillslope.erosions, creeping = level->hillslope.creeps ? rounds - SETTLING : 0;
    if (status == STATUS_OK && creeping > 0)
        status = level_rounds(level, creeping, EROSION_REACH, 2, LEVEL_NEXT | LEVEL_FLOW, creep_block);
    if (status == STATUS_OK)
        status =
            level_rounds(level, rounds - creeping, EROSION_REACH, 2, LEVEL_NEXT | LEVEL_FLOW, erode_block);
    return status == STATUS_OK ? level_begin(level, 0.5, end_block) : status;
}
