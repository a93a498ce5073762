#include "large/gates.h"

#include "core/math.h"
#include "core/memory.h"

enum { LABELS_MAX = 1 << 24 }; // whole numbers that a cell holds

Status gate_notes_new(Notes *notes, int width, int rows, Error *error) {
    *notes = (Notes){ .count = NOTES_HEAD + 2 * (size_t)GATE_WORDS * (size_t)width };
    notes->at = memory_new_zeroed(notes->count, sizeof *notes->at, error);
    if (!notes->at)
        return STATUS_MEMORY;
    notes->at[NOTES_MARK] = GATES_MARK;
    notes->at[NOTES_WIDTH] = (uint32_t)width;
    notes->at[NOTES_ROWS] = (uint32_t)rows;
    return STATUS_OK;
}

// The gates of all strips, for each strip those of its first row, then of its last. They are most of what is
// in memory of a field with many strips, so that each number has an array of its own, as wide as it needs.
struct GateJoin {
    int width;
    size_t strips, room;
    // What the strip's own cells send through a gate, or what becomes of water that ends in it; or the length
    // of the way within the strip, of a gate through which water leaves that of the step out. Upper halves
    // are there (not NULL) once one is not 0.
    uint32_t *leaving, *leaving_high;
    uint32_t *entering, *entering_high; // from other strips, or what becomes of water that leaves here
    uint32_t *exit;                     // the gate through which water that enters here leaves, or NOWHERE
    uint32_t *waiting;                  // gates that let water in which leaves here, and have not been added
    uint8_t *direction;                 // into another strip, or NO_WAY
    bool *one_row;                      // of each strip
    uint32_t *labels;                   // of each strip and one more: those of the strips above
};

enum { NO_WAY = NEIGHBOURS };

GateJoin *gate_join_new(int width, int strips, Error *error) {
    GateJoin *join = memory_new_zeroed(1, sizeof *join, error);
    if (!join)
        return NULL;
    join->width = width;
    join->room = (size_t)strips;
    const size_t gates = memory_count(2 * (int64_t)width, strips);
    if (gates >= NOWHERE)
        fail(error, STATUS_INVALID, "rows must be more for a field of this size");
    else if ((join->leaving = memory_new(gates, sizeof *join->leaving, error)) &&
             (join->entering = memory_new_zeroed(gates, sizeof *join->entering, error)) &&
             (join->exit = memory_new(gates, sizeof *join->exit, error)) &&
             (join->waiting = memory_new_zeroed(gates, sizeof *join->waiting, error)) &&
             (join->direction = memory_new(gates, sizeof *join->direction, error)) &&
             (join->one_row = memory_new_zeroed(join->room, sizeof *join->one_row, error)) &&
             (join->labels = memory_new_zeroed(join->room + 1, sizeof *join->labels, error)))
        return join;
    gate_join_free(join);
    return NULL;
}

void gate_join_free(GateJoin *join) {
    if (!join)
        return;
    memory_free(join->leaving);
    memory_free(join->leaving_high);
    memory_free(join->entering);
    memory_free(join->entering_high);
    memory_free(join->exit);
    memory_free(join->waiting);
    memory_free(join->direction);
    memory_free(join->one_row);
    memory_free(join->labels);
    memory_free(join);
}

// --- adding strips -----------------------------------------------------------------------------------------

static bool are_sound(const GateJoin *join, const uint32_t *notes, size_t count) {
    const size_t gates = 2 * (size_t)join->width;
    if (join->strips == join->room || count != NOTES_HEAD + GATE_WORDS * gates ||
        notes[NOTES_MARK] != GATES_MARK || notes[NOTES_WIDTH] != (uint32_t)join->width ||
        notes[NOTES_ROWS] < 1)
        return false;
    for (size_t i = 0; i < gates; i++) {
        const uint32_t exit = notes[NOTES_HEAD + GATE_WORDS * i + GATE_EXIT];
        if (exit != NOWHERE && exit >= gates)
            return false;
    }
    return true;
}

// The labels of a strip follow those of the strips above.
static Status add_labels(GateJoin *join, uint32_t labels, Error *error) {
    const uint32_t above = join->labels[join->strips];
    if (labels > LABELS_MAX || above + labels > LABELS_MAX)
        return fail(error, STATUS_INVALID, "more than %d basins", LABELS_MAX);
    join->labels[join->strips + 1] = above + labels;
    return STATUS_OK;
}

// Whether water leaves the strip up or down by `direction`, from a gate of its first row or not.
static bool leads_up(bool is_first, bool one_row, uint32_t direction) {
    return neighbour_y[direction] < 0 && (is_first || one_row);
}

static bool leads_down(bool is_first, bool one_row, uint32_t direction) {
    return neighbour_y[direction] > 0 && (!is_first || one_row);
}

// The direction in which water leaves, if that is into another strip; of damaged notes too.
static uint8_t way_out(const GateJoin *join, const uint32_t *notes, size_t gate) {
    const size_t width = (size_t)join->width;
    const uint32_t direction = notes[NOTES_HEAD + GATE_WORDS * gate + GATE_DIRECTION];
    if (direction >= NEIGHBOURS)
        return NO_WAY;
    const int64_t x = (int64_t)(gate % width) + neighbour_x[direction];
    const bool is_up = leads_up(gate < width, notes[NOTES_ROWS] == 1, direction),
               is_down = leads_down(gate < width, notes[NOTES_ROWS] == 1, direction);
    const bool is_inside = is_up ? join->strips > 0 : is_down && join->strips + 1 < join->room;
    return x >= 0 && x < join->width && is_inside ? (uint8_t)direction : NO_WAY;
}

// A number of a gate; labels become those of the whole.
static uint64_t value_of(const GateJoin *join, const uint32_t *notes, const uint32_t *gate) {
    const uint64_t value = gate[GATE_VALUE] | (uint64_t)gate[GATE_HIGH] << 32;
    const bool is_label = notes[NOTES_LABELS] > 0 && value > 0;
    return is_label ? value + join->labels[join->strips] : value;
}

static uint64_t number_at(const uint32_t *low, const uint32_t *high, size_t at) {
    return low[at] | (high ? (uint64_t)high[at] << 32 : 0);
}

static void set_number(uint32_t *low, uint32_t *high, size_t at, uint64_t number) {
    low[at] = (uint32_t)number;
    if (high)
        high[at] = (uint32_t)(number >> 32);
}

static Status make_high(GateJoin *join, Error *error) {
    const size_t gates = 2 * (size_t)join->width * join->room;
    return (join->leaving_high = memory_new_zeroed(gates, sizeof *join->leaving_high, error)) &&
                   (join->entering_high = memory_new_zeroed(gates, sizeof *join->entering_high, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

Status gate_join_add(GateJoin *join, const uint32_t *notes, size_t count, Error *error) {
    if (!are_sound(join, notes, count))
        return fail(error, STATUS_FILE, "the notes of a strip are damaged, or those of another field");
    Status status = add_labels(join, notes[NOTES_LABELS], error);
    const size_t gates = 2 * (size_t)join->width, first = join->strips * gates;
    const bool one_row = join->one_row[join->strips] = notes[NOTES_ROWS] == 1;
    for (size_t i = 0; i < gates && status == STATUS_OK; i++) {
        const uint32_t *gate = notes + NOTES_HEAD + GATE_WORDS * i;
        const bool is_there = !one_row || i < gates / 2;
        const uint64_t value = is_there ? value_of(join, notes, gate) : 0;
        if (value > UINT32_MAX && !join->leaving_high)
            status = make_high(join, error);
        if (status != STATUS_OK)
            break;
        set_number(join->leaving, join->leaving_high, first + i, value);
        join->direction[first + i] = is_there ? way_out(join, notes, i) : NO_WAY;
        join->exit[first + i] =
            is_there && gate[GATE_EXIT] != NOWHERE ? (uint32_t)first + gate[GATE_EXIT] : NOWHERE;
    }
    join->strips += status == STATUS_OK;
    return status;
}

// --- joining them ------------------------------------------------------------------------------------------

static bool lets_out(const GateJoin *join, size_t gate) {
    return join->direction[gate] != NO_WAY;
}

// The gate of another strip into which one lets water out.
static size_t gate_beyond(const GateJoin *join, size_t gate) {
    const size_t width = (size_t)join->width, strip = gate / (2 * width), own = gate % (2 * width);
    const int direction = join->direction[gate];
    const bool is_up = leads_up(own < width, join->one_row[strip], (uint32_t)direction);
    const size_t half = is_up ? 2 * strip - (join->one_row[strip - 1] ? 2 : 1) : 2 * strip + 2;
    return half * width + (size_t)((int64_t)(own % width) + neighbour_x[direction]);
}

#define IS_DONE UINT32_MAX // in `waiting`

// Passes on what leaves through a gate, and through those that it completes.
static void pass_on(GateJoin *join, uint32_t gate) {
    while (gate != NOWHERE && lets_out(join, gate) && join->waiting[gate] == 0) {
        const size_t beyond = gate_beyond(join, gate);
        const uint32_t exit = join->exit[beyond];
        const uint64_t leaving = number_at(join->leaving, join->leaving_high, gate);
        set_number(join->entering, join->entering_high, beyond,
                   number_at(join->entering, join->entering_high, beyond) + leaving);
        if (exit != NOWHERE) {
            set_number(join->leaving, join->leaving_high, exit,
                       number_at(join->leaving, join->leaving_high, exit) + leaving);
            join->waiting[exit]--;
        }
        join->waiting[gate] = IS_DONE;
        gate = exit;
    }
}

void gate_join_sums(GateJoin *join) {
    const size_t count = 2 * (size_t)join->width * join->strips;
    for (size_t i = 0; i < count; i++) {
        const uint32_t exit = lets_out(join, i) ? join->exit[gate_beyond(join, i)] : NOWHERE;
        if (exit != NOWHERE)
            join->waiting[exit]++;
    }
    for (size_t i = 0; i < count; i++)
        pass_on(join, (uint32_t)i);
}

// The way within a strip from a gate.
static uint64_t length_within(const GateJoin *join, size_t gate) {
    return join->exit[gate] == gate ? 0 : number_at(join->leaving, join->leaving_high, gate);
}

// Finds what becomes of the water that leaves through a gate, and through those that it comes to. With
// `lengths` ways add up.
static void find_end(GateJoin *join, uint32_t start, bool lengths, uint32_t *trail) {
    size_t count = 0;
    uint64_t found = 0;
    for (uint32_t gate = start;;) {
        if (join->waiting[gate] == IS_DONE) {
            found = number_at(join->entering, join->entering_high, gate);
            break;
        }
        trail[count++] = gate;
        join->waiting[gate] = IS_DONE; // also ends a circle, which sound notes do not have
        const bool goes_on = lets_out(join, gate);
        const size_t beyond = goes_on ? gate_beyond(join, gate) : 0;
        if (!goes_on || join->exit[beyond] == NOWHERE) {
            found = goes_on && !lengths ? number_at(join->leaving, join->leaving_high, beyond) : 0;
            break;
        }
        gate = join->exit[beyond];
    }
    while (count > 0) {
        const uint32_t gate = trail[--count];
        if (lengths && lets_out(join, gate))
            found += number_at(join->leaving, join->leaving_high, gate) +
                     length_within(join, gate_beyond(join, gate));
        set_number(join->entering, join->entering_high, gate, found);
    }
}

static Status find_ends(GateJoin *join, bool lengths, Error *error) {
    const size_t count = 2 * (size_t)join->width * join->strips;
    uint32_t *trail = memory_new(count + 1, sizeof *trail, error);
    if (!trail)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (lets_out(join, i))
            find_end(join, (uint32_t)i, lengths, trail);
    memory_free(trail);
    return STATUS_OK;
}

Status gate_join_ends(GateJoin *join, Error *error) {
    return find_ends(join, false, error);
}

Status gate_join_lengths(GateJoin *join, Error *error) {
    if (!join->leaving_high && make_high(join, error) != STATUS_OK)
        return STATUS_MEMORY;
    return find_ends(join, true, error);
}

uint32_t gate_join_labels(const GateJoin *join, int strip) {
    return join->labels[strip];
}

void gate_join_values(const GateJoin *join, int strip, uint64_t *values) {
    const size_t gates = 2 * (size_t)join->width, first = (size_t)strip * gates;
    for (size_t i = 0; i < gates; i++)
        values[i] = number_at(join->entering, join->entering_high, first + i);
}
