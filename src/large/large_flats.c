// Flats that reach across strips, drained over cells on disk once all strips have their directions.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "large/pages.h"
#include "water/cell_queue.h"
#include "water/drainage.h"
#include "water/even_choice.h"
#include "water/flats.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// --- level ground ------------------------------------------------------------------------------------------

// Flats that reach across strips: as in memory (water/flats.h), over cells on disk.
// All flats are flooded at once, from higher ground and then from outlets. What the floods find is kept in a
// plane of its own, so that only the cells that wait are in memory.

typedef struct LargeFlats {
    const Plane *filled;
    Plane *direction; // UNSEEN and above: of cells that are to get one
    float sea, lowest;
    const bool *unsettled; // of each row: whether it has such cells
} LargeFlats;

enum { PAGES_MAX = 2048 };           // 512 MiB
enum { ROWS = 2 * FALL_RADIUS + 1 }; // on which a cell's way depends

// Values of directions above those of drainage.h: stages of cells in flats.
enum { IN_FLAT = 16, IN_FIRST, AFTER_FIRST, IN_SECOND, AFTER_SECOND };

typedef struct FlatCell {
    uint16_t cost; // so far; of the first flood: the distance
    uint8_t weight;
    uint8_t direction; // of cells in flats: a stage
} FlatCell;

// A cell that waits has its cost in the upper bits.
typedef struct Flood {
    const Run *run;
    const LargeFlats *flats;
    Plane cells;
    Pages pages;
    Queue heap;
    uint32_t now; // the cost of the last cell taken
    bool second;
    LevelGround ground; // some rows
    FlatCell *row;
} Flood;

// --- rows --------------------------------------------------------------------------------------------------

static bool is_unsettled(const Flood *flood, int y) {
    return flood->flats->unsettled[y];
}

// Whether what is found of the row matters to one that is not settled.
static bool is_near(const Flood *flood, int y) {
    const int first = max(y - FALL_RADIUS, 0), end = min(y + FALL_RADIUS + 1, flood->cells.height);
    return memchr(flood->flats->unsettled + first, 1, (size_t)(end - first)) != NULL;
}

// Rows of heights, all of them numbers.
static Status large_read(const Plane *height, int first, int rows, float lowest, float *cells, Error *error) {
    const Status status = plane_read(height, first, rows, cells, error);
    const size_t count = (size_t)rows * (size_t)height->width;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        cells[i] = isfinite(cells[i]) ? cells[i] : lowest;
    return status;
}

// Rows around row y, `around` on each side or as many as there are; `*top`: the first of them.
static Status read_levels(Flood *flood, int y, int around, int *top, Error *error) {
    const Plane *filled = flood->flats->filled;
    Field *level = &flood->ground.filled;
    *top = max(y - around, 0);
    level->height = min(y + around + 1, filled->height) - *top;
    return large_read(filled, *top, level->height, flood->flats->lowest, field_cells(level), error);
}

// The plane of what floods find: nothing yet.
static Status begin_row(Flood *flood, int y, Error *error) {
    uint8_t *direction = flood->ground.direction;
    const Status status = plane_read(flood->flats->direction, y, 1, direction, error);
    for (int x = 0; x < flood->cells.width && status == STATUS_OK; x++)
        flood->row[x] = (FlatCell){ .weight = FLAT_WEIGHT_LEAST,
                                    .direction = direction[x] < UNSEEN ? direction[x] : IN_FLAT };
    return status == STATUS_OK ? plane_write(&flood->cells, y, 1, flood->row, error) : status;
}

// --- floods ------------------------------------------------------------------------------------------------

enum { FAR = 1 << 24 }; // a cost at which counting begins anew, so that none is ever too large

static void begin_anew(Flood *flood) {
    for (size_t i = 0; i < flood->heap.count; i++)
        flood->heap.at[i] -= (Waiting)flood->now << 32;
    flood->now = 0;
}

static FlatCell *cell_at(Flood *flood, int x, int y, Error *error) {
    return pages_cell(&flood->pages, x, y, error);
}

// A cell can be reached at a cost that is `more` than that of the last cell taken.
static Status reach(Flood *flood, FlatCell *cell, int x, int y, uint16_t cost, uint32_t more, Error *error) {
    const uint8_t waits = flood->second ? IN_SECOND : IN_FIRST;
    const bool known = cell->direction == waits && (int16_t)(uint16_t)(cost - cell->cost) >= 0;
    if (cell->direction < IN_FLAT || cell->direction > waits || known)
        return STATUS_OK;
    cell->cost = cost;
    cell->direction = waits;
    pages_change(&flood->pages, x, y);
    const Waiting waiting = (Waiting)(flood->now + more) << 32 | (uint32_t)y << 16 | (uint32_t)x;
    return heap_add(&flood->heap, waiting, error) ? STATUS_OK : STATUS_MEMORY;
}

static Status go_on(Flood *flood, int x, int y, FlatCell from, Error *error) {
    const int roughness = flat_roughness(from.weight, from.cost);
    Status status = STATUS_OK;
    for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        FlatCell *to = cell_at(flood, to_x, to_y, error);
        if (!to)
            return STATUS_FILE;
        const int step =
            flood->second ? flat_rough_step(i, to->weight, from.weight, roughness) : flat_length(i);
        status = reach(flood, to, to_x, to_y, (uint16_t)(from.cost + step), (uint32_t)step, error);
    }
    return status;
}

static Status take_next(Flood *flood, Error *error) {
    const Waiting next = heap_take(&flood->heap);
    const int x = waiting_x(next), y = waiting_y(next);
    FlatCell *cell = cell_at(flood, x, y, error);
    if (!cell)
        return STATUS_FILE;
    if (cell->direction != (flood->second ? IN_SECOND : IN_FIRST))
        return STATUS_OK; // taken before, when it cost less
    cell->direction++;
    flood->now = (uint32_t)(next >> 32);
    if (!flood->second)
        cell->weight = flat_weight(cell->cost);
    pages_change(&flood->pages, x, y);
    if (flood->now >= FAR)
        begin_anew(flood);
    const bool far = !flood->second && cell->cost >= FLAT_FAR;
    return far ? STATUS_OK : go_on(flood, x, y, *cell, error);
}

// Where a flood begins: beside higher ground, or beside outlets.
static Status begin_at_row(Flood *flood, int y, Error *error) {
    const Plane *direction = flood->flats->direction;
    const size_t width = (size_t)direction->width;
    int top = 0;
    Status status = read_levels(flood, y, 1, &top, error);
    if (status == STATUS_OK)
        status = plane_read(direction, top, flood->ground.filled.height, flood->ground.direction, error);
    for (size_t x = 0; x < width && status == STATUS_OK; x++) {
        const size_t place = (size_t)(y - top) * width + x;
        if (flood->ground.direction[place] < UNSEEN)
            continue;
        const FlatSides sides = flat_sides(&flood->ground, place);
        const int length = flat_shortest(flood->second ? sides.outlets : sides.higher);
        FlatCell *cell = length > 0 ? cell_at(flood, (int)x, y, error) : NULL;
        const int cost = cell ? length * (flood->second ? 2 * cell->weight : 1) : 0;
        if (length > 0)
            status =
                cell ? reach(flood, cell, (int)x, y, (uint16_t)cost, (uint32_t)cost, error) : STATUS_FILE;
    }
    return status;
}

static Status flood_all(Flood *flood, bool second, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    Status status = STATUS_OK;
    flood->second = second;
    flood->now = 0;
    for (int y = 0; y < flood->cells.height && status == STATUS_OK; y++)
        if (is_unsettled(flood, y))
            status = begin_at_row(flood, y, error);
    for (size_t polled = 1; flood->heap.count > 0 && status == STATUS_OK; polled++) {
        status = take_next(flood, error);
        if (polled % CELLS_PER_POLL == 0 && run_stopped(flood->run))
            status = STATUS_STOPPED;
    }
    return status;
}

// --- ways --------------------------------------------------------------------------------------------------

// The cells around row y as the ground that flat_way looks at.
static Status read_ground(Flood *flood, int y, int *top, Error *error) {
    LevelGround *ground = &flood->ground;
    const size_t width = (size_t)flood->cells.width;
    Status status = read_levels(flood, y, FALL_RADIUS, top, error);
    for (int row = 0; row < ground->filled.height && status == STATUS_OK; row++) {
        status = plane_read(&flood->cells, *top + row, 1, flood->row, error);
        for (size_t x = 0; x < width && status == STATUS_OK; x++) {
            const size_t place = (size_t)row * width + x;
            ground->direction[place] = flood->row[x].direction;
            ground->weight[place] = flood->row[x].weight;
            ground->cost[place] = flood->row[x].cost;
        }
    }
    return status;
}

static Status find_ways(Flood *flood, int y, Error *error) {
    const size_t width = (size_t)flood->cells.width;
    int top = 0;
    Status status = read_ground(flood, y, &top, error);
    if (status != STATUS_OK)
        return status;
    const uint8_t *known = flood->ground.direction + (size_t)(y - top) * width;
    uint8_t *ways = (uint8_t *)(void *)flood->row;
    for (size_t x = 0; x < width; x++)
        ways[x] =
            known[x] < UNSEEN ? known[x] : (uint8_t)flat_way(&flood->ground, (int)x, y - top, (int)x, y);
    return plane_write(flood->flats->direction, y, 1, ways, error);
}

// --- all ---------------------------------------------------------------------------------------------------

static Status create(Flood *flood, Error *error) {
    const Plane *filled = flood->flats->filled;
    const size_t cells = (size_t)filled->width * ROWS;
    LevelGround *ground = &flood->ground;
    ground->sea = flood->flats->sea;
    Status status = field_create(&ground->filled, filled->width, ROWS, error);
    if (status == STATUS_OK && (!(ground->direction = memory_new(cells, 1, error)) ||
                                !(ground->weight = memory_new(cells, sizeof *ground->weight, error)) ||
                                !(ground->cost = memory_new(cells, sizeof *ground->cost, error)) ||
                                !(flood->row = memory_new((size_t)filled->width, sizeof *flood->row, error))))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = plane_create(&flood->cells, filled->width, filled->height, sizeof(FlatCell), error);
    if (status == STATUS_OK)
        status = pages_create(&flood->pages, &flood->cells, PAGES_MAX, error);
    return status;
}

static Status drain(Flood *flood, Error *error) {
    const int height = flood->flats->filled->height;
    Status status = create(flood, error);
    for (int y = 0; y < height && status == STATUS_OK; y++)
        if (is_near(flood, y))
            status = begin_row(flood, y, error);
    for (int second = 0; second < 2 && status == STATUS_OK; second++) {
        status = flood_all(flood, second, error);
        if (status == STATUS_OK)
            status = run_advance(flood->run, second + 1, 3);
    }
    if (status == STATUS_OK)
        status = pages_flush(&flood->pages, error);
    for (int y = 0; y < height && status == STATUS_OK; y++)
        if (is_unsettled(flood, y))
            status = find_ways(flood, y, error);
    return status;
}

Status large_flats(const Run *run, const Plane *filled, Plane *direction, float sea, float lowest,
                   const bool *unsettled, Error *error) {
    if (!memchr(unsettled, 1, (size_t)filled->height))
        return STATUS_OK;
    const LargeFlats flats = { filled, direction, sea, lowest, unsettled };
    Flood flood = { .run = run, .flats = &flats };
    const Status status = drain(&flood, error);
    pages_free(&flood.pages);
    plane_free(&flood.cells);
    field_free(&flood.ground.filled);
    memory_free(flood.ground.direction);
    memory_free(flood.ground.weight);
    memory_free(flood.ground.cost);
    memory_free(flood.row);
    memory_free(flood.heap.at);
    return status;
}
