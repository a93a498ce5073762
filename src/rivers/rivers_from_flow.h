// River networks of cells, of which a heightfield gives some rows at a time.

#ifndef ESKER_RIVERS_FROM_FLOW_H
#define ESKER_RIVERS_FROM_FLOW_H

#include "core/field.h"
#include "core/parallel.h"
#include "rivers/network.h"

#include <limits.h>

enum { RIVER_CELLS_MAX = INT_MAX / 2 };

// A cell of a river.
typedef struct RiverCell {
    int32_t x, y;
    float drained, altitude; // what drains through it; the filled ground
    uint16_t direction;      // where its water goes (drainage.h)
    uint16_t ends_in_data;   // whether the cell there has data
} RiverCell;

// Some rows of a heightfield.
typedef struct RiverRows {
    const Field *filled, *sum; // of these rows; cells without data in `filled` are no rivers
    const Field *counted;      // the cells through each, if `least` counts them; NULL: it is one of `sum`
    const uint8_t *direction;
    const Field *height; // with its gaps; it may have more rows on each side
    int first, row;      // the first of the rows among those of `height`, and among those of the whole
    float least, sea;    // what drains through a river; lower cells are sea
} RiverRows;

// The river's cells in row y of these; returns how many there are. `cells`: NULL to count them only.
int river_cells_in_row(const RiverRows *rows, int y, RiverCell *cells);

typedef struct RiverCells {
    const RiverCell *at; // row by row
    size_t count;
    int width, height;  // of the field
    double most;        // that drains through any of its cells, at least 1
    double sea_level;   // at which rivers end
    double river_width; // of the largest river, in sides
} RiverCells;

// The network of these cells, without a frame.
Status rivers_of_cells(const Run *run, const RiverCells *cells, RiverNetwork **network, Error *error);

#endif
