#include "rivers/basin_graph.h"

#include "core/math.h"
#include "core/memory.h"

enum { DRAINED }; // the label of all that drains to an outlet; the basins of other pits count from 1

typedef struct Pass {
    float height;
    uint32_t from;        // a cell
    uint32_t to_diagonal; // its neighbour in another basin, as in DrainageTree.receiver
} Pass;

typedef struct BasinGraph {
    DrainageTree *tree;
    const float *ground;
    uint32_t *label; // of each cell a basin
    uint32_t basins; // with DRAINED
    uint32_t *part;  // of each basin one that it was joined to, or itself
    uint32_t *best;  // of each basin its lowest pass in this round
    Pass *passes;
    size_t pass_count;
} BasinGraph;

// --- labels ----------------------------------------------------------------------------------------------

static bool drains_off(const DrainageTree *tree, const float *ground, float sea, int x, int y) {
    const size_t cell = padded_at(&tree->grid, x, y);
    return ground[cell] <= sea || (!tree->grid.wraps && padded_border(&tree->grid, x, y));
}

// Labels the pits. Where nothing drains off, the lowest cell does.
static void label_pits(BasinGraph *graph, float sea) {
    const PaddedGrid *grid = &graph->tree->grid;
    size_t lowest = padded_at(grid, 0, 0);
    bool outlet = false;
    graph->basins = 1;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t cell = padded_at(grid, x, y);
            graph->label[cell] = NOT_A_CELL;
            if (!is_outlet(graph->tree, cell))
                continue;
            const bool off = drains_off(graph->tree, graph->ground, sea, x, y);
            graph->label[cell] = off ? DRAINED : graph->basins++;
            outlet = outlet || off;
            lowest = graph->ground[cell] < graph->ground[lowest] ? cell : lowest;
        }
    if (!outlet)
        graph->label[lowest] = DRAINED;
}

// Every cell gets the label of the pit that it drains into.
static void label_cells(BasinGraph *graph) {
    const PaddedGrid *grid = &graph->tree->grid;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const size_t first = padded_at(grid, x, y);
            size_t at = first;
            while (graph->label[at] == NOT_A_CELL)
                at = receiver_of(graph->tree, at);
            const uint32_t label = graph->label[at];
            for (at = first; graph->label[at] == NOT_A_CELL; at = receiver_of(graph->tree, at))
                graph->label[at] = label;
        }
}

// --- passes ----------------------------------------------------------------------------------------------

// Between a cell and the neighbours behind it in memory, each pair once. With no room for them only counts.
static void find_passes_at(BasinGraph *graph, int x, int y) {
    static const int beside[][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    const PaddedGrid *grid = &graph->tree->grid;
    const size_t cell = padded_at(grid, x, y);
    for (int i = 0; i < 4; i++) {
        const int to_x = x + beside[i][0], to_y = y + beside[i][1];
        if (!grid->wraps && (to_x < 0 || to_x >= grid->width || to_y >= grid->height))
            continue;
        const size_t to = padded_cell(grid, to_x, to_y);
        if (graph->label[cell] == graph->label[to])
            continue;
        if (graph->passes)
            graph->passes[graph->pass_count] = (Pass){ max(graph->ground[cell], graph->ground[to]),
                                                       (uint32_t)cell, (uint32_t)(2 * to) | (i & 1) };
        graph->pass_count++;
    }
}

// Whether a cell away from the border has no neighbour behind it in another basin, as nearly all have none.
static bool within_basin(const BasinGraph *graph, size_t cell) {
    const size_t below = cell + padded_stride(&graph->tree->grid);
    const uint32_t *label = graph->label, own = label[cell];
    return label[cell + 1] == own && label[below - 1] == own && label[below] == own &&
           label[below + 1] == own;
}

static void find_passes(BasinGraph *graph) {
    const PaddedGrid *grid = &graph->tree->grid;
    graph->pass_count = 0;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            if (padded_border(grid, x, y) || !within_basin(graph, padded_at(grid, x, y)))
                find_passes_at(graph, x, y);
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
    find_passes(graph);
    graph->passes = memory_new(graph->pass_count + 1, sizeof *graph->passes, error);
    graph->part = memory_new(graph->basins, sizeof *graph->part, error);
    graph->best = memory_new(graph->basins, sizeof *graph->best, error);
    if (!graph->passes || !graph->part || !graph->best)
        return STATUS_MEMORY;
    find_passes(graph);
    for (uint32_t i = 0; i < graph->basins; i++)
        graph->part[i] = i;
    while (graph->pass_count > 0) { // Borůvka's rounds: each at least halves the parts that do not drain
        find_lowest(graph);
        join_over_lowest(graph);
    }
    return STATUS_OK;
}

Status basin_graph_drain(DrainageTree *tree, const float *ground, float sea, Error *error) {
    BasinGraph graph = { .tree = tree, .ground = ground, .label = tree->order };
    label_pits(&graph, sea);
    if (graph.basins == 1)
        return STATUS_OK;
    label_cells(&graph);
    const Status status = join_basins(&graph, error);
    memory_free(graph.passes);
    memory_free(graph.part);
    memory_free(graph.best);
    return status;
}
