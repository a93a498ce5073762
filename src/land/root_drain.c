// Where the water of level 0 runs: each cell drains into its steepest neighbour, and cells are ordered from
// the water's end upward. After the first steps of erosion few cells change the one that they drain into:
// areas are then changed along the ways of these, and the order is mended.

#include "land/root.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

// The sea counts as altitude 0, whatever its floor.
static double surface(const Root *root, size_t cell) {
    return max(root->z[cell], 0.0);
}

static void find_receiver(const Root *root, size_t cell) {
    double steepest = 0;
    root->window->receiver[cell] = LAND_NONE;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const ptrdiff_t other = cell_beside(root, cell, d);
        if (other == NO_CELL)
            continue;
        const double fall = (root->z[cell] - surface(root, (size_t)other)) * (double)inverse_distance[d];
        if (fall > steepest) {
            steepest = fall;
            root->window->receiver[cell] = (uint8_t)d;
        }
    }
}

typedef struct Steepest {
    double fall;
    int64_t direction; // as wide as a fall, so that both lie in vectors of as many lanes
} Steepest;

KERNEL_INLINE Steepest steeper(Steepest so_far, double z, double beside, double closeness,
                               int64_t direction) {
    const double fall = (z - beside) * closeness;
    const bool more = fall > so_far.fall;
    return (Steepest){ more ? fall : so_far.fall, more ? direction : so_far.direction };
}

enum { PIECE = 64 };                // cells that are looked at together
typedef double Surfaces[PIECE + 2]; // of a piece and the cells beside it

KERNEL_NARROW static void set_surfaces(const double *restrict z, int count, double *restrict surfaces) {
    for (int i = 0; i < count; i++)
        surfaces[i] = max(z[i], 0.0);
}

KERNEL_NARROW static void find_steepest(const double *restrict z, const double *restrict above,
                                        const double *restrict row, const double *restrict below, int count,
                                        double aslant, int64_t *restrict direction) {
    for (int i = 0; i < count; i++) {
        Steepest best = { 0, LAND_NONE };
        best = steeper(best, z[i], row[i + 2], 1, 0);
        best = steeper(best, z[i], below[i + 2], aslant, 1);
        best = steeper(best, z[i], below[i + 1], 1, 2);
        best = steeper(best, z[i], below[i], aslant, 3);
        best = steeper(best, z[i], row[i], 1, 4);
        best = steeper(best, z[i], above[i], aslant, 5);
        best = steeper(best, z[i], above[i + 1], 1, 6);
        best = steeper(best, z[i], above[i + 2], aslant, 7);
        direction[i] = best.direction;
    }
}

KERNEL static void point_to_receivers(const int64_t *restrict direction, int count,
                                      uint8_t *restrict receiver) {
    for (int i = 0; i < count; i++)
        receiver[i] = receiver[i] == LAND_SEA ? LAND_SEA : (uint8_t)direction[i];
}

// Of cells that have all neighbours: the same.
static void find_receivers_inside(const Root *root, size_t start, int count) {
    const size_t width = (size_t)root->window->width;
    for (int first = 0; first < count; first += PIECE) {
        const int some = min((int)PIECE, count - first);
        const size_t cell = start + (size_t)first;
        Surfaces above, row, below;
        int64_t direction[PIECE];
        set_surfaces(root->z + cell - width - 1, some + 2, above);
        set_surfaces(root->z + cell - 1, some + 2, row);
        set_surfaces(root->z + cell + width - 1, some + 2, below);
        find_steepest(root->z + cell, above, row, below, some, (double)inverse_distance[1], direction);
        point_to_receivers(direction, some, root->window->receiver + cell);
    }
}

// The cells that those of a row drain into.
KERNEL static void set_targets(const uint8_t *restrict receiver, const int *restrict offset, int start,
                               int count, int *restrict target) {
    for (int i = 0; i < count; i++)
        target[i] = start + i + offset[receiver[i]];
}

static void find_on_edge(const Root *root, size_t cell) {
    const LandWindow *window = root->window;
    if (window->receiver[cell] == LAND_SEA)
        return;
    find_receiver(root, cell);
    const int direction = window->receiver[cell];
    root->target[cell] = direction < NEIGHBOURS ? (int)cell_beside(root, cell, direction) : NO_CELL;
}

static void find_in_row(const Root *root, const int *offset, int y) {
    const LandWindow *window = root->window;
    const int width = window->width;
    const size_t start = (size_t)y * (size_t)width, last = start + (size_t)width - 1;
    const bool inside = root_has_inside(root, start);
    if (inside)
        find_receivers_inside(root, start + 1, width - 2);
    set_targets(window->receiver + start, offset, (int)start, width, root->target + start);
    for (size_t cell = start; cell <= last; cell += inside ? last - start : 1)
        find_on_edge(root, cell);
}

static void find_in_rows(void *context, int first, int end) {
    const Root *root = context;
    int offset[LAND_NONE + 1] = { 0 };
    for (int d = 0; d < NEIGHBOURS; d++)
        offset[d] = neighbour_y[d] * root->window->width + neighbour_x[d];
    for (int y = first; y < end; y++)
        find_in_row(root, offset, y);
}

// Cells at which water ends come first in the order, whatever drains where; `inland` has the others.
void root_list_inland(Root *root) {
    root->ends = 0;
    size_t inland = 0;
    for (size_t i = 0; i < root->count; i++)
        if (root->window->receiver[i] == LAND_SEA)
            root->order[root->ends++] = (int)i;
        else
            root->inland[inland++] = (int)i;
    memcpy(root->mended, root->order, root->ends * sizeof *root->mended);
}

enum { WATER_ENDS = NEIGHBOURS + 1 }; // more than can drain into a cell

static void count_donors(const Root *root) {
    const uint8_t *restrict receiver = root->window->receiver;
    const int *restrict target = root->target, *restrict inland = root->inland;
    uint8_t *restrict donors = root->seen;
    for (size_t i = 0; i < root->count; i++)
        donors[i] = receiver[i] == LAND_SEA ? WATER_ENDS : 0;
    for (size_t k = 0; k < root->count - root->ends; k++)
        if (receiver[inland[k]] < NEIGHBOURS)
            donors[target[inland[k]]]++;
}

// Cells after those that they drain into, from the last one on: a cell follows when all that drain into it
// have been passed, so what drains through it, a whole number, is known. Few of the cells that are neighbours
// in this order wait for each other. Each cell is written to the next place, which is taken if it may follow;
// one where water ends, which the last of them overwrites, comes back. No branch depends on it.
static void sort_upward(const Root *root) {
    const uint8_t *restrict receiver = root->window->receiver;
    const int *restrict target = root->target, *restrict inland = root->inland;
    uint8_t *restrict donors = root->seen;
    float *restrict area = root->window->area;
    int *restrict order = root->order;
    const int last_end = order[root->ends - 1];
    size_t next = root->count - 1;
    for (size_t k = 0; k < root->count - root->ends; k++) {
        order[next] = inland[k];
        next -= donors[inland[k]] == 0;
    }
    for (size_t k = root->count; k-- > root->ends;) {
        const size_t cell = (size_t)order[k];
        if (receiver[cell] >= NEIGHBOURS)
            continue;
        const size_t to = (size_t)target[cell];
        area[to] += area[cell];
        donors[to]--;
        order[next] = (int)to;
        next -= donors[to] == 0;
    }
    order[root->ends - 1] = last_end;
}

static void begin_areas(const Root *root) {
    for (size_t i = 0; i < root->count; i++)
        root->window->area[i] = 1;
    root_courses_spring(root);
}

KERNEL_INLINE int way_of(uint8_t receiver, int target) {
    return receiver < NEIGHBOURS ? target : NO_CELL;
}

KERNEL static void keep_ways(const uint8_t *restrict receiver, const int *restrict target, size_t count,
                             int *restrict former) {
    for (size_t i = 0; i < count; i++)
        former[i] = way_of(receiver[i], target[i]);
}

static Status find_ways(Root *root, const Run *run) {
    const Status status =
        parallel_rows(run, root->window->height, root->window->width * 3.0, find_in_rows, root);
    if (status == STATUS_OK) {
        root_courses_route(root);
        root_lakes_route(root);
    }
    return status;
}

static void drain_all(const Root *root) {
    count_donors(root);
    begin_areas(root);
    sort_upward(root);
    root_courses_bring(root);
    keep_ways(root->window->receiver, root->target, root->count, root->former);
}

Status root_drain(Root *root, const Run *run) {
    const Status status = find_ways(root, run);
    if (status == STATUS_OK)
        drain_all(root);
    return status;
}

// --- a little has changed ----------------------------------------------------------------------------------

enum { MANY = 24 };   // one of so many cells changes its way: to begin anew is as fast
#define EXACT 0x1p24f // up to which areas, whole numbers, may be changed in any order

KERNEL static bool any_changed(const uint8_t *restrict receiver, const int *restrict target,
                               const int *restrict former, int count) {
    int changed = 0;
    for (int i = 0; i < count; i++)
        changed |= way_of(receiver[i], target[i]) ^ former[i];
    return changed != 0;
}

// Lists the cells that drain into another one than before, `most` at most. Returns how many there are.
static size_t list_changed(const Root *root, int *list, size_t most) {
    const uint8_t *receiver = root->window->receiver;
    size_t changed = 0;
    for (size_t first = 0; first < root->count && changed < most; first += PIECE) {
        const size_t end = min(first + PIECE, root->count);
        if (!any_changed(receiver + first, root->target + first, root->former + first, (int)(end - first)))
            continue;
        for (size_t i = first; i < end && changed < most; i++)
            if (way_of(receiver[i], root->target[i]) != root->former[i])
                list[changed++] = (int)i;
    }
    return changed;
}

static void add_along(const Root *root, int cell, float area) {
    for (; cell != NO_CELL; cell = root->former[cell])
        root->window->area[cell] += area;
}

// All cells leave their former ways first: no way leads in a circle at any time.
static void change_areas(const Root *root, const int *changed, size_t count) {
    const float *area = root->window->area;
    for (size_t k = 0; k < count; k++) {
        const int way = root->former[changed[k]];
        root->former[changed[k]] = NO_CELL;
        add_along(root, way, -area[changed[k]]);
    }
    for (size_t k = 0; k < count; k++) {
        const int cell = changed[k], way = way_of(root->window->receiver[cell], root->target[cell]);
        add_along(root, way, area[cell]);
        root->former[cell] = way;
    }
}

// Cells keep their order but where one comes before what it drains into: all of its way comes before it.
// What waits lies at the end of the new order.
static void mend_order(Root *root) {
    const size_t count = root->count;
    const int *restrict former = root->former, *restrict order = root->order;
    const uint8_t *restrict receiver = root->window->receiver;
    uint8_t *restrict placed = root->seen;
    int *restrict mended = root->mended;
    size_t next = root->ends;
    for (size_t i = 0; i < count; i++)
        placed[i] = receiver[i] == LAND_SEA;
    for (size_t k = next; k < count; k++) {
        const int first = order[k];
        size_t waiting = count;
        if (placed[first])
            continue;
        if (former[first] == NO_CELL || placed[former[first]]) {
            placed[first] = 1;
            mended[next++] = first;
            continue;
        }
        for (int cell = first; cell != NO_CELL && !placed[cell]; cell = former[cell]) {
            placed[cell] = 1;
            mended[--waiting] = cell;
        }
        while (waiting < count)
            mended[next++] = mended[waiting++];
    }
    root->mended = root->order;
    root->order = mended;
}

Status root_drain_again(Root *root, const Run *run) {
    const Status status = find_ways(root, run);
    if (status != STATUS_OK)
        return status;
    const size_t most = (root->count - root->ends) / MANY;
    const bool exact = !root->courses && (float)root->count <= EXACT;
    const size_t changed = exact ? list_changed(root, root->mended + root->ends, most) : most;
    if (changed >= most)
        drain_all(root);
    else if (changed > 0) {
        change_areas(root, root->mended + root->ends, changed);
        mend_order(root);
    }
    return status;
}
