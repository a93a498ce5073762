// Resampling of fields of which only some rows are in memory at a time: the bits are those of `resize`.

#ifndef ESKER_RESIZE_H
#define ESKER_RESIZE_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"
#include "core/sample.h"

#include <stdbool.h>

// One axis of a grid that is resampled: which cells make one of the result, with what weights, and the
// resampling of a row.

// POINTS: cells are points, and the outermost of both grids lie in one place, so that they stay to the bit.
// Cubic where the result is finer, means that become narrower towards the border where it is coarser.
enum { LINEAR, CUBIC, NEAREST, POINTS };

enum {
    PART = 1024,  // cells of a row that are resampled together: even
    TAPS_MAX = 4, // cells that make one of a finer grid
};

typedef struct Axis {
    int from, to, interpolation;
    bool wraps;
    bool magnitudes; // weights without signs, so that what cells take from gaps does not cancel out
} Axis;

// Whether the result is coarser, so that its cells are means.
bool takes_means(const Axis *axis);

typedef struct Taps { // the cells that make one of a finer grid, and their weights
    int first, count;
    CubicWeights weights;
} Taps;

Taps taps_between(int at, const Axis *axis);

// The cell at `at`, any number of cells outside: where edges do not meet, the last one.
int cell_at(int at, const Axis *axis);

typedef struct Span { // what one of a coarser grid covers, in cells
    double left, right;
    int first, end; // the cells that it touches
} Span;

Span span_of(int at, const Axis *axis);

// How much of cell `at` it covers.
double share_of(const Span *span, int at);

// Tap k of the result's cell x has its weight or share at [k * to + x]. A mean that takes fewer cells than
// others has shares of 0.
typedef struct Tables {
    int to, taps;
    bool repeats;             // two cells for one, which are the same
    bool doubles;             // two cells for one, and all pairs have the same weights
    int whole;                // how many whole cells make one of a coarser grid; 0: also parts of cells
    int *first;               // cell that makes x, perhaps outside
    float *weights;           // where the result is finer
    double *shares, *lengths; // where it is coarser: of each cell, and of all
} Tables;

typedef struct Resize { // the parameters of the operation
    int size, width, height, interpolation;
    double scale;
} Resize;

// The sides of the result; only the size of `from` matters.
Status resize_sides(const Resize *resize, const Field *from, int *width, int *height, Error *error);

// The rows `*top` … `*bottom` - 1 that make rows `first` … `end` - 1 of the result; `down` does not wrap.
void resize_needs(const Axis *down, int first, int end, int *top, int *bottom);

// Makes these rows of `to`, which has no more columns than `part`: that begins with row `top` of the whole
// and has all rows that they need.
Status resize_part(const Run *run, const Field *part, int top, const Axis *down, Field *to, int first,
                   int end, Error *error);

// The field at other points (POINTS): neighbours that share their outermost cells go on sharing them. `to` is
// created.
Status resize_as_points(const Run *run, const Field *from, int width, int height, Field *to, Error *error);

#endif
