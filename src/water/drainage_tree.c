#include "water/drainage_tree.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "water/drainage.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// --- a grid with a border ----------------------------------------------------------------------------------

static size_t nearest_cell(const PaddedGrid *grid, int x, int y) {
    return padded_at(grid, clamp(x, 0, grid->width - 1), clamp(y, 0, grid->height - 1));
}

// `beyond` NULL: the nearest cells.
static void frame_at(const PaddedGrid *grid, float *cells, int x, int y, const float *beyond) {
    const size_t from = grid->wraps ? padded_cell(grid, x, y) : nearest_cell(grid, x, y);
    cells[padded_at(grid, x, y)] = beyond && !grid->wraps ? *beyond : cells[from];
}

static void frame(const PaddedGrid *grid, float *cells, const float *beyond) {
    const int width = grid->width, height = grid->height;
    for (int x = -1; x <= width; x++) {
        frame_at(grid, cells, x, -1, beyond);
        frame_at(grid, cells, x, height, beyond);
    }
    for (int y = 0; y < height; y++) {
        frame_at(grid, cells, -1, y, beyond);
        frame_at(grid, cells, width, y, beyond);
    }
}

void padded_close(const PaddedGrid *grid, float *cells, float beyond) {
    frame(grid, cells, &beyond);
}

void padded_extend(const PaddedGrid *grid, float *cells) {
    frame(grid, cells, NULL);
}

// --- passes between pits -----------------------------------------------------------------------------------

// Pits drain over their lowest pass (Cordonnier, Bovy and Braun 2019, "A versatile, linear complexity
// algorithm for flow routing in topographies with depressions"): cells that drain into the same pit are a
// basin; basins are joined over their passes, the lowest first, until all drain to an outlet; within a basin
// the way from the pass to the pit is turned around.

enum { DRAINED }; // the label of all that drains to an outlet; the basins of other pits count from 1

typedef struct Pass {
    float height;
    uint32_t from;        // a cell
    uint32_t to_diagonal; // its neighbour in another basin, as in DrainageTree.receiver
} Pass;

typedef struct BasinGraph {
    DrainageTree *tree;
    const float *ground;
    float sea;
    atomic_bool *outlet; // whether some cell drains off
    size_t *rows;        // of each row what it has, then what those above it have
    uint32_t *label;     // of each cell a basin
    uint32_t basins;     // with DRAINED
    uint32_t *part;      // of each basin one that it was joined to, or itself
    uint32_t *best;      // of each basin its lowest pass in this round
    Pass *passes;
    size_t pass_count;
} BasinGraph;

// --- labels ----------------------------------------------------------------------------------------------

// Of a cell whose way leaves its band; with it the first cell in another band. No label has this bit.
#define ELSEWHERE UINT32_C(0x80000000)

static bool drains_off(const BasinGraph *graph, size_t cell, int x, int y) {
    const PaddedGrid *grid = &graph->tree->grid;
    return graph->ground[cell] <= graph->sea || (!grid->wraps && padded_border(grid, x, y));
}

// Labels pits, and counts in each row those that do not drain off.
static void find_pits(void *context, int first, int end) {
    const BasinGraph *graph = context;
    const PaddedGrid *grid = &graph->tree->grid;
    for (int y = first; y < end; y++) {
        size_t pits = 0;
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = padded_at(grid, x, y);
            graph->label[cell] = NOT_A_CELL;
            if (!is_outlet(graph->tree, cell))
                continue;
            const bool off = drains_off(graph, cell, x, y);
            graph->label[cell] = off ? DRAINED : DRAINED + 1;
            pits += !off;
            if (off)
                atomic_store_explicit(graph->outlet, true, memory_order_relaxed);
        }
        graph->rows[y] = pits;
    }
}

// Pits get numbers, row by row.
static void number_pits(void *context, int first, int end) {
    const BasinGraph *graph = context;
    const PaddedGrid *grid = &graph->tree->grid;
    for (int y = first; y < end; y++) {
        uint32_t *row = graph->label + padded_at(grid, 0, y), basin = (uint32_t)graph->rows[y] + DRAINED + 1;
        for (int x = 0; x < grid->width; x++)
            if (row[x] == DRAINED + 1)
                row[x] = basin++;
    }
}

// Where nothing drains off, the lowest cell does: where edges do not meet, that of the border, lest water end
// inside.
static void drain_lowest(const BasinGraph *graph) {
    const PaddedGrid *grid = &graph->tree->grid;
    size_t lowest = padded_at(grid, 0, 0);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = padded_at(grid, x, y);
            const bool lower = graph->ground[cell] < graph->ground[lowest];
            const bool may = grid->wraps ? is_outlet(graph->tree, cell) : padded_border(grid, x, y);
            lowest = may && lower ? cell : lowest;
        }
    graph->label[lowest] = DRAINED;
    graph->tree->receiver[lowest] = (uint32_t)(2 * lowest);
}

// Makes counts of rows the sums of those above; returns that of all.
static size_t add_up_rows(const BasinGraph *graph) {
    size_t sum = 0;
    for (int y = 0; y < graph->tree->grid.height; y++) {
        const size_t own = graph->rows[y];
        graph->rows[y] = sum;
        sum += own;
    }
    return sum;
}

static Status label_pits(const Run *run, BasinGraph *graph) {
    const PaddedGrid *grid = &graph->tree->grid;
    atomic_bool outlet = false;
    graph->outlet = &outlet;
    Status status = parallel_rows(run, grid->height, grid->width * 1.0, find_pits, graph);
    graph->outlet = NULL;
    if (status != STATUS_OK)
        return status;
    graph->basins = (uint32_t)add_up_rows(graph) + 1;
    if (graph->basins > 1)
        status = parallel_rows(run, grid->height, grid->width * 0.5, number_pits, graph);
    if (status == STATUS_OK && !atomic_load(&outlet))
        drain_lowest(graph);
    return status;
}

// Cells get the label of the pit that they drain into, or the place where their way leaves the band.
static void label_bands(void *context, int first, int end) {
    const BasinGraph *graph = context;
    const DrainageTree *tree = graph->tree;
    uint32_t *label = graph->label;
    for (int i = first; i < end; i++) {
        const DrainageBand *band = &tree->bands[i];
        for (size_t row = band->first + 1; row < band->end; row += padded_stride(&tree->grid))
            for (size_t start = row; start < row + (size_t)tree->grid.width; start++) {
                size_t at = start;
                while (in_band(band, at) && label[at] == NOT_A_CELL)
                    at = receiver_of(tree, at);
                const uint32_t found = in_band(band, at) ? label[at] : ELSEWHERE | (uint32_t)at;
                for (at = start; in_band(band, at) && label[at] == NOT_A_CELL; at = receiver_of(tree, at))
                    label[at] = found;
            }
    }
}

// Follows the ways of a row's cells from band to band. Whichever cell one leads to is the first of its band.
static void complete_row(const BasinGraph *graph, size_t row) {
    uint32_t *label = graph->label;
    for (size_t start = row; start < row + (size_t)graph->tree->grid.width; start++) {
        uint32_t found = label[start];
        while (found & ELSEWHERE)
            found = label[found & ~ELSEWHERE];
        for (size_t at = start; label[at] & ELSEWHERE;) {
            const size_t to = label[at] & ~ELSEWHERE;
            label[at] = found;
            at = to;
        }
    }
}

// The rows along the bands' edges are known.
static void complete_bands(void *context, int first, int end) {
    const BasinGraph *graph = context;
    for (int i = first; i < end; i++) {
        const DrainageBand *band = &graph->tree->bands[i];
        const size_t stride = padded_stride(&graph->tree->grid), width = stride - 2;
        for (size_t row = band->first + 1 + stride; row + stride < band->end; row += stride)
            for (size_t cell = row; cell < row + width; cell++)
                if (graph->label[cell] & ELSEWHERE)
                    graph->label[cell] = graph->label[graph->label[cell] & ~ELSEWHERE];
    }
}

static Status label_cells(const Run *run, BasinGraph *graph) {
    const DrainageTree *tree = graph->tree;
    const size_t stride = padded_stride(&tree->grid);
    const double cells = (double)(tree->bands[0].end - tree->bands[0].first);
    Status status = parallel_rows(run, tree->band_count, cells * 6, label_bands, graph);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < tree->band_count; i++) {
        complete_row(graph, tree->bands[i].first + 1);
        complete_row(graph, tree->bands[i].end - stride + 1);
    }
    return parallel_rows(run, tree->band_count, cells, complete_bands, graph);
}

// --- passes ----------------------------------------------------------------------------------------------

// Between a cell and the neighbours behind it in memory, each pair once. Returns their number; with no room
// for them only that.
static size_t find_passes_at(const BasinGraph *graph, int x, int y, Pass *passes) {
    static const int beside[][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    const PaddedGrid *grid = &graph->tree->grid;
    const size_t cell = padded_at(grid, x, y);
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        const int to_x = x + beside[i][0], to_y = y + beside[i][1];
        if (!grid->wraps && (to_x < 0 || to_x >= grid->width || to_y >= grid->height))
            continue;
        const size_t to = padded_cell(grid, to_x, to_y);
        if (graph->label[cell] == graph->label[to])
            continue;
        if (passes)
            passes[count] = (Pass){ max(graph->ground[cell], graph->ground[to]), (uint32_t)cell,
                                    (uint32_t)(2 * to) | (i & 1) };
        count++;
    }
    return count;
}

// Whether a cell away from the border has no neighbour behind it in another basin, as nearly all have none.
static bool within_basin(const BasinGraph *graph, size_t cell) {
    const size_t below = cell + padded_stride(&graph->tree->grid);
    const uint32_t *label = graph->label, own = label[cell];
    return label[cell + 1] == own && label[below - 1] == own && label[below] == own &&
           label[below + 1] == own;
}

static size_t find_passes_of_row(const BasinGraph *graph, int y, Pass *passes) {
    const PaddedGrid *grid = &graph->tree->grid;
    size_t count = 0;
    for (int x = 0; x < grid->width; x++)
        if (padded_border(grid, x, y) || !within_basin(graph, padded_at(grid, x, y)))
            count += find_passes_at(graph, x, y, passes ? passes + count : NULL);
    return count;
}

static void count_passes(void *context, int first, int end) {
    const BasinGraph *graph = context;
    for (int y = first; y < end; y++)
        graph->rows[y] = find_passes_of_row(graph, y, NULL);
}

static void note_passes(void *context, int first, int end) {
    const BasinGraph *graph = context;
    for (int y = first; y < end; y++)
        find_passes_of_row(graph, y, graph->passes + graph->rows[y]);
}

static Status find_passes(const Run *run, BasinGraph *graph, Error *error) {
    const PaddedGrid *grid = &graph->tree->grid;
    const Status status = parallel_rows(run, grid->height, grid->width * 2.0, count_passes, graph);
    if (status != STATUS_OK)
        return status;
    graph->pass_count = add_up_rows(graph);
    graph->passes = memory_new(graph->pass_count + 1, sizeof *graph->passes, error);
    if (!graph->passes)
        return STATUS_MEMORY;
    return parallel_rows(run, grid->height, grid->width * 3.0, note_passes, graph);
}

// --- joining ---------------------------------------------------------------------------------------------

static uint32_t part_of(const BasinGraph *graph, uint32_t basin) {
    while (graph->part[basin] != basin)
        basin = graph->part[basin] = graph->part[graph->part[basin]];
    return basin;
}

static uint32_t part_at(const BasinGraph *graph, size_t cell) {
    return part_of(graph, graph->label[cell]);
}

// What drains through `cell` runs to the pit no longer but to `receiver`: the way down is turned around.
static void turn_around(DrainageTree *tree, size_t cell, uint32_t receiver) {
    for (;;) {
        const uint32_t old = tree->receiver[cell];
        tree->receiver[cell] = receiver;
        if (old >> 1 == cell)
            return;
        receiver = (uint32_t)(2 * cell) | (old & 1);
        cell = old >> 1;
    }
}

// Keeps the passes between different parts, and notes the lowest of each; of several the first.
static void find_lowest(BasinGraph *graph) {
    size_t kept = 0;
    for (uint32_t i = 0; i < graph->basins; i++)
        graph->best[i] = NOT_A_CELL;
    for (size_t i = 0; i < graph->pass_count; i++) {
        const Pass pass = graph->passes[i];
        const uint32_t parts[2] = { part_at(graph, pass.from), part_at(graph, pass.to_diagonal >> 1) };
        if (parts[0] == parts[1])
            continue;
        for (int side = 0; side < 2; side++) {
            uint32_t *best = &graph->best[parts[side]];
            if (*best == NOT_A_CELL || pass.height < graph->passes[*best].height)
                *best = (uint32_t)kept;
        }
        graph->passes[kept++] = pass;
    }
    graph->pass_count = kept;
}

// Every part drains over its lowest pass, unless what lies beyond has just begun to drain into it.
static void join_over_lowest(BasinGraph *graph) {
    for (uint32_t basin = DRAINED + 1; basin < graph->basins; basin++) {
        if (graph->part[basin] != basin || graph->best[basin] == NOT_A_CELL)
            continue;
        const Pass pass = graph->passes[graph->best[basin]];
        const uint32_t diagonal = pass.to_diagonal & 1;
        size_t inside = pass.from, outside = pass.to_diagonal >> 1;
        if (part_at(graph, inside) == part_at(graph, outside))
            continue;
        if (part_at(graph, inside) != basin) {
            inside = outside;
            outside = pass.from;
        }
        turn_around(graph->tree, inside, (uint32_t)(2 * outside) | diagonal);
        graph->part[basin] = part_at(graph, outside);
    }
}

static Status join_basins(BasinGraph *graph, Error *error) {
    graph->part = memory_new(graph->basins, sizeof *graph->part, error);
    graph->best = graph->part ? memory_new(graph->basins, sizeof *graph->best, error) : NULL;
    if (!graph->best)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < graph->basins; i++)
        graph->part[i] = i;
    while (graph->pass_count > 0) { // Borůvka's rounds: each at least halves the parts that do not drain
        find_lowest(graph);
        join_over_lowest(graph);
    }
    return STATUS_OK;
}

// Changes receivers so that following them leads to an outlet from everywhere. Uses `order` meanwhile.
// Which pits are outlets: see drainage_tree_find.
static Status basin_graph_drain(const Run *run, DrainageTree *tree, const float *ground, float sea,
                                Error *error) {
    BasinGraph graph = { .tree = tree, .ground = ground, .sea = sea, .label = tree->order };
    graph.rows = memory_new((size_t)tree->grid.height, sizeof *graph.rows, error);
    Status status = graph.rows ? label_pits(run, &graph) : STATUS_MEMORY;
    if (status == STATUS_OK && graph.basins > 1) {
        status = label_cells(run, &graph);
        if (status == STATUS_OK)
            status = find_passes(run, &graph, error);
        if (status == STATUS_OK)
            status = join_basins(&graph, error);
    }
    memory_free(graph.rows);
    memory_free(graph.passes);
    memory_free(graph.part);
    memory_free(graph.best);
    return status;
}

// --- the tree ----------------------------------------------------------------------------------------------

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

// --- the order of cells ------------------------------------------------------------------------------------

enum { ROOT = 254, DONE = 255 }; // as a number of donors: of cells that have their place in the order

// --- within bands ----------------------------------------------------------------------------------------

static void count_donors(void *context, int first, int end) {
    DrainageTree *tree = context;
    for (int i = first; i < end; i++) {
        const DrainageBand *band = &tree->bands[i];
        memset(tree->donors + band->first, 0, band->end - band->first);
        for (size_t cell = band->first; cell < band->end; cell++) {
            const size_t to = receiver_of(tree, cell);
            if (in_band(band, to))
                tree->donors[to] = (uint8_t)(tree->donors[to] + (to != cell));
        }
    }
}

// Cells of a row that drain into another band.
static void count_donors_across(DrainageTree *tree, const DrainageBand *band, size_t row) {
    for (size_t cell = row; cell < row + (size_t)tree->grid.width; cell++) {
        const size_t to = receiver_of(tree, cell);
        tree->donors[to] = (uint8_t)(tree->donors[to] + !in_band(band, to));
    }
}

// From a cell that no other drains into, downstream as long as this was the last donor.
static void follow(DrainageTree *tree, DrainageBand *band, size_t cell) {
    for (;;) {
        const size_t to = receiver_of(tree, cell);
        band->cells[band->count++] = (uint32_t)cell;
        tree->donors[cell] = DONE;
        if (to == cell || !in_band(band, to) || --tree->donors[to] > 0)
            return;
        cell = to;
    }
}

// Marks cells that drain into those left, which have yet to meet them.
static void find_roots(DrainageTree *tree, DrainageBand *band) {
    band->roots = 0;
    for (size_t k = 0; k < band->count; k++) {
        const size_t cell = band->cells[k], to = receiver_of(tree, cell);
        if (in_band(band, to)) {
            if (tree->donors[to] >= ROOT)
                continue;
            tree->donors[to]++;
        }
        tree->donors[cell] = ROOT;
        band->roots++;
    }
    band->left += band->roots - band->count;
}

static void follow_bands(void *context, int first, int end) {
    DrainageTree *tree = context;
    const size_t stride = padded_stride(&tree->grid), width = (size_t)tree->grid.width;
    for (int i = first; i < end; i++) {
        DrainageBand *band = &tree->bands[i];
        band->count = 0;
        band->left = (band->end - band->first) / stride * width;
        for (size_t row = band->first + 1; row < band->end; row += stride)
            for (size_t cell = row; cell < row + width; cell++)
                if (tree->donors[cell] == 0)
                    follow(tree, band, cell);
        find_roots(tree, band);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

typedef struct Joining {
    DrainageTree *tree;
    const DrainageTier *low, *high;
} Joining;

// Moves the roots of a band to `place`; returns the place behind them.
static uint32_t *take_roots(const DrainageTree *tree, DrainageBand *band, uint32_t *place) {
    size_t kept = 0;
    for (size_t k = 0; k < band->count; k++) {
        const uint32_t cell = band->cells[k];
        if (tree->donors[cell] == ROOT)
            *place++ = cell;
        else
            band->cells[kept++] = cell;
    }
    band->count = kept;
    return place;
}

// Goes on from the roots of the bands that are joined. These come last among the cells left, so that each is
// read before it is written over.
static void join_bands(void *context, int first, int end) {
    const Joining *joining = context;
    const DrainageTier *low = joining->low;
    for (int i = first; i < end; i++) {
        DrainageBand *band = &joining->high->bands[i];
        const int begin = i * DRAINAGE_JOINED, after = min(begin + DRAINAGE_JOINED, low->count);
        uint32_t *roots = band->cells + band->left - band->roots, *place = roots;
        for (int k = begin; k < after; k++)
            place = take_roots(joining->tree, &low->bands[k], place);
        for (band->count = 0; roots < place; roots++)
            follow(joining->tree, band, *roots);
        if (joining->high->count > 1)
            find_roots(joining->tree, band);
    }
}

// Makes room for what is left of a tier's bands.
static Status tier_create(const DrainageTier *low, DrainageTier *high, Error *error) {
    size_t all = 0;
    for (int i = 0; i < high->count; i++) {
        DrainageBand *band = &high->bands[i];
        band->left = band->roots = 0;
        for (int k = i * DRAINAGE_JOINED; k < min((i + 1) * DRAINAGE_JOINED, low->count); k++) {
            band->left += low->bands[k].left;
            band->roots += low->bands[k].roots;
        }
        all += band->left;
    }
    memory_free(high->cells);
    high->cells = memory_new(all + 1, sizeof *high->cells, error);
    uint32_t *place = high->cells;
    for (int i = 0; place && i < high->count; i++) {
        high->bands[i].cells = place;
        place += high->bands[i].left;
    }
    return place ? STATUS_OK : STATUS_MEMORY;
}

// The mean number of cells that a tier's bands put in order.
static double cells_of_band(const DrainageTier *tier) {
    size_t all = 0;
    for (int i = 0; i < tier->count; i++)
        all += tier->bands[i].count;
    return (double)all / tier->count;
}

static Status join_order_tiers(const Run *run, DrainageTree *tree, Error *error) {
    Status status = STATUS_OK;
    for (int i = 1; i < tree->tier_count && status == STATUS_OK; i++) {
        const DrainageTier *low = &tree->tiers[i - 1], *high = &tree->tiers[i];
        Joining joining = { tree, low, high };
        status = tier_create(low, &tree->tiers[i], error);
        const double cells = (double)high->bands[0].left;
        if (status == STATUS_OK)
            status = parallel_rows(run, high->count, cells * 20, join_bands, &joining);
    }
    return status;
}

Status drainage_order_find(const Run *run, DrainageTree *tree, Error *error) {
    const size_t stride = padded_stride(&tree->grid);
    const double cells = (double)(tree->bands[0].end - tree->bands[0].first);
    Status status = parallel_rows(run, tree->band_count, cells * 3, count_donors, tree);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < tree->band_count; i++) {
        const DrainageBand *band = &tree->bands[i];
        const size_t last = band->end - stride;
        count_donors_across(tree, band, band->first + 1);
        if (last > band->first)
            count_donors_across(tree, band, last + 1);
    }
    status = parallel_rows(run, tree->band_count, cells * 8, follow_bands, tree);
    return status == STATUS_OK ? join_order_tiers(run, tree, error) : status;
}

// --- passes up and down ------------------------------------------------------------------------------------

typedef struct OrderPass {
    const DrainageTier *tier;
    CellsBody *body;
    void *context;
} OrderPass;

static void pass_bands(void *context, int first, int end) {
    const OrderPass *pass = context;
    for (int i = first; i < end; i++)
        pass->body(pass->context, pass->tier->bands[i].cells, pass->tier->bands[i].count);
}

static Status pass_tier(const Run *run, const DrainageTier *tier, double cost, CellsBody *body,
                        void *context) {
    OrderPass pass = { tier, body, context };
    return parallel_rows(run, tier->count, cells_of_band(tier) * cost, pass_bands, &pass);
}

Status drainage_order_down(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                           void *context) {
    Status status = STATUS_OK;
    for (int i = 0; i < tree->tier_count && status == STATUS_OK; i++)
        status = pass_tier(run, &tree->tiers[i], cost, body, context);
    return status;
}

Status drainage_order_up(const Run *run, const DrainageTree *tree, double cost, CellsBody *body,
                         void *context) {
    Status status = STATUS_OK;
    for (int i = tree->tier_count - 1; i >= 0 && status == STATUS_OK; i--)
        status = pass_tier(run, &tree->tiers[i], cost, body, context);
    return status;
}
