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

Status stream_refine(const Run *run, const StreamLevel *fine, const StreamLevel *coarse,
                     const StreamRule *rule) {
    const PaddedGrid *grid = &fine->tree.grid;
    Between between = { fine, coarse, rule };
    const Status status = parallel_rows(run, grid->height, grid->width * 6.0, refine_rows, &between);
    return status == STATUS_OK ? carve_streams(run, fine, coarse) : status;
}
