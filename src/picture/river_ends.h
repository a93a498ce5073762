// Where wide rivers run into the sea: on maps both are water, whose colours blend. In an estuary of a
// zoomable map the rivers say themselves how much of the water is the river's, 0 … 1. Rivers that are
// narrower than a few cells end at the shore.

#ifndef ESKER_RIVER_ENDS_H
#define ESKER_RIVER_ENDS_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"
#include "picture/planet.h"

#include <stdint.h>

enum { RIVER_ENDS_FADE = 254 }; // cells, at most

typedef struct RiverEnds {
    int fade; // cells over which a river's colour changes, at most
    bool across_wraps, along_wraps;
    const Planet *planet; // how cells lie
    const Field *rivers;
    bool is_part;     // of a picture that may have land where this one has none
    bool estuaries;   // whether there may be any
    uint8_t *sea;     // of each cell: how far away the nearest sea of its row is; NULL: no river ends
    uint8_t *in_band; // of each column of a band of rows: the least of these
} RiverEnds;

// Sets what is not set yet. Sea is what lies lower than `sea` and is no river; only where a wide river
// touches it does that river end. Freed by river_ends_free, also after a failure.
Status river_ends_create(RiverEnds *ends, const Run *run, const Field *height, const Field *rivers,
                         double sea, Error *error);

void river_ends_free(RiverEnds *ends);

// The share of a river's colour, 0 … 1, at a cell that a wide river covers or touches, from 1 inland to 0 at
// the sea; less than 0 elsewhere. It depends on the `fade` + 4 cells around. `cover`: the share of the cell
// that is water, which in an estuary is more than that of the river's.
float river_ends_at(const RiverEnds *ends, int x, int y, float *cover);

#endif
