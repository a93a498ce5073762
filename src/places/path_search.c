#include "places/path_search.h"

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/filling.h"

#include <math.h>
#include <string.h>

enum { START = MOVES, UNSEEN = MOVES + 1 };

// In order of angle, from the right, clockwise on the screen.
static const int move_x[MOVES] = { 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1, 0, 1, 1, 2 };
static const int move_y[MOVES] = { 0, 1, 1, 2, 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1 };

enum { SETTLED = 0x80 };

static size_t cell_index(const PathSearch *search, int x, int y) {
    return (size_t)y * (size_t)search->height->width + (size_t)x;
}

size_t path_cell(const PathSearch *search, size_t state) {
    return state / (size_t)search->directions;
}

CellShape path_shape(const PathSearch *search, int row) {
    const int last = search->height->height - 1;
    return search->shapes[search->even ? 0 : min(max(row, 0), last)];
}

static const PathMoves *moves_from(const PathSearch *search, int row) {
    return &search->moves[search->even ? 0 : row];
}

double path_length(CellShape one, CellShape other, double dx, double dy) {
    const double across = 0.5 * (one.across + other.across) * dx, down = 0.5 * (one.down + other.down) * dy;
    return sqrt(across * across + down * down);
}

// The shapes of rows; false if memory runs out.
static bool path_measure(PathSearch *search, Error *error) {
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
static void path_prepare(PathSearch *search) {
    const Path *path = search->path;
    const double side = field_side(search->height);
    for (int row = 0; row < (search->even ? 1 : search->height->height); row++)
        for (int i = 0; i < MOVES; i++) {
            const double cells = path_length(path_shape(search, row), path_shape(search, row + move_y[i]),
                                             move_x[i], move_y[i]);
            search->moves[row].length[i] = cells / side;
            search->moves[row].steepness[i] = 1 / (search->moves[row].length[i] * side * path->slope);
        }
    const CellShape middle = path_shape(search, search->height->height / 2);
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

double path_surface(const PathSearch *search, size_t at) {
    const Path *path = search->path;
    const bool lake = path->water && path->water->cells[at] > 0;
    return max((double)(lake ? search->filled.cells : search->height->cells)[at], path->sea_level);
}

bool path_is_wet(const PathSearch *search, size_t at) {
    const Path *path = search->path;
    return (double)search->height->cells[at] < path->sea_level || (path->water && path->water->cells[at] > 0);
}

// No path leads over cells without data.
static bool has_gap(const PathSearch *search, size_t at) {
    const Path *path = search->path;
    return !field_has_data(search->height, at) || (path->cost && !field_has_data(path->cost, at)) ||
           (path->water && !field_has_data(path->water, at));
}

// Water lies level in pits, and slopes along rivers.
static Status find_surfaces(PathSearch *search, Error *error) {
    const Field *height = search->height;
    if (!search->path->water)
        return STATUS_OK;
    const Status status = field_create(&search->filled, height->width, height->height, error);
    return status == STATUS_OK
               ? fill_to_spills(search->run, height, (float)search->path->sea_level, &search->filled, error)
               : status;
}

Status path_search_begin(PathSearch *search, Error *error) {
    const size_t cells = field_count(search->height), rows = (size_t)search->height->height;
    search->directions = search->path->turning > 0 ? MOVES : 1;
    const size_t states = cells * (size_t)search->directions;
    if (states > UINT32_MAX)
        return fail(error, STATUS_INVALID, "the field is too large: at most %d cells along a side", 16384);
    const Status status = find_surfaces(search, error);
    if (status != STATUS_OK)
        return status;
    const bool measured = path_measure(search, error);
    if (measured)
        path_prepare(search);
    search->costs = measured ? memory_new(states, sizeof *search->costs, error) : NULL;
    search->from = search->costs ? memory_new(states, sizeof *search->from, error) : NULL;
    search->built = search->from ? memory_new_zeroed(cells, sizeof *search->built, error) : NULL;
    search->ground = search->built ? memory_new(cells, sizeof *search->ground, error) : NULL;
    search->cheapest = search->ground ? memory_new(rows, sizeof *search->cheapest, error) : NULL;
    return search->cheapest ? STATUS_OK : STATUS_MEMORY;
}

void path_search_free(PathSearch *search) {
    memory_free(search->shapes);
    memory_free(search->moves);
    memory_free(search->costs);
    memory_free(search->from);
    memory_free(search->built);
    memory_free(search->ground);
    memory_free(search->cheapest);
    bucket_queue_free(&search->queue);
    field_free(&search->filled);
}

static void price_rows(void *context, int first, int end) {
    const PathSearch *search = context;
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
static Status price_ground(PathSearch *search) {
    const int rows = search->height->height;
    const Status status = parallel_rows(search->run, rows, search->height->width * 3.0, price_rows, search);
    float least = INFINITY;
    for (int y = 0; y < rows && status == STATUS_OK; y++)
        least = min(least, search->cheapest[y]);
    search->least = (double)least;
    return status;
}

static Status enter(PathSearch *search, size_t state, float cost, int from, double ahead, Error *error) {
    search->costs[state] = cost;
    search->from[state] = (uint8_t)from;
    const float total = (float)((double)cost + ahead);
    return bucket_queue_add(&search->queue, (Waiting)ordered_bits(total) << 32 | (uint32_t)state, error)
               ? STATUS_OK
               : STATUS_MEMORY;
}

static double straight(const PathSearch *search, const PathEnds *ends, int x, int y) {
    const double length = path_length(search->shortest, search->shortest, x - ends->to_x, y - ends->to_y);
    return length / field_side(search->height) * search->least * 0.999999;
}

// The costs of all moves from a cell, of which `around` are the cells to which they lead. Even moves lead to
// the eight neighbours. A knight's move is two halves, which meet at the height between the two cells that it
// passes: the neighbours to which the moves before and after it lead, first the straight one.
KERNEL static void price_moves(const PathSearch *search, const PathMoves *restrict moves, PathGround here,
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
KERNEL static uint32_t price_inside(const PathSearch *search, uint32_t at, int row, double so_far,
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

static Status expand_inside(PathSearch *search, const PathEnds *ends, uint32_t at, int x, int y,
                            Error *error) {
    float costs[MOVES];
    uint32_t better = price_inside(search, at, y, (double)search->costs[at], costs);
    Status status = STATUS_OK;
    for (int move = 0; better && status == STATUS_OK; move++, better >>= 1)
        if (better & 1)
            status = enter(search, at + (uint32_t)search->offset[move], costs[move], move,
                           straight(search, ends, x + move_x[move], y + move_y[move]), error);
    return status;
}

static bool in_field(const PathSearch *search, int x, int y) {
    return x >= 0 && y >= 0 && x < search->height->width && y < search->height->height;
}

// From a settled state, whose cell was entered by `arrived` (START: nowhere), to all that it can reach.
static Status expand(PathSearch *search, const PathEnds *ends, size_t state, int arrived, Error *error) {
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
static int arrival(const PathSearch *search, size_t state) {
    if (state == search->start)
        return START;
    return search->directions == 1 ? search->from[state] & ~SETTLED : (int)(state % MOVES);
}

// Settles states in the order of their cost until the goal is reached.
Status path_search(PathSearch *search, const PathEnds *ends, size_t *goal, bool *found, Error *error) {
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

bool path_step_back(const PathSearch *search, size_t *state) {
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
