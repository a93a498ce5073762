// Flow directions on a heightfield: the eight neighbours of a cell, pits filled by priority-flood, and the
// neighbour into which each cell drains.

#ifndef ESKER_DRAINAGE_H
#define ESKER_DRAINAGE_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

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
    const Field *height;
    Field filled;       // heights without pits: from every cell a path that never rises leads off the map
    uint8_t *direction; // of each cell: the neighbour into which it drains, or DRAINS_OFF
    double sea_level;   // lower cells are sea, into which water drains
    double slope;       // in filled pits, height per cell
} Drainage;

// Fills pits (Barnes, Lehman and Mulla 2014, "Priority-flood", algorithm 2; with a slope algorithm 3) into
// `filled`, whose cells are there already, and marks in `direction` (width × height, there already) from
// which neighbour the flood came: following it never rises and leads off the map or into the sea.
Status drainage_flood(const Run *run, Drainage *drainage, Error *error);

// Sets each direction to the neighbour with the steepest descent; cells in flats keep theirs (O'Callaghan
// and Mark 1984, D8).
Status drainage_descend(const Run *run, Drainage *drainage);

static inline size_t neighbour_of(const Field *field, size_t cell, int neighbour) {
    return (size_t)((ptrdiff_t)cell + neighbour_y[neighbour] * (ptrdiff_t)field->width +
                    neighbour_x[neighbour]);
}

#endif
