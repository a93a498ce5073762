// D-infinity strip by strip. Sums of shares are rounded, so that they are not known before all that drains
// into a cell is: strips are visited again until the water of all cells has gone down. What a strip needs of
// its neighbours is one row on each side.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/downstream.h"
#include "water/flow.h"

#include <string.h>

// Some rows of the planes, and one more on each side, or as many as there are.
typedef struct Rows {
    const PartingPlanes *planes;
    int top, count; // rows of the planes
    int first, end; // of these the ones that are looked at, from top
    Parting32 *ways;
    float *sum, *rest;
    uint8_t *waiting;
} Rows;

static void rows_free(Rows *rows) {
    memory_free(rows->ways);
    memory_free(rows->sum);
    memory_free(rows->rest);
    memory_free(rows->waiting);
}

// `sums`: reads these and what waits, too.
static Status rows_read(const PartingPlanes *planes, int first, int count, bool sums, Rows *rows,
                        Error *error) {
    const int width = planes->ways.width, height = planes->ways.height;
    const int top = max(first - 1, 0), end = min(first + count + 1, height);
    *rows = (Rows){ planes, top, end - top, first - top, first - top + count, NULL, NULL, NULL, NULL };
    const size_t cells = memory_count(width, rows->count);
    if (!(rows->ways = memory_new(cells, sizeof *rows->ways, error)) ||
        !(rows->waiting = memory_new_zeroed(cells, 1, error)) ||
        (sums && (!(rows->sum = memory_new(cells, sizeof *rows->sum, error)) ||
                  !(rows->rest = memory_new(cells, sizeof *rows->rest, error)))))
        return STATUS_MEMORY;
    Status status = plane_read(&planes->ways, top, rows->count, rows->ways, error);
    if (status == STATUS_OK && sums)
        status = plane_read(&planes->sum, top, rows->count, rows->sum, error);
    if (status == STATUS_OK && sums)
        status = plane_read(&planes->rest, top, rows->count, rows->rest, error);
    return status == STATUS_OK && sums ? plane_read(&planes->waiting, top, rows->count, rows->waiting, error)
                                       : status;
}

static Field size_of(const Rows *rows) {
    return (Field){ .width = rows->planes->ways.width, .height = rows->count };
}

Status parting_write(const PartingPlanes *planes, int row, int rows, const uint8_t *direction,
                     const uint8_t *second, const uint16_t *share, Error *error) {
    const size_t cells = memory_count(planes->ways.width, rows);
    Parting32 *ways = memory_new(cells, sizeof *ways, error);
    if (!ways)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        ways[i] = (Parting32){ direction[i], second[i], share[i] };
    const Status status = plane_write(&planes->ways, row, rows, ways, error);
    memory_free(ways);
    return status;
}

// The neighbours that drain into a cell, a bit for each.
static unsigned donors_of(const Rows *rows, const Field *size, int x, int y) {
    const size_t cell = (size_t)y * (size_t)size->width + (size_t)x;
    unsigned donors = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!within_field(size, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const Parting32 from = rows->ways[neighbour_of(size, cell, i)];
        const int towards = (i + NEIGHBOURS / 2) % NEIGHBOURS;
        donors |= (unsigned)(from.direction == towards || from.second == towards) << i;
    }
    return donors;
}

Status parting_count(const PartingPlanes *planes, int first, int count, Error *error) {
    Rows rows;
    Status status = rows_read(planes, first, count, false, &rows, error);
    const Field size = size_of(&rows);
    for (int y = rows.first; status == STATUS_OK && y < rows.end; y++)
        for (int x = 0; x < size.width; x++)
            rows.waiting[(size_t)y * (size_t)size.width + (size_t)x] =
                (uint8_t)__builtin_popcount(donors_of(&rows, &size, x, y));
    if (status == STATUS_OK)
        status = plane_write(&planes->waiting, first, count,
                             rows.waiting + (size_t)rows.first * (size_t)size.width, error);
    rows_free(&rows);
    return status;
}

// --- visits ------------------------------------------------------------------------------------------------

enum { VISITED = 255, WAITING_ROOM = 1 << 16 };

typedef struct Parts {
    Rows *rows;
    Field size;
    Flow flow;
    uint8_t *donors; // of cells that are visited
    uint32_t *ready;
    int ready_count;
    bool missed; // a cell that was ready found no room
} Parts;

static bool is_looked_at(const Parts *parts, size_t cell) {
    const int y = (int)(cell / (size_t)parts->size.width);
    return y >= parts->rows->first && y < parts->rows->end;
}

static void visit(Parts *parts, size_t cell) {
    const uint32_t number = (uint32_t)cell;
    const Parting32 ways = parts->rows->ways[cell];
    const int width = parts->size.width;
    parts->donors[cell] = (uint8_t)donors_of(parts->rows, &parts->size, (int)(cell % (size_t)width),
                                             (int)(cell / (size_t)width));
    flow_add_donors(&parts->flow, &number, 1, parts->donors);
    parts->rows->waiting[cell] = VISITED;
    const int directions[2] = { ways.direction, ways.second };
    for (int i = 0; i < 2; i++) {
        if (directions[i] >= NEIGHBOURS)
            continue;
        const size_t to = neighbour_of(&parts->size, cell, directions[i]);
        if (--parts->rows->waiting[to] > 0 || !is_looked_at(parts, to))
            continue;
        if (parts->ready_count < WAITING_ROOM)
            parts->ready[parts->ready_count++] = (uint32_t)to;
        else
            parts->missed = true;
    }
}

static void visit_all(Parts *parts) {
    const size_t first = (size_t)parts->rows->first * (size_t)parts->size.width,
                 end = (size_t)parts->rows->end * (size_t)parts->size.width;
    do {
        parts->missed = false;
        for (size_t i = first; i < end; i++) {
            if (parts->rows->waiting[i] != 0)
                continue;
            visit(parts, i);
            while (parts->ready_count > 0)
                visit(parts, parts->ready[--parts->ready_count]);
        }
    } while (parts->missed);
}

static bool some_ready(const Rows *rows, int y) {
    const size_t width = (size_t)rows->planes->ways.width;
    return memchr(rows->waiting + (size_t)y * width, 0, width) != NULL;
}

// The share and the second neighbour of each cell, as the in-memory operation has them.
static void unpack(const Parts *parts) {
    for (size_t i = 0; i < field_count(&parts->size); i++) {
        const Parting32 ways = parts->rows->ways[i];
        parts->flow.share[i] = ways.share;
        parts->flow.second[i] = ways.second;
    }
}

static Status parts_create(Rows *rows, Parts *parts, Error *error) {
    *parts = (Parts){ .rows = rows, .size = size_of(rows) };
    const size_t cells = field_count(&parts->size);
    parts->flow.sum = parts->size;
    parts->flow.sum.cells = rows->sum;
    parts->flow.rest = rows->rest;
    return (parts->flow.share = memory_new(cells, sizeof *parts->flow.share, error)) &&
                   (parts->flow.second = memory_new(cells, 1, error)) &&
                   (parts->donors = memory_new(cells, 1, error)) &&
                   (parts->ready = memory_new(WAITING_ROOM, sizeof *parts->ready, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

static void parts_free(Parts *parts) {
    memory_free(parts->flow.share);
    memory_free(parts->flow.second);
    memory_free(parts->donors);
    memory_free(parts->ready);
}

// What the cells of rows count, over a cell in the middle of `size`: as flow_areas has it of the whole.
static Status find_areas(const Rows *rows, const Field *size, Field *areas, Error *error) {
    Field ground = size_of(rows);
    ground.frame = size->frame;
    ground.whole = (Whole){ .row = rows->top, .width = size->width, .height = size->height };
    const Status status = field_create(areas, ground.width, ground.height, error);
    for (int y = 0; status == STATUS_OK && y < ground.height; y++) {
        const CellShape shape = field_row_shape(&ground, y);
        for (int x = 0; x < ground.width; x++)
            field_row(areas, y)[x] = (float)(shape.across * shape.down);
    }
    return status;
}

Status parting_visit(const PartingPlanes *planes, int first, int count, const Field *size, bool *above,
                     bool *below, Error *error) {
    Rows rows;
    Field areas = { 0 };
    Parts parts = { 0 };
    *above = *below = false;
    Status status = rows_read(planes, first, count, true, &rows, error);
    if (status == STATUS_OK)
        status = parts_create(&rows, &parts, error);
    if (status == STATUS_OK && size)
        status = find_areas(&rows, size, &areas, error);
    if (status == STATUS_OK) {
        parts.flow.rain = size ? &areas : NULL;
        unpack(&parts);
        visit_all(&parts);
        *above = rows.first > 0 && some_ready(&rows, 0);
        *below = rows.end < rows.count && some_ready(&rows, rows.count - 1);
        status = plane_write(&planes->waiting, rows.top, rows.count, rows.waiting, error);
    }
    const size_t start = (size_t)rows.first * (size_t)planes->ways.width;
    if (status == STATUS_OK)
        status = plane_write(&planes->sum, first, count, rows.sum + start, error);
    if (status == STATUS_OK)
        status = plane_write(&planes->rest, first, count, rows.rest + start, error);
    field_free(&areas);
    parts_free(&parts);
    rows_free(&rows);
    return status;
}
