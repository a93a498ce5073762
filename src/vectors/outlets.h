// Outlets: the cells at given places, moved to the channel beside them.

#ifndef ESKER_OUTLETS_H
#define ESKER_OUTLETS_H

#include "core/operation.h"
#include "places/shapes.h"

// Members and parameters that operations on places of a drainage share.
#define OUTLET_MEMBERS double snap, sea_level

#define OUTLET_PARAMS(Type)                                                                                  \
    PARAM(Type, snap, .initial = 0, .min = 0, .max = 1e9, .unit = UNIT_GROUND,                               \
          .doc = "moves each place, by at most this length, to the cell through which most drains"),         \
        PARAM(Type, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,    \
              .doc = "ground below this is sea, into which water drains")

// How far outlets are moved, in sides of a cell (frame_cell), over cells of a shape.
typedef struct SnapReach {
    double radius;
    CellShape shape;
} SnapReach;

// Of the cells within reach of one the one with the greatest flow; of several the nearest, and of those the
// first in the order of rows.
size_t snap_cell(const Field *flow, size_t cell, SnapReach reach);

// Columns and rows around a cell among which are all that lie within reach.
int snap_columns(SnapReach reach);
int snap_rows(SnapReach reach);

// The cells at `places`, pairs of shares of width and height.
Status cells_of_shares(const Numbers *places, const Field *field, size_t *cells, Error *error);

// The cells that hold `points` (overlay_new), each one shape; fails where one lies outside the field.
Status cells_of_points(const Shapes *points, const Field *field, size_t *cells, Error *error);

// Where the outlets of catchment and catchments lie, for a field of which only size and frame are known. It
// is no operation of recipes.
extern const Operation outlets_of_catchment;

#endif
