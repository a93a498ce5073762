// Where wide rivers run into the sea: on maps both are water, whose colours blend. Rivers that are narrower
// than a few cells end at the shore.

#ifndef ESKER_RIVER_ENDS_H
#define ESKER_RIVER_ENDS_H

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"
#include "picture/planet.h"

#include <stdint.h>

// The widths of rivers around a cell.
typedef struct RiversAround {
    const Field *rivers;  // widths in cells, less than 1 where a river covers a part of one
    const Planet *planet; // how cells lie
    bool across_wraps, along_wraps;
} RiversAround;

static inline float river_at(const RiversAround *around, int x, int y) {
    const int column = neighbour_at(x, around->rivers->width, around->across_wraps),
              row = neighbour_at(y, around->rivers->height, around->along_wraps);
    return field_row(around->rivers, row)[column];
}

static inline float widest_around(const RiversAround *around, int x, int y, int reach) {
    float widest = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            widest = max(widest, river_at(around, x + dx, y + dy));
    return widest;
}

// Estuaries of zoomable maps, in which rivers say how much of the water is theirs, 0 … 1.

// Whether a picture may have estuaries. `is_part`: it is part of a larger one, which may have land where this
// has none.
bool may_have_estuaries(const Field *height, const Field *rivers, double sea, bool is_part);

// The share of the river's water in an estuary; -1 elsewhere. `cover`: in, the share of the cell that rivers
// cover; out, the share that all water covers.
float share_in_estuary(const RiversAround *around, int x, int y, float *cover);

// Whether a cell lies in or beside shares of water that fill all cells around one: in an estuary, however
// narrow.
bool touches_open_water(const RiversAround *around, int x, int y);

enum { RIVER_ENDS_FADE = 254 }; // cells, at most

typedef struct RiverEnds {
    int fade; // cells over which a river's colour changes, at most
    RiversAround around;
    uint8_t *sea;     // of each cell: how far away the nearest sea of its row is; NULL: no river ends
    uint8_t *in_band; // of each column of a band of rows: the least of these
} RiverEnds;

// Sets what is not set yet. Sea is what lies lower than `sea` and is no river; only where a wide river
// touches it does that river end. Freed by river_ends_free, also after a failure.
Status river_ends_create(RiverEnds *ends, const Run *run, const Field *height, double sea, Error *error);

void river_ends_free(RiverEnds *ends);

// The share of a river's colour, 0 … 1, at a cell that a wide river covers or touches, from 1 inland to 0 at
// the sea; less than 0 elsewhere. It depends on the `fade` + 4 cells around.
float river_ends_at(const RiverEnds *ends, int x, int y);

#endif
