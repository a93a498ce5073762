// Least-cost paths over a terrain (Galin et al. 2010, "Procedural generation of roads"): found from cell to
// cell (path_search.h), straightened where bends cost nothing, unless they are to go from cell to cell, and
// drawn as lines whose corners are cut.

#include "places/path_search.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/sample.h"
#include "core/summary.h"
#include "core/whole.h"
#include "rivers/network.h"

#include <math.h>
#include <stdlib.h>

// --- straight lines ----------------------------------------------------------------------------------------

// Of the cells of a path those are kept between which straight lines cost least, where each corner costs as
// much as a short stretch of the path. A search from cell to cell knows 16 directions only, so that its ways
// over open ground are made of two of them, and it follows every bump of the ground (for post-smoothed paths,
// see Daniel et al. 2010, "Theta*: any-angle path planning on grids").
//
// A line takes as many steps as it has columns or rows. Between them it lies between two cells, whose heights
// and prices it takes by their nearness: a knight's move is such a line of two steps.

// A cell of a path.
typedef struct PathPlace {
    int x, y;
} PathPlace;

enum { AHEAD = 64, PASSES = 8 }; // cells that a line may leave out in a pass; the next one joins lines

// What a corner costs: as much as so much of N of the path does on average.
#define CORNER 0.01

// A line from cell to cell: `steps` of them, of which each goes one on along the longer axis.
typedef struct Steps {
    const PathSearch *search;
    int x, y, dx, dy, count;
} Steps;

// Two cells between which a step ends, and how near it is to the second; `other` is `cell` where it ends in
// one.
typedef struct StepEnd {
    size_t cell, other;
    double share;
} StepEnd;

static Steps steps_between(const PathSearch *search, PathPlace from, PathPlace to) {
    const int dx = to.x - from.x, dy = to.y - from.y;
    return (Steps){ search, from.x, from.y, dx, dy, max(abs(dx), abs(dy)) };
}

static size_t index_of(const Steps *steps, int x, int y) {
    return (size_t)y * (size_t)steps->search->height->width + (size_t)x;
}

static StepEnd step_end(const Steps *steps, int step) {
    const bool wide = abs(steps->dx) >= abs(steps->dy);
    const int64_t off = (int64_t)(wide ? steps->dy : steps->dx) * step;
    const int64_t rest = (off % steps->count + steps->count) % steps->count;
    const int on = (wide ? steps->dx : steps->dy) < 0 ? -step : step,
              aside = (int)((off - rest) / steps->count);
    const int x = steps->x + (wide ? on : aside), y = steps->y + (wide ? aside : on);
    const size_t cell = index_of(steps, x, y);
    return (StepEnd){ cell, rest == 0 ? cell : index_of(steps, x + !wide, y + wide),
                      (double)rest / steps->count };
}

static double price_between(const PathSearch *search, StepEnd at) {
    const double price = fabs((double)search->ground[at.cell].price);
    return at.share == 0 ? price : price + (fabs((double)search->ground[at.other].price) - price) * at.share;
}

static double surface_between(const PathSearch *search, StepEnd at) {
    const double sea = search->path->sea_level, one = max((double)search->ground[at.cell].surface, sea),
                 other = max((double)search->ground[at.other].surface, sea);
    return one + (other - one) * at.share;
}

// What a diagonal step pays more where both cells beside it are water, as of a river that runs diagonally:
// the mean of its prices is that of four cells. 0 of other steps.
static double beside_diagonal(const Steps *steps, int step, double prices) {
    if (abs(steps->dx) != abs(steps->dy))
        return 0;
    const int right = steps->dx < 0 ? -1 : 1, down = steps->dy < 0 ? -1 : 1;
    const int x = steps->x + right * step, y = steps->y + down * step;
    const double one = (double)steps->search->ground[index_of(steps, x - right, y)].price,
                 other = (double)steps->search->ground[index_of(steps, x, y - down)].price;
    return one < 0 && other < 0 ? 0.5 * (-one - other - prices) : 0;
}

// The cost of a straight line, as path_search.c has it of a move; `most` or more where it is not less.
static double line_cost(const PathSearch *search, PathPlace from, PathPlace to, double most) {
    const Steps steps = steps_between(search, from, to);
    const double side = field_side(search->height);
    const double parts = max(steps.count, 1);
    CellShape shape = path_shape(search, from.y);
    double cells = path_length(shape, shape, steps.dx, steps.dy) / parts;
    double steepness = steps.count ? 1 / (cells * search->path->slope) : 0;
    StepEnd at = { index_of(&steps, from.x, from.y), index_of(&steps, from.x, from.y), 0 };
    double cost = 0, price = price_between(search, at), surface = surface_between(search, at);
    for (int step = 1; step <= steps.count && cost < most; step++) {
        at = step_end(&steps, step);
        if (!search->even) {
            const CellShape next = path_shape(search, from.y + whole_int(steps.dy / parts * step));
            cells = path_length(shape, next, steps.dx, steps.dy) / parts;
            steepness = 1 / (cells * search->path->slope);
            shape = next;
        }
        const double next_price = price_between(search, at), next_surface = surface_between(search, at);
        const double rise = (next_surface - surface) * steepness, prices = price + next_price;
        cost += cells / side * (1 + rise * rise) * 0.5 * (prices + beside_diagonal(&steps, step, prices));
        price = next_price;
        surface = next_surface;
    }
    return cost;
}

// Marks the cells of a straight line as built.
static void path_build(const PathSearch *search, PathPlace from, PathPlace to) {
    const Steps steps = steps_between(search, from, to);
    search->built[index_of(&steps, from.x, from.y)] = true;
    for (int step = 1; step <= steps.count; step++) {
        const StepEnd at = step_end(&steps, step);
        search->built[at.cell] = search->built[at.other] = true;
    }
}

// The cheapest corners on the way to each place, and from them the places that are left.
static int keep_corners(const PathSearch *search, double corner, PathPlace *places, int count, double *costs,
                        int *before) {
    costs[0] = 0;
    for (int i = 1; i < count; i++) {
        costs[i] = INFINITY;
        before[i] = i - 1;
        for (int k = i - 1; k >= max(i - AHEAD, 0); k--) {
            const double so_far = costs[k] + (k > 0 ? corner : 0);
            const double cost = so_far + line_cost(search, places[k], places[i], costs[i] - so_far);
            if (cost < costs[i]) {
                costs[i] = cost;
                before[i] = k;
            }
        }
    }
    int left = 1;
    for (int i = count - 1; i > 0; i = before[i])
        left++;
    for (int i = count - 1, at = left - 1; at >= 0; i = before[i], at--)
        before[count + at] = i;
    for (int at = 0; at < left; at++)
        places[at] = places[before[count + at]];
    return left;
}

static double corner_cost(const PathSearch *search, const PathPlace *places, int count) {
    double cost = 0, length = 0;
    for (int i = 1; i < count; i++) {
        cost += line_cost(search, places[i - 1], places[i], INFINITY);
        length += path_length(path_shape(search, places[i - 1].y), path_shape(search, places[i].y),
                              places[i].x - places[i - 1].x, places[i].y - places[i - 1].y) /
                  field_side(search->height);
    }
    return length > 0 ? CORNER * cost / length : 0;
}

// Leaves out places of a path between which a straight line is as good, but the first and the last.
static Status path_straighten(const PathSearch *search, PathPlace *places, int *count, Error *error) {
    double *costs = memory_new((size_t)*count, sizeof *costs, error);
    int *before = costs ? memory_new_zeroed(2 * (size_t)*count, sizeof *before, error) : NULL;
    const double corner = corner_cost(search, places, *count);
    for (int pass = 0, last = 0; before && pass < PASSES && *count != last; pass++) {
        last = *count;
        *count = keep_corners(search, corner, places, *count, costs, before);
    }
    const bool made = before;
    memory_free(costs);
    memory_free(before);
    return made ? STATUS_OK : STATUS_MEMORY;
}

// --- lines -------------------------------------------------------------------------------------------------

typedef struct Line {
    int count, room;
    Vec2 *at;
} Line;

static bool line_add(Line *line, double x, double y, Error *error) {
    if (line->count == line->room) {
        const int room = line->room ? 2 * line->room : 256;
        Vec2 *at = memory_enlarge(line->at, (size_t)line->count, (size_t)room, sizeof *at, error);
        if (!at)
            return false;
        line->at = at;
        line->room = room;
    }
    line->at[line->count++] = (Vec2){ x, y };
    return true;
}

static PathPlace place_of(const PathSearch *search, size_t state) {
    const size_t width = (size_t)search->height->width, at = path_cell(search, state);
    return (PathPlace){ (int)(at % width), (int)(at / width) };
}

// The cells of the path, from its end to its start; NULL if memory runs out.
static PathPlace *follow_back(const PathSearch *search, size_t end, int *count, Error *error) {
    size_t state = end;
    *count = 1;
    while (path_step_back(search, &state))
        ++*count;
    PathPlace *places = memory_new((size_t)*count, sizeof *places, error);
    state = end;
    for (int i = 0; places && i < *count; i++) {
        places[i] = place_of(search, state);
        path_step_back(search, &state);
    }
    return places;
}

// Corners are cut at a quarter of their sides, which must not be longer than this share of N.
#define PIECE 0.012

// The line through the middles of cells, long ways in pieces; marks the cells as built.
static Status lay_line(const PathSearch *search, const PathPlace *places, int count, Line *line,
                       Error *error) {
    const double longest = search->path->smooth > 0 ? max(PIECE * field_side(search->height), 1) : INFINITY;
    path_build(search, places[0], places[0]);
    bool added = line_add(line, places[0].x + 0.5, places[0].y + 0.5, error);
    for (int i = 1; added && i < count; i++) {
        const double dx = places[i].x - places[i - 1].x, dy = places[i].y - places[i - 1].y;
        const int pieces = double_to_within(ceil(sqrt(dx * dx + dy * dy) / longest), 1, SIDE_MAX);
        path_build(search, places[i - 1], places[i]);
        for (int k = 1; added && k <= pieces; k++)
            added = line_add(line, places[i - 1].x + 0.5 + dx * k / pieces,
                             places[i - 1].y + 0.5 + dy * k / pieces, error);
    }
    return added ? STATUS_OK : STATUS_MEMORY;
}

static Status draw_way(const PathSearch *search, size_t goal, Line *line, Error *error) {
    int count;
    PathPlace *places = follow_back(search, goal, &count, error);
    Status status = places ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && search->path->smooth > 0 && search->path->turning == 0)
        status = path_straighten(search, places, &count, error);
    if (status == STATUS_OK)
        status = lay_line(search, places, count, line, error);
    memory_free(places);
    return status;
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
static double altitude_at(const PathSearch *search, Vec2 at) {
    const Field *height = search->height;
    const size_t cell = (size_t)index_within(at.y, height->height) * (size_t)height->width +
                        (size_t)index_within(at.x, height->width);
    const double ground =
        max(grid_sample(height->cells, height->width, height->height, at.x - 0.5, at.y - 0.5),
            search->path->sea_level);
    return path_is_wet(search, cell) ? max(ground, path_surface(search, cell)) : ground;
}

static Status make_network(const PathSearch *search, const Line *lines, int count, void **result,
                           Error *error) {
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

static PathEnds ends_of(const PathSearch *search, int row) {
    const double *at = search->path->paths.at + 4 * row;
    const int width = search->height->width, height = search->height->height;
    return (PathEnds){ index_within(at[0] * width, width), index_within(at[1] * height, height),
                       index_within(at[2] * width, width), index_within(at[3] * height, height) };
}

static Status find_way(PathSearch *search, int row, Line *line, Error *error) {
    const PathEnds ends = ends_of(search, row);
    size_t goal = 0;
    bool found = false;
    Status status = path_search(search, &ends, &goal, &found, error);
    if (status == STATUS_OK && !found)
        status =
            fail(error, STATUS_INVALID, "paths: cells without data lie across every way of row %d", row + 1);
    if (status == STATUS_OK)
        status = draw_way(search, goal, line, error);
    for (int i = 0; status == STATUS_OK && i < search->path->smooth; i++)
        status = cut_corners(line, error);
    return status;
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
    const int count = path->paths.count / 4;
    PathSearch search = { .run = call->run, .path = path, .height = call->inputs[0].field };
    Line *lines = memory_new_zeroed((size_t)count, sizeof *lines, error);
    Status status = lines ? check_cost(call, error) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = path_search_begin(&search, error);
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = find_way(&search, i, &lines[i], error);
    if (status == STATUS_OK)
        status = make_network(&search, lines, count, &call->outputs[0].value, error);
    for (int i = 0; lines && i < count; i++)
        memory_free(lines[i].at);
    memory_free(lines);
    path_search_free(&search);
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
    PARAM(Path, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, which is crossed like other water"),
    PARAM(Path, crossing, .initial = 20, .min = 0, .max = 1e6, .doc = "additional cost per length of water"),
    PARAM(Path, reuse, .initial = 0.5, .min = 0.01, .max = 1,
          .doc = "cost along an earlier path, relative to new ground; 1: no difference"),
    PARAM(Path, smooth, .initial = 2, .min = 0, .max = 5,
          .doc = "how often corners are cut; 0: straight from cell to cell, in 16 directions"),
    PARAM(Path, width, .initial = 0.005, .min = 0, .max = 1, .doc = "of the lines, as a share of N"),
    { 0 },
};

const Operation op_path = {
    .name = "path",
    .gaps = GAPS_KEPT, // over which no path leads
    .measures = MEASURES_SHAPES,
    .category = "places",
    .summary = "Finds least-cost paths over a terrain: roads and tracks",
    .description =
        "Paths avoid slopes, bends and water, and join paths that come before them in the list. A step "
        "of a path leads to one of the eight cells around, or two cells on and one aside. The path pays for "
        "every cell that it crosses, so it jumps over no river, wall or cliff. It is then straightened where "
        "turning and smooth allow. A diagonal runs between the "
        "cells at its sides, unless both are water: leave no such holes in walls of `cost`. No path leads "
        "over cells without data. Paths do not "
        "cross the field's edges, even where these meet. The result is a network of lines for draw, flatten "
        "and distance, and can be saved. One call takes 64 paths; those of the next join the earlier ones "
        "with cost = 1 - 0.5 * roads:rasterize().",
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
    .keywords = "road track trail route way pathfinding dijkstra astar least cost shortest walk",
    .see_also = "flatten distance river_network",
    .run = run,
};
