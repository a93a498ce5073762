#include "rivers/valleys.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

// --- stretches ---------------------------------------------------------------------------------------------

static Stretch stretch_of(const RiverPoint *from, const RiverPoint *to, const ValleyShape *shape) {
    const double scale = shape->scale, width = (double)from->width * scale;
    const double across = (to->x - from->x) * scale, down = (to->y - from->y) * scale;
    const double length = across * across + down * down;
    const float middle = 0.5f * (from->altitude + to->altitude) / RIVER_TOP;
    return (Stretch){ .x = (float)(from->x * scale),
                      .y = (float)(from->y * scale),
                      .across = (float)across,
                      .down = (float)down,
                      .per_length = length > 1e-12 ? (float)(1 / length) : 0,
                      .altitude = from->altitude,
                      .rise = to->altitude - from->altitude,
                      .width = (float)width,
                      .slope = (float)(shape->slope * (1 - shape->upstream * (1 - 2 * (double)middle) / 2)),
                      .floor = (float)(shape->floodplain * width) };
}

Status valleys_create(Valleys *valleys, const RiverNetwork *network, const ValleyShape *shape, Error *error) {
    const int count = network->point_count - network->reach_count;
    *valleys = (Valleys){ 0 };
    valleys->stretches = memory_new((size_t)count + 1, sizeof *valleys->stretches, error);
    if (!valleys->stretches)
        return STATUS_MEMORY;
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++)
            valleys->stretches[valleys->count++] = stretch_of(&points[k - 1], &points[k], shape);
    }
    return STATUS_OK;
}

void valleys_free(Valleys *valleys) {
    memory_free(valleys->stretches);
    memory_free(valleys->first);
    memory_free(valleys->lists);
    *valleys = (Valleys){ 0 };
}

// --- tiles -------------------------------------------------------------------------------------------------

// The height of the valley's side at this distance, as in lower_tile in terrain.c but without roughness and
// banks.
static float side_height(const Stretch *stretch, float distance) {
    const float bank = 0.5f * stretch->width, beyond = distance > bank ? distance - bank : 0;
    return stretch->slope * (sqrtf(beyond * beyond + stretch->floor * stretch->floor) - stretch->floor);
}

// Bounds of a valley's height in a square: altitude + rough × side, for any roughness.
typedef struct Bound {
    float altitude, side;
    bool near; // the river may be there
} Bound;

static Bound lowest_in(const Stretch *stretch, float distance, float half) {
    // Beds are widened to the size of a cell, which lowers the land beside them.
    const float inner = distance - half - 0.75f, end = stretch->altitude + stretch->rise;
    return (Bound){ min(end, stretch->altitude), side_height(stretch, max(inner, 0)),
                    distance - half <= 0.5f * stretch->width + 1 };
}

static Bound highest_in(const Stretch *stretch, float distance, float half) {
    const float end = stretch->altitude + stretch->rise;
    return (Bound){ .altitude = max(end, stretch->altitude),
                    .side = side_height(stretch, distance + half) + stretch->slope * BANK * BANK_RISE };
}

static float at_roughness(Bound bound, float rough) {
    return bound.altitude + rough * bound.side;
}

// What all squares share.
typedef struct Sorting {
    Valleys *valleys;
    const ValleyShape *shape; // NULL: by `radius`
    float radius;
    int side, task_side;      // in tiles: of the square around all, and of those that threads take
    size_t *begins, *lengths; // of each tile, in the lists of its task
    struct Task *tasks;       // in rows of side / task_side
} Sorting;

// Recursively from the whole area to the single tiles of one square: a stretch that is irrelevant to a
// square is irrelevant to its quarters.
typedef struct Task {
    const Sorting *sorting;
    int column, row; // its first tile
    int *candidates; // lists one after another, one for each square on the way down
    int count, room;
    Bound *bounds; // of the current list
    int *lists;    // of tiles in the order visited
    size_t listed, list_room;
    Status status;
    Error error;
} Task;

enum { TASKS_ACROSS = 4 };

static bool reserve(void **block, size_t size, size_t used, size_t wanted, size_t *room, Error *error) {
    if (used + wanted <= *room)
        return true;
    const size_t larger = 2 * (used + wanted);
    void *copy = memory_enlarge(*block, used, larger, size, error);
    if (!copy)
        return false;
    *block = copy;
    *room = larger;
    return true;
}

static bool reserve_candidates(Task *task, int wanted, Error *error) {
    void *block = task->candidates;
    size_t room = (size_t)task->room;
    const bool enough = reserve(&block, sizeof(int), (size_t)task->count, (size_t)wanted, &room, error);
    task->candidates = block;
    task->room = (int)room;
    return enough;
}

// Appends to the candidates those of first … first + count - 1 within the radius; gives how many.
static int choose_near(Task *task, int first, int count, float x, float y, float half) {
    const Sorting *sorting = task->sorting;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const int candidate = task->candidates[first + i];
        if (stretch_distance(&sorting->valleys->stretches[candidate], x, y) - half <= sorting->radius)
            task->candidates[task->count + kept++] = candidate;
    }
    return kept;
}

// The same for those whose valley may be the lowest. Roughness is the same for all valleys at a place, and
// heights change evenly with it: what is higher than another both where it is least and where it is most
// always is.
static int choose_lowest(Task *task, int first, int count, float x, float y, float half) {
    const Sorting *sorting = task->sorting;
    const float smooth = 1 - (float)sorting->shape->rough, rough = 1 + (float)sorting->shape->rough;
    Bound ceiling = { INFINITY, 0, false }, *bounds = task->bounds;
    for (int i = 0; i < count; i++) {
        const Stretch *stretch = &sorting->valleys->stretches[task->candidates[first + i]];
        const float distance = stretch_distance(stretch, x, y);
        bounds[i] = lowest_in(stretch, distance, half);
        if (at_roughness(bounds[i], 1) >= at_roughness(ceiling, 1))
            continue;
        const Bound highest = highest_in(stretch, distance, half);
        if (at_roughness(highest, 1) < at_roughness(ceiling, 1))
            ceiling = highest;
    }
    const float slack = 1e-5f, at_least = at_roughness(ceiling, smooth) + slack,
                at_most = at_roughness(ceiling, rough) + slack;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (bounds[i].near || at_roughness(bounds[i], smooth) <= at_least ||
            at_roughness(bounds[i], rough) <= at_most)
            task->candidates[task->count + kept++] = task->candidates[first + i];
    return kept;
}

static bool list_tile(Task *task, int column, int row, int first, int count, Error *error) {
    const Sorting *sorting = task->sorting;
    const size_t tile = (size_t)row * (size_t)sorting->valleys->columns + (size_t)column;
    void *block = task->lists;
    const bool enough = reserve(&block, sizeof(int), task->listed, (size_t)count, &task->list_room, error);
    task->lists = block;
    if (!enough)
        return false;
    sorting->begins[tile] = task->listed;
    sorting->lengths[tile] = (size_t)count;
    if (count)
        memcpy(task->lists + task->listed, task->candidates + first, (size_t)count * sizeof(int));
    task->listed += (size_t)count;
    return true;
}

// Whether the task has any tile of a square.
static bool is_in(const Task *task, int column, int row, int side) {
    const int reach = max(side, task->sorting->task_side);
    return task->column / reach == column / reach && task->row / reach == row / reach;
}

// The square of `side` tiles whose upper left tile is (column, row). Above the task's own square, each task
// finds the same candidates again.
static Status sort_square(Task *task, int column, int row, int side, int first, int count,
                          Error *error) { // NOLINT(misc-no-recursion): as deep as the sides halve
    const Valleys *valleys = task->sorting->valleys;
    if (column >= valleys->columns || row >= valleys->rows || !is_in(task, column, row, side))
        return STATUS_OK;
    const float middle = 0.5f * (float)(side * TILE), half = middle * 1.41421357f;
    if (!reserve_candidates(task, count, error))
        return STATUS_MEMORY;
    const float x = (float)(column * TILE) + middle, y = (float)(row * TILE) + middle;
    const int kept = task->sorting->shape ? choose_lowest(task, first, count, x, y, half)
                                          : choose_near(task, first, count, x, y, half);
    const int own = task->count;
    task->count += kept;
    Status status = STATUS_OK;
    if (side == 1)
        status = list_tile(task, column, row, own, kept, error) ? STATUS_OK : STATUS_MEMORY;
    else
        for (int i = 0; i < 4 && status == STATUS_OK; i++)
            status = sort_square(task, column + (i & 1) * side / 2, row + (i >> 1) * side / 2, side / 2, own,
                                 kept, error);
    task->count = own;
    return status;
}

static void sort_tasks(void *context, int first, int end) {
    const Sorting *sorting = context;
    const int count = sorting->valleys->count;
    for (int i = first; i < end; i++) {
        Task *task = &sorting->tasks[i];
        task->status = STATUS_MEMORY;
        task->bounds = memory_new((size_t)count + 1, sizeof *task->bounds, &task->error);
        if (task->bounds && reserve_candidates(task, count + 1, &task->error)) {
            for (int k = 0; k < count; k++)
                task->candidates[k] = k;
            task->count = count;
            task->status = sort_square(task, 0, 0, sorting->side, 0, count, &task->error);
        }
        memory_free(task->candidates);
        memory_free(task->bounds);
    }
}

static const Task *task_at(const Sorting *sorting, int column, int row) {
    return &sorting->tasks[row / sorting->task_side * (sorting->side / sorting->task_side) +
                           column / sorting->task_side];
}

// The lists in the order of the tiles.
static bool arrange(const Sorting *sorting, Error *error) {
    Valleys *valleys = sorting->valleys;
    const size_t tiles = (size_t)valleys->columns * (size_t)valleys->rows;
    size_t at = 0;
    for (size_t i = 0; i < tiles; i++)
        at += sorting->lengths[i];
    valleys->first = memory_new(tiles + 1, sizeof *valleys->first, error);
    valleys->lists = valleys->first ? memory_new(at + 1, sizeof(int), error) : NULL;
    if (!valleys->lists)
        return false;
    size_t tile = 0, to = 0;
    for (int row = 0; row < valleys->rows; row++)
        for (int column = 0; column < valleys->columns; column++, tile++) {
            const Task *task = task_at(sorting, column, row);
            valleys->first[tile] = to;
            if (sorting->lengths[tile])
                memcpy(valleys->lists + to, task->lists + sorting->begins[tile],
                       sorting->lengths[tile] * sizeof(int));
            to += sorting->lengths[tile];
        }
    valleys->first[tiles] = to;
    return true;
}

static Status run_tasks(Sorting *sorting, const Run *run, Error *error) {
    const int across = sorting->side / sorting->task_side, count = across * across;
    Task tasks[TASKS_ACROSS * TASKS_ACROSS] = { 0 };
    for (int i = 0; i < count; i++) {
        tasks[i].sorting = sorting;
        tasks[i].column = i % across * sorting->task_side;
        tasks[i].row = i / across * sorting->task_side;
    }
    sorting->tasks = tasks;
    Status status = parallel_rows(run, count, 50.0 * sorting->valleys->count, sort_tasks, sorting);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        if ((status = tasks[i].status) != STATUS_OK)
            *error = tasks[i].error;
    if (status == STATUS_OK && !arrange(sorting, error))
        status = STATUS_MEMORY;
    for (int i = 0; i < count; i++)
        memory_free(tasks[i].lists);
    return status;
}

static Status sort_tiles(Sorting *sorting, const Run *run, int width, int height, Error *error) {
    Valleys *valleys = sorting->valleys;
    valleys->columns = (width + TILE - 1) / TILE;
    valleys->rows = (height + TILE - 1) / TILE;
    const size_t tiles = (size_t)valleys->columns * (size_t)valleys->rows;
    Status status = STATUS_MEMORY;
    sorting->side = 1;
    while (sorting->side < valleys->columns || sorting->side < valleys->rows)
        sorting->side *= 2;
    sorting->task_side = max(sorting->side / TASKS_ACROSS, 1);
    if ((sorting->begins = memory_new(tiles, sizeof *sorting->begins, error)) &&
        (sorting->lengths = memory_new(tiles, sizeof *sorting->lengths, error)))
        status = run_tasks(sorting, run, error);
    memory_free(sorting->begins);
    memory_free(sorting->lengths);
    return status;
}

Status valleys_sort_lowest(Valleys *valleys, const Run *run, const ValleyShape *shape, int width, int height,
                           Error *error) {
    Sorting sorting = { .valleys = valleys, .shape = shape };
    return sort_tiles(&sorting, run, width, height, error);
}

Status valleys_sort_near(Valleys *valleys, const Run *run, double radius, int width, int height,
                         Error *error) {
    Sorting sorting = { .valleys = valleys, .radius = (float)radius };
    return sort_tiles(&sorting, run, width, height, error);
}
