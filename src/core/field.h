// A Field is a grid of 32-bit heights, row by row, cell (0, 0) at the top left. Its cells are always
// finite: whatever creates a field (an operation, a file, a Lua function) checks this, so algorithms need
// not.

#ifndef ESKER_FIELD_H
#define ESKER_FIELD_H

#include "core/error.h"
#include "core/frame.h"
#include "core/math.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIDE_MAX = 65536 }; // cells along one side of a Field or Image

typedef struct Gaps Gaps; // core/gaps.h

// If a field is a window of a larger one: the larger one's size, and which of its rows is the window's first.
// That row may lie outside the larger field where edges meet.
typedef struct Whole {
    int width, height; // 0 where a field is itself the whole
    int row;
    bool has_range; // whether these are known, which field_range then gives
    float low, high;
} Whole;

typedef struct Field {
    int width, height;  // 1 … SIDE_MAX; both 0 while there are no cells
    const float *cells; // width × height, row by row, aligned to 64 bytes; owned; written through field_row,
                        // field_cells
    bool wraps;  // its opposite edges meet: a terrain that tiles. Operations on neighbours depend on it
    Gaps *gaps;  // cells without data; NULL: all have some. Owned, but one may belong to several fields
    Frame frame; // where it lies, if that is known; a window has the frame of the whole
    Whole whole; // the larger field, if this is a window of its rows
} Field;

// Fills `field` with a new grid whose cells are not set yet and which does not wrap. Fails with
// STATUS_INVALID (sides outside 1 … SIDE_MAX) or STATUS_MEMORY. The previous contents of `field` are not
// freed.
Status field_create(Field *field, int width, int height, Error *error);

// Frees the cells and leaves an empty field. An empty field is allowed.
void field_free(Field *field);

static inline size_t field_count(const Field *field) {
    return (size_t)field->width * (size_t)field->height;
}

// The cells of a field, and those of row y: writable for a Field *, read-only for a const Field *. Cells
// are writable in no other way, so an operation cannot change its inputs.
#ifdef __cppcheck__ // cppcheck misreads _Generic
#define field_cells(field) field_cells_to_write((Field *)(field))
#define field_row(field, y) field_row_to_write((Field *)(field), y)
#else
#define field_cells(field)                                                                                   \
    _Generic((field), Field * : field_cells_to_write, const Field * : field_cells_to_read)(field)
#define field_row(field, y)                                                                                  \
    _Generic((field), Field * : field_row_to_write, const Field * : field_row_to_read)(field, y)
#endif

static inline float *field_cells_to_write(Field *field) {
    return (float *)field->cells;
}

static inline const float *field_cells_to_read(const Field *field) {
    return field->cells;
}

static inline float *field_row_to_write(Field *field, int y) {
    return (float *)field->cells + (size_t)y * (size_t)field->width;
}

static inline const float *field_row_to_read(const Field *field, int y) {
    return field->cells + (size_t)y * (size_t)field->width;
}

// N, the side length by which arguments "per N" are divided: the longer side.
static inline int field_side(const Field *field) {
    return field->whole.width > 0 ? max(field->whole.width, field->whole.height)
                                  : max(field->width, field->height);
}

// frame_cell_metres of a field, and square metres of a cell of a row; 0: not known, as in windows of maps
// without a side. For a window, of the whole.
double field_cell_metres(const Field *field);
double field_row_area(const Field *field, int row);

// A parameter of UNIT_GROUND in sides of a cell (frame_cell); fails where the ground of the field's system is
// not known (frame_check_ground).
Status field_cells_of_length(const Field *field, double length, double *cells, Error *error);

// frame_cell_heights, frame_cell_shape and frame_row_shape of a field; for a window, of the whole.
double field_cell_heights(const Field *field);
CellShape field_cell_shape(const Field *field);
CellShape field_row_shape(const Field *field, int row);

// Wraps a coordinate around the torus: `at` may be up to one period outside 0 … count - 1.
static inline int wrap(int at, int count) {
    return at < 0 ? at + count : at >= count ? at - count : at;
}

// The index of the cell at `at`, at most one period outside: the one from the opposite side where edges
// meet, else the nearest one.
static inline int neighbour_at(int at, int count, bool wraps) {
    if (wraps)
        return wrap(at, count);
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

// A 64-bit hash of size and cells, and of which have data, the same on every machine. `wraps` and `frame` are
// not part of it.
uint64_t field_hash(const Field *field);

#endif
