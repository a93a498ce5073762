// Lines of equal height by marching squares.

#ifndef ESKER_MARCHING_SQUARES_H
#define ESKER_MARCHING_SQUARES_H

#include "core/field.h"
#include "rivers/network.h"

#include <limits.h>
#include <stdatomic.h>

// Lines under construction, and their smoothing.
enum { LINE_POINTS_MAX = INT_MAX / 4 };

// Zeroed at first; freed by lines_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    Status status; // of the first failure
} LineList;

void lines_free(LineList *lines);

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
Status smooth_lines(LineList *lines, int first, int rounds, Error *error);

enum { TRACERS_MAX = 16 };

// The codes of all squares at one level: (width + 1) × (height + 1). Between two levels no line runs through
// any.
typedef struct SquareCodes {
    uint8_t *at;
    bool cleared;
    atomic_bool taken; // by a thread that traces
} SquareCodes;

typedef struct Squares {
    const Field *height;
    float *ranges; // the lowest and the highest corner of each block of squares
    SquareCodes codes[TRACERS_MAX];
    int tracers;
} Squares;

// Prepares the tracing of `levels` contours. Freed by squares_free, also after a failure.
Status squares_begin(const Run *run, const Field *height, int levels, Squares *squares, Error *error);
void squares_free(Squares *squares);

// On at most this run's threads trace_contours may be called at once.
Run squares_run(const Squares *squares, const Run *run);

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
Status trace_contours(const Run *run, Squares *squares, float level, LineList *lines, Error *error);

#endif
