#include "erosion/stream_refine.h"

#include "core/field.h"
#include "core/math.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

// --- heights ---------------------------------------------------------------------------------------------

typedef struct Between {
    const StreamLevel *fine, *coarse;
    const StreamRule *rule;
} Between;

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
    const Between *between = context;
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
            fine->ground[cell] = own > STREAM_SEA ? ground + detail : fine->lowest;
        }
}

// --- streams ---------------------------------------------------------------------------------------------

typedef struct FineCell {
    int x, y;
} FineCell;

// The one of the four fine cells through which a coarse cell's stream runs.
static FineCell fine_cell_of(const PaddedGrid *fine, RandomKey key, int x, int y) {
    const uint32_t bits = random_bits(key, (uint32_t)x, (uint32_t)y);
    return (FineCell){ min(2 * x + (int)(bits & 1), fine->width - 1),
                       min(2 * y + (int)(bits >> 1 & 1), fine->height - 1) };
}

// By how much `to` lies beyond `from`, the short way round where edges meet.
static int way(int from, int to, int count, bool wraps) {
    const int straight = to - from;
    if (!wraps)
        return straight;
    return 2 * straight > count ? straight - count : 2 * straight < -count ? straight + count : straight;
}

typedef struct Carving {
    const StreamLevel *fine, *coarse;
    RandomKey key;
} Carving;

// Lowers the cells between two places to a line: those of the fine rows `first` … `end` - 1.
static void carve(const StreamLevel *fine, FineCell from, FineCell to, float high, float low, int first,
                  int end) {
    const PaddedGrid *grid = &fine->tree.grid;
    const int x = way(from.x, to.x, grid->width, grid->wraps),
              y = way(from.y, to.y, grid->height, grid->wraps);
    const int steps = max(max(abs(x), abs(y)), 1);
    for (int i = 0; i < steps; i++) {
        const int row = wrap(from.y + y * i / steps, grid->height);
        if (row < first || row >= end)
            continue;
        float *ground = fine->ground + padded_at(grid, wrap(from.x + x * i / steps, grid->width), row);
        *ground = min(*ground, lerp(high, low, (float)i / (float)steps));
    }
}

// What the streams of coarse row y carve into these fine rows.
static void carve_row(const Carving *carving, int y, int first, int end) {
    const StreamLevel *fine = carving->fine, *coarse = carving->coarse;
    const PaddedGrid *grid = &coarse->tree.grid;
    for (int x = 0; x < grid->width; x++) {
        const size_t cell = padded_at(grid, x, y), to = receiver_of(&coarse->tree, cell);
        if (to == cell)
            continue;
        const int to_x = (int)(to % padded_stride(grid)) - 1, to_y = (int)(to / padded_stride(grid)) - 1;
        carve(fine, fine_cell_of(&fine->tree.grid, carving->key, x, y),
              fine_cell_of(&fine->tree.grid, carving->key, to_x, to_y), coarse->ground[cell],
              coarse->ground[to], first, end);
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

Status stream_refine(const Run *run, const StreamLevel *fine, const StreamLevel *coarse,
                     const StreamRule *rule) {
    const PaddedGrid *grid = &fine->tree.grid;
    Between between = { fine, coarse, rule };
    const Status status = parallel_rows(run, grid->height, grid->width * 6.0, refine_rows, &between);
    return status == STATUS_OK ? carve_streams(run, fine, coarse) : status;
}
