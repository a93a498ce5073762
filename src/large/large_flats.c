// Flats with too many rows for memory, drained over cells on disk once all other cells have their directions.

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

// Each flat is flooded alone, as in memory (water/flats.h): costs depend on each other along whole ways, so
// that it cannot be cut into parts. Its cells are in pages, begun where the flood first comes. As the flood's
// front is a line, pages are seldom needed again once it has passed, and those that memory has no room for
// are written and read a few times at most. What does not depend on costs, the weights, follows from what is
// around each page.

typedef struct FlatCell {
    uint16_t cost;
    uint8_t weight;
    uint8_t direction;
} FlatCell;

// Directions: of no flat; not reached yet; or a way that was found, with TIED if another is as good. With
// APART the flat is none that is drained now, as far as known.
enum { OUTSIDE = DRAINS_OFF, NOT_REACHED = 16, WAY = 32, TIED = 64, APART = 128 };

enum {
    PAGES_MAX = 2048,         // 512 MiB
    WAY_MARGIN = FALL_RADIUS, // cells around a page on which ways depend
    MARGIN = FLAT_SIGHT + 1,  // … and weights
    GROUND_SIDE = PAGE_SIDE + 2 * MARGIN,
    GROUND_CELLS = GROUND_SIDE * GROUND_SIDE
};
_Static_assert(MARGIN >= WAY_MARGIN, "the larger margin is that of the ground");

typedef struct Bucket {
    uint32_t *at; // rows in the upper bits
    size_t count, room;
} Bucket;

typedef struct Flood {
    const Run *run;
    const Plane *filled;
    Plane *direction;
    float lowest;
    Pages pages;
    bool *has_flat;   // of each page: cells of the flat
    Queue found;      // cells of the flat whose neighbours were not looked at
    uint64_t waiting; // a bit for each bucket that has cells
    Bucket buckets[FLAT_BUCKETS];
    LevelGround ground; // of a page and around it
    uint8_t *outlets;
} Flood;

// --- pages -------------------------------------------------------------------------------------------------

// Cells of the field: columns left … right - 1, rows top … bottom - 1.
typedef struct Box {
    int left, top, right, bottom;
} Box;

// A page with some cells on each side, or as many as there are.
static Box box_around(const Flood *flood, uint32_t page, int around) {
    const Plane *plane = flood->filled;
    const int left = (int)(page % flood->pages.across) * PAGE_SIDE,
              top = (int)(page / flood->pages.across) * PAGE_SIDE;
    return (Box){ max(left - around, 0), max(top - around, 0), min(left + PAGE_SIDE + around, plane->width),
                  min(top + PAGE_SIDE + around, plane->height) };
}

// Reads a part of a plane.
static Status read_box(const Plane *plane, const Box *box, void *cells, Error *error) {
    const size_t size = (size_t)(box->right - box->left) * plane->cell;
    Status status = STATUS_OK;
    for (int y = box->top; y < box->bottom && status == STATUS_OK; y++) {
        const size_t at = ((size_t)y * (size_t)plane->width + (size_t)box->left) * plane->cell;
        status = plane_read_bytes(plane, at, size, (uint8_t *)cells + (size_t)(y - box->top) * size, error);
    }
    return status;
}

// Reads the levels of a part of the field, all of them numbers.
static Status read_levels(Flood *flood, const Box *box, Error *error) {
    Field *level = &flood->ground.filled;
    level->width = box->right - box->left;
    level->height = box->bottom - box->top;
    const Status status = read_box(flood->filled, box, field_cells(level), error);
    for (size_t i = 0; i < field_count(level) && status == STATUS_OK; i++)
        if (!isfinite(level->cells[i]))
            field_cells(level)[i] = flood->lowest;
    return status;
}

// Sets the cells of a page whose weights and outlets are known; those of `inner` in `box`.
static void set_cells(const Flood *flood, const Box *inner, const Box *box, FlatCell *cells) {
    const LevelGround *ground = &flood->ground;
    for (int y = inner->top; y < inner->bottom; y++) {
        FlatCell *cell = cells + (size_t)(y - inner->top) * PAGE_SIDE;
        size_t place =
            (size_t)(y - box->top) * (size_t)ground->filled.width + (size_t)(inner->left - box->left);
        for (int x = inner->left; x < inner->right; x++, cell++, place++) {
            *cell = (FlatCell){ .weight = ground->weight[place], .direction = OUTSIDE };
            if (ground->direction[place] < UNSEEN)
                continue;
            cell->direction = NOT_REACHED | APART;
            if (!flood->outlets[place])
                continue;
            bool tied;
            const int way = flat_way_out(flood->outlets[place], &tied);
            cell->cost = (uint16_t)(flat_length(way) * 2 * cell->weight);
            cell->direction = (uint8_t)((WAY + way) | (tied ? TIED : 0) | APART);
        }
    }
}

// A page before the flood: only ways to outlets are known.
static Status begin_page(void *context, uint32_t page, void *cells, Error *error) {
    Flood *flood = context;
    const Box inner = box_around(flood, page, 0), box = box_around(flood, page, MARGIN);
    Status status = read_box(flood->direction, &box, flood->ground.direction, error);
    if (status == STATUS_OK)
        status = read_levels(flood, &box, error);
    if (status == STATUS_OK)
        status = flats_weigh(flood->run, &flood->ground, flood->outlets, error);
    if (status == STATUS_OK)
        set_cells(flood, &inner, &box, cells);
    return status;
}

static FlatCell *cell_at(Flood *flood, int x, int y, Error *error) {
    return pages_cell(&flood->pages, x, y, error);
}

// Calls a function of each cell around one; `cell` is valid until the next is fetched.
typedef struct Neighbour {
    FlatCell *cell;
    int x, y, way;
} Neighbour;

static inline Status each_neighbour(Flood *flood, int x, int y,
                                    Status (*visit)(Flood *, const Neighbour *, FlatCell from, Error *),
                                    Error *error) {
    FlatCell *cell = cell_at(flood, x, y, error);
    if (!cell)
        return STATUS_FILE;
    const FlatCell from = *cell;
    const int column = x % PAGE_SIDE, row = y % PAGE_SIDE;
    const bool inside = column > 0 && column < PAGE_SIDE - 1 && row > 0 && row < PAGE_SIDE - 1;
    Status status = STATUS_OK;
    for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++) {
        const int to_x = x + neighbour_x[i], to_y = y + neighbour_y[i];
        FlatCell *to =
            inside ? cell + neighbour_y[i] * PAGE_SIDE + neighbour_x[i] : cell_at(flood, to_x, to_y, error);
        if (!to)
            return STATUS_FILE;
        const Neighbour neighbour = { to, to_x, to_y, i };
        status = visit(flood, &neighbour, from, error);
    }
    return status;
}

// --- the flat ----------------------------------------------------------------------------------------------

static Status wait_for(Flood *flood, int x, int y, uint16_t cost, Error *error) {
    Bucket *bucket = &flood->buckets[flat_bucket(cost)];
    if (bucket->count == bucket->room) {
        const size_t room = 2 * bucket->room + 1024;
        uint32_t *at = memory_enlarge(bucket->at, bucket->count, room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        bucket->at = at;
        bucket->room = room;
    }
    bucket->at[bucket->count++] = (uint32_t)y << 16 | (uint32_t)x;
    flood->waiting |= UINT64_C(1) << flat_bucket(cost);
    return STATUS_OK;
}

static Status find_cell(Flood *flood, const Neighbour *at, FlatCell from, Error *error) {
    (void)from;
    if (!(at->cell->direction & APART))
        return STATUS_OK;
    at->cell->direction &= (uint8_t)~APART;
    pages_change(&flood->pages, at->x, at->y);
    flood->has_flat[page_number(&flood->pages, at->x, at->y)] = true;
    Status status = STATUS_OK;
    if (at->cell->direction >= WAY)
        status = wait_for(flood, at->x, at->y, at->cell->cost, error);
    if (status == STATUS_OK && !queue_append(&flood->found, waiting_cell(0, at->x, at->y), error))
        status = STATUS_MEMORY;
    return status;
}

enum { CELLS_PER_POLL = 1 << 16 };

// Finds the cells of a flat, of which one is given. Those beside outlets wait.
static Status find_flat(Flood *flood, int x, int y, Error *error) {
    FlatCell *cell = cell_at(flood, x, y, error);
    Status status = STATUS_FILE;
    if (cell) {
        const Neighbour first = { cell, x, y, 0 };
        status = find_cell(flood, &first, *cell, error);
    }
    for (size_t polled = 1; flood->found.count > 0 && status == STATUS_OK; polled++) {
        const Waiting next = queue_next(&flood->found);
        status = each_neighbour(flood, waiting_x(next), waiting_y(next), find_cell, error);
        if (polled % CELLS_PER_POLL == 0 && run_stopped(flood->run))
            status = STATUS_STOPPED;
    }
    return status;
}

// --- costs -------------------------------------------------------------------------------------------------

// As in memory, a cell may wait in buckets that it has left.
static Status reach(Flood *flood, const Neighbour *to, FlatCell from, Error *error) {
    FlatCell *cell = to->cell;
    if (cell->direction == OUTSIDE)
        return STATUS_OK;
    const int back = (to->way + NEIGHBOURS / 2) % NEIGHBOURS;
    const int roughness = flat_roughness(from.weight, from.cost);
    const uint16_t cost =
        (uint16_t)(from.cost + flat_rough_step(to->way, cell->weight, from.weight, roughness));
    const bool reached = cell->direction >= WAY;
    const int16_t more = (int16_t)(uint16_t)(cost - cell->cost);
    if (reached && more > 0)
        return STATUS_OK;
    pages_change(&flood->pages, to->x, to->y);
    if (reached && more == 0) {
        cell->direction |= TIED;
        return STATUS_OK;
    }
    const bool waits = reached && flat_bucket(cost) == flat_bucket(cell->cost);
    cell->cost = cost;
    cell->direction = (uint8_t)(WAY + back);
    return waits ? STATUS_OK : wait_for(flood, to->x, to->y, cost, error);
}

// Takes all cells of a bucket.
static Status empty(Flood *flood, int bucket, Error *error) {
    Bucket *cells = &flood->buckets[bucket];
    Status status = STATUS_OK;
    for (size_t i = 0; i < cells->count && status == STATUS_OK; i++) {
        const int x = waiting_x(cells->at[i]), y = waiting_y(cells->at[i]);
        const FlatCell *cell = cell_at(flood, x, y, error);
        if (!cell)
            status = STATUS_FILE;
        else if (flat_bucket(cell->cost) == bucket) // otherwise taken before, when it cost less
            status = each_neighbour(flood, x, y, reach, error);
    }
    cells->count = 0;
    return status;
}

static Status flood_flat(Flood *flood, Error *error) {
    Status status = STATUS_OK;
    for (int bucket = 0; flood->waiting && status == STATUS_OK; bucket = (bucket + 1) % FLAT_BUCKETS) {
        bucket = flat_next_bucket(flood->waiting, bucket);
        flood->waiting &= ~(UINT64_C(1) << bucket);
        status = run_stopped(flood->run) ? STATUS_STOPPED : empty(flood, bucket, error);
    }
    return status;
}

// --- ways --------------------------------------------------------------------------------------------------

// Takes cells of a row, all in one page, as ground from `place` on: those of a page without cells of the flat
// are beside it.
static Status read_cells(Flood *flood, int x, int end, int y, size_t place, Error *error) {
    LevelGround *ground = &flood->ground;
    memset(ground->direction + place, OUTSIDE, (size_t)(end - x));
    if (!flood->has_flat[page_number(&flood->pages, x, y)])
        return STATUS_OK;
    const FlatCell *cell = cell_at(flood, x, y, error);
    if (!cell)
        return STATUS_FILE;
    for (; x < end; x++, cell++, place++) {
        ground->direction[place] = cell->direction;
        ground->weight[place] = cell->weight;
        ground->cost[place] = cell->cost;
    }
    return STATUS_OK;
}

// A part of the field as the ground that flat_way looks at.
static Status read_ground(Flood *flood, const Box *box, Error *error) {
    Status status = read_levels(flood, box, error);
    size_t place = 0;
    for (int y = box->top; y < box->bottom && status == STATUS_OK; y++)
        for (int x = box->left, end; x < box->right && status == STATUS_OK; x = end) {
            end = min((x / PAGE_SIDE + 1) * PAGE_SIDE, box->right);
            status = read_cells(flood, x, end, y, place, error);
            place += (size_t)(end - x);
        }
    return status;
}

// Sets the directions of the cells of a page.
static Status find_ways(Flood *flood, uint32_t page, Error *error) {
    Plane *direction = flood->direction;
    const Box inner = box_around(flood, page, 0), box = box_around(flood, page, WAY_MARGIN);
    const size_t width = (size_t)(box.right - box.left), across = (size_t)(inner.right - inner.left);
    Status status = read_ground(flood, &box, error);
    for (int y = inner.top; y < inner.bottom && status == STATUS_OK; y++) {
        const int row = y - box.top, left = inner.left - box.left;
        const uint8_t *found = flood->ground.direction + (size_t)row * width + (size_t)left;
        const size_t at = (size_t)y * (size_t)direction->width + (size_t)inner.left;
        uint8_t ways[PAGE_SIDE];
        status = plane_read_bytes(direction, at, across, ways, error);
        for (int x = 0; x < (int)across; x++)
            if (found[x] >= WAY && !(found[x] & APART))
                ways[x] = found[x] & TIED
                              ? (uint8_t)flat_way(&flood->ground, left + x, row, inner.left + x, y)
                              : (uint8_t)(found[x] - WAY);
        if (status == STATUS_OK)
            status = plane_write_bytes(direction, at, across, ways, error);
    }
    return status;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status create(Flood *flood, Error *error) {
    const Plane *filled = flood->filled;
    LevelGround *ground = &flood->ground;
    const Status status = field_create(&ground->filled, GROUND_SIDE, GROUND_SIDE, error);
    if (status != STATUS_OK)
        return status;
    if (!(ground->direction = memory_new(GROUND_CELLS, 1, error)) ||
        !(ground->weight = memory_new(GROUND_CELLS, sizeof *ground->weight, error)) ||
        !(ground->cost = memory_new(GROUND_CELLS, sizeof *ground->cost, error)) ||
        !(flood->outlets = memory_new(GROUND_CELLS, 1, error)))
        return STATUS_MEMORY;
    return pages_create_own(&flood->pages, filled->width, filled->height, sizeof(FlatCell), PAGES_MAX,
                            begin_page, flood, error);
}

static Status drain(Flood *flood, const FlatWindow *flat, Error *error) {
    memset(flood->has_flat, 0, flood->pages.all);
    pages_forget(&flood->pages);
    Status status = find_flat(flood, flat->seed, flat->top, error);
    if (status == STATUS_OK)
        status = flood_flat(flood, error);
    for (uint32_t page = 0; page < flood->pages.all && status == STATUS_OK; page++)
        if (flood->has_flat[page])
            status = run_stopped(flood->run) ? STATUS_STOPPED : find_ways(flood, page, error);
    return status;
}

Status large_flats(const Run *run, const Plane *filled, Plane *direction, float sea, float lowest,
                   const FlatWindow *flats, int count, Error *error) {
    Flood flood = { .run = run, .filled = filled, .direction = direction, .lowest = lowest };
    flood.ground.sea = sea;
    Status status = create(&flood, error);
    if (status == STATUS_OK && !(flood.has_flat = memory_new(flood.pages.all, 1, error)))
        status = STATUS_MEMORY;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = drain(&flood, &flats[i], error);
        if (status == STATUS_OK)
            status = run_advance(run, i + 1, count);
    }
    pages_free(&flood.pages);
    field_free(&flood.ground.filled);
    memory_free(flood.ground.direction);
    memory_free(flood.ground.weight);
    memory_free(flood.ground.cost);
    memory_free(flood.outlets);
    memory_free(flood.has_flat);
    memory_free(flood.found.at);
    for (int i = 0; i < FLAT_BUCKETS; i++)
        memory_free(flood.buckets[i].at);
    return status;
}
