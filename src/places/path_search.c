#include "places/path_search.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

enum { START = MOVES, UNSEEN = MOVES + 1 };

// In order of angle, from the right, clockwise on the screen.
static const int move_x[MOVES] = { 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1, 0, 1, 1, 2 };
static const int move_y[MOVES] = { 0, 1, 1, 2, 1, 2, 1, 1, 0, -1, -1, -2, -1, -2, -1, -1 };

enum { SETTLED = 0x80 };

static size_t cell_index(const Search *search, int x, int y) {
    return (size_t)y * (size_t)search->height->width + (size_t)x;
}

size_t path_cell(const Search *search, size_t state) {
    return state / (size_t)search->directions;
}

void path_prepare(Search *search) {
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

double path_surface(const Search *search, size_t at) {
    const Path *path = search->path;
    const bool lake = path->water && path->water->cells[at] > 0;
    return max((double)(lake ? search->filled.cells : search->height->cells)[at], path->sea_level);
}

bool path_is_wet(const Search *search, size_t at) {
    const Path *path = search->path;
    return (double)search->height->cells[at] < path->sea_level || (path->water && path->water->cells[at] > 0);
}

static void price_ground(Search *search) {
    const Path *path = search->path;
    for (size_t at = 0; at < field_count(search->height); at++) {
        double cost = path->cost ? (double)path->cost->cells[at] : 1;
        if (path_is_wet(search, at))
            cost *= 1 + path->crossing;
        search->ground[at] = (float)(search->built[at] ? cost * path->reuse : cost);
    }
}

static double move_cost(const Search *search, size_t from, size_t to, int move) {
    const double rise = path_surface(search, to) - path_surface(search, from);
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

static double straight(const Search *search, const Ends *ends, int x, int y) {
    const double dx = x - ends->to_x, dy = y - ends->to_y;
    return sqrt(dx * dx + dy * dy) / field_side(search->height) * search->least * 0.999999;
}

// From a settled state, whose cell was entered by `arrived` (START: nowhere), to all that it can reach.
static Status expand(Search *search, const Ends *ends, size_t state, int arrived, Error *error) {
    const size_t at = path_cell(search, state);
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

Status path_search(Search *search, const Ends *ends, size_t *goal, Error *error) {
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
        if (path_cell(search, state) == target)
            break;
        const int arrived = arrival(search, state);
        search->from[state] |= SETTLED;
        status = expand(search, ends, state, arrived, error);
        if (++settled % 65536 == 0 && run_stopped(search->run))
            status = STATUS_STOPPED;
    }
    return status;
}

bool path_step_back(const Search *search, size_t *state) {
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
