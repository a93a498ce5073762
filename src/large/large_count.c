// Counting strip by strip (Barnes 2017). Of each strip it is known how many of its own cells leave through
// each cell of its edges, and where water that enters at one leaves again. From this follows what enters at
// each, and with that the strip is counted again. All sums are whole numbers, exact in any order.

#include "core/math.h"
#include "core/memory.h"
#include "large/gates.h"
#include "large/large.h"
#include "water/drainage.h"

#include <string.h>

// --- within a strip ----------------------------------------------------------------------------------------

typedef struct StripCount {
    const uint8_t *direction;
    int width, rows;
    uint8_t *waiting; // of each cell the donors that have not been added
    uint64_t *sum;
    uint32_t *exit; // of each cell
} StripCount;

static size_t strip_cells(const StripCount *count) {
    return (size_t)count->width * (size_t)count->rows;
}

static size_t receiver(const StripCount *count, size_t cell) {
    return strip_receiver(count->direction, count->width, count->rows, cell);
}

// Adds what drains through a cell without donors to its receiver, and so on while these have no others.
static void follow(StripCount *count, size_t at) {
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
static void add_up(StripCount *count) {
    enum { COLUMNS = 256 };
    const size_t cells = strip_cells(count);
    memset(count->waiting, 0, cells);
    for (size_t i = 0; i < cells; i++) {
        const size_t to = receiver(count, i);
        if (to != SIZE_MAX)
            count->waiting[to]++;
    }
    for (int left = 0; left < count->width; left += COLUMNS)
        for (int y = 0; y < count->rows; y++)
            for (int x = left; x < min(left + COLUMNS, count->width); x++)
                follow(count, (size_t)y * (size_t)count->width + (size_t)x);
}

// Follows water from a cell to the gate through which it leaves the strip.
static uint32_t find_exit(StripCount *count, size_t start) {
    enum { KNOWN = 0 }; // in count->waiting, where all are done now
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
        found = gate_of(count->width, end);
    for (at = start; at != SIZE_MAX && count->waiting[at] != KNOWN; at = receiver(count, at)) {
        count->waiting[at] = KNOWN;
        count->exit[at] = found;
    }
    return found;
}

// What a strip's own cells send through its gates, and where what enters leaves again.
static void describe_gates(StripCount *count, int y, uint32_t *gates) {
    const size_t width = (size_t)count->width;
    for (size_t x = 0; x < width; x++, gates += GATE_WORDS) {
        const size_t cell = (size_t)y * width + x;
        const int direction = count->direction[cell];
        const bool leaves = direction < NEIGHBOURS && receiver(count, cell) == SIZE_MAX;
        gates[GATE_VALUE] = leaves ? (uint32_t)count->sum[cell] : 0;
        gates[GATE_HIGH] = leaves ? (uint32_t)(count->sum[cell] >> 32) : 0;
        gates[GATE_DIRECTION] = leaves ? (uint32_t)direction : NOWHERE;
        gates[GATE_EXIT] = find_exit(count, cell);
    }
}

static Status strip_create(StripCount *count, Error *error) {
    const size_t cells = memory_count(count->width, count->rows);
    return (count->waiting = memory_new(cells, 1, error)) &&
                   (count->sum = memory_new(cells, sizeof *count->sum, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

static void strip_free(StripCount *count) {
    memory_free(count->waiting);
    memory_free(count->sum);
    memory_free(count->exit);
}

Status large_count_look(const uint8_t *direction, int width, int rows, Notes *notes, Error *error) {
    StripCount count = { .direction = direction, .width = width, .rows = rows };
    const size_t cells = memory_count(width, rows);
    Status status = gate_notes_new(notes, width, rows, error);
    if (status == STATUS_OK)
        status = strip_create(&count, error);
    if (status == STATUS_OK && !(count.exit = memory_new(cells, sizeof *count.exit, error)))
        status = STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (size_t i = 0; i < cells; i++)
            count.sum[i] = 1;
        add_up(&count);
        describe_gates(&count, 0, gate_notes(notes, 0));
        describe_gates(&count, rows - 1, gate_notes(notes, (size_t)width));
    }
    strip_free(&count);
    return status;
}

Status large_count_finish(const uint8_t *direction, const uint64_t *entering, Field *sum, Error *error) {
    StripCount count = { .direction = direction, .width = sum->width, .rows = sum->height };
    const Status status = strip_create(&count, error);
    const size_t width = (size_t)count.width, last = (size_t)(count.rows - 1) * width;
    if (status == STATUS_OK) {
        for (size_t i = 0; i < strip_cells(&count); i++)
            count.sum[i] = 1;
        for (size_t x = 0; x < width; x++)
            count.sum[x] += entering[x];
        for (size_t x = 0; x < width && count.rows > 1; x++)
            count.sum[last + x] += entering[width + x];
        add_up(&count);
        for (size_t i = 0; i < strip_cells(&count); i++)
            field_cells(sum)[i] = (float)count.sum[i];
    }
    strip_free(&count);
    return status;
}
