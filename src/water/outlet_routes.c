#include "water/outlet_routes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "water/drainage.h"

#include <math.h>

#define KNOWN UINT32_C(0x80000000) // flags ends that have been found

enum { BAND_CELLS = 1 << 16, BAND_ROWS = 32 }; // minimum size of a band

typedef struct Way { // the end of a flow path, and its length
    uint32_t end;
    uint64_t length;
    bool known;
} Way;

typedef struct Following {
    const Field *size;
    const uint8_t *direction;
    const Routes *routes;
    Way *edges; // of the cells in each band's first row, then in its last
    int band_rows, band_count;
} Following;

static int end_row(const Following *following, int band) {
    return min((band + 1) * following->band_rows, following->size->height);
}

static size_t first_cell(const Following *following, int band) {
    return (size_t)band * (size_t)following->band_rows * (size_t)following->size->width;
}

// --- lengths -----------------------------------------------------------------------------------------------

bool routes_are_counted(const Field *height) {
    const int first_row = -height->whole.row, rows = max(height->whole.height, height->height);
    const CellShape first = field_row_shape(height, first_row),
                    last = field_row_shape(height, first_row + rows - 1);
    return !(field_cell_metres(height) > 0) ||
           (first.across == 1 && first.down == 1 && last.across == 1 && last.down == 1);
}

uint64_t *routes_steps(const Field *height, Error *error) {
    uint64_t *steps = memory_new((size_t)height->height * NEIGHBOURS, sizeof *steps, error);
    for (int y = 0; y < height->height && steps; y++) {
        const CellShape here = field_row_shape(height, y);
        for (int i = 0; i < NEIGHBOURS; i++) {
            const int next = min(max(y + neighbour_y[i], 0), height->height - 1);
            const CellShape there = field_row_shape(height, next);
            const double across = neighbour_x[i] ? 0.5 * (here.across + there.across) : 0,
                         down = neighbour_y[i] ? 0.5 * (here.down + there.down) : 0;
            steps[y * NEIGHBOURS + i] =
                (uint64_t)whole_64(sqrt(across * across + down * down) * 0x1p20 + 0.5);
        }
    }
    return steps;
}

// Of one step: as counted, cardinal steps in the low half and diagonal ones in the high half.
static uint64_t step_from(const Following *following, size_t cell, int direction) {
    const uint64_t *steps = following->routes->steps;
    if (steps)
        return steps[cell / (size_t)following->size->width * NEIGHBOURS + (size_t)direction];
    return direction & 1 ? UINT64_C(1) << 32 : 1;
}

static uint64_t length_from(const Routes *routes, size_t cell) {
    return routes->straight ? (uint64_t)routes->diagonal[cell] << 32 | routes->straight[cell] : 0;
}

static void set_length(const Routes *routes, size_t cell, uint64_t length) {
    if (!routes->straight)
        return;
    routes->straight[cell] = (uint32_t)length;
    routes->diagonal[cell] = (uint32_t)(length >> 32);
}

// --- within bands ----------------------------------------------------------------------------------------

// Whether a cell drains into a cell of the same band, which has `cells` cells.
static bool goes_on(const Following *following, size_t start, size_t cells, size_t place) {
    const int direction = following->direction[start + place];
    return direction < NEIGHBOURS && neighbour_of(following->size, place, direction) < cells;
}

static void follow_from(const Following *following, size_t start, size_t cells, size_t from) {
    const Routes *routes = following->routes;
    uint32_t *end = routes->end + start;
    uint64_t length = 0;
    size_t at = from;
    for (; !(end[at] & KNOWN) && goes_on(following, start, cells, at);
         at = neighbour_of(following->size, at, following->direction[start + at]))
        length += step_from(following, start + at, following->direction[start + at]);
    const bool ends_here = !(end[at] & KNOWN);
    const uint32_t found = ends_here ? KNOWN | (uint32_t)at : end[at];
    length += ends_here ? 0 : length_from(routes, start + at);
    for (at = from; !(end[at] & KNOWN);) {
        const int direction = following->direction[start + at];
        end[at] = found;
        set_length(routes, start + at, length);
        if ((found & ~KNOWN) == at)
            return;
        length -= step_from(following, start + at, direction);
        at = neighbour_of(following->size, at, direction);
    }
}

static void follow_bands(void *context, int first, int end) {
    const Following *following = context;
    for (int band = first; band < end; band++) {
        const size_t start = first_cell(following, band);
        const size_t rows = (size_t)(end_row(following, band) - band * following->band_rows);
        const size_t cells = rows * (size_t)following->size->width;
        for (size_t i = 0; i < cells; i++)
            following->routes->end[start + i] = 0;
        for (size_t i = 0; i < cells; i++)
            if (!(following->routes->end[start + i] & KNOWN))
                follow_from(following, start, cells, i);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

// The entry of a cell in the first or last row of its band.
static Way *edge_of(const Following *following, size_t cell) {
    const size_t width = (size_t)following->size->width;
    const int y = (int)(cell / width), band = y / following->band_rows;
    const bool last = y != band * following->band_rows;
    return &following->edges[((size_t)band * 2 + last) * width + cell % width];
}

// The path from a cell to the last cell within its band.
static Way way_within(const Following *following, size_t cell) {
    const Routes *routes = following->routes;
    const int band = (int)(cell / (size_t)following->size->width) / following->band_rows;
    const size_t end = first_cell(following, band) + (routes->end[cell] & ~KNOWN);
    return (Way){ (uint32_t)end, length_from(routes, cell), false };
}

// The path from an edge cell into the next band, up to the cell where it leaves that band. `known` if the
// path ends there.
static Way way_across(const Following *following, size_t cell) {
    const int direction = following->direction[cell];
    if (direction >= NEIGHBOURS)
        return (Way){ (uint32_t)cell, 0, true };
    Way way = way_within(following, neighbour_of(following->size, cell, direction));
    way.length += step_from(following, cell, direction);
    way.known = following->direction[way.end] >= NEIGHBOURS;
    return way;
}

static void add_way(Way *way, const Way *rest) {
    way->end = rest->end;
    way->length += rest->length;
    way->known = true;
}

// Follows a path across bands to its end and completes the entries of all edge cells on it. `trail` has room
// for every edge cell.
static void follow_across(const Following *following, size_t cell, uint32_t *trail) {
    size_t count = 0;
    while (!edge_of(following, cell)->known) {
        Way *way = edge_of(following, cell);
        *way = way_across(following, cell);
        trail[count++] = (uint32_t)cell;
        if (way->known)
            break;
        cell = way->end;
    }
    const Way *rest = edge_of(following, cell);
    while (count > 0) {
        Way *way = edge_of(following, trail[--count]);
        if (!way->known)
            add_way(way, rest);
        rest = way;
    }
}

static bool leaves(const Following *following, size_t cell) {
    return following->direction[cell] < NEIGHBOURS;
}

static Status follow_edges(const Following *following, Error *error) {
    const size_t width = (size_t)following->size->width;
    uint32_t *trail = memory_new(2 * width * (size_t)following->band_count, sizeof *trail, error);
    if (!trail)
        return STATUS_MEMORY;
    for (int band = 0; band < following->band_count; band++)
        for (int side = 0; side < 2; side++) {
            const int y = side ? end_row(following, band) - 1 : band * following->band_rows;
            for (size_t x = 0; x < width; x++) {
                const size_t cell = (size_t)y * width + x;
                if (way_within(following, cell).end == cell && leaves(following, cell))
                    follow_across(following, cell, trail);
            }
        }
    memory_free(trail);
    return STATUS_OK;
}

static void complete_bands(void *context, int first, int end) {
    const Following *following = context;
    const Routes *routes = following->routes;
    for (int band = first; band < end; band++) {
        const size_t start = first_cell(following, band);
        const size_t after = (size_t)end_row(following, band) * (size_t)following->size->width;
        for (size_t cell = start; cell < after; cell++) {
            const size_t last = start + (routes->end[cell] & ~KNOWN);
            const bool further = leaves(following, last);
            const Way rest = further ? *edge_of(following, last) : (Way){ .end = (uint32_t)last };
            routes->end[cell] = rest.end;
            set_length(routes, cell, length_from(routes, cell) + rest.length);
        }
    }
}

Status routes_follow(const Run *run, const Field *size, const uint8_t *direction, const Routes *routes,
                     Error *error) {
    Following following = { .size = size, .direction = direction, .routes = routes };
    following.band_rows = min(max(BAND_CELLS / size->width, BAND_ROWS), size->height);
    following.band_count = (size->height + following.band_rows - 1) / following.band_rows;
    const size_t edges = 2 * (size_t)size->width * (size_t)following.band_count;
    const double cost = (double)size->width * following.band_rows * 5;
    following.edges = memory_new_zeroed(edges, sizeof *following.edges, error);
    if (!following.edges)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, following.band_count, cost, follow_bands, &following);
    if (status == STATUS_OK)
        status = follow_edges(&following, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, following.band_count, cost, complete_bands, &following);
    memory_free(following.edges);
    return status;
}
