// Counting strip by strip (Barnes 2017). Of each strip it is known how many of its own cells leave through
// each cell of its edges, and where water that enters at one leaves again. From this follows what enters at
// each, and with that the strip is counted again. All sums are whole numbers, exact in any order.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/drainage.h"

#include <string.h>

#define NOWHERE UINT32_MAX

// Notes: these words, then four for each cell of the first row, and of the last: the two halves of the number
// of the strip's cells that leave there, the direction in which they do, or NOWHERE, and the cell of these
// rows at which water that enters here leaves, or NOWHERE. A strip of one row has its cells twice.
enum { MARK, WIDTH, ROWS, HEAD_WORDS };
enum { LEAVING, LEAVING_HIGH, DIRECTION, EXIT, CELL_WORDS };
#define NOTES_MARK UINT32_C(0x4e554f43) // "COUN"

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

// The cell into which a cell of the strip drains, or SIZE_MAX where that is none of the strip.
static size_t receiver(const StripCount *count, size_t cell) {
    const int direction = count->direction[cell];
    if (direction >= NEIGHBOURS)
        return SIZE_MAX;
    const int64_t to =
        (int64_t)cell + (int64_t)neighbour_y[direction] * count->width + neighbour_x[direction];
    return to >= 0 && (size_t)to < strip_cells(count) ? (size_t)to : SIZE_MAX;
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

// The place in the notes of a cell of the first or the last row.
static uint32_t gate_of(const StripCount *count, size_t cell) {
    const size_t width = (size_t)count->width;
    return (uint32_t)(cell < width ? cell : width + cell % width);
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
        found = gate_of(count, end);
    for (at = start; at != SIZE_MAX && count->waiting[at] != KNOWN; at = receiver(count, at)) {
        count->waiting[at] = KNOWN;
        count->exit[at] = found;
    }
    return found;
}

// What a strip's own cells send through its gates, and where what enters leaves again.
static void describe_gates(StripCount *count, int y, uint32_t *gates) {
    const size_t width = (size_t)count->width;
    for (size_t x = 0; x < width; x++, gates += CELL_WORDS) {
        const size_t cell = (size_t)y * width + x;
        const int direction = count->direction[cell];
        const bool leaves = direction < NEIGHBOURS && receiver(count, cell) == SIZE_MAX;
        gates[LEAVING] = leaves ? (uint32_t)count->sum[cell] : 0;
        gates[LEAVING_HIGH] = leaves ? (uint32_t)(count->sum[cell] >> 32) : 0;
        gates[DIRECTION] = leaves ? (uint32_t)direction : NOWHERE;
        gates[EXIT] = find_exit(count, cell);
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
    const size_t cells = memory_count(width, rows), row = (size_t)CELL_WORDS * (size_t)width;
    *notes = (Notes){ .count = HEAD_WORDS + 2 * row };
    Status status = strip_create(&count, error);
    if (status == STATUS_OK && (!(count.exit = memory_new(cells, sizeof *count.exit, error)) ||
                                !(notes->at = memory_new(notes->count, sizeof *notes->at, error))))
        status = STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (size_t i = 0; i < cells; i++)
            count.sum[i] = 1;
        add_up(&count);
        notes->at[MARK] = NOTES_MARK;
        notes->at[WIDTH] = (uint32_t)width;
        notes->at[ROWS] = (uint32_t)rows;
        describe_gates(&count, 0, notes->at + HEAD_WORDS);
        describe_gates(&count, rows - 1, notes->at + HEAD_WORDS + row);
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

// --- between strips ----------------------------------------------------------------------------------------

// A cell of the first or the last row of a strip.
typedef struct Gate {
    uint64_t leaving;  // cells whose water leaves here
    uint64_t entering; // cells of other strips whose water enters here
    uint32_t next;     // the gate beyond through which it leaves into another strip, or NOWHERE
    uint32_t exit;     // the gate through which water that enters here leaves, or NOWHERE
    uint32_t waiting;  // gates that let water in which leaves here, and have not been added
} Gate;

struct CountJoin {
    int width;
    Gate *gates; // for each strip those of its first row, then of its last
    size_t strips, room;
    bool one_row; // the last strip that was added
};

CountJoin *count_join_new(int width, Error *error) {
    CountJoin *join = memory_new_zeroed(1, sizeof *join, error);
    if (join)
        join->width = width;
    return join;
}

void count_join_free(CountJoin *join) {
    if (!join)
        return;
    memory_free(join->gates);
    memory_free(join);
}

// The gate beyond one of the strip that is added, or NOWHERE: outside the field, and of damaged notes.
static uint32_t gate_beyond(const CountJoin *join, const uint32_t *notes, size_t gate) {
    const size_t width = (size_t)join->width;
    const uint32_t direction = notes[HEAD_WORDS + CELL_WORDS * gate + DIRECTION];
    if (direction >= NEIGHBOURS)
        return NOWHERE;
    const int64_t x = (int64_t)(gate % width) + neighbour_x[direction];
    const bool is_up = neighbour_y[direction] < 0 && (gate < width || notes[ROWS] == 1);
    const bool is_down = neighbour_y[direction] > 0 && (gate >= width || notes[ROWS] == 1);
    if (x < 0 || x >= join->width || (is_up && join->strips == 0) || (!is_up && !is_down))
        return NOWHERE;
    const size_t half = is_up ? 2 * join->strips - (join->one_row ? 2 : 1) : 2 * join->strips + 2;
    return (uint32_t)(half * width + (size_t)x);
}

static bool are_sound(const CountJoin *join, const uint32_t *notes, size_t count) {
    const size_t gates = 2 * (size_t)join->width;
    if (count != HEAD_WORDS + CELL_WORDS * gates || notes[MARK] != NOTES_MARK ||
        notes[WIDTH] != (uint32_t)join->width || notes[ROWS] < 1)
        return false;
    for (size_t i = 0; i < gates; i++) {
        const uint32_t exit = notes[HEAD_WORDS + CELL_WORDS * i + EXIT];
        if (exit != NOWHERE && exit >= gates)
            return false;
    }
    return true;
}

static Status make_room(CountJoin *join, Error *error) {
    const size_t gates = 2 * (size_t)join->width, all = join->strips * gates;
    if (all + 2 * gates >= NOWHERE)
        return fail(error, STATUS_INVALID, "rows must be more for a field of this size");
    if (join->room >= all + gates)
        return STATUS_OK;
    const size_t room = 3 * join->room / 2 + gates;
    Gate *grown = memory_enlarge(join->gates, all, room, sizeof *grown, error);
    if (!grown)
        return STATUS_MEMORY;
    join->gates = grown;
    join->room = room;
    return STATUS_OK;
}

Status count_join_add(CountJoin *join, const uint32_t *notes, size_t count, Error *error) {
    if (!are_sound(join, notes, count))
        return fail(error, STATUS_FILE, "the notes of a strip are damaged, or those of another field");
    const Status status = make_room(join, error);
    if (status != STATUS_OK)
        return status;
    const size_t gates = 2 * (size_t)join->width, used = notes[ROWS] == 1 ? gates / 2 : gates;
    const size_t first = join->strips * gates;
    for (size_t i = 0; i < gates; i++) {
        const uint32_t *gate = notes + HEAD_WORDS + CELL_WORDS * i;
        join->gates[first + i] = (Gate){ .next = NOWHERE, .exit = NOWHERE };
        if (i >= used)
            continue;
        join->gates[first + i].leaving = gate[LEAVING] | (uint64_t)gate[LEAVING_HIGH] << 32;
        join->gates[first + i].next = gate_beyond(join, notes, i);
        join->gates[first + i].exit = gate[EXIT] == NOWHERE ? NOWHERE : (uint32_t)first + gate[EXIT];
    }
    join->one_row = notes[ROWS] == 1;
    join->strips++;
    return STATUS_OK;
}

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

void count_join_solve(CountJoin *join) {
    Gate *gates = join->gates;
    const size_t count = 2 * (size_t)join->width * join->strips;
    for (size_t i = 0; i < count; i++)
        if (lets_out(&gates[i]) && gates[i].next >= count)
            gates[i].next = NOWHERE; // below the last strip
    for (size_t i = 0; i < count; i++)
        if (lets_out(&gates[i]) && gates[gates[i].next].exit != NOWHERE)
            gates[gates[gates[i].next].exit].waiting++;
    for (size_t i = 0; i < count; i++)
        pass_on(gates, (uint32_t)i);
}

void count_join_entering(const CountJoin *join, int strip, uint64_t *entering) {
    const size_t gates = 2 * (size_t)join->width;
    for (size_t i = 0; i < gates; i++)
        entering[i] = join->gates[(size_t)strip * gates + i].entering;
}
