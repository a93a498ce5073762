// Lines of equal height by marching squares.

#ifndef ESKER_MARCHING_SQUARES_H
#define ESKER_MARCHING_SQUARES_H

#include "core/field.h"
#include "rivers/network.h"

// Lines under construction, between lines_begin and lines_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    uint8_t *squares; // (width + 1) × (height + 1) codes
    float *ranges;    // the lowest and the highest corner of each block of squares
    Status status;    // of the first failure
} LineList;

// Prepares lines of the heights. Freed by lines_free, also after a failure.
Status lines_begin(const Run *run, const Field *height, LineList *lines, Error *error);

void lines_free(LineList *lines);

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
Status trace_contours(const Run *run, const Field *height, float level, LineList *lines, Error *error);

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
Status smooth_lines(LineList *lines, int first, int rounds, Error *error);

#endif
