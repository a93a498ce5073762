// Gates: the cells of a strip's first and last row, where water enters it and leaves it. Notes of strips say
// what each gate sends on and where what enters leaves again; from those of all strips follows what crosses
// each edge.

#ifndef ESKER_GATES_H
#define ESKER_GATES_H

#include "large/large.h"
#include "water/drainage.h"

#define NOWHERE UINT32_MAX

// Notes: a head, then for each gate of the first row and of the last these words. A strip of one row has its
// gates twice. The two halves of a number; the direction in which the cell's water leaves the strip, or
// NOWHERE; and the gate through which water that enters here leaves, or NOWHERE.
enum { GATE_VALUE, GATE_HIGH, GATE_DIRECTION, GATE_EXIT, GATE_WORDS };
enum { NOTES_MARK, NOTES_WIDTH, NOTES_ROWS, NOTES_LABELS, NOTES_HEAD };
#define GATES_MARK UINT32_C(0x45544147) // "GATE"

// Notes of a strip whose gates are not described yet; without labels.
Status gate_notes_new(Notes *notes, int width, int rows, Error *error);

static inline uint32_t *gate_notes(const Notes *notes, size_t gate) {
    return notes->at + NOTES_HEAD + GATE_WORDS * gate;
}

// The gate of a cell of the first or the last row.
static inline uint32_t gate_of(int width, size_t cell) {
    return (uint32_t)(cell < (size_t)width ? cell : (size_t)width + cell % (size_t)width);
}

// The cell into which one of a strip drains, or SIZE_MAX where that is none of the strip.
static inline size_t strip_receiver(const uint8_t *direction, int width, int rows, size_t cell) {
    const int way = direction[cell];
    if (way >= NEIGHBOURS)
        return SIZE_MAX;
    const int64_t to = (int64_t)cell + (int64_t)neighbour_y[way] * width + neighbour_x[way];
    return to >= 0 && (size_t)to < (size_t)width * (size_t)rows ? (size_t)to : SIZE_MAX;
}

#endif
