// Lines of equal height through the squares between cells' centres.

#ifndef ESKER_CONTOUR_LINES_H
#define ESKER_CONTOUR_LINES_H

#include "core/field.h"
#include "core/parallel.h"
#include "rivers/network.h"

#include <limits.h>
#include <stdatomic.h>

enum { LINE_POINTS_MAX = INT_MAX / 4 };

// Zeroed at first; freed by lines_free.
typedef struct LineList {
    RiverPoint *points;
    Reach *reaches;
    int point_count, point_room, reach_count, reach_room;
    Status status; // of the first failure
} LineList;

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

void lines_free(LineList *lines);

// Cuts the corners of a list's lines from `first` on (Chaikin 1974, "An algorithm for high speed curve
// generation"), `rounds` times.
Status smooth_lines(LineList *lines, int first, int rounds, Error *error);

// --- of a field in memory ---

// Prepares the tracing of `levels` contours. Freed by squares_free, also after a failure.
Status squares_begin(const Run *run, const Field *height, int levels, Squares *squares, Error *error);
void squares_free(Squares *squares);

// On at most this run's threads trace_contours may be called at once.
Run squares_run(const Squares *squares, const Run *run);

// Adds the lines along which the field, interpolated bilinearly between cells' centres, is at `level`: higher
// ground on the right. They end at the field's edges, where there is no data, or where they
// began.
Status trace_contours(const Run *run, Squares *squares, float level, LineList *lines, Error *error);

// --- of squares that are known ---

// A square through which lines run at a level.
typedef struct ContourSquare {
    int32_t x, y;
    float corners[4]; // in the order of the bits
    uint16_t level;   // its place in the list
    uint8_t code;
    uint8_t gaps; // a bit for each side: whether nothing is known of the square beyond
} ContourSquare;

typedef struct ContourSquares { // zeroed: none
    ContourSquare *at;
    size_t count, room;
} ContourSquares;

// Adds those of a window's squares in its rows `first` … `end` - 1, level by level: a field's from `row` on.
// The window has two more rows above these and one below, or as many as there are. squares->at is freed by
// the caller, also after a failure.
Status contour_squares_add(const Run *run, const Field *window, int first, int end, int row,
                           const float *levels, int count, ContourSquares *squares, Error *error);

// Whether a square may have this code.
bool is_contour_code(int code);

// Adds the lines of a level through all its squares of a field of this size, row by row, which are used up.
Status trace_squares(ContourSquare *squares, size_t count, float level, int width, int height,
                     LineList *lines, Error *error);

#endif
