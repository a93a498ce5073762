// Where the water of each cell ends, and how far that is along its way.
//
// Ways are followed in bands of rows, each on its own: down to where water ends or leaves the band. Where
// those that leave end is found on one thread, for the cells along the bands' edges only.

#ifndef ESKER_OUTLET_ROUTES_H
#define ESKER_OUTLET_ROUTES_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Routes {
    uint32_t *end; // of each cell the one where its way ends: the first that drains off; it may be itself
    // Steps on the way to neighbours that share a side, and to diagonal ones; NULL: not wanted.
    uint32_t *straight, *diagonal;
    // Lengths of the steps from a cell of each row to its NEIGHBOURS, if they differ: then `straight` is the
    // low half of their sum and `diagonal` the high one.
    const uint64_t *steps;
} Routes;

// Whether the cells of a field, or of the larger one that it is a window of, are squares of one size, or
// their sides are not known: then steps are counted, and need no lengths.
bool routes_are_counted(const Field *height);

// The steps of a field whose cells are others, in 2^-20 sides of a cell: from the middle of a cell to that of
// the neighbour, whose row may have cells of another size. Whole numbers have the same sum in any order.
// Freed by memory_free; NULL if memory runs out.
uint64_t *routes_steps(const Field *height, Error *error);

// The length of a way, in the unit of `cell`, the side of a cell. `length`: steps to neighbours beside in the
// low half, diagonal ones in the high half, if they are counted; otherwise the sum of routes_steps.
static inline float routes_length(uint64_t length, bool counted, double cell) {
    const double low = (double)(uint32_t)length, high = (double)(uint32_t)(length >> 32);
    return (float)((counted ? low + high * 1.41421356237309504880 : (high * 0x1p32 + low) / 0x1p20) * cell);
}

// Fills the arrays of `routes`, which are there already, for the directions (drainage.h) of a field of this
// size.
Status routes_follow(const Run *run, const Field *size, const uint8_t *direction, const Routes *routes,
                     Error *error);

#endif
