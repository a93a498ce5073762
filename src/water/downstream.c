#include "water/downstream.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/drainage.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { BAND_CELLS = 1 << 17, BAND_ROWS = 32, VISITED = 255 };

// What crosses the edge between two rows: visited cells above and below it that drain across.
typedef struct Crossing {
    uint32_t *from[2]; // room for all cells of a row
    int count[2];
} Crossing;

typedef struct Visits {
    const Downstream *of;
    uint8_t *donors;     // a bit for each neighbour that drains into a cell
    uint8_t *waiting;    // how many of them have not been visited; of a visited cell VISITED
    Crossing *crossings; // of edge i, above row i × half
    uint32_t *cells;     // that crossings have room for
    int half, edges;     // half a band, in rows; edges, the two of the field included
    int round;
} Visits;

static size_t row_start(const Visits *visits, int y) {
    return (size_t)y * (size_t)visits->of->width;
}

// --- donors ------------------------------------------------------------------------------------------------

KERNEL static void mark_donors(const uint8_t *restrict direction, uint8_t towards, uint8_t bit,
                               uint8_t *restrict donors, int count) {
    for (int x = 0; x < count; x++)
        donors[x] |= (uint8_t)(direction[x] == towards ? bit : 0);
}

KERNEL static void count_bits(const uint8_t *restrict donors, uint8_t *restrict counts, int count) {
    for (int x = 0; x < count; x++) {
        const int pairs = (donors[x] & 0x55) + (donors[x] >> 1 & 0x55);
        const int fours = (pairs & 0x33) + (pairs >> 2 & 0x33);
        counts[x] = (uint8_t)((fours & 15) + (fours >> 4));
    }
}

static void find_donors(void *context, int first, int end) {
    const Visits *visits = context;
    const Downstream *of = visits->of;
    for (int y = first; y < end; y++) {
        uint8_t *donors = visits->donors + row_start(visits, y);
        memset(donors, 0, (size_t)of->width);
        for (int i = 0; i < NEIGHBOURS; i++) {
            const int from_y = y + neighbour_y[i], left = neighbour_x[i] < 0;
            const int count = of->width - left - (neighbour_x[i] > 0);
            if (from_y < 0 || from_y >= of->height || count <= 0)
                continue;
            const size_t from = row_start(visits, from_y) + (size_t)(left + neighbour_x[i]);
            const uint8_t towards = (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS), bit = (uint8_t)(1 << i);
            mark_donors(of->direction + from, towards, bit, donors + left, count);
            if (of->second)
                mark_donors(of->second + from, towards, bit, donors + left, count);
        }
        count_bits(donors, visits->waiting + row_start(visits, y), of->width);
    }
}

// --- visits ------------------------------------------------------------------------------------------------

enum { READY = 256, LISTED = 1024 };

// The rows between two edges.
typedef struct Band {
    Visits *visits;
    size_t first, end; // cells
    int upper, lower;  // edges
    int ready_count, listed_count;
    bool missed; // a cell that could be next found no room: the band is searched again
    uint32_t ready[READY], listed[LISTED]; // what can be visited; what is, in this order
} Band;

static bool is_ready(const Visits *visits, size_t cell) {
    return visits->waiting[cell] == 0 && visits->of->direction[cell] <= DRAINS_OFF;
}

static size_t receiver_at(const Visits *visits, size_t cell, int direction) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[direction] * (ptrdiff_t)visits->of->width +
                    neighbour_x[direction]);
}

// Tells a cell that one of its donors was visited.
static void pass_on(Band *band, size_t to) {
    band->visits->waiting[to]--;
    if (!is_ready(band->visits, to))
        return;
    if (band->ready_count < READY)
        band->ready[band->ready_count++] = (uint32_t)to;
    else
        band->missed = true;
}

static void visit_listed(Band *band) {
    const Downstream *of = band->visits->of;
    of->visit(of->context, band->listed, band->listed_count, band->visits->donors);
    band->listed_count = 0;
}

// Lists a cell, whose receivers may then be ready.
static void list(Band *band, size_t cell) {
    const Visits *visits = band->visits;
    const Downstream *of = visits->of;
    const int directions[2] = { of->direction[cell], of->second ? of->second[cell] : NO_SECOND };
    int across = 0;
    if (band->listed_count == LISTED)
        visit_listed(band);
    band->listed[band->listed_count++] = (uint32_t)cell;
    visits->waiting[cell] = VISITED;
    for (int i = 0; i < 2 && directions[i] < NEIGHBOURS; i++) {
        const size_t to = receiver_at(visits, cell, directions[i]);
        if (to >= band->first && to < band->end)
            pass_on(band, to);
        else
            across = neighbour_y[directions[i]];
    }
    if (across) { // water parts between neighbours side by side: all that crosses crosses the same edge
        Crossing *crossing = &visits->crossings[across > 0 ? band->lower : band->upper];
        const int side = across < 0;
        crossing->from[side][crossing->count[side]++] = (uint32_t)cell;
    }
}

static void list_ready(Band *band) {
    while (band->ready_count > 0)
        list(band, band->ready[--band->ready_count]);
}

static void search(Band *band) {
    do {
        band->missed = false;
        for (size_t i = band->first; i < band->end; i++)
            if (is_ready(band->visits, i)) {
                list(band, i);
                list_ready(band);
            }
    } while (band->missed);
}

// Goes on from what crossed an edge within the band in the round before.
static void go_on(Band *band, int edge) {
    const Visits *visits = band->visits;
    Crossing *crossing = &visits->crossings[edge];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < crossing->count[side]; i++) {
            const size_t cell = crossing->from[side][i];
            const int directions[2] = { visits->of->direction[cell],
                                        visits->of->second ? visits->of->second[cell] : NO_SECOND };
            for (int k = 0; k < 2 && directions[k] < NEIGHBOURS; k++)
                if (neighbour_y[directions[k]] == (side ? -1 : 1))
                    pass_on(band, receiver_at(visits, cell, directions[k]));
            list_ready(band);
        }
        crossing->count[side] = 0;
    }
}

static Band band_between(Visits *visits, int upper, int lower) {
    const int height = visits->of->height;
    return (Band){ .visits = visits,
                   .upper = upper,
                   .lower = lower,
                   .first = row_start(visits, clamp(upper * visits->half, 0, height)),
                   .end = row_start(visits, clamp(lower * visits->half, 0, height)) };
}

static void visit_bands(void *context, int first, int end) {
    Visits *visits = context;
    for (int i = first; i < end; i++) {
        const int middle = 2 * i + (visits->round % 2 == 0);
        Band band = band_between(visits, middle - 1, middle + 1);
        if (visits->round == 0)
            search(&band);
        else if (middle < visits->edges)
            go_on(&band, middle);
        if (band.missed)
            search(&band);
        visit_listed(&band);
    }
}

static int count_crossings(const Visits *visits) {
    int count = 0;
    for (int i = 0; i < visits->edges; i++)
        count += visits->crossings[i].count[0] + visits->crossings[i].count[1];
    return count;
}

// The last long rivers, on one thread.
static void visit_rest(Visits *visits) {
    Band all = band_between(visits, 0, visits->edges);
    for (int i = 0; i < visits->edges; i++)
        go_on(&all, i);
    if (all.missed)
        search(&all);
    visit_listed(&all);
}

static Status create(Visits *visits, Error *error) {
    const Downstream *of = visits->of;
    const size_t cells = memory_count(of->width, of->height), width = (size_t)of->width;
    visits->half = max(BAND_CELLS / of->width, BAND_ROWS) / 2;
    visits->edges = (of->height + visits->half - 1) / visits->half + 1;
    if (!(visits->donors = memory_new(cells, 1, error)) || !(visits->waiting = memory_new(cells, 1, error)) ||
        !(visits->crossings = memory_new_zeroed((size_t)visits->edges, sizeof *visits->crossings, error)) ||
        !(visits->cells = memory_new((size_t)visits->edges, 2 * width * sizeof *visits->cells, error)))
        return STATUS_MEMORY;
    for (int i = 0; i < visits->edges; i++)
        for (int side = 0; side < 2; side++)
            visits->crossings[i].from[side] = visits->cells + (2 * (size_t)i + (size_t)side) * width;
    return STATUS_OK;
}

Status visit_downstream(const Run *run, const Downstream *downstream, Error *error) {
    Visits visits = { .of = downstream };
    Status status = create(&visits, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, downstream->height, downstream->width * 2.0, find_donors, &visits);
    const int bands = visits.edges / 2 + 1;
    double cost = 30.0 * 2 * visits.half * downstream->width;
    for (int left = INT_MAX; status == STATUS_OK && left >= 4 * bands; visits.round++) {
        status = parallel_rows(run, bands, cost, visit_bands, &visits);
        left = count_crossings(&visits);
        cost = 200.0 * left / bands;
    }
    if (status == STATUS_OK)
        visit_rest(&visits);
    memory_free(visits.donors);
    memory_free(visits.waiting);
    memory_free(visits.crossings);
    memory_free(visits.cells);
    return status;
}
