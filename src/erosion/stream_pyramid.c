#include "erosion/stream_pyramid.h"

#include "core/math.h"
#include "erosion/hillslopes.h"
#include "erosion/lake_fill.h"
#include "erosion/stream_refine.h"

// --- down ------------------------------------------------------------------------------------------------

typedef struct Fill {
    StreamLevel *level;
    const StreamInput *input;
} Fill;

// The original height stands in `ground` meanwhile.
static void fill_rows(void *context, int first, int end) {
    const Fill *fill = context;
    const StreamInput *input = fill->input;
    const StreamLevel *level = fill->level;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(&level->tree.grid, 0, y);
        const float *height = field_row(input->height, y);
        const float *uplift = input->uplift_map ? field_row(input->uplift_map, y) : NULL;
        for (int x = 0; x < input->height->width; x++) {
            level->ground[at + (size_t)x] = height[x];
            level->start[at + (size_t)x] = height[x] + input->uplift * (uplift ? uplift[x] : 1);
            if (level->mask)
                level->mask[at + (size_t)x] = field_row(input->mask, y)[x];
            if (level->rain)
                level->rain[at + (size_t)x] = field_row(input->rain, y)[x];
        }
    }
}

typedef struct Between { // two levels
    const StreamLevel *fine;
    StreamLevel *coarse;
} Between;

// The mean of the cells that a coarser one covers.
static float mean_at(const PaddedGrid *fine, const float *cells, int x, int y) {
    const int left = 2 * x, right = min(left + 1, fine->width - 1);
    const int top = 2 * y, bottom = min(top + 1, fine->height - 1);
    const float upper = cells[padded_at(fine, left, top)] + cells[padded_at(fine, right, top)];
    const float lower = cells[padded_at(fine, left, bottom)] + cells[padded_at(fine, right, bottom)];
    return 0.25f * (upper + lower);
}

static void coarsen_rows(void *context, int first, int end) {
    const Between *between = context;
    const StreamLevel *fine = between->fine, *coarse = between->coarse;
    const PaddedGrid *from = &fine->tree.grid, *to = &coarse->tree.grid;
    for (int y = first; y < end; y++)
        for (int x = 0; x < to->width; x++) {
            const size_t cell = padded_at(to, x, y);
            coarse->ground[cell] = mean_at(from, fine->ground, x, y);
            coarse->start[cell] = mean_at(from, fine->start, x, y);
            if (coarse->mask)
                coarse->mask[cell] = mean_at(from, fine->mask, x, y);
            if (coarse->rain)
                coarse->rain[cell] = mean_at(from, fine->rain, x, y);
        }
}

Status stream_pyramid_create(const Run *run, StreamPyramid *pyramid, const StreamInput *input, Error *error) {
    enum { COARSEST = 16 };
    PaddedGrid grid = { input->height->width, input->height->height, input->wraps };
    *pyramid = (StreamPyramid){ 0 };
    for (float side = (float)field_side(input->height);; side *= 0.5f) {
        StreamLevel *level = &pyramid->levels[pyramid->count++];
        Status status = stream_level_create(level, grid, input->mask != NULL, input->rain != NULL, error);
        if (status != STATUS_OK)
            return status;
        level->side = side;
        Fill fill = { level, input };
        Between between = { .fine = pyramid->count > 1 ? level - 1 : NULL, .coarse = level };
        status = pyramid->count == 1
                     ? parallel_rows(run, grid.height, grid.width * 2.0, fill_rows, &fill)
                     : parallel_rows(run, grid.height, grid.width * 6.0, coarsen_rows, &between);
        if (status != STATUS_OK || max(grid.width, grid.height) <= COARSEST)
            return status;
        grid = (PaddedGrid){ (grid.width + 1) / 2, (grid.height + 1) / 2, grid.wraps };
    }
}

void stream_pyramid_free(StreamPyramid *pyramid) {
    for (int i = 0; i < pyramid->count; i++)
        stream_level_free(&pyramid->levels[i]);
}

static float lowest_of(const StreamLevel *level) {
    const PaddedGrid *grid = &level->tree.grid;
    float lowest = FLT_MAX;
    for (int y = 0; y < grid->height; y++) {
        const float *row = level->ground + padded_at(grid, 0, y);
        for (int x = 0; x < grid->width; x++)
            lowest = min(row[x], lowest);
    }
    return lowest;
}

static void flood_rows(void *context, int first, int end) {
    StreamLevel *level = context;
    for (int y = first; y < end; y++) {
        const size_t from = padded_at(&level->tree.grid, 0, y), to = from + (size_t)level->tree.grid.width;
        for (size_t i = from; i < to; i++) {
            const bool wet = level->has_sea && level->ground[i] < level->lowest;
            level->start[i] = wet ? STREAM_SEA : level->start[i];
            level->ground[i] = wet ? level->lowest : level->start[i];
        }
    }
}

Status stream_pyramid_flood(const Run *run, StreamPyramid *pyramid, const StreamRule *rule) {
    Status status = STATUS_OK;
    for (int i = 0; i < pyramid->count && status == STATUS_OK; i++) {
        StreamLevel *level = &pyramid->levels[i];
        const PaddedGrid *grid = &level->tree.grid;
        const float lowest = lowest_of(level);
        level->has_sea = lowest < rule->sea_level;
        level->lowest = max(lowest, rule->sea_level);
        status = parallel_rows(run, grid->height, grid->width * 1.0, flood_rows, level);
    }
    return status;
}

// --- up --------------------------------------------------------------------------------------------------

static int rounds_of(const StreamPyramid *pyramid, int level) {
    static const int rounds[] = { 20, 16, 12, 9, 7, 5, 2 };
    return rounds[clamp(pyramid->count - 1 - level, 0, 6)];
}

// Sediment settles in the last round of all: it would make streams change their way from round to round.
static Status erode_once(const Run *run, StreamLevel *level, const StreamRule *rule, bool last,
                         Error *error) {
    StreamRule bare = *rule;
    bare.deposition = bare.floor = 0;
    Status status = stream_level_round(run, level, last ? rule : &bare, error);
    if (status == STATUS_OK && last)
        status = lakes_fill(run, level, rule->deposition, error);
    if (status == STATUS_OK && last)
        status = hillslopes_slide(run, level, rule->talus);
    return status == STATUS_OK ? hillslopes_round(run, level, rule->rounding) : status;
}

Status stream_pyramid_erode(const Run *run, StreamPyramid *pyramid, const StreamRule *rule, Error *error) {
    Status status = STATUS_OK;
    double done = 0, total = 0;
    for (int i = 0; i < pyramid->count; i++)
        total += rounds_of(pyramid, i) * (double)padded_count(&pyramid->levels[i].tree.grid);
    for (int i = pyramid->count - 1; i >= 0 && status == STATUS_OK; i--) {
        StreamLevel *level = &pyramid->levels[i];
        const int rounds = rounds_of(pyramid, i);
        if (i + 1 < pyramid->count) {
            status = stream_refine(run, level, level + 1, rule);
            stream_level_free(level + 1);
        }
        for (int round = 0; round < rounds && status == STATUS_OK; round++) {
            status = run_advance(run, done, total);
            done += (double)padded_count(&level->tree.grid);
            if (status == STATUS_OK)
                status = erode_once(run, level, rule, i == 0 && round + 1 == rounds, error);
        }
    }
    return status;
}
