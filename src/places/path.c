// Least-cost paths over a terrain (Galin et al. 2010, "Procedural generation of roads", sections 3 and 4).
// A state is a cell and one of 16 directions in which it was entered: to the eight neighbours and in knight's
// moves. A move of length L that rises by s per length costs
//
//     L · (1 + (s / slope)²) · (mean of the cost field),   times 1 + crossing in water, times reuse on an
//     earlier path
//
// where water has its surface: the sea's, or of lakes that to which their pits fill; a bend costs `turning`
// for a right angle, which none exceeds. The search is Dijkstra's, ordered by cost plus the straight line
// that is left (Hart, Nilsson and Raphael 1968), which never exceeds the path.

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/sample.h"
#include "core/summary.h"
#include "core/whole.h"
#include "rivers/cell_queue.h"
#include "rivers/filling.h"
#include "rivers/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Path {
    Numbers paths;
    double slope, turning, crossing, reuse, width, sea_level;
    const Field *cost, *water;
    int smooth;
} Path;

enum { MOVES = 16, START = MOVES, UNSEEN = MOVES + 1 };

// In order of angle, from the right, clockwise on the screen.
static const int move_x[MOVES] = { 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1, 0, 1, 1, 2 };
static const int move_y[MOVES] = { 0, 1, 1, 2, 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1 };

typedef struct Search {
    const Run *run;
    const Path *path;
    const Field *height;
    Field filled;                           // heights with pits filled; only if there is `water`
    int directions;                         // states of a cell: MOVES, or 1 if bends cost nothing
    double length[MOVES], steepness[MOVES]; // of moves in N; of a rise by 1, relative to the slope
    double turn[MOVES][MOVES];              // costs of bends; infinite above 90°
    double least;                           // cost of N on the flat at best
    size_t start;                           // the state in which the path begins
    float *costs;                           // of states
    uint8_t *from;                          // the direction from which a state was reached; bit 7: settled
    bool *built;                            // cells of paths
    float *ground;                          // cost of cells
    Queue heap;
} Search;

enum { SETTLED = 0x80 };

static size_t cell_index(const Search *search, int x, int y) {
    return (size_t)y * (size_t)search->height->width + (size_t)x;
}

static void prepare_moves(Search *search) {
    const Path *path = search->path;
    const double side = field_side(search->height);
    double angle[MOVES];
    for (int i = 0; i < MOVES; i++) {
        search->length[i] = sqrt((double)(move_x[i] * move_x[i] + move_y[i] * move_y[i])) / side;
        search->steepness[i] = 1 / (search->length[i] * side * path->slope);
        angle[i] = arctangent2(move_y[i], move_x[i]);
    }
    for (int i = 0; i < MOVES; i++)
        for (int j = 0; j < MOVES; j++) {
            const double apart = fabs(angle[i] - angle[j]), bend = min(apart, 2 * PI - apart);
            search->turn[i][j] = bend > PI / 2 + 1e-6 ? INFINITY : path->turning * bend / (PI / 2);
        }
}

// The ground, or the surface of water.
static double surface_at(const Search *search, size_t at) {
    const Path *path = search->path;
    const bool lake = path->water && path->water->cells[at] > 0;
    return max((double)(lake ? search->filled.cells : search->height->cells)[at], path->sea_level);
}

static bool is_wet(const Search *search, size_t at) {
    const Path *path = search->path;
    return (double)search->height->cells[at] < path->sea_level || (path->water && path->water->cells[at] > 0);
}

static void price_ground(Search *search) {
    const Path *path = search->path;
    for (size_t at = 0; at < field_count(search->height); at++) {
        double cost = path->cost ? (double)path->cost->cells[at] : 1;
        if (is_wet(search, at))
            cost *= 1 + path->crossing;
        search->ground[at] = (float)(search->built[at] ? cost * path->reuse : cost);
    }
}

static double move_cost(const Search *search, size_t from, size_t to, int move) {
    const double rise = surface_at(search, to) - surface_at(search, from);
    const double steepness = rise * search->steepness[move];
    return search->length[move] * (1 + steepness * steepness) * 0.5 *
           ((double)search->ground[from] + (double)search->ground[to]);
}

// The lowest cost of any ground, so that the straight line never costs more than the path.
static double least_cost(const Search *search) {
    float least = search->ground[0];
    for (size_t i = 1; i < field_count(search->height); i++)
        least = min(least, search->ground[i]);
    return (double)least;
}

static Status enter(Search *search, size_t state, float cost, int from, double ahead, Error *error) {
    search->costs[state] = cost;
    search->from[state] = (uint8_t)from;
    const float total = (float)((double)cost + ahead);
    return heap_add(&search->heap, (Waiting)ordered_bits(total) << 32 | (uint32_t)state, error)
               ? STATUS_OK
               : STATUS_MEMORY;
}

typedef struct Ends {
    int from_x, from_y, to_x, to_y;
} Ends;

static double straight(const Search *search, const Ends *ends, int x, int y) {
    const double dx = x - ends->to_x, dy = y - ends->to_y;
    return sqrt(dx * dx + dy * dy) / field_side(search->height) * search->least * 0.999999;
}

// From a settled state, whose cell was entered by `arrived` (START: nowhere), to all that it can reach.
static Status expand(Search *search, const Ends *ends, size_t state, int arrived, Error *error) {
    const size_t at = state / (size_t)search->directions;
    const int width = search->height->width, x = (int)(at % (size_t)width), y = (int)(at / (size_t)width);
    Status status = STATUS_OK;
    for (int move = 0; status == STATUS_OK && move < MOVES; move++) {
        const int to_x = x + move_x[move], to_y = y + move_y[move];
        if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= search->height->height)
            continue;
        const bool one = search->directions == 1;
        const size_t to = cell_index(search, to_x, to_y);
        const size_t next = to * (size_t)search->directions + (size_t)(one ? 0 : move);
        const double bend = one || arrived == START ? 0 : search->turn[arrived][move];
        if (search->from[next] & SETTLED || bend == INFINITY)
            continue;
        const float cost = (float)((double)search->costs[state] + bend + move_cost(search, at, to, move));
        if (search->from[next] == UNSEEN || cost < search->costs[next])
            status =
                enter(search, next, cost, one ? move : arrived, straight(search, ends, to_x, to_y), error);
    }
    return status;
}

// The direction in which a state was entered. The first is settled at once: nothing else leads to it.
static int arrival(const Search *search, size_t state) {
    if (state == search->start)
        return START;
    return search->directions == 1 ? search->from[state] & ~SETTLED : (int)(state % MOVES);
}

// Settles states in the order of their cost until the goal is reached; returns its state.
static Status search_path(Search *search, const Ends *ends, size_t *goal, Error *error) {
    const size_t states = field_count(search->height) * (size_t)search->directions;
    price_ground(search);
    search->least = least_cost(search);
    memset(search->from, UNSEEN, states);
    search->heap.count = 0;
    const size_t target = cell_index(search, ends->to_x, ends->to_y);
    search->start = cell_index(search, ends->from_x, ends->from_y) * (size_t)search->directions;
    Status status = enter(search, search->start, 0, START, 0, error);
    long settled = 0;
    while (status == STATUS_OK && search->heap.count > 0) {
        const size_t state = (size_t)(heap_take(&search->heap) & UINT32_MAX);
        if (search->from[state] & SETTLED)
            continue;
        *goal = state;
        if (state / (size_t)search->directions == target)
            break;
        const int arrived = arrival(search, state);
        search->from[state] |= SETTLED;
        status = expand(search, ends, state, arrived, error);
        if (++settled % 65536 == 0 && run_stopped(search->run))
            status = STATUS_STOPPED;
    }
    return status;
}

// --- lines -------------------------------------------------------------------------------------------------

typedef struct Line {
    int count, room;
    Vec2 *at;
} Line;

static bool line_add(Line *line, double x, double y, Error *error) {
    if (line->count == line->room) {
        const int room = line->room ? 2 * line->room : 256;
        Vec2 *at = memory_new((size_t)room, sizeof *at, error);
        if (!at)
            return false;
        if (line->count)
            memcpy(at, line->at, (size_t)line->count * sizeof *at);
        memory_free(line->at);
        line->at = at;
        line->room = room;
    }
    line->at[line->count++] = (Vec2){ x, y };
    return true;
}

// The cells of the path, from its end to its start, as places in cells; marks them as built.
static Status follow_back(Search *search, size_t state, Line *line, Error *error) {
    const int width = search->height->width;
    for (;;) {
        const size_t at = state / (size_t)search->directions;
        const int x = (int)(at % (size_t)width), y = (int)(at / (size_t)width);
        search->built[at] = true;
        if (!line_add(line, x + 0.5, y + 0.5, error))
            return STATUS_MEMORY;
        const int move = arrival(search, state), from = search->from[state] & ~SETTLED;
        if (move == START)
            return STATUS_OK;
        const size_t before = cell_index(search, x - move_x[move], y - move_y[move]);
        if (from == START)
            state = search->start;
        else
            state = search->directions == 1 ? before : before * MOVES + (size_t)from;
    }
}

// Chaikin 1974, "An algorithm for high-speed curve generation": each corner is cut at a quarter of its sides.
static Status cut_corners(Line *line, Error *error) {
    Line smooth = { 0 };
    bool added = line_add(&smooth, line->at[0].x, line->at[0].y, error);
    for (int i = 1; added && i < line->count; i++) {
        const Vec2 a = line->at[i - 1], b = line->at[i];
        if (i > 1)
            added = line_add(&smooth, 0.75 * a.x + 0.25 * b.x, 0.75 * a.y + 0.25 * b.y, error);
        if (added && i < line->count - 1)
            added = line_add(&smooth, 0.25 * a.x + 0.75 * b.x, 0.25 * a.y + 0.75 * b.y, error);
    }
    if (added && line->count > 1)
        added = line_add(&smooth, line->at[line->count - 1].x, line->at[line->count - 1].y, error);
    memory_free(added ? line->at : smooth.at);
    if (added)
        *line = smooth;
    return added ? STATUS_OK : STATUS_MEMORY;
}

// The ground, or the surface of the water where the cell is wet.
static double altitude_at(const Search *search, Vec2 at) {
    const Field *height = search->height;
    const size_t cell =
        cell_index(search, index_within(at.x, height->width), index_within(at.y, height->height));
    const double ground =
        max(grid_sample(height->cells, height->width, height->height, at.x - 0.5, at.y - 0.5),
            search->path->sea_level);
    return is_wet(search, cell) ? max(ground, surface_at(search, cell)) : ground;
}

static Status make_network(const Search *search, const Line *lines, int count, void **result, Error *error) {
    const Field *height = search->height;
    int points = 0;
    for (int i = 0; i < count; i++)
        points += lines[i].count;
    RiverNetwork *network = network_new(count, points, 0, error);
    if (!network)
        return STATUS_MEMORY;
    *result = network;
    network->width = height->width;
    network->height = height->height;
    network->cell = 1.0 / field_side(height);
    network->lines = true;
    int next = 0;
    for (int i = 0; i < count; i++) {
        network->reaches[i] =
            (Reach){ .first = next, .count = lines[i].count, .downstream = -1, .order = 1, .mouth = true };
        for (int k = lines[i].count - 1; k >= 0; k--) {
            const Vec2 at = lines[i].at[k];
            network->points[next++] = (RiverPoint){
                .x = at.x,
                .y = at.y,
                .altitude = (float)altitude_at(search, at),
                .width = (float)(search->path->width * field_side(height)),
            };
        }
    }
    return network_settle(network, error);
}

// --- the operation -----------------------------------------------------------------------------------------

static Ends ends_of(const Search *search, int row) {
    const double *at = search->path->paths.at + 4 * row;
    const int width = search->height->width, height = search->height->height;
    return (Ends){ index_within(at[0] * width, width), index_within(at[1] * height, height),
                   index_within(at[2] * width, width), index_within(at[3] * height, height) };
}

static Status find_way(Search *search, int row, Line *line, Error *error) {
    const Ends ends = ends_of(search, row);
    size_t goal = 0;
    Status status = search_path(search, &ends, &goal, error);
    if (status == STATUS_OK)
        status = follow_back(search, goal, line, error);
    for (int i = 0; status == STATUS_OK && i < search->path->smooth; i++)
        status = cut_corners(line, error);
    return status;
}

// Water lies level in pits, and slopes along rivers.
static Status find_surfaces(Search *search, Error *error) {
    const Field *height = search->height;
    if (!search->path->water)
        return STATUS_OK;
    const Status status = field_create(&search->filled, height->width, height->height, error);
    return status == STATUS_OK
               ? fill_to_spills(search->run, height, (float)search->path->sea_level, &search->filled, error)
               : status;
}

static Status check_cost(const Call *call, Error *error) {
    const Path *path = call->params;
    double low = 0, high;
    const Status status = path->cost ? field_range(call->run, path->cost, &low, &high, error) : STATUS_OK;
    if (status != STATUS_OK || low >= 0)
        return status;
    return fail(error, STATUS_INVALID, "cost must be 0 or more in every cell, got %s", digits_of(low).text);
}

static Status run(const Call *call, Error *error) {
    const Path *path = call->params;
    const Field *height = call->inputs[0].field;
    const int count = path->paths.count / 4;
    Search search = {
        .run = call->run, .path = path, .height = height, .directions = path->turning > 0 ? MOVES : 1
    };
    const size_t cells = field_count(height), states = cells * (size_t)search.directions;
    if (states > UINT32_MAX)
        return fail(error, STATUS_INVALID, "the field is too large: at most %d cells along a side", 16384);
    Status status = check_cost(call, error);
    if (status == STATUS_OK)
        status = find_surfaces(&search, error);
    if (status != STATUS_OK) {
        field_free(&search.filled);
        return status;
    }
    prepare_moves(&search);
    Line *lines = memory_new_zeroed((size_t)count + 1, sizeof *lines, error);
    search.costs = lines ? memory_new(states, sizeof *search.costs, error) : NULL;
    search.from = search.costs ? memory_new(states, sizeof *search.from, error) : NULL;
    search.built = search.from ? memory_new_zeroed(cells, sizeof *search.built, error) : NULL;
    search.ground = search.built ? memory_new(cells, sizeof *search.ground, error) : NULL;
    status = search.ground ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = find_way(&search, i, &lines[i], error);
    if (status == STATUS_OK)
        status = make_network(&search, lines, count, &call->outputs[0].value, error);
    for (int i = 0; lines && i < count; i++)
        memory_free(lines[i].at);
    memory_free(lines);
    memory_free(search.costs);
    memory_free(search.from);
    memory_free(search.built);
    memory_free(search.ground);
    memory_free(search.heap.at);
    field_free(&search.filled);
    return status;
}

static const Param params[] = {
    PARAM(Path, paths, .initial_numbers = NUMBERS(0.1, 0.1, 0.9, 0.9), .rows_min = 1, .columns = 4, .min = 0,
          .max = 1, .unit = UNIT_PLACE,
          .doc = "a row for each path: { x, y, x, y }, its start and its end, as shares of width and height"),
    PARAM(Path, slope, .initial = 2, .min = 0.001, .max = 1e6, .unit = UNIT_SLOPE,
          .doc = "slope along the path at which it costs twice as much"),
    PARAM(Path, turning, .initial = 0, .min = 0, .max = 1000,
          .doc = "cost of a bend of 90°, as a length on the flat in N, the longer side; above 0 the "
                 "search takes eight times the memory and ten times as long"),
    PARAM(Path, cost, .doc = "factor on the cost of each cell, 0 or more"),
    PARAM(Path, water, .doc = "a field that is above 0 where there is water, as render or rivers give"),
    PARAM(Path, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, which is crossed like other water"),
    PARAM(Path, crossing, .initial = 20, .min = 0, .max = 1e6, .doc = "additional cost per length of water"),
    PARAM(Path, reuse, .initial = 0.5, .min = 0.01, .max = 1,
          .doc = "cost along an earlier path, relative to new ground; 1: no difference"),
    PARAM(Path, smooth, .initial = 2, .min = 0, .max = 5,
          .doc = "how often corners are cut; 0: straight from cell to cell"),
    PARAM(Path, width, .initial = 0.005, .min = 0, .max = 1, .doc = "of the lines, as a share of N"),
    { 0 },
};

const Operation op_path = {
    .name = "path",
    .category = "places",
    .summary = "Finds least-cost paths over a terrain: roads and tracks",
    .description =
        "Paths avoid slopes, bends and water, and join paths that come before them in the list. They do not "
        "cross "
        "the field's edges, even where these meet. The result is a network of lines for draw, flatten and "
        "distance, and can be saved.",
    .source = "Galin et al. 2010, Procedural generation of roads",
    .inputs = { { "height", "heights" } },
    .outputs = { { "lines", "the paths, one line each", &type_network } },
    .params = params,
    .params_size = sizeof(Path),
    .example = "local roads = height:path{ paths = { { 0.1, 0.1, 0.9, 0.8 }, { 0.8, 0.1, 0.2, 0.9 } } }\n"
               "local land = height:flatten(roads, { width = 0.02, edge = 0.03 })",
    .picture = "local roads = height:path{ turning = 0.02, paths = { { 0.05, 0.1, 0.95, 0.9 }, { 0.9, 0.05, "
               "0.1, 0.9 } } }\n"
               "local land, bed = height:flatten(roads, { width = 0.012, edge = 0.02 })\n"
               "return height, land:relief{ low = -1, high = 1, exaggeration = 2, rivers = bed:remap{ from = "
               "{ 0.95, 1 "
               "} } }",
    .keywords = "road track trail route way pathfinding dijkstra astar least cost shortest",
    .see_also = "flatten distance river_network",
    .run = run,
};
