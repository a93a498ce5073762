// Counting strip by strip (Barnes 2017). Of each strip it is known how many of its own cells leave through
// each cell of its edges, and where water that enters at one leaves again. From this follows what enters at
// each, and with that the strip is counted again. All sums are whole numbers, exact in any order, and at most
// the cells of the largest field, which 32 bits hold.

#include "core/math.h"
#include "core/memory.h"
#include "large/gates.h"
#include "large/large.h"
#include "water/drainage.h"
#include "water/flow.h"

#include <string.h>

typedef struct StripCount {
    const uint8_t *direction; // as given
    uint8_t *within;          // without those that lead out of the strip
    Field size;
    CellCount count;
} StripCount;

// Damaged directions that lead from one row to the next count as leaving.
static void end_row(const StripCount *strip, int y) {
    const int width = strip->size.width;
    for (int x = 0; x < width; x += max(width - 1, 1)) {
        uint8_t *way = &strip->within[(size_t)y * (size_t)width + (size_t)x];
        const int to = *way < NEIGHBOURS ? x + neighbour_x[*way] : x;
        *way = to < 0 || to >= width ? DRAINS_OFF : *way;
    }
}

static Status strip_create(StripCount *strip, const uint8_t *direction, int width, int rows, Error *error) {
    const size_t cells = memory_count(width, rows);
    *strip = (StripCount){ .direction = direction, .size = { .width = width, .height = rows } };
    if (!(strip->within = memory_new(cells, 1, error)))
        return STATUS_MEMORY;
    memcpy(strip->within, direction, cells);
    for (int y = 0; y < rows; y++)
        end_row(strip, y);
    for (int y = 0; y < rows; y += max(rows - 1, 1))
        for (size_t x = 0, i = (size_t)y * (size_t)width; x < (size_t)width; x++, i++)
            if (strip_receiver(direction, width, rows, i) == SIZE_MAX)
                strip->within[i] = DRAINS_OFF;
    return STATUS_OK;
}

// --- looking at a strip ------------------------------------------------------------------------------------

enum { IS_KNOWN = 1 }; // in `waiting`, once all is counted; then `way` is the exit

// Follows water from a cell to the gate through which it leaves the strip.
static uint32_t find_exit(const StripCount *strip, size_t start) {
    const int width = strip->size.width, rows = strip->size.height;
    uint32_t found = NOWHERE;
    size_t at = start, end = start;
    for (; at != SIZE_MAX && strip->count.waiting[at] != IS_KNOWN;
         at = strip_receiver(strip->within, width, rows, at)) {
        strip->count.waiting[at] = IS_KNOWN; // also ends a circle, which sound directions do not have
        strip->count.way[at] = NOWHERE;
        end = at;
    }
    if (at != SIZE_MAX)
        found = strip->count.way[at];
    else if (strip->direction[end] < NEIGHBOURS)
        found = gate_of(width, end);
    for (at = start; at != SIZE_MAX && strip->count.way[at] != found;
         at = strip_receiver(strip->within, width, rows, at))
        strip->count.way[at] = found;
    return found;
}

// What a strip's own cells send through its gates, and where what enters leaves again.
static void describe_gates(const StripCount *strip, int y, uint32_t *gates) {
    const size_t width = (size_t)strip->size.width;
    for (size_t x = 0; x < width; x++, gates += GATE_WORDS) {
        const size_t cell = (size_t)y * width + x;
        const bool leaves = strip->direction[cell] < NEIGHBOURS && strip->within[cell] >= NEIGHBOURS;
        gates[GATE_VALUE] = leaves ? strip->count.sum[cell] : 0;
        gates[GATE_HIGH] = 0;
        gates[GATE_DIRECTION] = leaves ? strip->direction[cell] : NOWHERE;
        gates[GATE_EXIT] = find_exit(strip, cell);
    }
}

static Status look(const Run *run, StripCount *strip, Notes *notes, Error *error) {
    const int width = strip->size.width, rows = strip->size.height;
    const size_t cells = memory_count(width, rows);
    if (!(strip->count.sum = memory_new(cells, sizeof *strip->count.sum, error)) ||
        !(strip->count.way = memory_new_zeroed(cells, sizeof *strip->count.way, error)) ||
        !(strip->count.waiting = memory_new(cells, 1, error)))
        return STATUS_MEMORY;
    const Status status = count_drained(run, &strip->size, strip->within, NULL, &strip->count, error);
    if (status != STATUS_OK)
        return status;
    memset(strip->count.waiting, 0, cells);
    describe_gates(strip, 0, gate_notes(notes, 0));
    describe_gates(strip, rows - 1, gate_notes(notes, (size_t)width));
    return STATUS_OK;
}

Status large_count_look(const Run *run, const uint8_t *direction, int width, int rows, Notes *notes,
                        Error *error) {
    StripCount strip;
    Status status = strip_create(&strip, direction, width, rows, error);
    if (status == STATUS_OK)
        status = gate_notes_new(notes, width, rows, error);
    if (status == STATUS_OK)
        status = look(run, &strip, notes, error);
    memory_free(strip.within);
    memory_free(strip.count.sum);
    memory_free(strip.count.way);
    memory_free(strip.count.waiting);
    return status;
}

// --- counting it -------------------------------------------------------------------------------------------

Status large_count_finish(const Run *run, const uint8_t *direction, const uint64_t *entering, Field *sum,
                          Error *error) {
    StripCount strip;
    Status status = strip_create(&strip, direction, sum->width, sum->height, error);
    memset(field_cells(sum), 0, field_count(sum) * sizeof(float));
    if (status == STATUS_OK)
        status = count_cells_into(run, strip.within, entering, sum, error);
    memory_free(strip.within);
    return status;
}
