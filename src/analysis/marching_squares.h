// Lines of equal height by marching squares.

#ifndef ESKER_MARCHING_SQUARES_H
#define ESKER_MARCHING_SQUARES_H

#include "core/field.h"
#include "rivers/network.h"

// Lines under construction. `squares` is set by the caller: room for (width + 1) × (height + 1) codes. All
// arrays are freed by the caller with memory_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    uint8_t *squares;
    Status status; // of the first failure
} LineList;

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
Status trace_contours(const Run *run, const Field *height, float level, LineList *lines, Error *error);

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
Status smooth_lines(LineList *lines, int first, int rounds, Error *error);

#endif
