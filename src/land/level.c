// One level finer: the order of the steps, and how they are taken.

#include "land/level.h"

#include "core/math.h"
#include "core/memory.h"

#include <assert.h>
#include <string.h>

typedef struct Step {
    const Level *level;
    Region region;
    LevelBlock *block;
    LevelStreams *streams;
} Step;

// On a planet all that the arrays hold is made: what is not right does not reach what is wanted.
void level_shrink(Level *level, int reach) {
    Region *region = &level->region;
    if (level->seams)
        return;
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
    const Region *region = &level->region, all = { 0, 0, level->width, level->height };
    const Region wide = { region->left - level->ends_left, region->top - level->ends_top,
                          region->right + level->ends_right, region->bottom + level->ends_bottom };
    return do_region(level, level->seams ? &all : &wide, cost_per_cell, block);
}

// --- rounds ------------------------------------------------------------------------------------------------

// Round k + 1 of a row needs round k of those within reach, and writes over round k - 1. So the rows are done
// band by band, each round a reach behind the one before. Threads share them by parts. Where two parts meet,
// the upper one ends higher with each round and the lower one begins lower; what is left between them, a
// wedge, is done afterwards.
enum {
    BAND = 16,       // rows
    PART_ROWS = 192, // at the least
};

typedef struct Rounds {
    Level *level;
    Region region; // before the first round
    int rounds, reach, parts;
    LevelBlock *block;
} Rounds;

static void swap_arrays(Level *level) {
    int32_t *const next = level->next;
    level->next = level->spare;
    level->spare = next;
    uint16_t *const flow = level->flow;
    level->flow = level->next_flow;
    level->next_flow = flow;
}

// The region of a round, of its rows those from `top` to `bottom` - 1.
static void do_round(const Rounds *rounds, int round, int top, int bottom) {
    Level level = *rounds->level;
    if (round & 1)
        swap_arrays(&level);
    level.region = rounds->region;
    level_shrink(&level, (round + 1) * rounds->reach);
    const Region *region = &level.region;
    const Region block = { region->left, max(top, region->top), region->right, min(bottom, region->bottom) };
    if (block.top < block.bottom && block.left < block.right)
        rounds->block(&level, &block);
}

static int part_top(const Rounds *rounds, int part) {
    const int rows = rounds->region.bottom - rounds->region.top;
    return rounds->region.top + (int)((int64_t)rows * part / rounds->parts);
}

static void do_part(const Rounds *rounds, int part) {
    const int top = part_top(rounds, part), bottom = part_top(rounds, part + 1), reach = rounds->reach;
    const bool first = part == 0, last = part == rounds->parts - 1;
    const int behind = (rounds->rounds - 1) * reach;
    for (int end = top + BAND; end - BAND < bottom + behind; end += BAND)
        for (int round = 0; round < rounds->rounds; round++) {
            const int narrower = round * reach, from = end - BAND - narrower, to = end - narrower;
            do_round(rounds, round, max(from, first ? top : top + narrower),
                     min(to, last ? bottom : bottom - narrower));
        }
}

static void do_parts(void *context, int first, int end) {
    for (int part = first; part < end; part++)
        do_part(context, part);
}

static void do_wedges(void *context, int first, int end) {
    const Rounds *rounds = context;
    for (int wedge = first; wedge < end; wedge++) {
        const int middle = part_top(rounds, wedge + 1);
        for (int round = 1; round < rounds->rounds; round++)
            do_round(rounds, round, middle - round * rounds->reach, middle + round * rounds->reach);
    }
}

// On a planet each round ends with an exchange.
static Status round_by_round(Level *level, int rounds, int reach, double cost_per_cell, unsigned arrays,
                             LevelBlock *block) {
    Status status = STATUS_OK;
    for (int round = 0; round < rounds && status == STATUS_OK; round++) {
        status = level_step(level, reach, cost_per_cell, block);
        swap_arrays(level);
        level_exchange(level, arrays);
    }
    return status;
}

Status level_rounds(Level *level, int rounds, int reach, double cost_per_cell, unsigned arrays,
                    LevelBlock *block) {
    if (level->seams)
        return round_by_round(level, rounds, reach, cost_per_cell, arrays, block);
    const Region *region = &level->region;
    const int rows = region->bottom - region->top, least = max((int)PART_ROWS, 2 * rounds * reach);
    Rounds all = { level, *region, rounds, reach, max(rows / least, 1), block };
    const double cells = (double)(region->right - region->left) * rows / all.parts;
    const double cost_per_part = cells * rounds * cost_per_cell;
    Status status = parallel_rows(level->run, all.parts, cost_per_part, do_parts, &all);
    if (status == STATUS_OK)
        status = parallel_rows(level->run, all.parts - 1, cost_per_part / 4, do_wedges, &all);
    level_shrink(level, rounds * reach);
    if (rounds & 1)
        swap_arrays(level);
    return status;
}

// -----------------------------------------------------------------------------------------------------------

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

static LandWindow with_margin(const Land *land, const LandWindow *wanted) {
    const Hillslope form = hillslope_of(&land->rules, wanted->level);
    const int margin = margin_of(&form);
    LandWindow wide = { .x = wanted->x, .y = wanted->y, .level = wanted->level };
    wide.width = (int)(spread(&wide.x, wanted->width, grid_width(land, wide.level), margin) - wide.x);
    wide.height = (int)(spread(&wide.y, wanted->height, grid_height(land, wide.level), margin) - wide.y);
    return wide;
}

int margin_of(const Hillslope *form) {
    const int fewer = FIRST_FILL - form->first_fill + EROSIONS - form->erosions + LAST_FILL - form->last_fill;
    const int laid =
        form->deposits ? 0 : FALL_REACH + DEPOSIT_REACH + AGGRADINGS + MOUTH_REACH + DELTA_REACH + 1;
    return MARGIN - fewer - laid - (form->soil ? PEELINGS + HEADS : FOOT_REACH);
}

LandWindow parent_of(const Land *land, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted);
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
    level->z = cells_new(n, sizeof *level->z, error);
    level->next = cells_new(n, sizeof *level->next, error);
    level->spare = cells_new(n, sizeof *level->spare, error);
    level->area = cells_new(n, sizeof *level->area, error);
    level->receiver = cells_new(n, sizeof *level->receiver, error);
    level->slope = cells_new(n, sizeof *level->slope, error);
    level->streams = cells_new(n + 1, sizeof *level->streams, error);
    level->stream_rows = memory_new(rows, sizeof *level->stream_rows, error);
    level->fresh = cells_new(n, sizeof *level->fresh, error);
    level->flow = cells_new(n, sizeof *level->flow, error);
    level->next_flow = cells_new(n, sizeof *level->next_flow, error);
    level->direction = cells_new(n, sizeof *level->direction, error);
    level->cut = cells_new(n, sizeof *level->cut, error);
    level->limit = cells_new(n, sizeof *level->limit, error);
    const bool all = level->z && level->next && level->spare && level->area && level->receiver &&
                     level->slope && level->streams && level->stream_rows && level->fresh && level->flow &&
                     level->next_flow && level->direction && level->cut && level->limit;
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
    memory_free(level->flow);
    memory_free(level->next_flow);
    memory_free(level->direction);
    memory_free(level->cut);
    memory_free(level->limit);
}

static Level level_of(const Land *land, const Run *run, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted);
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
KERNEL static void restore_ground(int32_t *restrict z, const uint8_t *restrict receiver,
                                  const int32_t *restrict former, int32_t lowest, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int32_t ground = max(former[i], lowest);
        z[i] = receiver[i] == LAND_NONE ? ground : z[i];
    }
}

static Status upsample_patches(Level *level, Parent *parents, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
        Level part = level_part(level, &level->patches[i]);
        status = parent_open(&parents[i], &part, &level->patches[i].parent, error);
        parents[i].offset = parents[0].offset;
        if (status == STATUS_OK)
            status = upsample(&part, &parents[i], error);
        level->base = part.base;
        level->sea = part.sea;
    }
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_SLOPE);
    return status;
}

static Status from_parents(Level *level, Error *error) {
    Parent parents[PATCHES] = { 0 };
    Status status = upsample_patches(level, parents, error);
    if (status == STATUS_OK)
        status = draw_coast(level, parents);
    if (status == STATUS_OK) {
        memcpy(level->spare, level->z, level->count * sizeof *level->z);
        status = inherit_streams(level, parents, error);
    }
    if (status == STATUS_OK)
        status = lay_deltas(level);
    for (int i = 0; i < level->patch_count; i++)
        parent_free(&parents[i]);
    return status;
}

// Pits that are deeper have a way out that is longer than the steps see. The source's own detail may be a
// cell deep; on the eroded ground, half a cell is much, and on soil, which is smooth, a sixteenth.
static Status shape(Level *level) {
    const bool soil = level->hillslope.soil;
    const int32_t cell = soil ? LAND_UNITS_PER_CELL / 8 : LAND_UNITS_PER_CELL;
    Status status = straighten_streams(level);
    if (status == STATUS_OK)
        restore_ground(level->z, level->receiver, level->spare, level->sea + 1, level->count);
    if (status == STATUS_OK)
        status = even_streams(level);
    if (status == STATUS_OK)
        status = sink_streams(level);
    if (status == STATUS_OK)
        status =
            fill_pits(level, level->hillslope.first_fill, level->land->source && !soil ? 8 * cell : cell);
    if (status == STATUS_OK)
        status = lower_feet(level);
    if (status == STATUS_OK)
        status = lay_beaches(level);
    if (status == STATUS_OK)
        status = deposit(level);
    if (status == STATUS_OK)
        status = erode(level);
    if (status == STATUS_OK)
        status = sink_streams(level);
    if (status == STATUS_OK && !soil) // where no divide moves
        status = peel_streams(level);
    if (status == STATUS_OK)
        status = raise_banks(level);
    if (status == STATUS_OK)
        status = fill_pits(level, level->hillslope.last_fill, cell / 2);
    return status == STATUS_OK ? drain(level) : status;
}

static void copy_out(const Level *level, LandWindow *window) {
    const size_t width = (size_t)window->width;
    const int left = (int)(window->x - level->x), top = (int)(window->y - level->y);
    assert(left + level->ends_left >= level->region.left && top + level->ends_top >= level->region.top);
    window->base = level->base;
    for (int y = 0; y < window->height; y++) {
        const size_t from = (size_t)(top + y) * (size_t)level->width + (size_t)left, to = (size_t)y * width;
        memcpy(window->altitude + to, level->z + from, width * sizeof *level->z);
        memcpy(window->area + to, level->area + from, width * sizeof *level->area);
        memcpy(window->receiver + to, level->receiver + from, width);
    }
}

// Makes a level that is set up.
static Status make(Level *level, Error *error) {
    Status status = allocate(level, error);
    if (status == STATUS_OK) {
        memset(level->direction, 0, level->count * sizeof *level->direction);
        status = from_parents(level, error);
    }
    return status == STATUS_OK ? shape(level) : status;
}

Status level_compute(const Land *land, const Run *run, const LandWindow *parent, const LandWindow *wanted,
                     LandWindow *window, Error *error) {
    Level level = level_of(land, run, wanted);
    const Patch patch = { .place = { .x = level.x, .y = level.y, .height = level.height },
                          .parent = *parent };
    level.patches = &patch;
    level.patch_count = 1;
    *window = (LandWindow){ .x = wanted->x,
                            .y = wanted->y,
                            .width = wanted->width,
                            .height = wanted->height,
                            .level = wanted->level };
    Status status = make(&level, error);
    if (status == STATUS_OK)
        status = window_create(window, error);
    if (status == STATUS_OK)
        copy_out(&level, window);
    level_free(&level);
    return status;
}

// --- patches of a planet ----------------------------------------------------------------------------------

// The patch of the window's face.
static const Patch *patch_of(const Level *level, const LandWindow *window) {
    const Patch *patch = level->patches;
    while (patch->place.face != window->face)
        patch++;
    return patch;
}

Status level_compute_patches(const Land *land, const Run *run, int number, const Patch *patches, int count,
                             int width, Int128 side, LandWindow *windows, int window_count, Error *error) {
    const int height = patches[count - 1].place.row + patches[count - 1].place.height;
    Level level = { .land = land,
                    .run = run,
                    .number = number,
                    .hillslope = hillslope_of(&land->rules, number),
                    .width = width,
                    .height = height,
                    .count = (size_t)width * (size_t)height,
                    .region = { GUARD, GUARD, width - GUARD, height - GUARD },
                    .patches = patches,
                    .patch_count = count };
    Seams seams = { 0 }, coarse = { 0 };
    Status status = level_sew(&level, &seams, &coarse, side, error);
    if (status == STATUS_OK)
        status = make(&level, error);
    for (int i = 0; i < window_count && status == STATUS_OK; i++) {
        const Patch *patch = patch_of(&level, &windows[i]);
        const Level part = level_part(&level, patch);
        status = window_create(&windows[i], error);
        if (status == STATUS_OK)
            copy_out(&part, &windows[i]);
    }
    level_free(&level);
    seams_free(&seams);
    seams_free(&coarse);
    return status;
}
