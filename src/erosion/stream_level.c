#include "erosion/stream_level.h"

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/drainage_tree.h"

#include <math.h>

Status stream_level_create(StreamLevel *level, PaddedGrid grid, bool masked, bool rained, Error *error) {
    *level = (StreamLevel){ 0 };
    const Status status = drainage_tree_create(&level->tree, grid, error);
    if (status != STATUS_OK)
        return status;
    const size_t count = padded_count(&grid);
    float **const arrays[] = { &level->start,
                               &level->ground,
                               &level->water,
                               &level->room,
                               masked ? &level->mask : NULL,
                               rained ? &level->rain : NULL };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i] && !(*arrays[i] = memory_new(count, sizeof(float), error)))
            return STATUS_MEMORY;
    level->flow = memory_new(count, sizeof *level->flow, error);
    level->load = level->flow ? memory_new(count, sizeof *level->load, error) : NULL;
    if (level->load && rained && !(level->cells = memory_new(count, sizeof *level->cells, error)))
        return STATUS_MEMORY;
    return level->load ? STATUS_OK : STATUS_MEMORY;
}

void stream_level_free(StreamLevel *level) {
    drainage_tree_free(&level->tree);
    memory_free(level->start);
    memory_free(level->mask);
    memory_free(level->rain);
    memory_free(level->ground);
    memory_free(level->water);
    memory_free(level->room);
    memory_free(level->flow);
    memory_free(level->cells);
    memory_free(level->load);
    *level = (StreamLevel){ 0 };
}

// --- downstream ------------------------------------------------------------------------------------------

static void begin_flow(void *context, int first, int end) {
    StreamLevel *level = context;
    const PaddedGrid *grid = &level->tree.grid;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(grid, 0, y), to = from + (size_t)grid->width;
        for (size_t i = from; i < to; i++) {
            level->flow[i] = level->rain ? (double)level->rain[i] : 1;
            if (level->cells)
                level->cells[i] = 1;
        }
    }
}

static void begin_load(void *context, int first, int end) {
    StreamLevel *level = context;
    const PaddedGrid *grid = &level->tree.grid;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(grid, 0, y), to = from + (size_t)grid->width;
        for (size_t i = from; i < to; i++) {
            const bool land = level->start[i] > STREAM_SEA;
            level->load[i] = land ? (double)max(level->start[i] - level->ground[i], 0) : 0;
        }
    }
}

static void accumulate_flow(void *context, const uint32_t *cells, size_t count) {
    const StreamLevel *level = context;
    for (size_t k = 0; k < count; k++) {
        const size_t cell = cells[k], to = receiver_of(&level->tree, cell);
        if (to == cell)
            continue;
        level->flow[to] += level->flow[cell];
        if (level->cells)
            level->cells[to] += level->cells[cell];
    }
}

static void accumulate_load(void *context, const uint32_t *cells, size_t count) {
    const StreamLevel *level = context;
    for (size_t k = 0; k < count; k++) {
        const size_t cell = cells[k], to = receiver_of(&level->tree, cell);
        if (to != cell)
            level->load[to] += level->load[cell];
    }
}

// --- upstream --------------------------------------------------------------------------------------------

// Beyond the border the land falls to the sea, over this share of the side.
static const float beyond = 0.125f;

typedef struct Erosion {
    const StreamLevel *level;
    const StreamRule *rule;
    float head, steepest, gentle, lake; // an area in cells; slopes in heights per cell
    bool settles;                       // whether there are sediment and valley floors
} Erosion;

typedef struct Below { // what a cell drains to
    float water, room, distance;
} Below;

static Below below_of(const Erosion *erosion, size_t cell) {
    const StreamLevel *level = erosion->level;
    const size_t to = receiver_of(&level->tree, cell);
    if (to == cell)
        return (Below){ level->lowest, 0, beyond * level->side };
    return (Below){ level->water[to], erosion->settles ? level->room[to] : 0,
                    1 / receiver_nearness(&level->tree, cell) };
}

// Half the width of the floor that a cell's own stream makes, in cells.
static float own_floor(const Erosion *erosion, size_t cell) {
    return erosion->rule->floor * sqrtf((float)erosion->level->flow[cell]);
}

// Whether a cell lies on the floor of a valley, beside its stream. The stream itself keeps its slope: whether
// its floor is wider than a cell depends on the resolution.
static bool on_floor(const Erosion *erosion, size_t cell, Below below) {
    return below.room > below.distance && own_floor(erosion, cell) <= 1;
}

// What settles on a cell. Finds how wide its valley's floor is.
static float settle(const Erosion *erosion, size_t cell, Below below) {
    const StreamLevel *level = erosion->level;
    const float load = (float)level->load[cell], cells = (float)drained_cells(level, cell);
    level->room[cell] = max(below.room - below.distance, own_floor(erosion, cell));
    return erosion->rule->deposition * load / cells;
}

// The step of one cell, whose receiver has been through it.
static inline void erode(const Erosion *erosion, size_t cell) {
    const StreamLevel *level = erosion->level;
    const float start = level->start[cell], mask = level->mask ? level->mask[cell] : 1;
    const float head = erosion->head * (level->rain ? level->rain[cell] : 1);
    const Below below = below_of(erosion, cell);
    const float before = start + (erosion->settles ? settle(erosion, cell, below) : 0);
    const float depth = before - below.water;
    level->ground[cell] = before;
    level->water[cell] = below.water + erosion->lake * below.distance;
    if (start <= STREAM_SEA) {
        level->ground[cell] = level->water[cell] = level->lowest;
    } else if (depth > 0 && mask > 0) {
        const float flow = max((float)level->flow[cell], head);
        const float power = erosion->rule->power * mask * sqrtf(flow) / below.distance; // F
        const float steepest = erosion->steepest * below.distance, gentle = erosion->gentle * below.distance;
        const float most = on_floor(erosion, cell, below) ? min(gentle, steepest) : steepest;
        const float rise = min(depth / (1 + power), most / mask);
        level->ground[cell] = level->water[cell] = below.water + rise;
    } else if (depth > 0) {
        level->water[cell] = before;
    }
}

static void erode_cells(void *context, const uint32_t *cells, size_t count) {
    const Erosion *erosion = context;
    for (size_t k = count; k > 0; k--)
        erode(erosion, cells[k - 1]);
}

// A scale that loses no bit, so that levels of fields of any size draw alike.
static float power_of_two(float number) {
    int exponent;
    frexpf(number, &exponent);
    return ldexpf(1, exponent);
}

Status stream_level_drain(const Run *run, StreamLevel *level, const StreamRule *rule, bool keeps,
                          Error *error) {
    const PaddedGrid *grid = &level->tree.grid;
    padded_close(grid, level->ground, FLT_MAX);
    const float outlets = level->has_sea ? level->lowest : -FLT_MAX;
    Status status = drainage_tree_find(run, &level->tree, level->ground, outlets,
                                       power_of_two(level->side / rule->relief), keeps, error);
    if (status == STATUS_OK)
        status = drainage_order_find(run, &level->tree, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 0.5, begin_flow, level);
    return status == STATUS_OK ? drainage_order_down(run, &level->tree, 4, accumulate_flow, level) : status;
}

// Receivers that lie lower are kept.
static void keep_rows(void *context, int first, int end) {
    StreamLevel *level = context;
    DrainageTree *tree = &level->tree;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&tree->grid, 0, y), to = from + (size_t)tree->grid.width;
        for (size_t i = from; i < to; i++)
            tree->order[i] =
                level->ground[receiver_of(tree, i)] < level->ground[i] ? tree->receiver[i] : NOT_A_CELL;
    }
}

Status stream_level_drain_again(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error) {
    const Status status =
        parallel_rows(run, level->tree.grid.height, level->tree.grid.width * 1.0, keep_rows, level);
    return status == STATUS_OK ? stream_level_drain(run, level, rule, true, error) : status;
}

Status stream_level_load(const Run *run, StreamLevel *level) {
    const PaddedGrid *grid = &level->tree.grid;
    const Status status = parallel_rows(run, grid->height, grid->width * 1.0, begin_load, level);
    return status == STATUS_OK ? drainage_order_down(run, &level->tree, 4, accumulate_load, level) : status;
}

static Status erode_all(const Run *run, StreamLevel *level, const StreamRule *rule, bool settles) {
    Erosion erosion = { .level = level,
                        .rule = rule,
                        .head = rule->head * level->side * level->side,
                        .steepest = rule->talus / level->side,
                        .gentle = rule->floor_slope / level->side,
                        .lake = rule->lake_slope / level->side,
                        .settles = settles };
    return drainage_order_up(run, &level->tree, 20, erode_cells, &erosion);
}

Status stream_level_erode(const Run *run, StreamLevel *level, const StreamRule *rule) {
    return erode_all(run, level, rule, false);
}

Status stream_level_settle(const Run *run, StreamLevel *level, const StreamRule *rule) {
    if (rule->deposition <= 0)
        return STATUS_OK;
    const Status status = stream_level_load(run, level);
    return status == STATUS_OK ? erode_all(run, level, rule, true) : status;
}

// --- hillslopes --------------------------------------------------------------------------------------------

// --- crests ----------------------------------------------------------------------------------------------

typedef struct Rounding {
    const StreamLevel *level;
    float strength;
} Rounding;

// How far a crest stands over the mean of its neighbours. Rows begin one cell to the left.
KERNEL_INLINE float crest(const float *restrict above, const float *restrict row, const float *restrict below,
                          ptrdiff_t x) {
    const float beside = (row[x] + row[x + 2]) + (above[x + 1] + below[x + 1]);
    const float corners = (above[x] + below[x + 2]) + (above[x + 2] + below[x]);
    const float mean = beside * (1.0f / 6) + corners * (1.0f / 12);
    return max(row[x + 1] - mean, 0.0f);
}

KERNEL static void round_crests_alike(const float *restrict above, const float *restrict row,
                                      const float *restrict below, float strength, int count,
                                      float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] = row[x + 1] - strength * crest(above, row, below, x);
}

KERNEL static void round_masked_crests(const float *restrict above, const float *restrict row,
                                       const float *restrict below, const float *restrict mask,
                                       float strength, int count, float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] = row[x + 1] - strength * mask[x] * crest(above, row, below, x);
}

static void round_crests(void *context, int first, int end) {
    const Rounding *rounding = context;
    const StreamLevel *level = rounding->level;
    const PaddedGrid *grid = &level->tree.grid;
    const size_t stride = padded_stride(grid);
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(grid, 0, y);
        const float *row = level->ground + at - 1;
        if (level->mask)
            round_masked_crests(row - stride, row, row + stride, level->mask + at, rounding->strength,
                                grid->width, level->water + at);
        else
            round_crests_alike(row - stride, row, row + stride, rounding->strength, grid->width,
                               level->water + at);
    }
}

Status hillslopes_round(const Run *run, StreamLevel *level, float strength) {
    enum { PASSES = 3 };
    const PaddedGrid *grid = &level->tree.grid;
    Rounding rounding = { level, strength };
    Status status = STATUS_OK;
    for (int i = 0; i < PASSES && status == STATUS_OK; i++) {
        padded_extend(grid, level->ground);
        status = parallel_rows(run, grid->height, grid->width * 0.6, round_crests, &rounding);
        float *swap = level->ground;
        level->ground = level->water;
        level->water = swap;
    }
    return status;
}

// --- talus -----------------------------------------------------------------------------------------------

#define DIAGONAL 1.41421356f

// How far a cell may stand above another, which stood lower by `fall` before the ground was cut.
KERNEL_INLINE float cut_rise(float most, float bank, float fall) {
    return min(most, bank + max(fall, 0.0f));
}

// How high a cell may stand for its neighbour at an offset; `ease`: how easily it slides.
static inline float stable_above(const Slope *slope, size_t cell, ptrdiff_t offset, float ease,
                                 float distance) {
    const size_t other = (size_t)((ptrdiff_t)cell + offset);
    const float most = slope->most / ease * distance, bank = slope->bank / ease * distance;
    const float rise = slope->uncut ? cut_rise(most, bank, slope->uncut[cell] - slope->uncut[other]) : most;
    return slope->heights[other] + rise;
}

// Lowers a cell to what may stand above its neighbours at `offsets`: two beside it, two at corners.
static inline bool slide(const Slope *slope, size_t cell, const ptrdiff_t offsets[4]) {
    float *own = slope->heights + cell;
    const float ease = slope->mask ? slope->mask[cell] : 1;
    if (ease <= 0)
        return false;
    const float beside =
        min(stable_above(slope, cell, offsets[0], ease, 1), stable_above(slope, cell, offsets[1], ease, 1));
    const float at_corner = min(stable_above(slope, cell, offsets[2], ease, DIAGONAL),
                                stable_above(slope, cell, offsets[3], ease, DIAGONAL));
    const float stable = min(beside, at_corner);
    const float limit = slope->least ? max(stable, slope->least[cell]) : stable;
    const bool slides = *own > limit;
    *own = slides ? limit : *own;
    return slides;
}

// Slopes slide until none is too steep, which leaves each cell as low as the lowest way to it allows: the
// same ground in whatever order cells slide. So bands of rows slide on their own: every second one, then
// those between, and again where a band beside them has slid.
enum { BANDS_MAX = 256, BAND_ROWS = 64, SWEEPS_MAX = 16 }; // rows: at least

typedef struct SlidingBand {
    bool waits, slid; // whether cells may have become too steep; whether some have slid
} SlidingBand;

typedef struct Slide {
    const Slope *slope;
    int band_rows, count, parity;
    SlidingBand bands[BANDS_MAX];
} Slide;

// Whether one of some cells may be too steep above its neighbours in the row `other`, or the one at `beside`:
// with a mask, not all are that are found.
KERNEL static bool may_slide(const float *restrict row, const float *restrict other, ptrdiff_t beside,
                             float most, int count) {
    uint32_t any = 0;
    for (int x = 0; x < count; x++) {
        const float straight = min(row[x + beside], other[x]), corner = min(other[x - 1], other[x + 1]);
        any |= row[x] > min(straight + most, corner + most * DIAGONAL);
    }
    return any != 0;
}

// The same where ground was cut.
KERNEL static bool may_cave_in(const float *restrict row, const float *restrict other,
                               const float *restrict uncut, const float *restrict uncut_other,
                               ptrdiff_t beside, float most, float bank, int count) {
    const float most_aslant = most * DIAGONAL, bank_aslant = bank * DIAGONAL;
    uint32_t any = 0;
    for (int x = 0; x < count; x++) {
        const float own = uncut[x];
        const float straight = min(row[x + beside] + cut_rise(most, bank, own - uncut[x + beside]),
                                   other[x] + cut_rise(most, bank, own - uncut_other[x]));
        const float aslant = min(other[x - 1] + cut_rise(most_aslant, bank_aslant, own - uncut_other[x - 1]),
                                 other[x + 1] + cut_rise(most_aslant, bank_aslant, own - uncut_other[x + 1]));
        any |= row[x] > min(straight, aslant);
    }
    return any != 0;
}

// Whether some of `count` cells from one on may have to slide.
static bool may_move(const Slope *slope, size_t cell, ptrdiff_t other, ptrdiff_t beside, int count) {
    const float *row = slope->heights + cell;
    if (!slope->uncut)
        return may_slide(row, row + other, beside, slope->most, count);
    const float *uncut = slope->uncut + cell;
    return may_cave_in(row, row + other, uncut, uncut + other, beside, slope->most, slope->bank, count);
}

// One sweep over a row, from the left or from the right. Most pieces of it stand still.
static bool slide_row(const Slope *slope, int y, ptrdiff_t step) {
    enum { PIECE = 64 };
    const PaddedGrid *grid = slope->grid;
    const ptrdiff_t other = step * (ptrdiff_t)padded_stride(grid);
    const ptrdiff_t offsets[] = { step, other, other + step, other - step };
    const size_t row = padded_at(grid, 0, y);
    const int pieces = (grid->width + PIECE - 1) / PIECE;
    bool slid = false;
    for (int i = 0; i < pieces; i++) {
        const int left = (step < 0 ? i : pieces - 1 - i) * PIECE, count = min(PIECE, grid->width - left);
        if (!may_move(slope, row + (size_t)left, other, step, count))
            continue;
        for (int k = 0; k < count; k++) {
            const int x = left + (step < 0 ? k : count - 1 - k);
            slid = slide(slope, row + (size_t)x, offsets) || slid;
        }
    }
    return slid;
}

static bool slide_rows(const Slope *slope, int first, int end) {
    bool slid = false;
    for (int y = first; y < end; y++)
        slid = slide_row(slope, y, -1) || slid;
    for (int y = end - 1; y >= first; y--)
        slid = slide_row(slope, y, 1) || slid;
    return slid;
}

static void slide_bands(void *context, int first, int end) {
    Slide *down = context;
    for (int i = first; i < end; i++) {
        SlidingBand *band = &down->bands[2 * i + down->parity];
        const int row = (2 * i + down->parity) * down->band_rows;
        const int below = min(row + down->band_rows, down->slope->grid->height);
        bool slides = band->waits;
        band->slid = false;
        for (int sweep = 0; sweep < SWEEPS_MAX && slides; sweep++) {
            slides = slide_rows(down->slope, row, below);
            band->slid = band->slid || slides;
        }
        band->waits = slides || (band->slid && down->slope->grid->wraps); // its ends meet
    }
}

static void wake(Slide *down, int band) {
    const bool inside = band >= 0 && band < down->count;
    if (inside || down->slope->grid->wraps)
        down->bands[wrap(band, down->count)].waits = true;
}

// After every second band has slid: those beside it have to.
static void wake_bands(Slide *down) {
    for (int i = down->parity; i < down->count; i += 2)
        if (down->bands[i].slid) {
            wake(down, i - 1);
            wake(down, i + 1);
        }
}

static bool any_waits(const Slide *down) {
    bool any = false;
    for (int i = 0; i < down->count; i++)
        any = any || down->bands[i].waits;
    return any;
}

Status hillslopes_slide(const Run *run, const Slope *slope) {
    const PaddedGrid *grid = slope->grid;
    Slide down = { .slope = slope };
    down.band_rows = max((grid->height + BANDS_MAX - 1) / BANDS_MAX, BAND_ROWS);
    down.count = (grid->height + down.band_rows - 1) / down.band_rows;
    for (int i = 0; i < down.count; i++)
        down.bands[i].waits = true;
    const double cost = (double)grid->width * down.band_rows * 4;
    Status status = STATUS_OK;
    for (int i = 0; i < 2 * SWEEPS_MAX && any_waits(&down) && status == STATUS_OK; i++) {
        down.parity = i % 2;
        padded_extend(grid, slope->heights);
        status = parallel_rows(run, (down.count + 1 - down.parity) / 2, cost, slide_bands, &down);
        wake_bands(&down);
    }
    return status;
}

Status stream_level_slide(const Run *run, const StreamLevel *level, const StreamRule *rule) {
    const Slope slope = { .grid = &level->tree.grid,
                          .heights = level->ground,
                          .mask = level->mask,
                          .most = rule->talus / level->side,
                          .uncut = level->start,
                          .bank = rule->bank / level->side };
    padded_extend(slope.grid, level->start);
    return hillslopes_slide(run, &slope);
}
