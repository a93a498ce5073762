#include "large/gates.h"

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

// A cell of the first or the last row of a strip.
typedef struct Gate {
    // What the strip's own cells send through it, or what becomes of water that ends in it; or the length of
    // the way within the strip, of a gate through which water leaves that of the step out.
    uint64_t leaving;
    uint64_t entering; // what enters here from other strips, or what becomes of water that leaves here
    uint32_t next;     // the gate beyond through which it leaves into another strip, or NOWHERE
    uint32_t exit;     // the gate through which water that enters here leaves, or NOWHERE
    uint32_t waiting;  // gates that let water in which leaves here, and have not been added
} Gate;

struct GateJoin {
    int width;
    Gate *gates; // for each strip those of its first row, then of its last
    size_t strips, room;
    bool one_row;     // the last strip that was added
    uint32_t *labels; // of each strip and one more: those of the strips above
};

GateJoin *gate_join_new(int width, Error *error) {
    GateJoin *join = memory_new_zeroed(1, sizeof *join, error);
    if (!join)
        return NULL;
    join->width = width;
    if ((join->labels = memory_new_zeroed(1, sizeof *join->labels, error)))
        return join;
    gate_join_free(join);
    return NULL;
}

void gate_join_free(GateJoin *join) {
    if (!join)
        return;
    memory_free(join->gates);
    memory_free(join->labels);
    memory_free(join);
}

// The gate beyond one of the strip that is added, or NOWHERE: outside the field, and of damaged notes.
static uint32_t gate_beyond(const GateJoin *join, const uint32_t *notes, size_t gate) {
    const size_t width = (size_t)join->width;
    const uint32_t direction = notes[NOTES_HEAD + GATE_WORDS * gate + GATE_DIRECTION];
    if (direction >= NEIGHBOURS)
        return NOWHERE;
    const int64_t x = (int64_t)(gate % width) + neighbour_x[direction];
    const bool is_up = neighbour_y[direction] < 0 && (gate < width || notes[NOTES_ROWS] == 1);
    const bool is_down = neighbour_y[direction] > 0 && (gate >= width || notes[NOTES_ROWS] == 1);
    if (x < 0 || x >= join->width || (is_up && join->strips == 0) || (!is_up && !is_down))
        return NOWHERE;
    const size_t half = is_up ? 2 * join->strips - (join->one_row ? 2 : 1) : 2 * join->strips + 2;
    return (uint32_t)(half * width + (size_t)x);
}

static bool are_sound(const GateJoin *join, const uint32_t *notes, size_t count) {
    const size_t gates = 2 * (size_t)join->width;
    if (count != NOTES_HEAD + GATE_WORDS * gates || notes[NOTES_MARK] != GATES_MARK ||
        notes[NOTES_WIDTH] != (uint32_t)join->width || notes[NOTES_ROWS] < 1)
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
    uint32_t *grown =
        memory_enlarge(join->labels, join->strips + 1, join->strips + 2, sizeof *join->labels, error);
    if (!grown)
        return STATUS_MEMORY;
    join->labels = grown;
    join->labels[join->strips + 1] = above + labels;
    return STATUS_OK;
}

// A number of a gate; labels become those of the whole.
static uint64_t value_of(const GateJoin *join, const uint32_t *notes, const uint32_t *gate) {
    const uint64_t value = gate[GATE_VALUE] | (uint64_t)gate[GATE_HIGH] << 32;
    const bool is_label = notes[NOTES_LABELS] > 0 && value > 0;
    return is_label ? value + join->labels[join->strips] : value;
}

static Status make_room(GateJoin *join, Error *error) {
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

Status gate_join_add(GateJoin *join, const uint32_t *notes, size_t count, Error *error) {
    if (!are_sound(join, notes, count))
        return fail(error, STATUS_FILE, "the notes of a strip are damaged, or those of another field");
    Status status = make_room(join, error);
    if (status == STATUS_OK)
        status = add_labels(join, notes[NOTES_LABELS], error);
    if (status != STATUS_OK)
        return status;
    const size_t gates = 2 * (size_t)join->width, used = notes[NOTES_ROWS] == 1 ? gates / 2 : gates;
    const size_t first = join->strips * gates;
    for (size_t i = 0; i < gates; i++) {
        const uint32_t *gate = notes + NOTES_HEAD + GATE_WORDS * i;
        join->gates[first + i] = (Gate){ .next = NOWHERE, .exit = NOWHERE };
        if (i >= used)
            continue;
        join->gates[first + i].leaving = value_of(join, notes, gate);
        join->gates[first + i].next = gate_beyond(join, notes, i);
        join->gates[first + i].exit =
            gate[GATE_EXIT] == NOWHERE ? NOWHERE : (uint32_t)first + gate[GATE_EXIT];
    }
    join->one_row = notes[NOTES_ROWS] == 1;
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

// Gates below the last strip are none.
static size_t close_last(GateJoin *join) {
    const size_t count = 2 * (size_t)join->width * join->strips;
    for (size_t i = 0; i < count; i++)
        if (lets_out(&join->gates[i]) && join->gates[i].next >= count)
            join->gates[i].next = NOWHERE;
    return count;
}

void gate_join_sums(GateJoin *join) {
    Gate *gates = join->gates;
    const size_t count = close_last(join);
    for (size_t i = 0; i < count; i++)
        if (lets_out(&gates[i]) && gates[gates[i].next].exit != NOWHERE)
            gates[gates[gates[i].next].exit].waiting++;
    for (size_t i = 0; i < count; i++)
        pass_on(gates, (uint32_t)i);
}

enum { IS_KNOWN = 1 }; // in `waiting`

// The way within a strip from a gate.
static uint64_t length_within(const Gate *gates, uint32_t gate) {
    return gates[gate].exit == gate ? 0 : gates[gate].leaving;
}

// Finds what becomes of the water that leaves through a gate, and through those that it comes to. With
// `lengths` ways add up.
static void find_end(Gate *gates, uint32_t start, bool lengths, uint32_t *trail) {
    size_t count = 0;
    uint64_t found = 0;
    for (uint32_t gate = start;;) {
        if (gates[gate].waiting == IS_KNOWN) {
            found = gates[gate].entering;
            break;
        }
        trail[count++] = gate;
        gates[gate].waiting = IS_KNOWN; // also ends a circle, which sound notes do not have
        const Gate *beyond = lets_out(&gates[gate]) ? &gates[gates[gate].next] : NULL;
        if (!beyond || beyond->exit == NOWHERE) {
            found = beyond && !lengths ? beyond->leaving : 0;
            break;
        }
        gate = beyond->exit;
    }
    while (count > 0) {
        Gate *gate = &gates[trail[--count]];
        if (lengths && lets_out(gate))
            found += gate->leaving + length_within(gates, gate->next);
        gate->entering = found;
    }
}

static Status find_ends(GateJoin *join, bool lengths, Error *error) {
    const size_t count = close_last(join);
    uint32_t *trail = memory_new(count + 1, sizeof *trail, error);
    for (size_t i = 0; trail && i < count; i++)
        if (lets_out(&join->gates[i]))
            find_end(join->gates, (uint32_t)i, lengths, trail);
    memory_free(trail);
    return trail ? STATUS_OK : STATUS_MEMORY;
}

Status gate_join_ends(GateJoin *join, Error *error) {
    return find_ends(join, false, error);
}

Status gate_join_lengths(GateJoin *join, Error *error) {
    return find_ends(join, true, error);
}

uint32_t gate_join_labels(const GateJoin *join, int strip) {
    return join->labels[strip];
}

void gate_join_values(const GateJoin *join, int strip, uint64_t *values) {
    const size_t gates = 2 * (size_t)join->width;
    for (size_t i = 0; i < gates; i++)
        values[i] = join->gates[(size_t)strip * gates + i].entering;
}
