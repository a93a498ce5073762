#include "erosion/stream_refine.h"

#include "core/field.h"
#include "core/math.h"
#include "core/random.h"

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

static void refine_rows(void *context, int first, int end) {
    static const float weights[] = { 9.0f / 16, 3.0f / 16, 3.0f / 16, 1.0f / 16 };
    const Between *between = context;
    const StreamLevel *fine = between->fine, *coarse = between->coarse;
    const PaddedGrid *grid = &fine->tree.grid;
    const float sea = coarse->lowest, kept = 1 / (1 + between->rule->power);
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
            fine->ground[cell] = own > STREAM_SEA ? ground + kept * (own - start) : fine->lowest;
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

// Lowers the cells between two places to a line.
static void carve(const StreamLevel *fine, FineCell from, FineCell to, float high, float low) {
    const PaddedGrid *grid = &fine->tree.grid;
    const int x = way(from.x, to.x, grid->width, grid->wraps),
              y = way(from.y, to.y, grid->height, grid->wraps);
    const int steps = max(max(abs(x), abs(y)), 1);
    for (int i = 0; i < steps; i++) {
        const size_t cell = padded_cell(grid, wrap(from.x + x * i / steps, grid->width),
                                        wrap(from.y + y * i / steps, grid->height));
        float *ground = fine->ground + cell;
        *ground = min(*ground, lerp(high, low, (float)i / (float)steps));
    }
}

// Streams keep their way on the finer level, where bilinear heights would dam them up.
static void carve_streams(const StreamLevel *fine, const StreamLevel *coarse) {
    const PaddedGrid *grid = &coarse->tree.grid;
    const RandomKey key = random_key((uint64_t)fine->tree.grid.width, 2);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = padded_at(grid, x, y), to = receiver_of(&coarse->tree, cell);
            if (to == cell)
                continue;
            const int to_x = (int)(to % padded_stride(grid)) - 1, to_y = (int)(to / padded_stride(grid)) - 1;
            carve(fine, fine_cell_of(&fine->tree.grid, key, x, y),
                  fine_cell_of(&fine->tree.grid, key, to_x, to_y), coarse->ground[cell], coarse->ground[to]);
        }
}

Status stream_refine(const Run *run, const StreamLevel *fine, const StreamLevel *coarse,
                     const StreamRule *rule) {
    const PaddedGrid *grid = &fine->tree.grid;
    Between between = { fine, coarse, rule };
    const Status status = parallel_rows(run, grid->height, grid->width * 6.0, refine_rows, &between);
    if (status == STATUS_OK)
        carve_streams(fine, coarse);
    return status;
}
