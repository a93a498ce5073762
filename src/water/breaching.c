// From the bottom of a pit a search goes out in the order of cost (Dijkstra 1959) until it finds ground that
// is lower, the sea or the border. A step costs what is dug in its cell: the depth of the channel, which is
// as low as the bottom or falls from there. The lowest pits are opened first, so that lower ground always
// drains: higher ones end in their channels.

#include "water/breaching.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Visit { // of a cell by a search
    float cost, bed;   // of the way there; how low the channel is
    uint32_t search;   // its number; of any other, the rest is not set
    uint32_t from;     // the way's length in cells, times NEIGHBOURS, and the direction back
} Visit;

// The cells that a search has come to, in squares of cells that the next search uses again.
enum { SQUARE_BITS = 5, SQUARE_SIDE = 1 << SQUARE_BITS, SQUARE_CELLS = SQUARE_SIDE * SQUARE_SIDE };

typedef struct Visits {
    uint32_t across; // squares in a row of them
    uint32_t *place; // of each square: in `at`, from 1 on; 0: the search has not come there
    Visit *at;
    uint32_t *used; // squares that the search has come to
    uint32_t count, room;
} Visits;

typedef struct Digging {
    const Breach *limits;
    BreachCells *cells;
    Visits visits;
    float *falls; // of each row, how much a channel falls to each neighbour
    Queue heap;
    uint32_t search;
} Digging;

// --- cells -----------------------------------------------------------------------------------------------

static inline size_t place_of(const BreachCells *cells, int x, int y) {
    return (size_t)y * (size_t)cells->width + (size_t)x;
}

static inline float ground_at(BreachCells *cells, int x, int y) {
    return cells->at ? *(const float *)cells->at(cells->store, BREACH_GROUND, x, y, false)
                     : cells->ground[place_of(cells, x, y)];
}

static inline float given_at(BreachCells *cells, int x, int y) {
    return cells->at ? *(const float *)cells->at(cells->store, BREACH_GIVEN, x, y, false)
                     : cells->given[place_of(cells, x, y)];
}

static inline uint8_t marks_at(BreachCells *cells, int x, int y) {
    return cells->at ? *(const uint8_t *)cells->at(cells->store, BREACH_MARKS, x, y, false)
                     : cells->marks[place_of(cells, x, y)];
}

static void mark_channel(BreachCells *cells, int x, int y) {
    uint8_t *marks =
        cells->at ? cells->at(cells->store, BREACH_MARKS, x, y, true) : &cells->marks[place_of(cells, x, y)];
    *marks |= BREACH_CHANNEL;
}

static void lower(BreachCells *cells, int x, int y, float bed) {
    float *ground = cells->at ? cells->at(cells->store, BREACH_GROUND, x, y, true)
                              : &cells->ground[place_of(cells, x, y)];
    *ground = bed;
}

static bool is_border(const BreachCells *cells, int x, int y) {
    return x == 0 || y == 0 || x == cells->width - 1 || y == cells->height - 1;
}

// --- visits ----------------------------------------------------------------------------------------------

static inline uint32_t square_of(const Visits *visits, int x, int y) {
    return ((uint32_t)y >> SQUARE_BITS) * visits->across + ((uint32_t)x >> SQUARE_BITS);
}

// The visit of a cell whose square the present search has come to.
static inline Visit *visit_at(const Visits *visits, int x, int y) {
    const size_t row = (size_t)(y & (SQUARE_SIDE - 1)), column = (size_t)(x & (SQUARE_SIDE - 1));
    const size_t square = visits->place[square_of(visits, x, y)] - 1;
    return &visits->at[square * SQUARE_CELLS + row * SQUARE_SIDE + column];
}

static Status visits_create(Visits *visits, const BreachCells *cells, Error *error) {
    visits->across = ((uint32_t)cells->width >> SQUARE_BITS) + 1;
    const size_t squares = (size_t)visits->across * (((size_t)cells->height >> SQUARE_BITS) + 1);
    visits->place = memory_new_zeroed(squares, sizeof *visits->place, error);
    return visits->place ? STATUS_OK : STATUS_MEMORY;
}

static void visits_free(Visits *visits) {
    memory_free(visits->place);
    memory_free(visits->at);
    memory_free(visits->used);
}

static void visits_clear(Visits *visits) {
    for (uint32_t i = 0; i < visits->count; i++)
        visits->place[visits->used[i]] = 0;
    visits->count = 0;
}

static Status visits_grow(Visits *visits, Error *error) {
    const uint32_t room = 2 * visits->room + 16;
    const size_t before = (size_t)visits->room * SQUARE_CELLS, after = (size_t)room * SQUARE_CELLS;
    Visit *at = memory_enlarge(visits->at, before, after, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    visits->at = at;
    uint32_t *used = memory_enlarge(visits->used, visits->room, room, sizeof *used, error);
    if (!used)
        return STATUS_MEMORY;
    visits->used = used;
    memset(at + before, 0, (after - before) * sizeof *at);
    visits->room = room;
    return STATUS_OK;
}

// Makes sure that the cell's square has a place.
static inline Status visits_reach(Visits *visits, int x, int y, Error *error) {
    const uint32_t square = square_of(visits, x, y);
    if (visits->place[square])
        return STATUS_OK;
    if (visits->count == visits->room) {
        const Status status = visits_grow(visits, error);
        if (status != STATUS_OK)
            return status;
    }
    visits->used[visits->count++] = square;
    visits->place[square] = visits->count;
    return STATUS_OK;
}

static Status visit(Digging *digging, int x, int y, Visit next, Error *error) {
    if (visits_reach(&digging->visits, x, y, error) != STATUS_OK)
        return STATUS_MEMORY;
    Visit *known = visit_at(&digging->visits, x, y);
    if (known->search == digging->search && known->cost <= next.cost)
        return STATUS_OK;
    *known = next;
    return heap_add(&digging->heap, waiting_cell(next.cost, x, y), error) ? STATUS_OK : STATUS_MEMORY;
}

// --- channels --------------------------------------------------------------------------------------------

// Whether water that comes here runs off. A channel may be dug below the level of the sea, and is none.
static bool runs_off(BreachCells *cells, int x, int y, float bed) {
    const float ground = ground_at(cells, x, y);
    if (ground < bed || is_border(cells, x, y))
        return true;
    const uint8_t marks = marks_at(cells, x, y);
    return marks & BREACH_SEA || (ground == bed && marks & BREACH_CHANNEL);
}

// The neighbours of a cell that a search has come to.
static Status go_on(Digging *digging, int from_x, int from_y, Error *error) {
    const Breach *limits = digging->limits;
    const Visit here = *visit_at(&digging->visits, from_x, from_y);
    const float *falls = digging->falls + (size_t)from_y * NEIGHBOURS;
    const uint32_t length = here.from / (uint32_t)NEIGHBOURS + 1;
    Status status = STATUS_OK;
    if (limits->length > 0 && length > limits->length)
        return STATUS_OK;
    for (int i = 0; i < NEIGHBOURS && status == STATUS_OK; i++) {
        const int x = from_x + neighbour_x[i], y = from_y + neighbour_y[i];
        const float bed = height_below(here.bed, falls[i]);
        const float depth = max(ground_at(digging->cells, x, y) - bed, 0);
        if (limits->depth > 0 && given_at(digging->cells, x, y) - bed > (float)limits->depth)
            continue; // other channels may have been dug here before
        const uint32_t back = (uint32_t)((i + NEIGHBOURS / 2) % NEIGHBOURS);
        const Visit next = { .cost = here.cost + depth,
                             .bed = bed,
                             .search = digging->search,
                             .from = length * (uint32_t)NEIGHBOURS + back };
        status = visit(digging, x, y, next, error);
    }
    return status;
}

// Finds the cell where the cheapest channel from a pit ends; -1 if the limits allow none.
static Status search(const Run *run, Digging *digging, int x, int y, int64_t *end, Error *error) {
    enum { CELLS_PER_POLL = 1 << 16 };
    digging->search++;
    digging->heap.count = 0;
    visits_clear(&digging->visits);
    *end = -1;
    const Visit pit = { .bed = ground_at(digging->cells, x, y), .search = digging->search };
    Status status = visit(digging, x, y, pit, error);
    for (size_t polled = 1; digging->heap.count > 0 && status == STATUS_OK; polled++) {
        const Waiting next = heap_take(&digging->heap);
        const int at_x = waiting_x(next), at_y = waiting_y(next);
        const Visit *here = visit_at(&digging->visits, at_x, at_y);
        if (ordered_bits(here->cost) != (uint32_t)(next >> 32))
            continue; // found more cheaply since
        if (here->from > 0 && runs_off(digging->cells, at_x, at_y, here->bed)) {
            *end = (int64_t)at_y * digging->cells->width + at_x;
            return STATUS_OK;
        }
        status = go_on(digging, at_x, at_y, error);
        if (polled % CELLS_PER_POLL == 0 && run_stopped(run))
            status = STATUS_STOPPED;
    }
    return status;
}

// Digs from the channel's end back to the pit.
static void dig(Digging *digging, int64_t end) {
    BreachCells *cells = digging->cells;
    int x = (int)(end % cells->width), y = (int)(end / cells->width);
    for (;;) {
        const Visit *here = visit_at(&digging->visits, x, y);
        if (here->from == 0)
            break;
        if (ground_at(cells, x, y) >= here->bed && !(marks_at(cells, x, y) & BREACH_SEA)) {
            lower(cells, x, y, here->bed);
            mark_channel(cells, x, y);
        }
        const uint32_t back = here->from % (uint32_t)NEIGHBOURS;
        x += neighbour_x[back];
        y += neighbour_y[back];
    }
    mark_channel(cells, x, y);
}

static Status open_pit(const Run *run, Digging *digging, int x, int y, bool *left, Error *error) {
    if (marks_at(digging->cells, x, y) & BREACH_CHANNEL)
        return STATUS_OK; // another one's passes here
    int64_t end;
    const Status status = search(run, digging, x, y, &end, error);
    if (status == STATUS_OK && end >= 0)
        dig(digging, end);
    *left = *left || end < 0;
    return status;
}

// --- all -------------------------------------------------------------------------------------------------

static Status find_falls(Digging *digging, const Field *place, Error *error) {
    const int rows = place->height;
    digging->falls = memory_new((size_t)rows * NEIGHBOURS, sizeof *digging->falls, error);
    for (int y = 0; digging->falls && y < rows; y++) {
        const CellShape shape = field_row_shape(place, y);
        const bool squares = shape.across == 1 && shape.down == 1;
        for (int i = 0; i < NEIGHBOURS; i++) {
            const double across = neighbour_x[i] * shape.across, down = neighbour_y[i] * shape.down;
            const float distance =
                squares ? 1 / inverse_distance[i] : (float)sqrt(across * across + down * down);
            digging->falls[y * NEIGHBOURS + i] = (float)digging->limits->slope * distance;
        }
    }
    return digging->falls ? STATUS_OK : STATUS_MEMORY;
}

static int compare(const void *one, const void *other) {
    const Waiting a = *(const Waiting *)one, b = *(const Waiting *)other;
    return (a > b) - (a < b);
}

Status breach_pits(const Run *run, const Breach *breach, const Field *place, BreachCells *cells,
                   Waiting *pits, size_t count, bool *left, Error *error) {
    enum { PITS_PER_POLL = 1 << 10 };
    Digging digging = { .limits = breach, .cells = cells };
    qsort(pits, count, sizeof *pits, compare);
    *left = false;
    Status status = find_falls(&digging, place, error);
    if (status == STATUS_OK)
        status = visits_create(&digging.visits, cells, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (i % PITS_PER_POLL == 0)
            status = run_advance(run, (double)i, (double)count);
        if (status == STATUS_OK)
            status = open_pit(run, &digging, waiting_x(pits[i]), waiting_y(pits[i]), left, error);
        if (cells->failed)
            status = STATUS_FILE;
    }
    visits_free(&digging.visits);
    memory_free(digging.falls);
    memory_free(digging.heap.at);
    return status;
}
