// How steps of a level are taken: over a region, in rounds, along streams.

#include "land/level.h"

#include "core/math.h"

#include <string.h>

typedef struct Step {
    const Level *level;
    Region region;
    LevelBlock *block;
    LevelStreams *streams;
} Step;

// On a planet the whole arrays are processed; invalid cells are too far away to affect requested ones.
void level_shrink(Level *level, int reach) {
    Region *region = &level->region;
    if (level->seams) {
        level->rim += reach;
        return;
    }
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

// Round k + 1 of a row reads round k of the rows within reach and overwrites round k - 1. So rows are
// processed in bands, each round one reach behind the one before. Threads share the rows in parts. At the
// boundary of two parts, each round ends further inside its part; the wedge left between them is processed
// afterwards.
enum {
    BAND = 16,       // rows
    PART_ROWS = 192, // minimum
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

// The region of a round, limited to rows `top` … `bottom` - 1.
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

static bool is_sea(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

static void find_land_rows(void *context, int first, int end) {
    const Level *level = context;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        Columns land = { 0, level->width };
        while (land.first < land.end && is_sea(level, start + (size_t)land.first))
            land.first++;
        while (land.first < land.end && is_sea(level, start + (size_t)land.end - 1))
            land.end--;
        level->land_columns[y] = land;
    }
}

Status find_land(Level *level) {
    return parallel_rows(level->run, level->height, level->width * 0.5, find_land_rows, level);
}

// The region only shrinks.
Streams streams_of_row(const Level *level, int y) {
    const int start = y * level->width;
    Streams *streams = &level->row_streams[y];
    while (streams->first < streams->end && level->streams[streams->first] - start < level->region.left)
        streams->first++;
    while (streams->end > streams->first && level->streams[streams->end - 1] - start >= level->region.right)
        streams->end--;
    return *streams;
}

// The first stream of the list from `first` to `end` whose cell is `cell` or a later one.
static int stream_from(const Level *level, int first, int end, int cell) {
    while (first < end) {
        const int middle = first + (end - first) / 2;
        if (level->streams[middle] < cell)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

Streams streams_between(const Level *level, int y, int first, int end) {
    const int start = y * level->width, last = level->stream_rows[y + 1];
    const int from = stream_from(level, level->stream_rows[y], last, start + first);
    return (Streams){ from, stream_from(level, from, last, start + end) };
}

Columns columns_by_streams(const Level *level, int y, int reach, int first, int end) {
    Columns near = { end, first };
    for (int row = max(y - reach, 0); row <= min(y + reach, level->height - 1); row++) {
        const int start = row * level->width, from = level->stream_rows[row],
                  to = level->stream_rows[row + 1];
        if (from == to)
            continue;
        near.first = min(near.first, level->streams[from] - start - reach);
        near.end = max(near.end, level->streams[to - 1] - start + reach + 1);
    }
    near.first = max(near.first, first);
    return (Columns){ near.first, max(min(near.end, end), near.first) };
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

enum { MARKS = 512, WORD = 8 }; // cells that are marked at a time, and looked at

typedef struct Listing {
    Level *level;
    LevelMarks *mark;
} Listing;

KERNEL static int count_marks(const uint8_t *marks, int count) {
    int marked = 0;
    for (int i = 0; i < count; i++)
        marked += marks[i];
    return marked;
}

// Rows of the region.
static void count_rows(void *context, int first, int end) {
    const Listing *listing = context;
    const Level *level = listing->level;
    const Region *region = &level->region;
    uint8_t marks[MARKS];
    for (int y = region->top + first; y < region->top + end; y++)
        for (int x = region->left; x < region->right; x += MARKS) {
            const int count = min(MARKS, region->right - x);
            listing->mark(level, (size_t)y * (size_t)level->width + (size_t)x, count, marks);
            level->stream_rows[y] += count_marks(marks, count);
        }
}

// Those of `count` cells from one on; the number of them. There is room for one more.
static int list_marked(const Listing *listing, size_t cell, int count, int *streams) {
    uint8_t marks[MARKS] = { 0 };
    int listed = 0;
    listing->mark(listing->level, cell, count, marks);
    for (int i = 0; i < count; i += WORD) {
        uint64_t any;
        memcpy(&any, marks + i, sizeof any);
        for (int j = i; any && j < i + WORD; j++) {
            streams[listed] = (int)cell + j;
            listed += marks[j];
        }
    }
    return listed;
}

static void list_rows(void *context, int first, int end) {
    const Listing *listing = context;
    const Level *level = listing->level;
    const Region *region = &level->region;
    int listed[MARKS + 1];
    for (int y = region->top + first; y < region->top + end; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        int *streams = level->streams + level->stream_rows[y];
        for (int x = region->left; x < region->right; x += MARKS) {
            const int count = list_marked(listing, start + (size_t)x, min(MARKS, region->right - x), listed);
            memcpy(streams, listed, (size_t)count * sizeof *streams);
            streams += count;
        }
    }
}

Status list_cells(Level *level, LevelMarks *mark) {
    Listing listing = { level, mark };
    const Region *region = &level->region;
    const int rows = region->bottom - region->top, width = region->right - region->left;
    memset(level->stream_rows, 0, ((size_t)level->height + 1) * sizeof *level->stream_rows);
    Status status = parallel_rows(level->run, rows, width * 0.3, count_rows, &listing);
    int count = 0;
    for (int y = 0; y <= level->height; y++) {
        const int own = level->stream_rows[y];
        level->stream_rows[y] = count;
        level->row_streams[y] = (Streams){ count, count + own };
        count += own;
    }
    return status == STATUS_OK ? parallel_rows(level->run, rows, width * 1.0, list_rows, &listing) : status;
}

KERNEL static void mark_large(const uint8_t *restrict receiver, const float *restrict area, float least,
                              int count, uint8_t *restrict marks) {
    for (int i = 0; i < count; i++)
        marks[i] = receiver[i] < NEIGHBOURS && area[i] >= least;
}

static void mark_streams(const Level *level, size_t cell, int count, uint8_t *marks) {
    mark_large(level->receiver + cell, level->area + cell, level->hillslope.stream_area, count, marks);
}

Status list_streams(Level *level) {
    return list_cells(level, mark_streams);
}
