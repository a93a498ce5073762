// Where the water of each cell ends, and how far that is along its way.
//
// Ways are followed in bands of rows, each on its own: down to where water ends or leaves the band. Where
// those that leave end is found on one thread, for the cells along the bands' edges only.

#ifndef ESKER_OUTLET_ROUTES_H
#define ESKER_OUTLET_ROUTES_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <stdint.h>

typedef struct Routes {
    uint32_t *end; // of each cell the one where its way ends: the first that drains off; it may be itself
    // Steps on the way to neighbours that share a side, and to diagonal ones; NULL: not wanted.
    uint32_t *straight, *diagonal;
    // Lengths of the steps from a cell of each row to its NEIGHBOURS, if they differ: then `straight` is the
    // low half of their sum and `diagonal` the high one.
    const uint64_t *steps;
} Routes;

// Fills the arrays of `routes`, which are there already, for the directions (drainage.h) of a field of this
// size.
Status routes_follow(const Run *run, const Field *size, const uint8_t *direction, const Routes *routes,
                     Error *error);

#endif
