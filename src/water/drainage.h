// Flow directions on a heightfield: the eight neighbours of a cell, filled pits, and the neighbour into which
// each cell drains.

#ifndef ESKER_DRAINAGE_H
#define ESKER_DRAINAGE_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

// Clockwise from the right; even ones share a side with the cell. Then the values that are not neighbours.
enum { NEIGHBOURS = 8, DRAINS_OFF = 8, UNSEEN = 9 };
static const int neighbour_x[NEIGHBOURS] = { 1, 1, 0, -1, -1, -1, 0, 1 };
static const int neighbour_y[NEIGHBOURS] = { 0, 1, 1, 1, 0, -1, -1, -1 };
#define ESKER_DIAGONAL 0.707106781186547524f
static const float inverse_distance[NEIGHBOURS] = { // 1 / distance
    1, ESKER_DIAGONAL, 1, ESKER_DIAGONAL, 1, ESKER_DIAGONAL, 1, ESKER_DIAGONAL
};

typedef struct Drainage {
    const Field *height; // NULL in a part: its frame is that of `filled`
    Field filled;        // heights without pits: from every cell a path that never rises leads off the map
    uint8_t *direction;  // of each cell: the neighbour into which it drains, or DRAINS_OFF
    double sea_level;    // lower cells are sea, into which water drains
    int row, column;     // of a part: the field's row and column that are its first
} Drainage;

// The sides of a cell of a row on the ground, in its width: slopes count with these lengths. Flats drain as
// if cells were squares.
CellShape drainage_row_shape(const Drainage *drainage, int y);

// Fills pits into `filled`, whose cells are there already, and finds each cell's direction, from memory_new:
// the neighbour with the steepest descent (O'Callaghan and Mark 1984, D8), of several the one that leads most
// nearly where the ground falls (even_choice.h). Flats drain to their outlets (flats.h). `direction` is freed
// by the caller, also after a failure.
Status drainage_find(const Run *run, Drainage *drainage, Error *error);

// The same for the rows `first` … `end` - 1 of a part of a larger field, whose filled heights are there. The
// part has FALL_RADIUS (even_choice.h) more rows on each side, or as many as there are; directions of these
// mean nothing. Flats that reach the first or the last of the rows are left without: UNSEEN or above.
Status drainage_find_part(const Run *run, Drainage *drainage, int first, int end, Error *error);

// The height that is `step` above or below a level. Unless the step is 0 it is another one, the next that a
// float can hold where the step is too small.
static inline float height_above(float level, float step) {
    const float above = level + step;
    return step > 0 && !(above > level) ? nextafterf(level, FLT_MAX) : above;
}

static inline float height_below(float level, float step) {
    const float below = level - step;
    return step > 0 && !(below < level) ? nextafterf(level, -FLT_MAX) : below;
}

static inline bool on_border(const Field *field, int x, int y) {
    return x == 0 || y == 0 || x == field->width - 1 || y == field->height - 1;
}

static inline bool within_field(const Field *field, int x, int y) {
    return x >= 0 && y >= 0 && x < field->width && y < field->height;
}

static inline size_t neighbour_of(const Field *field, size_t cell, int neighbour) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[neighbour] * (ptrdiff_t)field->width +
                    neighbour_x[neighbour]);
}

#endif
