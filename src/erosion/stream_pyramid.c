#include "erosion/stream_pyramid.h"

#include "core/math.h"
#include "erosion/hillslopes.h"
#include "erosion/stream_refine.h"

#include <string.h>

// --- uplift ------------------------------------------------------------------------------------------------

typedef struct Rise {
    StreamLevel *level;
    const StreamInput *input;
    const float *base;
    float uplift;
} Rise;

static void rise_rows(void *context, int first, int end) {
    const Rise *rise = context;
    const StreamInput *input = rise->input;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(&rise->level->tree.grid, 0, y);
        const float *base = rise->base ? rise->base + at : field_row(input->height, y);
        const float *map = input->uplift_map ? field_row(input->uplift_map, y) : NULL;
        float *start = rise->level->start + at;
        for (int x = 0; x < input->height->width; x++)
            if (start[x] > STREAM_SEA)
                start[x] = base[x] + rise->uplift * (map ? map[x] : 1);
    }
}

Status stream_level_raise(const Run *run, StreamLevel *level, const StreamInput *input, const float *base,
                          float time) {
    Rise rise = { level, input, base, input->uplift * time };
    return parallel_rows(run, input->height->height, input->height->width * 1.0, rise_rows, &rise);
}

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
    const size_t row = (size_t)input->height->width * sizeof *level->start;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(&level->tree.grid, 0, y);
        memcpy(level->ground + at, field_row(input->height, y), row);
        memset(level->start + at, 0, row); // land, until it is flooded
        if (level->mask)
            memcpy(level->mask + at, field_row(input->mask, y), row);
        if (level->rain)
            memcpy(level->rain + at, field_row(input->rain, y), row);
    }
}

static Status fill(const Run *run, StreamLevel *level, const StreamInput *input, const StreamRule *rule) {
    Fill fill = { level, input };
    const Status status =
        parallel_rows(run, input->height->height, input->height->width * 1.0, fill_rows, &fill);
    return status == STATUS_OK ? stream_level_raise(run, level, input, NULL, rule->time) : status;
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

// Adds coarser levels until the last has few cells.
static Status coarsen(const Run *run, StreamPyramid *pyramid, Error *error) {
    enum { COARSEST = 16 };
    for (;;) {
        StreamLevel *coarse = &pyramid->levels[pyramid->count], *fine = coarse - 1;
        PaddedGrid grid = fine->tree.grid;
        if (max(grid.width, grid.height) <= COARSEST)
            return STATUS_OK;
        grid.width = (grid.width + 1) / 2;
        grid.height = (grid.height + 1) / 2;
        pyramid->count++;
        Status status = stream_level_create(coarse, grid, fine->mask != NULL, fine->rain != NULL, error);
        if (status != STATUS_OK)
            return status;
        coarse->side = 0.5f * fine->side;
        Between between = { fine, coarse };
        status = parallel_rows(run, grid.height, grid.width * 6.0, coarsen_rows, &between);
        if (status != STATUS_OK)
            return status;
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

static Status flood(const Run *run, StreamLevel *level, float sea_level) {
    const PaddedGrid *grid = &level->tree.grid;
    const float lowest = lowest_of(level);
    level->has_sea = lowest < sea_level;
    level->lowest = max(lowest, sea_level);
    return parallel_rows(run, grid->height, grid->width * 1.0, flood_rows, level);
}

Status stream_pyramid_create(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                             const StreamRule *rule, Error *error) {
    const Field *height = input->height;
    const PaddedGrid grid = { height->width, height->height, input->wraps };
    *pyramid = (StreamPyramid){ .count = 1 };
    StreamLevel *finest = &pyramid->levels[0];
    Status status = stream_level_create(finest, grid, input->mask != NULL, input->rain != NULL, error);
    finest->side = (float)field_side(height);
    if (status == STATUS_OK)
        status = fill(run, finest, input, rule);
    return status == STATUS_OK ? flood(run, finest, rule->sea_level) : status;
}

static Status make_levels(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                          const StreamRule *rule, Error *error) {
    Status status = fill(run, &pyramid->levels[0], input, rule);
    if (status == STATUS_OK)
        status = coarsen(run, pyramid, error);
    for (int i = 0; i < pyramid->count && status == STATUS_OK; i++)
        status = flood(run, &pyramid->levels[i], rule->sea_level);
    return status;
}

// --- up --------------------------------------------------------------------------------------------------

static int rounds_of(const StreamPyramid *pyramid, int level) {
    static const int rounds[] = { 20, 14, 10, 6, 4, 2 };
    return rounds[clamp(pyramid->count - 1 - level, 0, 5)];
}

static Status erode_once(const Run *run, StreamLevel *level, const StreamRule *rule, bool keeps,
                         Error *error) {
    Status status = stream_level_drain(run, level, rule, keeps, error);
    if (status == STATUS_OK)
        status = stream_level_erode(run, level, rule);
    return status == STATUS_OK ? hillslopes_round(run, level, rule->rounding) : status;
}

Status stream_pyramid_drain(const Run *run, StreamPyramid *pyramid, const StreamInput *input,
                            const StreamRule *rule, Error *error) {
    Status status = make_levels(run, pyramid, input, rule, error);
    double done = 0, total = 0;
    for (int i = 0; i < pyramid->count; i++)
        total += rounds_of(pyramid, i) * (double)padded_count(&pyramid->levels[i].tree.grid);
    for (int i = pyramid->count - 1; i >= 0 && status == STATUS_OK; i--) {
        StreamLevel *level = &pyramid->levels[i];
        const bool refined = i + 1 < pyramid->count;
        const int rounds = rounds_of(pyramid, i);
        if (refined) {
            status = stream_refine(run, level, level + 1, rule);
            stream_level_free(level + 1);
        }
        for (int round = 0; round < rounds && status == STATUS_OK; round++) {
            const bool keeps = refined && round == 0;
            status = run_advance(run, done, total);
            done += (double)padded_count(&level->tree.grid);
            if (status == STATUS_OK && i == 0 && round + 1 == rounds)
                status = stream_level_drain(run, level, rule, keeps, error);
            else if (status == STATUS_OK)
                status = erode_once(run, level, rule, keeps, error);
        }
    }
    return status;
}
