// The order of the fast erosions, which change the heights while they go over them. It is part of the
// algorithm, the same for any number of threads and any width of vectors:
//
// - Rows go in blocks of 64, the last one longer: first all even blocks, then all odd ones, and where the
//   number of blocks is odd, the last one on its own. No two blocks of a phase touch the same row, so they
//   may run at once. Inside a block rows go downwards.
// - A row is cut into 16 strips of equal width. All strips go together, from left to right and in every
// second
//   iteration from right to left, sixteen cells at a time, which lie so far apart that they do not touch the
//   same cell. Then what is left of the row, cell by cell.
// - From iteration to iteration the blocks begin 27 rows further down and the strips 11 columns further on,
//   both going round, so that their borders leave no marks.
//
// The cells of a row are stored woven, cell i of all strips side by side, so that sixteen of them are one
// load.

#ifndef ESKER_IN_PLACE_H
#define ESKER_IN_PLACE_H

#include "core/field.h"
#include "core/parallel.h"

enum { STRIPS = 16, STRIP_LEAST = 3 }; // cells of two strips must lie three columns apart

// Columns in a strip; 0 where the field is too narrow or too low, and all of a row goes one by one.
static inline int strip_width(const Field *field) {
    return field->width / STRIPS >= STRIP_LEAST && field->height > 2 ? field->width / STRIPS : 0;
}

// Where column x stands in a woven row.
static inline int woven(int x, int strip) {
    return strip > 0 && x < STRIPS * strip ? x % strip * STRIPS + x / strip : x;
}

// The cells beside the sixteen that the first step (left) or the last (right) takes: those of the
// neighbouring strips, which stand together but for one lane, whose neighbour lies across the field's edge or
// in the rest.
typedef struct StripEdge {
    int start, odd_lane, odd; // lane i stands at start + i, odd_lane at `odd`
} StripEdge;

static inline StripEdge left_of_strips(int width, int strip) {
    return (StripEdge){ (strip - 1) * STRIPS - 1, 0, woven(width - 1, strip) };
}

static inline StripEdge right_of_strips(int width, int strip) {
    return (StripEdge){ 1, STRIPS - 1, woven(wrap(STRIPS * strip, width), strip) };
}

static inline void edge_take(StripEdge edge, const float *row, float *lanes) {
    for (int lane = 0; lane < STRIPS; lane++)
        lanes[lane] = row[edge.start + lane];
    lanes[edge.odd_lane] = row[edge.odd];
}

static inline void edge_put(StripEdge edge, float *row, const float *lanes) {
    const float kept = row[edge.start + edge.odd_lane];
    for (int lane = 0; lane < STRIPS; lane++)
        row[edge.start + lane] = lanes[lane];
    row[edge.start + edge.odd_lane] = kept;
    row[edge.odd] = lanes[edge.odd_lane];
}

// Where an iteration begins, and in which direction it goes.
typedef struct Sweep {
    int strip, start; // columns in a strip, and the one of them that is taken first
    int top;          // the row where block 0 begins
    bool leftwards;
} Sweep;

// The column in each strip that is taken at `step`, 0 … strip - 1.
static inline int sweep_column(const Sweep *sweep, int step) {
    const int on = sweep->leftwards ? sweep->start - step : sweep->start + step;
    return wrap(on, sweep->strip);
}

Status weave(const Run *run, const Field *field, Field *woven_field);
Status unweave(const Run *run, const Field *woven_field, Field *field);

// Erodes row y in place, its columns in the order of `sweep`.
typedef void RowRule(void *context, const Sweep *sweep, int y);

// One iteration over the rows of a field like `field`, in the order above.
Status sweep_in_place(const Run *run, const Field *field, int iteration, double cost_per_row, RowRule *rule,
                      void *context);

#endif
