// One level finer: the order of the steps, and how they are taken.

#include "land/level.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

typedef struct Step {
    const Level *level;
    Region region;
    LevelBlock *block;
    LevelStreams *streams;
} Step;

void level_shrink(Level *level, int reach) {
    Region *region = &level->region;
    region->left += level->ends_left ? 0 : reach;
    region->top += level->ends_top ? 0 : reach;
    region->right -= level->ends_right ? 0 : reach;
    region->bottom -= level->ends_bottom ? 0 : reach;
}

static void do_block(void *context, int first, int end) {
    const Step *step = context;
    const Region block = { step->region.left, step->region.top + first, step->region.right,
                           step->region.top + end };
    step->block(step->level, &block);
}

static Status do_region(const Level *level, const Region *region, double cost_per_cell, LevelBlock *block) {
    Step step = { .level = level, .region = *region, .block = block };
    return parallel_rows(level->run, region->bottom - region->top,
                         (region->right - region->left) * cost_per_cell, do_block, &step);
}

Status level_step(Level *level, int reach, double cost_per_cell, LevelBlock *block) {
    level_shrink(level, reach);
    return do_region(level, &level->region, cost_per_cell, block);
}

Status level_begin(Level *level, double cost_per_cell, LevelBlock *block) {
    const Region *region = &level->region;
    const Region wide = { region->left - level->ends_left, region->top - level->ends_top,
                          region->right + level->ends_right, region->bottom + level->ends_bottom };
    return do_region(level, &wide, cost_per_cell, block);
}

Streams streams_of_row(const Level *level, int y) {
    const int start = y * level->width;
    Streams streams = { level->stream_rows[y], level->stream_rows[y + 1] };
    while (streams.first < streams.end && level->streams[streams.first] - start < level->region.left)
        streams.first++;
    while (streams.end > streams.first && level->streams[streams.end - 1] - start >= level->region.right)
        streams.end--;
    return streams;
}

static void do_streams(void *context, int first, int end) {
    const Step *step = context;
    const Level *level = step->level;
    for (int y = level->region.top + first; y < level->region.top + end; y++) {
        const Streams streams = streams_of_row(level, y);
        step->streams(level, y, streams.first, streams.end);
    }
}

Status level_step_streams(Level *level, int reach, LevelStreams *streams) {
    level_shrink(level, reach);
    const Region *region = &level->region;
    Step step = { .level = level, .streams = streams };
    return parallel_rows(level->run, region->bottom - region->top, (region->right - region->left) * 2.0,
                         do_streams, &step);
}

void list_streams(Level *level) {
    const Region *region = &level->region;
    int count = 0;
    for (int y = 0; y < level->height; y++) {
        level->stream_rows[y] = count;
        if (y < region->top || y >= region->bottom)
            continue;
        const int start = y * level->width;
        for (int x = region->left; x < region->right; x++) {
            const int cell = start + x;
            level->streams[count] = cell;
            count += level->receiver[cell] < NEIGHBOURS && level->area[cell] >= level->hillslope.stream_area;
        }
    }
    level->stream_rows[level->height] = count;
}

// Cells first … end - 1 along an axis with `margin` more on each side, where the land goes on, made even.
static Int128 spread(Int128 *first, int length, Int128 cells, int margin) {
    Int128 end = *first + length + margin;
    end = end > cells ? cells : end;
    *first = *first > margin ? *first - margin : 0;
    *first -= *first & 1;
    return end + (end & 1);
}

static Int128 grid_width(const Land *land, int level) {
    return (Int128)land->root.width << level;
}

static Int128 grid_height(const Land *land, int level) {
    return (Int128)land->root.height << level;
}

static LandWindow with_margin(const Land *land, const LandWindow *wanted, int margin) {
    LandWindow wide = { .x = wanted->x, .y = wanted->y, .level = wanted->level };
    wide.width = (int)(spread(&wide.x, wanted->width, grid_width(land, wide.level), margin) - wide.x);
    wide.height = (int)(spread(&wide.y, wanted->height, grid_height(land, wide.level), margin) - wide.y);
    return wide;
}

LandWindow parent_of(const Land *land, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted, MARGIN);
    const int level = wanted->level - 1;
    const Int128 width = grid_width(land, level), height = grid_height(land, level);
    Int128 left = wide.x / 2 - PARENT_MARGIN, top = wide.y / 2 - PARENT_MARGIN;
    Int128 right = (wide.x + wide.width) / 2 + PARENT_MARGIN,
           bottom = (wide.y + wide.height) / 2 + PARENT_MARGIN;
    left = left < 0 ? 0 : left;
    top = top < 0 ? 0 : top;
    right = right > width ? width : right;
    bottom = bottom > height ? height : bottom;
    return (LandWindow){
        .x = left, .y = top, .width = (int)(right - left), .height = (int)(bottom - top), .level = level
    };
}

static Status allocate(Level *level, Error *error) {
    const size_t n = level->count, rows = (size_t)level->height + 1;
    level->z = memory_new(n, sizeof *level->z, error);
    level->next = memory_new(n, sizeof *level->next, error);
    level->spare = memory_new(n, sizeof *level->spare, error);
    level->area = memory_new(n, sizeof *level->area, error);
    level->receiver = memory_new(n, sizeof *level->receiver, error);
    level->slope = memory_new(n, sizeof *level->slope, error);
    level->streams = memory_new(n + 1, sizeof *level->streams, error);
    level->stream_rows = memory_new(rows, sizeof *level->stream_rows, error);
    level->fresh = memory_new(n, sizeof *level->fresh, error);
    level->rain = memory_new(n, sizeof *level->rain, error);
    level->next_rain = memory_new(n, sizeof *level->next_rain, error);
    level->direction = memory_new(n, sizeof *level->direction, error);
    level->cut = memory_new(n, sizeof *level->cut, error);
    level->limit = memory_new(n, sizeof *level->limit, error);
    const bool all = level->z && level->next && level->spare && level->area && level->receiver &&
                     level->slope && level->streams && level->stream_rows && level->fresh && level->rain &&
                     level->next_rain && level->direction && level->cut && level->limit;
    level->fresh_area = level->limit; // which only erosion wants
    return all ? STATUS_OK : STATUS_MEMORY;
}

static void level_free(Level *level) {
    memory_free(level->z);
    memory_free(level->next);
    memory_free(level->spare);
    memory_free(level->area);
    memory_free(level->receiver);
    memory_free(level->slope);
    memory_free(level->streams);
    memory_free(level->stream_rows);
    memory_free(level->fresh);
    memory_free(level->rain);
    memory_free(level->next_rain);
    memory_free(level->direction);
    memory_free(level->cut);
    memory_free(level->limit);
}

static Level level_of(const Land *land, const Run *run, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted, MARGIN);
    Level level = { .land = land,
                    .run = run,
                    .number = wanted->level,
                    .hillslope = hillslope_of(&land->rules, wanted->level),
                    .x = wide.x,
                    .y = wide.y,
                    .width = wide.width,
                    .height = wide.height,
                    .count = (size_t)wide.width * (size_t)wide.height,
                    .ends_left = wide.x == 0,
                    .ends_top = wide.y == 0,
                    .ends_right = wide.x + wide.width == grid_width(land, wanted->level),
                    .ends_bottom = wide.y + wide.height == grid_height(land, wanted->level) };
    level.region = (Region){ level.ends_left, level.ends_top, level.width - level.ends_right,
                             level.height - level.ends_bottom };
    return level;
}

// Where a stream has left its inherited way, ground is as if it had never been there.
static void restore_ground(const Level *level) {
    for (size_t i = 0; i < level->count; i++)
        if (level->receiver[i] == LAND_NONE)
            level->z[i] = max(level->spare[i], level->sea + 1);
}

static Status from_parent(Level *level, const LandWindow *window, Error *error) {
    Parent parent;
    Status status = parent_open(&parent, level, window, error);
    if (status == STATUS_OK)
        status = upsample(level, &parent, error);
    if (status == STATUS_OK)
        status = draw_coast(level, &parent);
    if (status == STATUS_OK) {
        memcpy(level->spare, level->z, level->count * sizeof *level->z);
        status = inherit_streams(level, &parent, error);
    }
    parent_free(&parent);
    return status;
}

// Pits that are deeper have a way out that is longer than the steps see. The source's own detail may be a
// cell deep; on the eroded ground, half a cell is much, and on soil, which is smooth, a sixteenth.
static Status shape(Level *level) {
    const bool soil = level->hillslope.soil;
    const int32_t cell = soil ? LAND_UNITS_PER_CELL / 8 : LAND_UNITS_PER_CELL;
    Status status = straighten_streams(level);
    if (status == STATUS_OK)
        restore_ground(level);
    if (status == STATUS_OK)
        status = even_streams(level);
    if (status == STATUS_OK)
        status = sink_streams(level);
    if (status == STATUS_OK)
        status = fill_pits(level, FIRST_FILL, level->land->source && !soil ? 8 * cell : cell);
    if (status == STATUS_OK)
        status = lower_feet(level);
    if (status == STATUS_OK)
        status = erode(level);
    if (status == STATUS_OK)
        status = sink_streams(level);
    if (status == STATUS_OK && !soil) // where no divide moves
        status = peel_streams(level);
    if (status == STATUS_OK)
        status = raise_banks(level);
    if (status == STATUS_OK)
        status = fill_pits(level, LAST_FILL, cell / 2);
    return status == STATUS_OK ? drain(level) : status;
}

static void copy_out(const Level *level, LandWindow *window) {
    const size_t width = (size_t)window->width;
    const int left = (int)(window->x - level->x), top = (int)(window->y - level->y);
    window->base = level->base;
    for (int y = 0; y < window->height; y++) {
        const size_t from = (size_t)(top + y) * (size_t)level->width + (size_t)left, to = (size_t)y * width;
        memcpy(window->altitude + to, level->z + from, width * sizeof *level->z);
        memcpy(window->area + to, level->area + from, width * sizeof *level->area);
        memcpy(window->receiver + to, level->receiver + from, width);
    }
}

Status level_compute(const Land *land, const Run *run, const LandWindow *parent, const LandWindow *wanted,
                     LandWindow *window, Error *error) {
    Level level = level_of(land, run, wanted);
    *window = (LandWindow){ .x = wanted->x,
                            .y = wanted->y,
                            .width = wanted->width,
                            .height = wanted->height,
                            .level = wanted->level };
    Status status = allocate(&level, error);
    if (status == STATUS_OK)
        status = from_parent(&level, parent, error);
    if (status == STATUS_OK)
        status = shape(&level);
    if (status == STATUS_OK)
        status = window_create(window, error);
    if (status == STATUS_OK)
        copy_out(&level, window);
    level_free(&level);
    return status;
}
