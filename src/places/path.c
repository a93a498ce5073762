// Least-cost paths over a terrain (Galin et al. 2010, "Procedural generation of roads", sections 3 and 4).
// A move of length L on the ground that rises by s per length costs
//
//     L · (1 + (s / slope)²) · (mean of the cost field),   times 1 + crossing in water, times reuse on an
//     earlier path
//
// where water has its surface: the sea's, or that to which pits fill. What the length crosses counts: both
// cells by half, or, in a knight's move, its two cells and the two that it passes by a quarter each. A
// diagonal meets the cells at its sides in a corner only, which counts where both are water, since rivers run
// diagonally, too. A bend costs `turning` for a right angle, which none exceeds. The search is Dijkstra's,
// ordered by cost plus the straight line that is left (Hart, Nilsson and Raphael 1968), which never exceeds
// the path. Where bends cost nothing, the path is then straightened, unless it is to go from cell to cell.

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/sample.h"
#include "core/summary.h"
#include "core/whole.h"
#include "rivers/network.h"
#include "water/cell_queue.h"
#include "water/filling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the search --------------------------------------------------------------------------------------------

// The search for least-cost paths. A state is a cell and one of 16 directions in which it was entered: to the
// eight neighbours and in knight's moves.

typedef struct Path {
    Numbers paths;
    double slope, turning, crossing, reuse, width, sea_level;
    const Field *cost, *water;
    int smooth;
} Path;

enum { MOVES = 16 };

// What a search reads of a cell.
typedef struct PathGround {
    float surface; // the ground's, or that of a lake; the sea's may be above
    float price;   // of a length; negative in water
} PathGround;

// How long moves from a cell of a row are, in N, and their steepness where they rise by 1, relative to the
// slope. A move to another row is as long as one between two rows of the mean of their cells' sides.
typedef struct PathMoves {
    double length[MOVES], steepness[MOVES];
} PathMoves;

typedef struct Search {
    const Run *run;
    const Path *path;
    const Field *height;
    Field filled;              // heights with pits filled; only if there is `water`
    int directions;            // states of a cell: MOVES, or 1 if bends cost nothing
    bool even;                 // the cells of all rows have the same sides
    CellShape *shapes;         // of the rows; one where they are even
    PathMoves *moves;          // likewise
    CellShape shortest;        // the shortest sides of all rows
    int offset[MOVES];         // of the cells to which moves lead
    double turn[MOVES][MOVES]; // costs of bends; infinite above 90°
    double least;              // cost of N on the flat at best
    size_t start;              // the state in which the path begins
    float *costs;              // of states
    uint8_t *from;             // the direction from which a state was reached; bit 7: settled
    bool *built;               // cells of paths
    PathGround *ground;
    float *cheapest; // of each row
    BucketQueue queue;
} Search;

typedef struct Ends {
    int from_x, from_y, to_x, to_y;
} Ends;

enum { START = MOVES, UNSEEN = MOVES + 1 };

// In order of angle, from the right, clockwise on the screen.
static const int move_x[MOVES] = { 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1, 0, 1, 1, 2 };
static const int move_y[MOVES] = { 0, 1, 1, 2, 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1 };

enum { SETTLED = 0x80 };

static size_t cell_index(const Search *search, int x, int y) {
    return (size_t)y * (size_t)search->height->width + (size_t)x;
}

static size_t path_cell(const Search *search, size_t state) {
    return state / (size_t)search->directions;
}

static CellShape shape_of(const Search *search, int row) {
    const int last = search->height->height - 1;
    return search->shapes[search->even ? 0 : min(max(row, 0), last)];
}

static const PathMoves *moves_from(const Search *search, int row) {
    return &search->moves[search->even ? 0 : row];
}

// A way of dx columns and dy rows, in sides of cells of the frame's size.
static double length_between(CellShape one, CellShape other, double dx, double dy) {
    const double across = 0.5 * (one.across + other.across) * dx, down = 0.5 * (one.down + other.down) * dy;
    return sqrt(across * across + down * down);
}

// The shapes of rows; false if memory runs out.
static bool path_measure(Search *search, Error *error) {
    const Field *field = search->height;
    const CellShape first = field_row_shape(field, 0), last = field_row_shape(field, field->height - 1);
    search->even = first.across == last.across && first.down == last.down;
    for (int row = 1; row < field->height && search->even; row++) {
        const CellShape shape = field_row_shape(field, row);
        search->even = shape.across == first.across && shape.down == first.down;
    }
    const int rows = search->even ? 1 : field->height;
    search->shapes = memory_new((size_t)rows, sizeof *search->shapes, error);
    search->moves = search->shapes ? memory_new((size_t)rows, sizeof *search->moves, error) : NULL;
    if (!search->moves)
        return false;
    search->shortest = first;
    for (int row = 0; row < rows; row++) {
        const CellShape shape = field_row_shape(field, row);
        search->shapes[row] = shape;
        search->shortest.across = min(search->shortest.across, shape.across);
        search->shortest.down = min(search->shortest.down, shape.down);
    }
    return true;
}

// The lengths, slopes and bends of moves.
static void path_prepare(Search *search) {
    const Path *path = search->path;
    const double side = field_side(search->height);
    for (int row = 0; row < (search->even ? 1 : search->height->height); row++)
        for (int i = 0; i < MOVES; i++) {
            const double cells = length_between(shape_of(search, row), shape_of(search, row + move_y[i]),
                                                move_x[i], move_y[i]);
            search->moves[row].length[i] = cells / side;
            search->moves[row].steepness[i] = 1 / (search->moves[row].length[i] * side * path->slope);
        }
    const CellShape middle = shape_of(search, search->height->height / 2);
    double angle[MOVES];
    for (int i = 0; i < MOVES; i++) {
        search->offset[i] = move_y[i] * search->height->width + move_x[i];
        angle[i] = arctangent2(move_y[i] * middle.down, move_x[i] * middle.across);
    }
    for (int i = 0; i < MOVES; i++)
        for (int j = 0; j < MOVES; j++) {
            const double apart = fabs(angle[i] - angle[j]), bend = min(apart, 2 * PI - apart);
            search->turn[i][j] = bend > PI / 2 + 1e-6 ? INFINITY : path->turning * bend / (PI / 2);
        }
}

// The ground, or the surface of water; and whether there is any.
static double path_surface(const Search *search, size_t at) {
    const Path *path = search->path;
    const bool lake = path->water && path->water->cells[at] > 0;
    return max((double)(lake ? search->filled.cells : search->height->cells)[at], path->sea_level);
}

static bool path_is_wet(const Search *search, size_t at) {
    const Path *path = search->path;
    return (double)search->height->cells[at] < path->sea_level || (path->water && path->water->cells[at] > 0);
}

// No path leads over cells without data.
static bool has_gap(const Search *search, size_t at) {
    const Path *path = search->path;
    return !field_has_data(search->height, at) || (path->cost && !field_has_data(path->cost, at)) ||
           (path->water && !field_has_data(path->water, at));
}

static void price_rows(void *context, int first, int end) {
    const Search *search = context;
    const Path *path = search->path;
    for (int y = first; y < end; y++) {
        float least = INFINITY;
        for (int x = 0; x < search->height->width; x++) {
            const size_t at = cell_index(search, x, y);
            const bool lake = path->water && path->water->cells[at] > 0;
            double cost = path->cost ? (double)path->cost->cells[at] : 1;
            const bool wet = path_is_wet(search, at);
            if (wet)
                cost *= 1 + path->crossing;
            const float price =
                has_gap(search, at) ? INFINITY : (float)(search->built[at] ? cost * path->reuse : cost);
            search->ground[at] = (PathGround){ (lake ? search->filled.cells : search->height->cells)[at],
                                               wet ? -price : price };
            least = min(least, price);
        }
        search->cheapest[y] = least;
    }
}

// Prices all ground. The lowest is kept, so that the straight line never costs more than the path.
static Status price_ground(Search *search) {
    const int rows = search->height->height;
    const Status status = parallel_rows(search->run, rows, search->height->width * 3.0, price_rows, search);
    float least = INFINITY;
    for (int y = 0; y < rows && status == STATUS_OK; y++)
        least = min(least, search->cheapest[y]);
    search->least = (double)least;
    return status;
}

static Status enter(Search *search, size_t state, float cost, int from, double ahead, Error *error) {
    search->costs[state] = cost;
    search->from[state] = (uint8_t)from;
    const float total = (float)((double)cost + ahead);
    return bucket_queue_add(&search->queue, (Waiting)ordered_bits(total) << 32 | (uint32_t)state, error)
               ? STATUS_OK
               : STATUS_MEMORY;
}

static double straight(const Search *search, const Ends *ends, int x, int y) {
    const double length = length_between(search->shortest, search->shortest, x - ends->to_x, y - ends->to_y);
    return length / field_side(search->height) * search->least * 0.999999;
}

// The costs of all moves from a cell, of which `around` are the cells to which they lead. Even moves lead to
// the eight neighbours. A knight's move is two halves, which meet at the height between the two cells that it
// passes: the neighbours to which the moves before and after it lead, first the straight one.
KERNEL static void price_moves(const Search *search, const PathMoves *restrict moves, PathGround here,
                               const PathGround *restrict around, double *restrict steps) {
    const double sea = search->path->sea_level, level = max((double)here.surface, sea);
    const double own = fabs((double)here.price);
    double surface[MOVES], price[MOVES];
    for (int move = 0; move < MOVES; move++) {
        surface[move] = max((double)around[move].surface, sea);
        price[move] = fabs((double)around[move].price);
    }
    for (int move = 0; move < MOVES; move++) {
        const double steepness = (surface[move] - level) * moves->steepness[move];
        steps[move] = moves->length[move] * (1 + steepness * steepness) * 0.5 * (own + price[move]);
    }
    for (int move = 1; move < MOVES; move += 2) {
        const int after = (move + 1) % MOVES, straight = move % 4 == 1 ? move - 1 : after,
                  diagonal = move % 4 == 1 ? after : move - 1;
        const double middle = 0.5 * (surface[straight] + surface[diagonal]);
        const double up = (middle - level) * 2 * moves->steepness[move];
        const double down = (surface[move] - middle) * 2 * moves->steepness[move];
        steps[move] =
            moves->length[move] * 0.25 *
            ((1 + up * up) * (own + price[straight]) + (1 + down * down) * (price[diagonal] + price[move]));
    }
    for (int move = 2; move < MOVES; move += 4) {
        const int before = move - 2, after = (move + 2) % MOVES;
        const double steepness = (surface[move] - level) * moves->steepness[move];
        if (around[before].price < 0 && around[after].price < 0) // of a river, which may run diagonally
            steps[move] = moves->length[move] * (1 + steepness * steepness) * 0.25 *
                          (own + price[move] + price[before] + price[after]);
    }
}

// The costs of all cells that can be reached from one far from the edges, where bends cost nothing; bits of
// the moves to those that were not reached as cheaply before. As `expand`, but without branches.
KERNEL static uint32_t price_inside(const Search *search, uint32_t at, int row, double so_far,
                                    float *restrict costs) {
    PathGround around[MOVES];
    double steps[MOVES];
    float known[MOVES];
    uint8_t from[MOVES];
    for (int move = 0; move < MOVES; move++) {
        const uint32_t to = at + (uint32_t)search->offset[move];
        around[move] = search->ground[to];
        known[move] = search->costs[to];
        from[move] = search->from[to];
    }
    price_moves(search, moves_from(search, row), search->ground[at], around, steps);
    uint32_t better = 0;
    for (int move = 0; move < MOVES; move++)
        costs[move] = (float)(so_far + steps[move]);
    for (int move = 0; move < MOVES; move++) {
        const uint32_t open = from[move] < SETTLED, first = from[move] == UNSEEN,
                       less = costs[move] < known[move], finite = costs[move] < INFINITY;
        better |= (open & finite & (first | less)) << move;
    }
    return better;
}

static Status expand_inside(Search *search, const Ends *ends, uint32_t at, int x, int y, Error *error) {
    float costs[MOVES];
    uint32_t better = price_inside(search, at, y, (double)search->costs[at], costs);
    Status status = STATUS_OK;
    for (int move = 0; better && status == STATUS_OK; move++, better >>= 1)
        if (better & 1)
            status = enter(search, at + (uint32_t)search->offset[move], costs[move], move,
                           straight(search, ends, x + move_x[move], y + move_y[move]), error);
    return status;
}

static bool in_field(const Search *search, int x, int y) {
    return x >= 0 && y >= 0 && x < search->height->width && y < search->height->height;
}

// From a settled state, whose cell was entered by `arrived` (START: nowhere), to all that it can reach.
static Status expand(Search *search, const Ends *ends, size_t state, int arrived, Error *error) {
    const bool one = search->directions == 1;
    const uint32_t at = (uint32_t)(one ? state : state / MOVES), width = (uint32_t)search->height->width;
    const int x = (int)(at % width), y = (int)(at / width);
    if (one && x >= 2 && y >= 2 && x < (int)width - 2 && y < search->height->height - 2)
        return expand_inside(search, ends, at, x, y, error);
    PathGround around[MOVES];
    double steps[MOVES];
    for (int move = 0; move < MOVES; move++) {
        const int to_x = x + move_x[move], to_y = y + move_y[move];
        around[move] = search->ground[in_field(search, to_x, to_y) ? cell_index(search, to_x, to_y) : at];
    }
    price_moves(search, moves_from(search, y), search->ground[at], around, steps);
    Status status = STATUS_OK;
    for (int move = 0; status == STATUS_OK && move < MOVES; move++) {
        const int to_x = x + move_x[move], to_y = y + move_y[move];
        if (!in_field(search, to_x, to_y))
            continue;
        const size_t to = cell_index(search, to_x, to_y);
        const size_t next = one ? to : to * MOVES + (size_t)move;
        const double bend = one || arrived == START ? 0 : search->turn[arrived][move];
        if (search->from[next] & SETTLED || bend == INFINITY)
            continue;
        const float cost = (float)((double)search->costs[state] + bend + steps[move]);
        if (cost < INFINITY && (search->from[next] == UNSEEN || cost < search->costs[next]))
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

// Settles states in the order of their cost until the goal is reached; gives its state. Not found: gaps keep
// it apart.
static Status path_search(Search *search, const Ends *ends, size_t *goal, bool *found, Error *error) {
    const size_t states = field_count(search->height) * (size_t)search->directions;
    Status status = price_ground(search);
    if (status != STATUS_OK)
        return status;
    memset(search->costs, 0, states * sizeof *search->costs);
    memset(search->from, UNSEEN, states);
    bucket_queue_clear(&search->queue);
    const size_t target = cell_index(search, ends->to_x, ends->to_y);
    search->start = cell_index(search, ends->from_x, ends->from_y) * (size_t)search->directions;
    if (has_gap(search, path_cell(search, search->start)))
        return STATUS_OK;
    status = enter(search, search->start, 0, START, 0, error);
    long settled = 0;
    while (status == STATUS_OK && search->queue.count > 0) {
        Waiting lowest;
        if (!bucket_queue_take(&search->queue, &lowest, error))
            return STATUS_MEMORY;
        const size_t state = (size_t)(lowest & UINT32_MAX);
        if (search->from[state] & SETTLED)
            continue;
        *goal = state;
        *found = path_cell(search, state) == target;
        if (*found)
            break;
        const int arrived = arrival(search, state);
        search->from[state] |= SETTLED;
        status = expand(search, ends, state, arrived, error);
        if (++settled % 65536 == 0 && run_stopped(search->run))
            status = STATUS_STOPPED;
    }
    return status;
}

// The state before, on the way to this one: false where it is the first.
static bool path_step_back(const Search *search, size_t *state) {
    const int width = search->height->width, move = arrival(search, *state),
              from = search->from[*state] & ~SETTLED;
    if (move == START)
        return false;
    const size_t at = path_cell(search, *state);
    const int x = (int)(at % (size_t)width), y = (int)(at / (size_t)width);
    const size_t before = cell_index(search, x - move_x[move], y - move_y[move]);
    if (from == START)
        *state = search->start;
    else
        *state = search->directions == 1 ? before : before * MOVES + (size_t)from;
    return true;
}

// --- straight lines ----------------------------------------------------------------------------------------

// Straightens paths: of the cells of a path those are kept between which straight lines cost least, where
// each corner costs as much as a short stretch of the path. A search from cell to cell knows 16 directions
// only, so that its ways over open ground are made of two of them, and it follows every bump of the ground
// (for post-smoothed paths, see Daniel et al. 2010, "Theta*: any-angle path planning on grids").
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
    const Search *search;
    int x, y, dx, dy, count;
} Steps;

// Two cells between which a step ends, and how near it is to the second; `other` is `cell` where it ends in
// one.
typedef struct StepEnd {
    size_t cell, other;
    double share;
} StepEnd;

static Steps steps_between(const Search *search, PathPlace from, PathPlace to) {
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

static double price_between(const Search *search, StepEnd at) {
    const double price = fabs((double)search->ground[at.cell].price);
    return at.share == 0 ? price : price + (fabs((double)search->ground[at.other].price) - price) * at.share;
}

static double surface_between(const Search *search, StepEnd at) {
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

// The cost of a straight line, as path.c has it of a move; `most` or more where it is not less.
static double line_cost(const Search *search, PathPlace from, PathPlace to, double most) {
    const Steps steps = steps_between(search, from, to);
    const double side = field_side(search->height);
    const double parts = max(steps.count, 1);
    CellShape shape = shape_of(search, from.y);
    double cells = length_between(shape, shape, steps.dx, steps.dy) / parts;
    double steepness = steps.count ? 1 / (cells * search->path->slope) : 0;
    StepEnd at = { index_of(&steps, from.x, from.y), index_of(&steps, from.x, from.y), 0 };
    double cost = 0, price = price_between(search, at), surface = surface_between(search, at);
    for (int step = 1; step <= steps.count && cost < most; step++) {
        at = step_end(&steps, step);
        if (!search->even) {
            const CellShape next = shape_of(search, from.y + whole_int(steps.dy / parts * step));
            cells = length_between(shape, next, steps.dx, steps.dy) / parts;
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
static void path_build(const Search *search, PathPlace from, PathPlace to) {
    const Steps steps = steps_between(search, from, to);
    search->built[index_of(&steps, from.x, from.y)] = true;
    for (int step = 1; step <= steps.count; step++) {
        const StepEnd at = step_end(&steps, step);
        search->built[at.cell] = search->built[at.other] = true;
    }
}

// The cheapest corners on the way to each place, and from them the places that are left.
static int keep_corners(const Search *search, double corner, PathPlace *places, int count, double *costs,
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

static double corner_cost(const Search *search, const PathPlace *places, int count) {
    double cost = 0, length = 0;
    for (int i = 1; i < count; i++) {
        cost += line_cost(search, places[i - 1], places[i], INFINITY);
        length += length_between(shape_of(search, places[i - 1].y), shape_of(search, places[i].y),
                                 places[i].x - places[i - 1].x, places[i].y - places[i - 1].y) /
                  field_side(search->height);
    }
    return length > 0 ? CORNER * cost / length : 0;
}

// Leaves out places of a path between which a straight line is as good, but the first and the last.
static Status path_straighten(const Search *search, PathPlace *places, int *count, Error *error) {
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

static PathPlace place_of(const Search *search, size_t state) {
    const size_t width = (size_t)search->height->width, at = path_cell(search, state);
    return (PathPlace){ (int)(at % width), (int)(at / width) };
}

// The cells of the path, from its end to its start; NULL if memory runs out.
static PathPlace *follow_back(const Search *search, size_t end, int *count, Error *error) {
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
static Status lay_line(const Search *search, const PathPlace *places, int count, Line *line, Error *error) {
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

static Status draw_way(const Search *search, size_t goal, Line *line, Error *error) {
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
static double altitude_at(const Search *search, Vec2 at) {
    const Field *height = search->height;
    const size_t cell = (size_t)index_within(at.y, height->height) * (size_t)height->width +
                        (size_t)index_within(at.x, height->width);
    const double ground =
        max(grid_sample(height->cells, height->width, height->height, at.x - 0.5, at.y - 0.5),
            search->path->sea_level);
    return path_is_wet(search, cell) ? max(ground, path_surface(search, cell)) : ground;
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
    Line *lines = memory_new_zeroed((size_t)count, sizeof *lines, error);
    const bool measured = lines && path_measure(&search, error);
    if (measured)
        path_prepare(&search);
    search.costs = measured ? memory_new(states, sizeof *search.costs, error) : NULL;
    search.from = search.costs ? memory_new(states, sizeof *search.from, error) : NULL;
    search.built = search.from ? memory_new_zeroed(cells, sizeof *search.built, error) : NULL;
    search.ground = search.built ? memory_new(cells, sizeof *search.ground, error) : NULL;
    search.cheapest =
        search.ground ? memory_new((size_t)height->height, sizeof *search.cheapest, error) : NULL;
    status = search.cheapest ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = find_way(&search, i, &lines[i], error);
    if (status == STATUS_OK)
        status = make_network(&search, lines, count, &call->outputs[0].value, error);
    for (int i = 0; lines && i < count; i++)
        memory_free(lines[i].at);
    memory_free(lines);
    memory_free(search.shapes);
    memory_free(search.moves);
    memory_free(search.costs);
    memory_free(search.from);
    memory_free(search.built);
    memory_free(search.ground);
    memory_free(search.cheapest);
    bucket_queue_free(&search.queue);
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
        "cross "
        "the field's edges, even where these meet. The result is a network of lines for draw, flatten and "
        "distance, and can be saved. One call takes 64 paths; those of the next join the earlier ones with "
        "cost = 1 - 0.5 * roads:rasterize().",
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
