#include "rivers/counting.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivers/drainage.h"

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

// --- within bands ----------------------------------------------------------------------------------------

enum { BAND_CELLS = 1 << 17, BAND_ROWS = 64, ABSENT = 255 };

typedef struct Counting {
    const uint8_t *direction;
    Field *size;
    uint32_t *sum;
    uint8_t *waiting; // donors of the same band not yet added; then inflow paths not yet added, or ABSENT
    uint32_t *inflow; // on paths of water from other bands: cells of other bands added so far
    int band_rows;
} Counting;

static size_t row_start(const Counting *counting, int y) {
    return (size_t)y * (size_t)counting->size->width;
}

static int band_end(const Counting *counting, int band) {
    return min((band + 1) * counting->band_rows, counting->size->height);
}

// Adds a complete cell's sum to its receiver, and goes on downstream while the receiver is complete too and
// lies in the band.
static void pass_down(const Counting *counting, size_t cell, size_t start, size_t end) {
    for (;;) {
        const int direction = counting->direction[cell];
        counting->waiting[cell] = ABSENT;
        if (direction >= NEIGHBOURS)
            return;
        const size_t to = neighbour_of(counting->size, cell, direction);
        if (to < start || to >= end)
            return;
        counting->sum[to] += counting->sum[cell];
        if (--counting->waiting[to] > 0)
            return;
        cell = to;
    }
}

static void count_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const int top = band * counting->band_rows, bottom = band_end(counting, band);
        const size_t start = row_start(counting, top), after = row_start(counting, bottom);
        for (int y = top; y < bottom; y++)
            count_donors(counting->size, counting->direction, y, top, bottom,
                         counting->waiting + row_start(counting, y));
        for (size_t i = start; i < after; i++)
            counting->sum[i] = 1;
        for (size_t i = start; i < after; i++)
            if (counting->waiting[i] == 0)
                pass_down(counting, i, start, after);
    }
}

// --- between bands -----------------------------------------------------------------------------------------

// Calls `visit` with each cell of row `y` that drains into the row below (`down` = 1) or above (-1), and
// with its receiver.
static void visit_row(const Counting *counting, int y, int down,
                      void (*visit)(const Counting *, size_t, size_t)) {
    for (size_t cell = row_start(counting, y); cell < row_start(counting, y + 1); cell++) {
        const int direction = counting->direction[cell];
        if (direction < NEIGHBOURS && neighbour_y[direction] == down)
            visit(counting, cell, neighbour_of(counting->size, cell, direction));
    }
}

static bool same_band(const Counting *counting, size_t one, size_t other) {
    const size_t cells = (size_t)counting->band_rows * (size_t)counting->size->width;
    return one / cells == other / cells;
}

// Follows water that enters a band at `to`, and counts for every cell on the path how many such paths join
// there.
static void mark_way(const Counting *counting, size_t from, size_t to) {
    do {
        if (counting->waiting[to] != ABSENT) {
            counting->waiting[to]++;
            return;
        }
        counting->waiting[to] = 1;
        counting->inflow[to] = 0;
        if (counting->direction[to] >= NEIGHBOURS)
            return;
        from = to;
        to = neighbour_of(counting->size, to, counting->direction[to]);
    } while (same_band(counting, from, to));
}

// Marks the paths of all water that enters a band.
static void mark_bands(void *context, int first, int end) {
    const Counting *counting = context;
    for (int band = first; band < end; band++) {
        const int top = band * counting->band_rows, bottom = band_end(counting, band);
        if (top > 0)
            visit_row(counting, top - 1, 1, mark_way);
        if (bottom < counting->size->height)
            visit_row(counting, bottom, -1, mark_way);
    }
}

// Carries water across a band's edge and downstream, up to the first cell that still waits for another
// path. Starts only at a cell `from` that is on no path from another band.
static void flow_over(const Counting *counting, size_t from, size_t to) {
    if (counting->waiting[from] != ABSENT)
        return; // the path through `from` carries it
    uint32_t inflow = counting->sum[from];
    for (;;) {
        counting->inflow[to] += inflow;
        if (--counting->waiting[to] > 0)
            return;
        counting->sum[to] += counting->inflow[to];
        const int direction = counting->direction[to];
        if (direction >= NEIGHBOURS)
            return;
        const size_t next = neighbour_of(counting->size, to, direction);
        inflow = same_band(counting, to, next) ? counting->inflow[to] : counting->sum[to];
        to = next;
    }
}

// --- all -------------------------------------------------------------------------------------------------

static void finish_rows(void *context, int first, int end) {
    const Counting *counting = context;
    float *cells = field_cells(counting->size);
    for (size_t i = row_start(counting, first); i < row_start(counting, end); i++)
        cells[i] = (float)counting->sum[i];
}

Status count_cells_above(const Run *run, const uint8_t *direction, Field *sum, Error *error) {
    const size_t cells = field_count(sum);
    const double width = (double)sum->width;
    Counting counting = { .direction = direction, .size = sum };
    counting.band_rows = max(BAND_CELLS / sum->width, BAND_ROWS);
    const int bands = (sum->height + counting.band_rows - 1) / counting.band_rows;
    Status status = STATUS_MEMORY;
    if ((counting.sum = memory_new(cells, sizeof *counting.sum, error)) &&
        (counting.waiting = memory_new(cells, 1, error)))
        status = parallel_rows(run, bands, width * counting.band_rows * 10, count_bands, &counting);
    counting.inflow = (uint32_t *)(void *)field_cells(sum);
    if (status == STATUS_OK)
        status = parallel_rows(run, bands, width * 20, mark_bands, &counting);
    if (status == STATUS_OK) {
        for (int edge = counting.band_rows; edge < sum->height; edge += counting.band_rows) {
            visit_row(&counting, edge - 1, 1, flow_over);
            visit_row(&counting, edge, -1, flow_over);
        }
        status = parallel_rows(run, sum->height, width, finish_rows, &counting);
    }
    memory_free(counting.sum);
    memory_free(counting.waiting);
    return status;
}
