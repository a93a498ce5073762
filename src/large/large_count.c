// Counting strip by strip (Barnes 2017). Of each strip it is known how many of its own cells leave through
// each cell of its edges, and where water that enters at one leaves again. From this follows what enters at
// each, and with that the strip is counted again. All sums are whole numbers, exact in any order.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/drainage.h"

#include <string.h>

#define NOWHERE UINT32_MAX

// A cell of the first or the last row of a strip.
typedef struct Gate {
    uint64_t leaving;  // cells whose water leaves here
    uint64_t entering; // cells of other strips whose water enters here
    uint32_t next;     // the gate beyond through which it leaves into another strip, or NOWHERE
    uint32_t exit;     // the gate through which water that enters here leaves, or NOWHERE
    uint32_t waiting;  // gates that let water in which leaves here, and have not been added
} Gate;

typedef struct LargeCount {
    const Run *run;
    const Plane *direction_plane;
    int rows, first, count; // of the strip
    Gate *gates;            // for each strip those of its first row, then of its last
    uint8_t *direction;     // of the strip
    uint8_t *waiting;       // of each cell the donors that have not been added
    uint64_t *sum;
    uint32_t *exit; // of each cell
} LargeCount;

static size_t strip_cells(const LargeCount *count) {
    return (size_t)count->direction_plane->width * (size_t)count->count;
}

// The gate of a cell, if it is in the first or the last row of its strip.
static uint32_t gate_of(const LargeCount *count, int x, int y) {
    const int width = count->direction_plane->width, strip = y / count->rows;
    return ((uint32_t)strip * 2 + (y != strip * count->rows)) * (uint32_t)width + (uint32_t)x;
}

static Status read_strip(LargeCount *count, int strip, Error *error) {
    count->first = strip * count->rows;
    count->count = strip_rows(count->direction_plane, count->rows, strip);
    return plane_read(count->direction_plane, count->first, count->count, count->direction, error);
}

// The cell into which a cell of the strip drains, or SIZE_MAX where that is none of the strip.
static size_t receiver(const LargeCount *count, size_t cell) {
    const int direction = count->direction[cell];
    if (direction >= NEIGHBOURS)
        return SIZE_MAX;
    const int64_t to = (int64_t)cell + (int64_t)neighbour_y[direction] * count->direction_plane->width +
                       neighbour_x[direction];
    return to >= 0 && (size_t)to < strip_cells(count) ? (size_t)to : SIZE_MAX;
}

// --- within a strip ----------------------------------------------------------------------------------------

// Adds what drains through a cell without donors to its receiver, and so on while these have no others.
static void follow(LargeCount *count, size_t at) {
    enum { DONE = 255 };
    while (at != SIZE_MAX && count->waiting[at] == 0) {
        const size_t to = receiver(count, at);
        count->waiting[at] = DONE;
        if (to != SIZE_MAX) {
            count->sum[to] += count->sum[at];
            count->waiting[to]--;
        }
        at = to;
    }
}

// Sums up what drains through each cell, beginning with what is there: columns at a time, so that the rows
// around a cell stay in the processor's cache.
static void add_up(LargeCount *count) {
    enum { COLUMNS = 256 };
    const size_t cells = strip_cells(count);
    memset(count->waiting, 0, cells);
    for (size_t i = 0; i < cells; i++) {
        const size_t to = receiver(count, i);
        if (to != SIZE_MAX)
            count->waiting[to]++;
    }
    const int width = count->direction_plane->width;
    for (int left = 0; left < width; left += COLUMNS)
        for (int y = 0; y < count->count; y++)
            for (int x = left; x < min(left + COLUMNS, width); x++)
                follow(count, (size_t)y * (size_t)width + (size_t)x);
}

// Follows water from a cell to the gate through which it leaves the strip.
static uint32_t find_exit(LargeCount *count, size_t start) {
    enum { KNOWN = 0 }; // in count->waiting, where all are done now
    const size_t width = (size_t)count->direction_plane->width;
    size_t at = start, end = start;
    while (count->waiting[at] != KNOWN) {
        end = at;
        at = receiver(count, at);
        if (at == SIZE_MAX)
            break;
    }
    uint32_t found = NOWHERE;
    if (at != SIZE_MAX)
        found = count->exit[at];
    else if (count->direction[end] < NEIGHBOURS)
        found = gate_of(count, (int)(end % width), count->first + (int)(end / width));
    for (at = start; at != SIZE_MAX && count->waiting[at] != KNOWN; at = receiver(count, at)) {
        count->waiting[at] = KNOWN;
        count->exit[at] = found;
    }
    return found;
}

// What a strip's own cells send through its gates, and where what enters leaves again.
static void describe_gates(LargeCount *count, int y) {
    const int width = count->direction_plane->width;
    for (int x = 0; x < width; x++) {
        const size_t cell = (size_t)(y - count->first) * (size_t)width + (size_t)x;
        const int direction = count->direction[cell];
        Gate *gate = &count->gates[gate_of(count, x, y)];
        const bool leaves = direction < NEIGHBOURS && receiver(count, cell) == SIZE_MAX;
        gate->leaving = leaves ? count->sum[cell] : 0;
        gate->next =
            leaves ? gate_of(count, x + neighbour_x[direction], y + neighbour_y[direction]) : NOWHERE;
        gate->exit = find_exit(count, cell);
    }
}

static Status look_at_strip(LargeCount *count, int strip, Error *error) {
    const Status status = read_strip(count, strip, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < strip_cells(count); i++)
        count->sum[i] = 1;
    add_up(count);
    describe_gates(count, count->first);
    if (count->count > 1)
        describe_gates(count, count->first + count->count - 1);
    return STATUS_OK;
}

// --- between strips ----------------------------------------------------------------------------------------

static bool lets_out(const Gate *gate) {
    return gate->next != NOWHERE;
}

// Passes on what leaves through a gate, and through those that it completes.
static void pass_on(Gate *gates, uint32_t gate) {
    while (gate != NOWHERE && lets_out(&gates[gate]) && gates[gate].waiting == 0) {
        Gate *beyond = &gates[gates[gate].next];
        beyond->entering += gates[gate].leaving;
        if (beyond->exit != NOWHERE) {
            gates[beyond->exit].leaving += gates[gate].leaving;
            gates[beyond->exit].waiting--;
        }
        gates[gate].waiting = NOWHERE; // done
        gate = beyond->exit;
    }
}

static void join_strips(Gate *gates, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (lets_out(&gates[i]) && gates[gates[i].next].exit != NOWHERE)
            gates[gates[gates[i].next].exit].waiting++;
    for (size_t i = 0; i < count; i++)
        pass_on(gates, (uint32_t)i);
}

// --- all ---------------------------------------------------------------------------------------------------

static void add_entering(LargeCount *count, int y) {
    const size_t width = (size_t)count->direction_plane->width, row = (size_t)(y - count->first) * width;
    for (size_t x = 0; x < width; x++)
        count->sum[row + x] += count->gates[gate_of(count, (int)x, y)].entering;
}

static Status finish_strip(LargeCount *count, int strip, Plane *sum, Error *error) {
    const Status status = read_strip(count, strip, error);
    if (status != STATUS_OK)
        return status;
    const size_t cells = strip_cells(count);
    for (size_t i = 0; i < cells; i++)
        count->sum[i] = 1;
    add_entering(count, count->first);
    if (count->count > 1)
        add_entering(count, count->first + count->count - 1);
    add_up(count);
    float *out = (float *)(void *)count->exit;
    for (size_t i = 0; i < cells; i++)
        out[i] = (float)count->sum[i];
    return plane_write(sum, count->first, count->count, out, error);
}

static Status create(LargeCount *count, Error *error) {
    const size_t width = (size_t)count->direction_plane->width,
                 cells = memory_count(count->direction_plane->width, count->rows);
    const size_t gates = 2 * width * (size_t)strip_count(count->direction_plane, count->rows);
    if (gates >= NOWHERE) {
        fail(error, STATUS_INVALID, "rows must be more for a field of this size");
        return STATUS_INVALID;
    }
    if (!(count->gates = memory_new(gates, sizeof *count->gates, error)) ||
        !(count->direction = memory_new(cells, 1, error)) ||
        !(count->waiting = memory_new(cells, 1, error)) ||
        !(count->sum = memory_new(cells, sizeof *count->sum, error)) ||
        !(count->exit = memory_new(cells, sizeof *count->exit, error)))
        return STATUS_MEMORY;
    for (size_t i = 0; i < gates; i++)
        count->gates[i] = (Gate){ .next = NOWHERE, .exit = NOWHERE };
    return STATUS_OK;
}

static Status count_all(LargeCount *count, Plane *sum, Error *error) {
    const int strips = strip_count(count->direction_plane, count->rows);
    Status status = create(count, error);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = look_at_strip(count, i, error);
        if (status == STATUS_OK)
            status = run_advance(count->run, i + 1, 2.0 * strips);
    }
    if (status == STATUS_OK)
        join_strips(count->gates, 2 * (size_t)count->direction_plane->width * (size_t)strips);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = finish_strip(count, i, sum, error);
        if (status == STATUS_OK)
            status = run_advance(count->run, strips + i + 1, 2.0 * strips);
    }
    return status;
}

Status large_count(const Run *run, const Plane *direction, int rows, Plane *sum, Error *error) {
    LargeCount count = { .run = run, .direction_plane = direction, .rows = rows };
    const Status status = count_all(&count, sum, error);
    memory_free(count.gates);
    memory_free(count.direction);
    memory_free(count.waiting);
    memory_free(count.sum);
    memory_free(count.exit);
    return status;
}
