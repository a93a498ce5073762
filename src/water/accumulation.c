#include "water/accumulation.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "water/drainage.h"

#include <stdbool.h>
#include <string.h>

KERNEL static void add_donors(const uint8_t *restrict direction, uint8_t towards, uint8_t *restrict donors,
                              int count) {
    for (int x = 0; x < count; x++)
        donors[x] = (uint8_t)(donors[x] + (direction[x] == towards));
}

// Counts for each cell of row `y` the neighbours in rows `top` … `bottom` - 1 that drain into it.
static void count_donors(const Field *size, const uint8_t *direction, int y, int top, int bottom,
                         uint8_t *donors) {
    const int width = size->width;
    memset(donors, 0, (size_t)width);
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int from_y = y + neighbour_y[i], first = neighbour_x[i] < 0, end = width - (neighbour_x[i] > 0);
        if (from_y < top || from_y >= bottom || end <= first)
            continue;
        const uint8_t *row = direction + (size_t)from_y * (size_t)width + (size_t)(first + neighbour_x[i]);
        add_donors(row, (uint8_t)((i + NEIGHBOURS / 2) % NEIGHBOURS), donors + first, end - first);
    }
}

// --- bands -----------------------------------------------------------------------------------------------

enum { BAND_CELLS = 1 << 17, BAND_ROWS = 64 };

// Of a cell, once its band is counted: how many ways of water from other bands join there, and whether there
// are several, none of which has come.
enum { NO_WAY = 255, MEETING = 16, EMPTY = 32 };

#define NOWHERE UINT32_MAX

// Where water crosses the edge between two bands: a cell of the first row below it or the last above it that
// drains across. A place for each of these cells, by its edge, side and column.
typedef struct Crossing {
    uint32_t water; // what drains through the cell: within its band at first
    uint32_t next;  // where that leaves the band that it enters, or NOWHERE
    uint32_t above; // how many crossings have this one as next and are not added yet
} Crossing;

typedef struct Counting {
    const uint8_t *direction;
    Field *size;
    uint32_t *sum;
    uint8_t *waiting; // donors of the same band not yet added; then ways from other bands (NO_WAY)
    // On such ways the crossing with which the first one there began; then, where several meet, what came.
    uint32_t *way;
    Crossing *crossings;
    ptrdiff_t step[NEIGHBOURS]; // to a neighbour
    int band_rows, bands;
} Counting;

static size_t row_start(const Counting *counting, int y) {
    return (size_t)y * (size_t)counting->size->width;
}

// A band's cells.
typedef struct Part {
    int top, bottom; // rows, the last one excluded
    size_t start, end;
} Part;

static Part part_of(const Counting *counting, int band) {
    const int top = band * counting->band_rows;
    const int bottom = min(top + counting->band_rows, counting->size->height);
    return (Part){ top, bottom, row_start(counting, top), row_start(counting, bottom) };
}

static bool in_part(const Part *part, size_t cell) {
    return cell - part->start < part->end - part->start; // wraps around before the start
}

// --- crossings ---------------------------------------------------------------------------------------------

enum { DOWN, UP, SIDES }; // the side from which water crosses an edge, which lies above its band

static uint32_t crossing_at(const Counting *counting, int edge, int side) {
    return (uint32_t)((edge - 1) * SIDES + side) * (uint32_t)counting->size->width;
}

// The first cell of the row from which water crosses an edge.
static size_t crossing_row(const Counting *counting, int edge, int side) {
    return row_start(counting, edge * counting->band_rows - (side == DOWN));
}

static bool crosses(const Counting *counting, size_t cell, int side) {
    const int direction = counting->direction[cell];
    return direction < NEIGHBOURS && neighbour_y[direction] == (side == DOWN ? 1 : -1);
}

typedef void VisitCrossing(const Counting *, const Part *, size_t cell, uint32_t crossing);

static void visit_side(const Counting *counting, const Part *part, int edge, int side, VisitCrossing *visit) {
    const size_t row = crossing_row(counting, edge, side);
    const uint32_t crossing = crossing_at(counting, edge, side);
    for (uint32_t x = 0; x < (uint32_t)counting->size->width; x++)
        if (crosses(counting, row + x, side))
            visit(counting, part, row + x, crossing + x);
}

static void visit_ways_in(const Counting *counting, const Part *part, int band, VisitCrossing *visit) {
    if (band > 0)
        visit_side(counting, part, band, DOWN, visit);
    if (band + 1 < counting->bands)
        visit_side(counting, part, band + 1, UP, visit);
}

static void visit_ways_out(const Counting *counting, const Part *part, int band, VisitCrossing *visit) {
    if (band > 0)
        visit_side(counting, part, band, UP, visit);
    if (band + 1 < counting->bands)
        visit_side(counting, part, band + 1, DOWN, visit);
}

// --- within bands ----------------------------------------------------------------------------------------

// Adds a complete cell's sum to its receiver, and goes on downstream while the receiver is complete too and
// lies in the band.
static void pass_down(const Counting *counting, const Part *part, size_t cell) {
    for (;;) {
        const int direction = counting->direction[cell];
        counting->waiting[cell] = NO_WAY;
        if (direction >= NEIGHBOURS)
            return;
        const size_t to = cell + (size_t)counting->step[direction];
        if (!in_part(part, to))
            return;
        counting->sum[to] += counting->sum[cell];
        if (--counting->waiting[to] > 0)
            return;
        cell = to;
    }
}

static void begin_crossing(const Counting *counting, const Part *part, size_t cell, uint32_t crossing) {
    (void)part;
    counting->crossings[crossing] = (Crossing){ .water = counting->sum[cell], .next = NOWHERE };
}

static void count_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        for (int y = part.top; y < part.bottom; y++)
            count_donors(counting->size, counting->direction, y, part.top, part.bottom,
                         counting->waiting + row_start(counting, y));
        for (size_t i = part.start; i < part.end; i++)
            counting->sum[i] = 1;
        for (size_t i = part.start; i < part.end; i++)
            if (counting->waiting[i] == 0)
                pass_down(counting, &part, i);
        visit_ways_out(counting, &part, band, begin_crossing);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

// The crossing of a cell that drains out of its band.
static uint32_t crossing_of(const Counting *counting, const Part *part, size_t cell, int direction) {
    const int side = neighbour_y[direction] > 0 ? DOWN : UP;
    const int edge = (side == DOWN ? part->bottom : part->top) / counting->band_rows;
    return crossing_at(counting, edge, side) + (uint32_t)(cell - crossing_row(counting, edge, side));
}

// Follows water into the band, up to a way that is known or out again.
static void find_way(const Counting *counting, const Part *part, size_t from, uint32_t crossing) {
    size_t cell = from + (size_t)counting->step[counting->direction[from]];
    uint32_t next = NOWHERE;
    for (;;) {
        if (counting->waiting[cell] != NO_WAY) {
            next = counting->crossings[counting->way[cell]].next;
            counting->waiting[cell] = (uint8_t)((counting->waiting[cell] | MEETING | EMPTY) + 1);
            break;
        }
        counting->waiting[cell] = 1;
        counting->way[cell] = crossing;
        const int direction = counting->direction[cell];
        if (direction >= NEIGHBOURS)
            break;
        const size_t to = cell + (size_t)counting->step[direction];
        if (!in_part(part, to)) {
            next = crossing_of(counting, part, cell, direction);
            break;
        }
        cell = to;
    }
    counting->crossings[crossing].next = next;
    if (next != NOWHERE)
        counting->crossings[next].above++;
}

static void find_ways(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        visit_ways_in(counting, &part, band, find_way);
    }
}

// Adds the water of a crossing that none is above any more to the next ones, as far as that is true of them.
static void pass_crossings(const Counting *counting, const Part *part, size_t cell, uint32_t crossing) {
    (void)part;
    (void)cell;
    Crossing *from = &counting->crossings[crossing];
    while (from->above == 0) {
        from->above = NOWHERE; // done
        if (from->next == NOWHERE)
            return;
        Crossing *to = &counting->crossings[from->next];
        to->water += from->water;
        to->above--;
        from = to;
    }
}

// Carries the water of a crossing down its band, up to where it meets another that has not come.
static void carry(const Counting *counting, const Part *part, size_t from, uint32_t crossing) {
    size_t cell = from;
    uint32_t water = counting->crossings[crossing].water;
    for (;;) {
        cell += (size_t)counting->step[counting->direction[cell]];
        if (!in_part(part, cell))
            return;
        if (counting->waiting[cell] & MEETING) {
            water += counting->waiting[cell] & EMPTY ? 0 : counting->way[cell];
            counting->way[cell] = water;
            counting->waiting[cell] = (uint8_t)((counting->waiting[cell] & ~EMPTY) - 1);
            if (counting->waiting[cell] > MEETING)
                return;
        }
        counting->sum[cell] += water;
        if (counting->direction[cell] >= NEIGHBOURS)
            return;
    }
}

static void carry_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const Part part = part_of(counting, band);
        visit_ways_in(counting, &part, band, carry);
    }
}

// --- all -------------------------------------------------------------------------------------------------

static void finish_rows(void *context, int first, int end) {
    const Counting *counting = context;
    float *cells = field_cells(counting->size);
    for (size_t i = row_start(counting, first); i < row_start(counting, end); i++)
        cells[i] = (float)counting->sum[i];
}

static Status join_bands(const Run *run, Counting *counting) {
    const double width = (double)counting->size->width;
    const Status status = parallel_rows(run, counting->bands, width * 20, find_ways, counting);
    if (status != STATUS_OK)
        return status;
    const Part none = { 0 };
    for (int band = 0; band < counting->bands; band++)
        visit_ways_out(counting, &none, band, pass_crossings);
    return parallel_rows(run, counting->bands, width * 20, carry_bands, counting);
}

Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error) {
    const size_t cells = field_count(sum), width = (size_t)sum->width;
    Counting counting = { .direction = direction, .size = sum };
    counting.band_rows = max(BAND_CELLS / sum->width, BAND_ROWS);
    counting.bands = (sum->height + counting.band_rows - 1) / counting.band_rows;
    for (int i = 0; i < NEIGHBOURS; i++)
        counting.step[i] = neighbour_y[i] * (ptrdiff_t)sum->width + neighbour_x[i];
    Status status = STATUS_MEMORY;
    if ((counting.sum = memory_new(cells, sizeof *counting.sum, error)) &&
        (counting.waiting = memory_new(cells, 1, error)) &&
        (counting.crossings =
             memory_new((size_t)counting.bands * SIDES, width * sizeof *counting.crossings, error)))
        status = parallel_rows(run, counting.bands, (double)width * counting.band_rows * 10, count_bands,
                               &counting);
    counting.way = (uint32_t *)(void *)field_cells(sum);
    if (status == STATUS_OK)
        status = join_bands(run, &counting);
    if (status == STATUS_OK)
        status = parallel_rows(run, sum->height, (double)width, finish_rows, &counting);
    memory_free(counting.sum);
    memory_free(counting.waiting);
    memory_free(counting.crossings);
    return status;
}
