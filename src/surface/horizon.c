#include "surface/horizon.h"

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Point {
    double along, height; // in cells from the far end, negative; of the ground
} Point;

// Lines run from column to column, `rise` rows each: line i has the points (x, i + first + rise · x). Heights
// between two rows are interpolated, and a cell's tangent is that of the two lines beside it: lines through
// nearest cells would leave streaks.
typedef struct Lines {
    const Field *ground;
    Point *hulls; // room for the points of one line, twice where edges meet, for each slot
    double rise;
    int first, count; // the row at which line 0 starts, 0 where edges meet; how many lines there are
    int from, stride; // which lines are followed: those whose cells no other of them shares
    bool wraps;
    bool ahead_is_right;   // the direction is that of growing x
    double step;           // between two points of a line, in cells
    float *tangents;       // of the cells: 0 at first; each gets its share of two lines
    ptrdiff_t column, row; // from one to the next
} Lines;

enum { SLOTS = 16 }; // lines followed at once

typedef struct Between {
    int upper, lower;   // rows
    float above, below; // their shares of the point
    bool has_upper, has_lower;
} Between;

// The rows beside a point of a line. Beyond an edge, its row stands for the one that is missing.
static Between beside(const Lines *lines, double y) {
    const double above = floor(y);
    const int rows = lines->ground->height, row = whole_int(above);
    const float share = (float)(y - above);
    if (!lines->wraps)
        return (Between){ clamp(row, 0, rows - 1), clamp(row + 1, 0, rows - 1), 1 - share, share,
                          row >= 0 && row < rows,  row >= -1 && row + 1 < rows };
    const int upper = ((row % rows) + rows) % rows;
    return (Between){ upper, wrap(upper + 1, rows), 1 - share, share, true, true };
}

// Whether `there` is lower in sight than `beyond`.
static bool is_hidden(Point here, Point there, Point beyond) {
    return (there.height - here.height) * (beyond.along - here.along) <=
           (beyond.height - here.height) * (there.along - here.along);
}

static double rise_to(Point from, Point to) {
    return (to.height - from.height) / (to.along - from.along);
}

// The columns in which a line has cells on either side, first … end - 1: those with start + rise · x within
// -1 … rows, the ends not included.
static void columns_of(const Lines *lines, int line, int *first, int *end) {
    const int width = lines->ground->width, rows = lines->ground->height;
    const double start = line + lines->first, rounding = 1e-6;
    *first = 0;
    *end = width;
    if (lines->wraps || fabs(lines->rise) * width < rounding)
        return;
    const double a = (rounding - 1 - start) / lines->rise, b = (rows - rounding - start) / lines->rise;
    *first = index_within(ceil(max(min(a, b), 0)), width);
    *end = min(index_within(floor(max(max(a, b), -1)) + 1, width + 1), width);
}

// One line, from its far end back: the cells above and below each point get their share of its tangent.
// `hull` has room for all points.
static void follow_line(const Lines *lines, int line, Point *hull) {
    const Field *ground = lines->ground;
    const int lap = lines->wraps ? ground->width : 0;
    int first, end, count = 0;
    columns_of(lines, line, &first, &end);
    for (int i = -lap; i < end - first; i++) { // a lap ahead, where edges meet
        const int x = lines->ahead_is_right ? end - 1 - i : first + i,
                  column = i < 0 ? wrap(x, ground->width) : x;
        const Between at = beside(lines, line + lines->first + lines->rise * x);
        const float height =
            at.above * field_row(ground, at.upper)[column] + at.below * field_row(ground, at.lower)[column];
        const Point here = { -i * lines->step, (double)height };
        while (count > 1 && is_hidden(here, hull[count - 1], hull[count - 2]))
            count--;
        if (i >= 0 && count > 0) {
            const float tangent = (float)rise_to(here, hull[count - 1]);
            float *cells = lines->tangents + x * lines->column;
            if (at.has_upper)
                cells[at.upper * lines->row] += at.above * tangent;
            if (at.has_lower)
                cells[at.lower * lines->row] += at.below * tangent;
        }
        hull[count++] = here;
    }
}

static void follow_slots(void *context, int first, int end) {
    const Lines *lines = context;
    for (int slot = first; slot < end; slot++) {
        Point *hull = lines->hulls + (size_t)slot * 2 * (size_t)lines->ground->width;
        for (int line = lines->from + slot * lines->stride; line < lines->count;
             line += SLOTS * lines->stride)
            follow_line(lines, line, hull);
    }
}

static void turn(const Field *from, Field *to) {
    enum { BLOCK = 32 }; // cells that stay in the cache
    for (int top = 0; top < from->height; top += BLOCK)
        for (int left = 0; left < from->width; left += BLOCK)
            for (int y = top; y < min(top + BLOCK, from->height); y++)
                for (int x = left; x < min(left + BLOCK, from->width); x++)
                    field_row(to, x)[y] = field_row(from, y)[x];
}

Status horizon_create(Horizon *horizon, const Field *height, bool wraps, Error *error) {
    *horizon = (Horizon){ .height = height, .wraps = wraps };
    Status status = field_create(&horizon->turned, height->height, height->width, error);
    if (status == STATUS_OK) {
        horizon->hulls = memory_new(SLOTS * 2 * (size_t)field_side(height), sizeof(Point), error);
        status = horizon->hulls ? STATUS_OK : STATUS_MEMORY;
    }
    if (status == STATUS_OK)
        turn(height, &horizon->turned);
    else
        horizon_free(horizon);
    return status;
}

void horizon_free(Horizon *horizon) {
    field_free(&horizon->turned);
    memory_free(horizon->hulls);
    horizon->hulls = NULL;
}

// Every other line, so that no two threads add to the same cell; and where an odd number of lines meets
// itself, the last one alone.
static Status follow(const Run *run, Lines *lines) {
    const bool meets = lines->wraps && lines->count % 2 != 0;
    const int count = lines->count;
    Status status = STATUS_OK;
    lines->count = meets ? count - 1 : count;
    lines->stride = 2;
    const double cost = lines->ground->width * 25.0 * lines->count / SLOTS / 2;
    for (lines->from = 0; lines->from < 2 && status == STATUS_OK; lines->from++)
        status = parallel_rows(run, SLOTS, cost, follow_slots, lines);
    if (meets && status == STATUS_OK)
        follow_line(lines, count - 1, lines->hulls);
    return status;
}

Status horizon_towards(Horizon *horizon, const Run *run, double azimuth, Field *tangent) {
    const double right = sine(azimuth * (PI / 180)), down = -cosine(azimuth * (PI / 180));
    const bool flat = fabs(right) >= fabs(down);
    const Field *ground = flat ? horizon->height : &horizon->turned;
    const double rise = flat ? down / right : right / down, drop = rise * (ground->width - 1);
    Lines lines = { .ground = ground,
                    .hulls = horizon->hulls,
                    .rise = rise,
                    .count = ground->height,
                    .wraps = horizon->wraps,
                    .ahead_is_right = flat ? right > 0 : down > 0,
                    .step = sqrt(1 + rise * rise),
                    .tangents = field_cells(tangent),
                    .column = flat ? 1 : tangent->width,
                    .row = flat ? tangent->width : 1 };
    if (!lines.wraps) {
        lines.first = whole_int(floor(-max(drop, 0)));
        lines.count += whole_int(ceil(fabs(drop))) + 1;
    }
    memset(field_cells(tangent), 0, field_count(tangent) * sizeof(float));
    return follow(run, &lines);
}
