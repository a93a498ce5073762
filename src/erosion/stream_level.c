#include "erosion/stream_level.h"

#include "core/math.h"
#include "core/memory.h"

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
    memory_free(level->load);
    *level = (StreamLevel){ 0 };
}

// --- downstream ------------------------------------------------------------------------------------------

static void begin_sums(void *context, int first, int end) {
    StreamLevel *level = context;
    const PaddedGrid *grid = &level->tree.grid;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(grid, 0, y), to = from + (size_t)grid->width;
        for (size_t i = from; i < to; i++) {
            const bool land = level->start[i] > STREAM_SEA;
            level->flow[i] = level->rain ? (double)level->rain[i] : 1;
            level->load[i] = land ? (double)(level->start[i] - level->ground[i]) : 0;
        }
    }
}

static void accumulate(StreamLevel *level, bool loaded) {
    const DrainageTree *tree = &level->tree;
    for (size_t k = 0; k < tree->count; k++) {
        const size_t cell = tree->order[k], to = receiver_of(tree, cell);
        if (to == cell)
            continue;
        level->flow[to] += level->flow[cell];
        if (loaded)
            level->load[to] += level->load[cell];
    }
}

// --- upstream --------------------------------------------------------------------------------------------

// Beyond the border the land falls to the sea, over this share of the side.
static const float beyond = 0.125f;

typedef struct Below { // what a cell drains to
    float water, room, distance;
} Below;

static Below below_of(const StreamLevel *level, size_t cell) {
    const size_t to = receiver_of(&level->tree, cell);
    if (to == cell)
        return (Below){ level->lowest, 0, beyond * level->side };
    return (Below){ level->water[to], level->room[to], 1 / receiver_nearness(&level->tree, cell) };
}

// The step of one cell, whose receiver has been through it.
static void erode(StreamLevel *level, const StreamRule *rule, size_t cell) {
    const float start = level->start[cell], mask = level->mask ? level->mask[cell] : 1;
    const float head = rule->head * level->side * level->side * (level->rain ? level->rain[cell] : 1);
    const float flow = (float)level->flow[cell], stream = sqrtf(flow), load = (float)level->load[cell];
    const Below below = below_of(level, cell);
    const float settled = flow > 0 ? rule->deposition * max(load, 0) / flow : 0;
    const float before = start + settled, depth = before - below.water;
    const float steepest = rule->talus / level->side * below.distance;
    const float gentle = rule->floor_slope / level->side * below.distance;
    level->room[cell] = max(below.room - below.distance, rule->floor * stream);
    level->ground[cell] = before;
    level->water[cell] = below.water + rule->lake_slope / level->side * below.distance;
    if (start <= STREAM_SEA) {
        level->ground[cell] = level->water[cell] = level->lowest;
    } else if (depth > 0 && mask > 0) {
        const float power = rule->power * mask * sqrtf(max(flow, head)) / below.distance; // F
        const float most = below.room > below.distance ? min(gentle, steepest) : steepest;
        const float rise = min(depth / (1 + power), most / mask);
        level->ground[cell] = level->water[cell] = below.water + rise;
    } else if (depth > 0) {
        level->water[cell] = before;
    }
}

static void erode_all(StreamLevel *level, const StreamRule *rule) {
    for (size_t k = level->tree.count; k > 0; k--)
        erode(level, rule, level->tree.order[k - 1]);
}

// A scale that loses no bit, so that levels of fields of any size draw alike.
static float power_of_two(float number) {
    int exponent;
    frexpf(number, &exponent);
    return ldexpf(1, exponent);
}

Status stream_level_round(const Run *run, StreamLevel *level, const StreamRule *rule, Error *error) {
    const PaddedGrid *grid = &level->tree.grid;
    padded_close(grid, level->ground, FLT_MAX);
    const float outlets = level->has_sea ? level->lowest : -FLT_MAX;
    Status status = drainage_tree_find(run, &level->tree, level->ground, outlets,
                                       power_of_two(level->side / rule->relief), error);
    if (status == STATUS_OK)
        status = parallel_rows(run, grid->height, grid->width * 1.0, begin_sums, level);
    if (status != STATUS_OK)
        return status;
    drainage_tree_sort(&level->tree);
    accumulate(level, rule->deposition > 0);
    erode_all(level, rule);
    return STATUS_OK;
}
