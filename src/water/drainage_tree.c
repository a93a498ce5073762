#include "water/drainage_tree.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "water/basin_graph.h"
#include "water/drainage.h"

static int joined(int bands) {
    return (bands + DRAINAGE_JOINED - 1) / DRAINAGE_JOINED;
}

static void join_tiers(DrainageTree *tree) {
    tree->tiers[0] = (DrainageTier){ .bands = tree->bands, .count = tree->band_count };
    for (tree->tier_count = 1; tree->tiers[tree->tier_count - 1].count > 1; tree->tier_count++) {
        const DrainageTier *low = &tree->tiers[tree->tier_count - 1];
        DrainageTier *high = &tree->tiers[tree->tier_count];
        *high = (DrainageTier){ .bands = low->bands + low->count, .count = joined(low->count) };
        for (int i = 0; i < high->count; i++) {
            const int last = min((i + 1) * DRAINAGE_JOINED, low->count) - 1;
            high->bands[i].first = low->bands[i * DRAINAGE_JOINED].first;
            high->bands[i].end = low->bands[last].end;
        }
    }
}

static Status bands_create(DrainageTree *tree, Error *error) {
    enum { CELLS = 1 << 16, ROWS = 64 }; // at least
    const PaddedGrid *grid = &tree->grid;
    const int rows = min(max(CELLS / grid->width, ROWS), grid->height);
    tree->band_count = (grid->height + rows - 1) / rows;
    int all = tree->band_count;
    for (int count = tree->band_count; count > 1; all += count)
        count = joined(count);
    tree->bands = memory_new_zeroed((size_t)all, sizeof *tree->bands, error);
    if (!tree->bands)
        return STATUS_MEMORY;
    for (int i = 0; i < tree->band_count; i++) {
        const size_t first = padded_at(grid, -1, i * rows);
        const size_t end = padded_at(grid, -1, min((i + 1) * rows, grid->height));
        tree->bands[i] = (DrainageBand){ .first = first, .end = end, .cells = tree->order + first };
    }
    join_tiers(tree);
    return STATUS_OK;
}

Status drainage_tree_create(DrainageTree *tree, PaddedGrid grid, Error *error) {
    *tree = (DrainageTree){ .grid = grid };
    const size_t count = padded_count(&grid);
    if (count > (size_t)INT32_MAX)
        return fail(error, STATUS_INVALID, "%d × %d cells are too many to drain: at most 2^31", grid.width,
                    grid.height);
    tree->receiver = memory_new_zeroed(count, sizeof *tree->receiver, error);
    tree->order = tree->receiver ? memory_new(count, sizeof *tree->order, error) : NULL;
    tree->donors = tree->order ? memory_new(count, 1, error) : NULL;
    return tree->donors ? bands_create(tree, error) : STATUS_MEMORY;
}

void drainage_tree_free(DrainageTree *tree) {
    memory_free(tree->receiver);
    memory_free(tree->order);
    memory_free(tree->donors);
    memory_free(tree->bands);
    for (int i = 0; i < tree->tier_count; i++)
        memory_free(tree->tiers[i].cells);
}

// --- receivers -------------------------------------------------------------------------------------------

typedef struct Draw {
    DrainageTree *tree;
    const float *ground;
    float sea, scale;
    bool keeps;
    RandomKey key;
} Draw;

KERNEL_INLINE float attraction_of(float own, float other, float nearness) {
    const float slope = max((own - other) * nearness, 0);
    return (slope * slope) * (slope * slope);
}

// Row y, whose first cell is `first`.
KERNEL static void draw_row(const float *restrict up, const float *restrict row, const float *restrict down,
                            uint32_t *restrict receiver, uint32_t first, int width, int y, float sea,
                            float scale, RandomKey key) {
    const float straight = scale, diagonal = ESKER_DIAGONAL * scale;
    const int32_t stride = width + 2;
    for (int x = 0; x < width; x++) {
        const float own = row[x];
        // Sums over the neighbours so far, clockwise from the right.
        const float e = attraction_of(own, row[x + 1], straight);
        const float se = e + attraction_of(own, down[x + 1], diagonal);
        const float s = se + attraction_of(own, down[x], straight);
        const float sw = s + attraction_of(own, down[x - 1], diagonal);
        const float w = sw + attraction_of(own, row[x - 1], straight);
        const float nw = w + attraction_of(own, up[x - 1], diagonal);
        const float n = nw + attraction_of(own, up[x], straight);
        const float all = n + attraction_of(own, up[x + 1], diagonal);
        const float drawn = random_unit(key, (uint32_t)x, (uint32_t)y) * (all * 0.9999999f);
        int32_t to = 2;
        to = drawn >= e ? 2 * (stride + 1) + 1 : to;
        to = drawn >= se ? 2 * stride : to;
        to = drawn >= s ? 2 * (stride - 1) + 1 : to;
        to = drawn >= sw ? -2 : to;
        to = drawn >= w ? 2 * (-stride - 1) + 1 : to;
        to = drawn >= nw ? -2 * stride : to;
        to = drawn >= n ? 2 * (-stride + 1) + 1 : to;
        to = drawn < all && own > sea ? to : 0;
        receiver[x] = 2 * (first + (uint32_t)x) + (uint32_t)to;
    }
}

static void keep_row(const Draw *draw, size_t first) {
    DrainageTree *tree = draw->tree;
    for (size_t i = first; i < first + (size_t)tree->grid.width; i++)
        if (tree->order[i] != NOT_A_CELL && draw->ground[i] > draw->sea)
            tree->receiver[i] = tree->order[i];
}

static void draw_rows(void *context, int first, int end) {
    const Draw *draw = context;
    const PaddedGrid *grid = &draw->tree->grid;
    for (int y = first; y < end; y++) {
        const size_t at = padded_at(grid, 0, y), stride = padded_stride(grid);
        const float *row = draw->ground + at;
        draw_row(row - stride, row, row + stride, draw->tree->receiver + at, (uint32_t)at, grid->width, y,
                 draw->sea, draw->scale, draw->key);
        if (draw->keeps)
            keep_row(draw, at);
    }
}

// What was drawn across an edge lies in the frame.
static void bring_inside(DrainageTree *tree, int x, int y) {
    const PaddedGrid *grid = &tree->grid;
    const size_t stride = padded_stride(grid), cell = padded_at(grid, x, y), to = receiver_of(tree, cell);
    const size_t inside = padded_cell(grid, (int)(to % stride) - 1, (int)(to / stride) - 1);
    tree->receiver[cell] = (uint32_t)(2 * inside) | (tree->receiver[cell] & 1);
}

static void bring_all_inside(DrainageTree *tree) {
    const PaddedGrid *grid = &tree->grid;
    for (int x = 0; x < grid->width; x++) {
        bring_inside(tree, x, 0);
        bring_inside(tree, x, grid->height - 1);
    }
    for (int y = 0; y < grid->height; y++) {
        bring_inside(tree, 0, y);
        bring_inside(tree, grid->width - 1, y);
    }
}

Status drainage_tree_find(const Run *run, DrainageTree *tree, const float *ground, float sea, float scale,
                          bool keeps, Error *error) {
    Draw draw = { tree, ground, sea, scale, keeps, random_key((uint64_t)tree->grid.width, 0) };
    const Status status = parallel_rows(run, tree->grid.height, tree->grid.width * 4.0, draw_rows, &draw);
    if (status != STATUS_OK)
        return status;
    if (tree->grid.wraps)
        bring_all_inside(tree);
    return basin_graph_drain(run, tree, ground, sea, error);
}
