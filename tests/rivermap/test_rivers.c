// What must hold for the rivers of zoomable maps, checked on the graph of all triangles of whole maps.

#include "support.h"

#include "operations.h"
#include "rivermap/square/lattice.h"

#include <stdlib.h>

enum { DEPTH = 7, CELLS = 1 << DEPTH };

typedef struct Graph { // all edges of a map at DEPTH
    Vertex vertices[CELLS + 1][CELLS + 1];
    Crossing across[CELLS + 1][CELLS], down[CELLS][CELLS + 1], diagonals[CELLS][CELLS];
    bool seen[CELLS + 1][CELLS + 1], across_seen[CELLS + 1][CELLS], down_seen[CELLS][CELLS + 1];
    bool rising[CELLS][CELLS];
    int torn; // edges and vertices that two squares see differently
} Graph;

typedef struct Counts {
    long edges, splits, rises, circles, dry_ends, torn, shrinks, land_splits;
} Counts;

static RiverMap *make_map(uint64_t seed, bool islands, bool paper) {
    _Alignas(16) unsigned char params[16384];
    Output outputs[OUTPUTS_MAX];
    Error error;
    params_initialise(&op_river_map, params);
    assert_ok(
        param_set_text(operation_param(&op_river_map, "rules"), params, paper ? "paper" : "mended", &error),
        error);
    assert_ok(param_set_text(operation_param(&op_river_map, "land"), params, "raw", &error), error);
    *(bool *)(params + operation_param(&op_river_map, "islands")->offset) = islands;
    assert_ok(run_operation(&op_river_map, (Call){ .seed = seed }, params, outputs, &error), error);
    return outputs[0].value;
}

static bool same_crossing(Crossing a, Crossing b) {
    return a.river == b.river &&
           (!a.river || (a.altitude == b.altitude && a.forwards == b.forwards && a.basin == b.basin));
}

static void put(Graph *graph, Crossing crossing, Crossing *place, bool *seen) {
    graph->torn += *seen && !same_crossing(crossing, *place);
    *place = crossing;
    *seen = true;
}

static Crossing lifted(Crossing crossing, Int128 base) {
    crossing.altitude += (int64_t)base;
    return crossing;
}

static void collect(Graph *graph, const Constants *constants, const Square *square) {
    if (square->depth < DEPTH) {
        Square quarters[4];
        square_split(constants, square, quarters);
        for (int i = 0; i < 4; i++)
            collect(graph, constants, &quarters[i]);
        return;
    }
    const int x = (int)square->x, y = (int)square->y;
    for (int i = 0; i < 4; i++) {
        const Vertex vertex = { square->corners[i].altitude + (int64_t)square->base,
                                square->corners[i].seed };
        Vertex *place = &graph->vertices[y + i / 2][x + i % 2];
        bool *seen = &graph->seen[y + i / 2][x + i % 2];
        graph->torn += *seen && (place->altitude != vertex.altitude || place->seed != vertex.seed);
        *place = vertex;
        *seen = true;
    }
    const Int128 base = square->base;
    put(graph, lifted(square->sides[TOP], base), &graph->across[y][x], &graph->across_seen[y][x]);
    put(graph, lifted(square->sides[BOTTOM], base), &graph->across[y + 1][x], &graph->across_seen[y + 1][x]);
    put(graph, lifted(square->sides[LEFT], base), &graph->down[y][x], &graph->down_seen[y][x]);
    put(graph, lifted(square->sides[RIGHT], base), &graph->down[y][x + 1], &graph->down_seen[y][x + 1]);
    graph->diagonals[y][x] = lifted(square->diagonal, base);
    graph->rising[y][x] = square->rising;
}

// A triangle: the upper (0) or lower (1) one of a square.
typedef struct TriangleAt {
    int x, y, lower;
} TriangleAt;

typedef struct Edge {
    Crossing crossing;
    bool out; // of the triangle at hand
    TriangleAt beyond;
} Edge;

static void edges_of(const Graph *graph, TriangleAt at, Edge edges[3]) {
    const int x = at.x, y = at.y;
    const bool rising = graph->rising[y][x];
    const Crossing diagonal = graph->diagonals[y][x];
    // East of the diagonal lies the lower triangle where it rises, the upper one where it falls.
    const bool east = rising == (at.lower == 1);
    edges[0] = (Edge){ diagonal, diagonal.forwards != east, { x, y, !at.lower } };
    if (at.lower) {
        edges[1] = (Edge){ graph->across[y + 1][x], graph->across[y + 1][x].forwards, { x, y + 1, 0 } };
    } else {
        edges[1] = (Edge){ graph->across[y][x], !graph->across[y][x].forwards, { x, y - 1, 1 } };
    }
    if (east) // a falling diagonal's neighbour to the right rises: its western triangle is the upper one
        edges[2] = (Edge){ graph->down[y][x + 1], graph->down[y][x + 1].forwards, { x + 1, y, 0 } };
    else
        edges[2] = (Edge){ graph->down[y][x], !graph->down[y][x].forwards, { x - 1, y, 0 } };
    TriangleAt *beside = &edges[2].beyond;
    if (beside->x >= 0 && beside->x < CELLS) {
        const bool its_rising = graph->rising[y][beside->x];
        beside->lower = its_rising ? !east : east; // its western triangle where we stand west of it
    }
}

static bool inside(TriangleAt at) {
    return at.x >= 0 && at.x < CELLS && at.y >= 0 && at.y < CELLS;
}

static bool touches_sea(const Graph *graph, TriangleAt at) {
    for (int i = 0; i < 4; i++)
        if (graph->vertices[at.y + i / 2][at.x + i % 2].altitude < 0)
            return true;
    return false;
}

static void count_faults(const Graph *graph, Counts *counts) {
    for (int i = 0; i < 2 * CELLS * CELLS; i++) {
        const TriangleAt at = { i / 2 % CELLS, i / 2 / CELLS, i % 2 };
        Edge edges[3];
        edges_of(graph, at, edges);
        int in = 0, out = 0;
        Altitude lowest_in = INT64_MAX, highest_out = INT64_MIN;
        bool below_sea = false;
        double drained_in = 0, drained_out = 0;
        for (int e = 0; e < 3; e++)
            if (edges[e].crossing.river) {
                const Altitude altitude = edges[e].crossing.altitude;
                counts->edges++;
                below_sea = below_sea || altitude < 0;
                *(edges[e].out ? &out : &in) += 1;
                *(edges[e].out ? &drained_out : &drained_in) +=
                    (double)edges[e].crossing.basin * (double)edges[e].crossing.basin;
                if (edges[e].out)
                    highest_out = altitude > highest_out ? altitude : highest_out;
                else
                    lowest_in = altitude < lowest_in ? altitude : lowest_in;
            }
        counts->splits += out > 1;
        counts->land_splits += out > 1 && highest_out >= 0;
        counts->rises += in > 0 && out > 0 && lowest_in < highest_out;
        // Out goes what comes in, and what the triangle itself drains, half a cell (less for rounding).
        counts->shrinks += out > 0 && drained_out < drained_in + 0.49 / CELLS / CELLS;
        counts->dry_ends += in > 0 && out == 0 && !below_sea && !touches_sea(graph, at);
        if (out != 1)
            continue;
        TriangleAt here = at; // follow it down
        int steps = 0;
        for (; steps < 2 * CELLS * CELLS; steps++) {
            Edge next[3];
            edges_of(graph, here, next);
            int way = -1;
            for (int e = 0; e < 3; e++)
                if (next[e].crossing.river && next[e].out)
                    way = e;
            if (way < 0 || !inside(next[way].beyond))
                break;
            here = next[way].beyond;
            if (steps > 0 && here.x == at.x && here.y == at.y && here.lower == at.lower) {
                counts->circles++;
                break;
            }
            if (steps > 8 * CELLS)
                break;
        }
    }
    counts->torn += graph->torn;
}

static Counts count_over(int seeds, bool islands, bool paper) {
    Counts counts = { 0 };
    Graph *graph = malloc(sizeof *graph);
    assert_non_null(graph);
    for (int seed = 1; seed <= seeds; seed++) {
        memset(graph, 0, sizeof *graph);
        RiverMap *map = make_map((uint64_t)seed, islands, paper);
        const Square root = first_square(map);
        collect(graph, &map->constants, &root);
        count_faults(graph, &counts);
        memory_free(map);
    }
    free(graph);
    print_message(
        "# %s%s: %ld river edges seen from triangles; splits %ld, rises %ld, circles %ld, dry ends %ld, "
        "basins that shrink %ld, splits on land %ld\n",
        paper ? "paper" : "mended", islands ? ", islands" : "", counts.edges, counts.splits, counts.rises,
        counts.circles, counts.dry_ends, counts.shrinks, counts.land_splits);
    return counts;
}

static void rivers_only_flow_down_and_never_split(void **state) {
    (void)state;
    const Counts counts = count_over(rounds(60), false, false);
    assert_true(counts.edges > 1000);
    assert_int_equal(counts.torn, 0);
    assert_int_equal(counts.splits, 0);
    assert_int_equal(counts.rises, 0);
    assert_int_equal(counts.circles, 0);
    assert_int_equal(counts.dry_ends, 0);
    assert_int_equal(counts.shrinks, 0);
}

static void squares_agree_under_all_rules(void **state) {
    (void)state;
    const Counts islands = count_over(rounds(60), true, false); // which part their rivers, in fjords
    assert_int_equal(islands.torn, 0);
    assert_int_equal(islands.rises, 0);
    assert_true(islands.land_splits * 100 < islands.splits);
    assert_int_equal(islands.dry_ends, 0);
    assert_int_equal(count_over(rounds(60), false, true).torn, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_only_flow_down_and_never_split),
        cmocka_unit_test(squares_agree_under_all_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
