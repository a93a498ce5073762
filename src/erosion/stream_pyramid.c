#include "erosion/stream_pyramid.h"

#include "core/field.h"
#include "core/math.h"
#include "core/random.h"
#include "erosion/stream_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- refinement --------------------------------------------------------------------------------------------

// From a level of stream erosion to the next finer one.

// --- heights ---------------------------------------------------------------------------------------------

typedef struct Refining {
    const StreamLevel *fine, *coarse;
    const StreamRule *rule;
} Refining;

typedef struct Corners { // the coarse cells around a fine one, the nearest first
    size_t at[4];
} Corners;

static Corners corners_of(const PaddedGrid *grid, int x, int y) {
    const int near_x = x / 2, near_y = y / 2;
    const int far_x = neighbour_at(near_x + (x & 1 ? 1 : -1), grid->width, grid->wraps);
    const int far_y = neighbour_at(near_y + (y & 1 ? 1 : -1), grid->height, grid->wraps);
    return (Corners){ { padded_at(grid, near_x, near_y), padded_at(grid, far_x, near_y),
                        padded_at(grid, near_x, far_y), padded_at(grid, far_x, far_y) } };
}

// How much a fine cell's own detail lasts: what is left of a height at F of a cell into which nothing drains.
static float kept_at(const StreamLevel *fine, const StreamRule *rule, size_t cell) {
    const float mask = fine->mask ? fine->mask[cell] : 1, rain = fine->rain ? fine->rain[cell] : 1;
    return 1 / (1 + rule->power * mask * sqrtf(rain));
}

static void refine_rows(void *context, int first, int end) {
    static const float weights[] = { 9.0f / 16, 3.0f / 16, 3.0f / 16, 1.0f / 16 };
    const Refining *between = context;
    const StreamLevel *fine = between->fine, *coarse = between->coarse;
    const PaddedGrid *grid = &fine->tree.grid;
    const float sea = coarse->lowest;
    for (int y = first; y < end; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = padded_at(grid, x, y);
            const Corners corners = corners_of(&coarse->tree.grid, x, y);
            float ground = 0, start = 0;
            for (int i = 0; i < 4; i++) {
                ground += weights[i] * coarse->ground[corners.at[i]];
                start += weights[i] * max(coarse->start[corners.at[i]], sea);
            }
            const float own = fine->start[cell];
            const float detail = kept_at(fine, between->rule, cell) * (own - start);
            fine->flow[cell] = 0; // of what has been led through the cell: see carve
            fine->tree.order[cell] = NOT_A_CELL;
            fine->ground[cell] = own > STREAM_SEA ? ground + detail : fine->lowest;
        }
}

// --- streams ---------------------------------------------------------------------------------------------

typedef struct FineCell {
    int x, y;
} FineCell;

typedef struct Carving {
    const StreamLevel *fine, *coarse;
    RandomKey key;
} Carving;

// The one of the four fine cells through which a coarse cell's stream runs. Where it leaves over the border,
// one of those on the border: an outlet inside would be a pit.
static FineCell fine_cell_of(const Carving *carving, size_t cell) {
    const PaddedGrid *fine = &carving->fine->tree.grid, *coarse = &carving->coarse->tree.grid;
    const int x = (int)(cell % padded_stride(coarse)) - 1, y = (int)(cell / padded_stride(coarse)) - 1;
    const uint32_t bits = random_bits(carving->key, (uint32_t)x, (uint32_t)y);
    int right = (int)(bits & 1), lower = (int)(bits >> 1 & 1);
    if (is_outlet(&carving->coarse->tree, cell) && !coarse->wraps) {
        right = x == 0 ? 0 : x == coarse->width - 1 ? 1 : right;
        lower = y == 0 ? 0 : y == coarse->height - 1 ? 1 : lower;
    }
    return (FineCell){ min(2 * x + right, fine->width - 1), min(2 * y + lower, fine->height - 1) };
}

// By how much `to` lies beyond `from`, the short way round where edges meet.
static int way(int from, int to, int count, bool wraps) {
    const int straight = to - from;
    if (!wraps)
        return straight;
    return 2 * straight > count ? straight - count : 2 * straight < -count ? straight + count : straight;
}

typedef struct Line { // between two places
    FineCell from;
    int x, y, steps; // to the other
    float high, low;
    double drained; // how many cells drain along it
} Line;

static FineCell place_on(const PaddedGrid *grid, const Line *line, int step) {
    return (FineCell){ wrap(line->from.x + line->x * step / line->steps, grid->width),
                       wrap(line->from.y + line->y * step / line->steps, grid->height) };
}

// Lowers the cells of a line and leads water along it, unless more drains along another line through the
// cell: those of the fine rows `first` … `end` - 1. More drains along each line than along those that end
// where it begins, so water is not led round in circles.
static void carve(const StreamLevel *fine, const Line *line, int first, int end) {
    const PaddedGrid *grid = &fine->tree.grid;
    for (int i = 0; i < line->steps; i++) {
        const FineCell place = place_on(grid, line, i);
        if (place.y < first || place.y >= end)
            continue;
        const size_t cell = padded_at(grid, place.x, place.y);
        const float height = lerp(line->high, line->low, (float)i / (float)line->steps);
        fine->ground[cell] = min(fine->ground[cell], height);
        if (line->drained <= fine->flow[cell])
            continue;
        const FineCell next = place_on(grid, line, i + 1);
        const bool diagonal = place.x != next.x && place.y != next.y;
        fine->flow[cell] = line->drained;
        fine->tree.order[cell] = (uint32_t)(2 * padded_at(grid, next.x, next.y)) | diagonal;
    }
}

// What the streams of coarse row y carve into these fine rows.
static void carve_row(const Carving *carving, int y, int first, int end) {
    const StreamLevel *fine = carving->fine, *coarse = carving->coarse;
    const PaddedGrid *grid = &fine->tree.grid;
    for (int x = 0; x < coarse->tree.grid.width; x++) {
        const size_t cell = padded_at(&coarse->tree.grid, x, y), to = receiver_of(&coarse->tree, cell);
        const FineCell from = fine_cell_of(carving, cell), end_at = fine_cell_of(carving, to);
        Line line = { .from = from, .high = coarse->ground[cell], .low = coarse->ground[to] };
        line.drained = drained_cells(coarse, cell);
        line.x = way(from.x, end_at.x, grid->width, grid->wraps);
        line.y = way(from.y, end_at.y, grid->height, grid->wraps);
        line.steps = max(max(abs(line.x), abs(line.y)), 1);
        carve(fine, &line, first, end);
    }
}

enum { CARVED_ROWS = 32 }; // coarse ones of a band

// Each band takes what comes into its rows from those of its neighbours, too.
static void carve_bands(void *context, int first, int end) {
    const Carving *carving = context;
    const PaddedGrid *grid = &carving->coarse->tree.grid;
    for (int band = first; band < end; band++) {
        const int top = band * CARVED_ROWS, bottom = min(top + CARVED_ROWS, grid->height);
        if (grid->wraps && bottom == grid->height)
            carve_row(carving, 0, 2 * top, 2 * bottom);
        for (int y = max(top - 1, 0); y < min(bottom + 1, grid->height); y++)
            carve_row(carving, y, 2 * top, 2 * bottom);
        if (grid->wraps && top == 0)
            carve_row(carving, grid->height - 1, 2 * top, 2 * bottom);
    }
}

// Streams keep their way on the finer level, where bilinear heights would dam them up.
static Status carve_streams(const Run *run, const StreamLevel *fine, const StreamLevel *coarse) {
    const PaddedGrid *grid = &coarse->tree.grid;
    Carving carving = { fine, coarse, random_key((uint64_t)fine->tree.grid.width, 2) };
    return parallel_rows(run, (grid->height + CARVED_ROWS - 1) / CARVED_ROWS,
                         (double)grid->width * CARVED_ROWS * 25, carve_bands, &carving);
}

// Sets the ground of `fine` to the eroded one of `coarse`, with what is left of its own detail, and the
// receivers that it keeps (see drainage_tree_find) to the ways of all coarse streams. Uses its flow.
static Status stream_refine(const Run *run, const StreamLevel *fine, const StreamLevel *coarse,
                            const StreamRule *rule) {
    const PaddedGrid *grid = &fine->tree.grid;
    Refining between = { fine, coarse, rule };
    const Status status = parallel_rows(run, grid->height, grid->width * 6.0, refine_rows, &between);
    return status == STATUS_OK ? carve_streams(run, fine, coarse) : status;
}

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
