// Straightens paths: of the cells of a path those are kept between which straight lines cost least, where
// each corner costs as much as a short stretch of the path. A search from cell to cell knows 16 directions
// only, so that its ways over open ground are made of two of them, and it follows every bump of the ground
// (for post-smoothed paths, see Daniel et al. 2010, "Theta*: any-angle path planning on grids").
//
// A line takes as many steps as it has columns or rows. Between them it lies between two cells, whose heights
// and prices it takes by their nearness: a knight's move is such a line of two steps.

#include "places/path_search.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <stdlib.h>

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
    const double cells =
        steps.count ? sqrt((double)steps.dx * steps.dx + (double)steps.dy * steps.dy) / steps.count : 0;
    const double steepness = steps.count ? 1 / (cells * search->path->slope) : 0;
    StepEnd at = { index_of(&steps, from.x, from.y), index_of(&steps, from.x, from.y), 0 };
    double cost = 0, price = price_between(search, at), surface = surface_between(search, at);
    for (int step = 1; step <= steps.count && cost < most; step++) {
        at = step_end(&steps, step);
        const double next_price = price_between(search, at), next_surface = surface_between(search, at);
        const double rise = (next_surface - surface) * steepness, prices = price + next_price;
        cost += cells / side * (1 + rise * rise) * 0.5 * (prices + beside_diagonal(&steps, step, prices));
        price = next_price;
        surface = next_surface;
    }
    return cost;
}

void path_build(const Search *search, PathPlace from, PathPlace to) {
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
        const double dx = places[i].x - places[i - 1].x, dy = places[i].y - places[i - 1].y;
        cost += line_cost(search, places[i - 1], places[i], INFINITY);
        length += sqrt(dx * dx + dy * dy) / field_side(search->height);
    }
    return length > 0 ? CORNER * cost / length : 0;
}

Status path_straighten(const Search *search, PathPlace *places, int *count, Error *error) {
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
