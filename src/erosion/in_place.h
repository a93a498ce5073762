// The order of erosion in place, which changes the heights while it goes over them. It is part of the
// algorithm, the same for any number of threads and any width of vectors, and chosen so that it leaves no
// marks:
//
// Rows: a pass goes over all of them, four passes downwards, the next four upwards. No row is an edge inside
// the field. Where opposite edges meet, each four passes begin at another row, and no row is the first one:
// of the first rows, 64 or half of all, a pass takes some cells, more and more, and at the end comes back for
// the others.
//
// Columns: a row is cut into 16 strips of equal width, the first ones a column wider where 16 does not divide
// it. All strips go together, sixteen cells at a time, which lie so far apart that they do not touch the same
// cell; two passes to the right, the next two to the left. Where in its strips a row begins differs from row
// to row and from pass to pass, so that no border between strips stays in one place. At its end a strip goes
// on with its own first column.
//
// The four passes in one direction run at once, each a block of rows behind the one before. The result is
// that of passes one after the other, except where opposite edges meet: there a pass begins before the pass
// ahead of it has come round.
//
// The cells of a row are interleaved, cell i of all strips side by side, so that sixteen of them are one
// load. Beyond the edges of a field whose opposite edges do not meet stands a wall, higher than all ground.

#ifndef ESKER_IN_PLACE_H
#define ESKER_IN_PLACE_H

#include "core/field.h"
#include "core/math.h"
#include "core/parallel.h"
#include "core/random.h"

enum { STRIPS = 16, STRIP_MIN = 3 }; // cells of two strips must lie three columns apart

// The layout of an interleaved field, and the neighbours of sixteen cells that are processed together.
typedef struct StripLayout {
    int width, height;
    bool wraps;
    int strip, rest; // columns in a strip, and how many strips have one more; 0: cells go one by one
    int stride;      // cells in an interleaved row, the last of which is a wall
    int left_of_first[STRIPS], right_of_last[STRIPS];
} StripLayout;

StripLayout strip_layout(int width, int height, bool wraps);

// The interleaved rows of a field, and the two walls above and below it.
typedef struct Interleaved {
    StripLayout layout;
    float *cells;
} Interleaved;

// `field` is as wide as the layout; its rows may be fewer. Needs (its height + 2) × stride cells.
Status interleaved_create(Interleaved *interleaved, StripLayout layout, const Run *run, const Field *field,
                          Error *error);
void interleaved_free(Interleaved *interleaved);
Status interleaved_read(const Interleaved *interleaved, const Run *run, Field *field);

// Row y, -1 … height.
static inline float *interleaved_row(const Interleaved *interleaved, int y) {
    const StripLayout *layout = &interleaved->layout;
    const int at = layout->wraps ? wrap(y, layout->height) : y < 0 ? layout->height + 1 : y;
    return interleaved->cells + (size_t)at * (size_t)layout->stride;
}

// The position of column x in an interleaved row, -1 … width.
static inline int interleaved_column(const StripLayout *layout, int x) {
    if (!layout->wraps && (x < 0 || x >= layout->width))
        return layout->stride - 1;
    x = wrap(x, layout->width);
    const int wider = layout->strip + 1, in_wider = layout->rest * wider;
    if (layout->strip == 0)
        return x;
    if (x < in_wider)
        return x % wider * STRIPS + x / wider;
    return (x - in_wider) % layout->strip * STRIPS + layout->rest + (x - in_wider) / layout->strip;
}

// The column of cell i of a strip.
static inline int strip_column(const StripLayout *layout, int strip, int i) {
    return strip * layout->strip + min(strip, layout->rest) + i;
}

// The course of a row: where it begins, its direction, and which of its cells are processed.
typedef struct Course {
    int start; // the cell of each strip that is processed first
    bool leftwards;
    bool all; // or those whose random bits lie in least … most
    uint32_t least, most;
    RandomKey key;
} Course;

// Branch-free, so that loops over strips vectorise.
static inline bool course_takes(const Course *course, int x, int y) {
    return random_bits(course->key, (uint32_t)x, (uint32_t)y) - course->least <= course->most - course->least;
}

// Cells in the widest strip, or in a row that is not cut.
static inline int course_length(const StripLayout *layout) {
    return layout->strip > 0 ? layout->strip + (layout->rest > 0 ? 1 : 0) : layout->width;
}

// The cell that is taken at `step`, 0 … course_length - 1.
static inline int course_cell(const StripLayout *layout, const Course *course, int step) {
    return wrap(course->leftwards ? course->start - step : course->start + step, course_length(layout));
}

// Erodes row y in place, its cells in the order of `course`.
typedef void RowRule(void *context, const Course *course, int y);

// All passes, in the order above.
Status sweep_in_place(const Run *run, const StripLayout *layout, int passes, double cost_per_row,
                      RowRule *rule, void *context);

#endif
