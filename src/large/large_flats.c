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
// plane of its own, in pages of which only those with flats, and those beside them, ever come to be: only
// the cells that wait are in memory.

typedef struct LargeFlats {
    const Plane *filled;
    Plane *direction; // UNSEEN and above: of cells that are to get one
    float sea, lowest;
    const bool *unsettled; // of each row: whether it has such cells
} LargeFlats;

enum {
    PAGES_MAX = 2048,                     // 512 MiB
    MARGIN = FALL_RADIUS,                 // cells around a page on which ways depend
    GROUND_SIDE = PAGE_SIDE + 2 * MARGIN, // of a page with these
    GROUND_CELLS = GROUND_SIDE * GROUND_SIDE
};

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
    bool *has_flats; // of each page
    Queue heap;
    uint32_t now; // the cost of the last cell taken
    bool second;
    LevelGround ground; // of a page and around it
} Flood;

// --- pages -------------------------------------------------------------------------------------------------

// Cells of the field: columns left … right - 1, rows top … bottom - 1.
typedef struct Box {
    int left, top, right, bottom;
} Box;

// A page with some cells on each side, or as many as there are.
static Box box_around(const Plane *plane, uint32_t across, uint32_t page, int around) {
    const int left = (int)(page % across) * PAGE_SIDE, top = (int)(page / across) * PAGE_SIDE;
    return (Box){ max(left - around, 0), max(top - around, 0), min(left + PAGE_SIDE + around, plane->width),
                  min(top + PAGE_SIDE + around, plane->height) };
}

// Reads a part of a plane, its rows `pitch` cells apart.
static Status read_box(const Plane *plane, const Box *box, size_t pitch, void *cells, Error *error) {
    const size_t size = (size_t)(box->right - box->left) * plane->cell;
    Status status = STATUS_OK;
    for (int y = box->top; y < box->bottom && status == STATUS_OK; y++) {
        const size_t at = ((size_t)y * (size_t)plane->width + (size_t)box->left) * plane->cell;
        uint8_t *row = (uint8_t *)cells + (size_t)(y - box->top) * pitch * plane->cell;
        status = plane_read_bytes(plane, at, size, row, error);
    }
    return status;
}

// A page before floods: nothing is found yet.
static Status begin_page(void *context, uint32_t page, void *cells, Error *error) {
    const Flood *flood = context;
    const Box box = box_around(&flood->cells, flood->pages.across, page, 0);
    const int width = box.right - box.left;
    FlatCell *at = cells;
    uint8_t direction[PAGE_SIDE];
    Status status = STATUS_OK;
    for (int y = box.top; y < box.bottom && status == STATUS_OK; y++, at += PAGE_SIDE) {
        const Box row = { box.left, y, box.right, y + 1 };
        status = read_box(flood->flats->direction, &row, PAGE_SIDE, direction, error);
        for (int x = 0; x < width && status == STATUS_OK; x++)
            at[x] = (FlatCell){ .weight = FLAT_WEIGHT_LEAST,
                                .direction = direction[x] < UNSEEN ? direction[x] : IN_FLAT };
    }
    return status;
}

static void mark_row(Flood *flood, int y, const uint8_t *direction) {
    for (int x = 0; x < flood->cells.width; x++)
        if (direction[x] >= UNSEEN)
            flood->has_flats[page_number(&flood->pages, x, y)] = true;
}

// Finds the pages that have cells in flats.
static Status find_pages(Flood *flood, Error *error) {
    const int width = flood->cells.width, height = flood->cells.height;
    uint8_t *direction = memory_new((size_t)width, 1, error);
    Status status = direction ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; y < height && status == STATUS_OK; y++) {
        if (!flood->flats->unsettled[y])
            continue;
        status = plane_read(flood->flats->direction, y, 1, direction, error);
        if (status == STATUS_OK)
            mark_row(flood, y, direction);
    }
    memory_free(direction);
    return status;
}

// Calls a function of each page with flats.
static Status each_page(Flood *flood, Status (*visit)(Flood *, uint32_t page, Error *), Error *error) {
    Status status = STATUS_OK;
    for (uint32_t page = 0; page < flood->pages.all && status == STATUS_OK; page++)
        if (flood->has_flats[page])
            status = run_stopped(flood->run) ? STATUS_STOPPED : visit(flood, page, error);
    return status;
}

// Reads the levels of a part of the field, all of them numbers.
static Status read_levels(Flood *flood, const Box *box, Error *error) {
    Field *level = &flood->ground.filled;
    level->width = box->right - box->left;
    level->height = box->bottom - box->top;
    const Status status =
        read_box(flood->flats->filled, box, (size_t)level->width, field_cells(level), error);
    for (size_t i = 0; i < field_count(level) && status == STATUS_OK; i++)
        if (!isfinite(level->cells[i]))
            field_cells(level)[i] = flood->flats->lowest;
    return status;
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

// Where a flood begins in a page: beside higher ground, or beside outlets.
static Status begin_in_page(Flood *flood, uint32_t page, Error *error) {
    LevelGround *ground = &flood->ground;
    const Box inner = box_around(&flood->cells, flood->pages.across, page, 0),
              box = box_around(&flood->cells, flood->pages.across, page, 1);
    const size_t width = (size_t)(box.right - box.left);
    Status status = read_levels(flood, &box, error);
    if (status == STATUS_OK)
        status = read_box(flood->flats->direction, &box, width, ground->direction, error);
    for (int y = inner.top; y < inner.bottom && status == STATUS_OK; y++)
        for (int x = inner.left; x < inner.right && status == STATUS_OK; x++) {
            const size_t place = (size_t)(y - box.top) * width + (size_t)(x - box.left);
            if (ground->direction[place] < UNSEEN)
                continue;
            const FlatSides sides = flat_sides(ground, place);
            const int length = flat_shortest(flood->second ? sides.outlets : sides.higher);
            if (length == 0)
                continue;
            FlatCell *cell = cell_at(flood, x, y, error);
            const int cost = cell ? length * (flood->second ? 2 * cell->weight : 1) : 0;
            status = cell ? reach(flood, cell, x, y, (uint16_t)cost, (uint32_t)cost, error) : STATUS_FILE;
        }
    return status;
}

static Status flood_all(Flood *flood, bool second, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    flood->second = second;
    flood->now = 0;
    Status status = each_page(flood, begin_in_page, error);
    for (size_t polled = 1; flood->heap.count > 0 && status == STATUS_OK; polled++) {
        status = take_next(flood, error);
        if (polled % CELLS_PER_POLL == 0 && run_stopped(flood->run))
            status = STATUS_STOPPED;
    }
    return status;
}

// --- ways --------------------------------------------------------------------------------------------------

// A part of the field as the ground that flat_way looks at.
static Status read_ground(Flood *flood, const Box *box, Error *error) {
    LevelGround *ground = &flood->ground;
    const Status status = read_levels(flood, box, error);
    size_t place = 0;
    for (int y = box->top; y < box->bottom && status == STATUS_OK; y++)
        for (int x = box->left; x < box->right; x++, place++) {
            const FlatCell *cell = cell_at(flood, x, y, error);
            if (!cell)
                return STATUS_FILE;
            ground->direction[place] = cell->direction;
            ground->weight[place] = cell->weight;
            ground->cost[place] = cell->cost;
        }
    return status;
}

// Sets the directions of the cells of a page.
static Status find_ways(Flood *flood, uint32_t page, Error *error) {
    Plane *direction = flood->flats->direction;
    const Box inner = box_around(&flood->cells, flood->pages.across, page, 0),
              box = box_around(&flood->cells, flood->pages.across, page, MARGIN);
    const size_t width = (size_t)(box.right - box.left), across = (size_t)(inner.right - inner.left);
    Status status = read_ground(flood, &box, error);
    for (int y = inner.top; y < inner.bottom && status == STATUS_OK; y++) {
        const int row = y - box.top, left = inner.left - box.left;
        const uint8_t *known = flood->ground.direction + (size_t)row * width + (size_t)left;
        uint8_t ways[PAGE_SIDE];
        for (int x = 0; x < (int)across; x++)
            ways[x] = known[x] < UNSEEN ? known[x]
                                        : (uint8_t)flat_way(&flood->ground, left + x, row, inner.left + x, y);
        const size_t at = (size_t)y * (size_t)direction->width + (size_t)inner.left;
        status = plane_write_bytes(direction, at, across, ways, error);
    }
    return status;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status create(Flood *flood, Error *error) {
    const Plane *filled = flood->flats->filled;
    LevelGround *ground = &flood->ground;
    ground->sea = flood->flats->sea;
    Status status = field_create(&ground->filled, GROUND_SIDE, GROUND_SIDE, error);
    if (status == STATUS_OK && (!(ground->direction = memory_new(GROUND_CELLS, 1, error)) ||
                                !(ground->weight = memory_new(GROUND_CELLS, sizeof *ground->weight, error)) ||
                                !(ground->cost = memory_new(GROUND_CELLS, sizeof *ground->cost, error))))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = plane_create(&flood->cells, filled->width, filled->height, sizeof(FlatCell), error);
    if (status == STATUS_OK)
        status = pages_create(&flood->pages, &flood->cells, PAGES_MAX, error);
    if (status == STATUS_OK)
        status = pages_begin(&flood->pages, begin_page, flood, error);
    if (status == STATUS_OK && !(flood->has_flats = memory_new_zeroed(flood->pages.all, 1, error)))
        status = STATUS_MEMORY;
    return status;
}

static Status drain(Flood *flood, Error *error) {
    Status status = create(flood, error);
    if (status == STATUS_OK)
        status = find_pages(flood, error);
    for (int second = 0; second < 2 && status == STATUS_OK; second++) {
        status = flood_all(flood, second, error);
        if (status == STATUS_OK)
            status = run_advance(flood->run, second + 1, 3);
    }
    return status == STATUS_OK ? each_page(flood, find_ways, error) : status;
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
    memory_free(flood.has_flats);
    memory_free(flood.heap.at);
    return status;
}
