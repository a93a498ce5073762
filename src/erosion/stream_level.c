#include "erosion/stream_level.h"

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
