// First along the rows, as often as there are means, then down the columns, each with a running sum: the
// entering cell is added, the leaving one subtracted. Sums are doubles, so that errors do not accumulate
// visibly.
//
// The sum of a row is a chain in which every addition waits for the one before: several rows are summed at
// once, and all else is done in vectors, before and after.

#include "core/box_mean.h"

#include "core/box_small.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>

enum {
    COLUMNS = 256, // processed together down the field
    PART = 512,    // cells of a row that are processed together
    ROWS = 4,      // summed at once
};

// The window around one cell of a line. Positions are cells; -1: none, counts as 0.
typedef struct Step {
    int before, after; // the cells beside the window, weighted by the fraction; `after` enters next
    int leaves;        // the window's first
    int run; // how many of the next steps can be taken in one run: each of these cells moves by one, or stays
             // -1
} Step;

typedef struct Window {
    int cells;       // of the line
    int first, rest; // the window around cell 0 begins at `first` and has `rest` cells …
    int turns;       // … plus this many whole lines
    double fraction;
    Step *steps;      // one for each place
    double *inverses; // of its weight
} Window;

// From `from` to `to`, then back and forth between `to` and `other`, for as many means as there are.
typedef struct Pass {
    const Field *from;
    Field *to, *other;
    const Window *window;
    int means;
} Pass;

static const Field *source_of(const Pass *pass, int mean) {
    return mean == 0 ? pass->from : mean % 2 ? pass->to : pass->other;
}

static int place(int at, int cells, bool wraps) {
    if (wraps)
        return (at % cells + cells) % cells;
    return at < 0 || at >= cells ? -1 : at;
}

static void window_free(Window *window) {
    memory_free(window->steps);
    memory_free(window->inverses);
}

static bool follows(int next, int at) {
    return next == (at < 0 ? -1 : at + 1);
}

static void find_runs(Window *window) {
    for (int at = window->cells - 1; at >= 0; at--) {
        Step *step = &window->steps[at];
        const bool goes_on = at + 1 < window->cells && follows(step[1].before, step->before) &&
                             follows(step[1].after, step->after) && follows(step[1].leaves, step->leaves);
        step->run = goes_on ? step[1].run + 1 : 1;
    }
}

static Status window_create(Window *window, int cells, double radius, bool wraps, Error *error) {
    const int reach = !wraps && radius > cells ? cells : whole_int(radius); // there are no cells further away
    const double fraction = radius < cells || wraps ? radius - floor(radius) : 0;
    *window = (Window){ .cells = cells, .fraction = fraction };
    if (wraps) {
        window->first = place(-reach, cells, true);
        window->turns = (2 * reach + 1) / cells;
        window->rest = (2 * reach + 1) % cells;
    } else {
        window->rest = reach < cells ? reach + 1 : cells;
    }
    window->steps = memory_new((size_t)cells, sizeof *window->steps, error);
    window->inverses = window->steps ? memory_new((size_t)cells, sizeof *window->inverses, error) : NULL;
    if (!window->inverses)
        return STATUS_MEMORY;
    for (int at = 0; at < cells; at++) {
        const int low = at - reach, high = at + reach;
        Step *step = &window->steps[at];
        *step = (Step){ .before = place(low - 1, cells, wraps),
                        .after = place(high + 1, cells, wraps),
                        .leaves = place(low, cells, wraps) };
        const double whole = wraps ? 2 * reach + 1 : (high < cells ? high + 1 : cells) - max(low, 0);
        window->inverses[at] = 1 / (whole + fraction * ((step->before >= 0) + (step->after >= 0)));
    }
    find_runs(window);
    return STATUS_OK;
}

// --- along rows --------------------------------------------------------------------------------------------

static double first_sum(const Window *window, const float *row) {
    double sum = 0;
    for (int x = 0; x < window->cells && window->turns > 0; x++)
        sum += (double)row[x] * window->turns;
    for (int i = 0; i < window->rest; i++)
        sum += (double)row[(window->first + i) % window->cells];
    return sum;
}

// PART cells from `at` on; 0 if there is no such cell.
static const float *cells_from(const float *row, int at) {
    static const float nothing[PART];
    return at < 0 ? nothing : row + at;
}

KERNEL static void find_changes(double *restrict changes, const float *restrict after,
                                const float *restrict leaves, int count) {
    for (int x = 0; x < count; x++)
        changes[x] = (double)after[x] - (double)leaves[x];
}

// Changes become the sums before them.
KERNEL_INLINE void sum_rows(double (*lines)[PART], double *sums, int rows, int count) {
    for (int x = 0; x < count; x++)
        for (int i = 0; i < rows; i++) {
            const double change = lines[i][x];
            lines[i][x] = sums[i];
            sums[i] += change;
        }
}

KERNEL static void means_of_sums(float *restrict out, const double *restrict sums,
                                 const float *restrict before, const float *restrict after,
                                 const double *restrict inverses, double fraction, int count) {
    for (int x = 0; x < count; x++)
        out[x] = (float)((sums[x] + fraction * ((double)before[x] + (double)after[x])) * inverses[x]);
}

static void mean_of_rows(const Window *window, const Field *from, Field *to, int first, int rows) {
    double sums[ROWS], lines[ROWS][PART];
    for (int i = 0; i < rows; i++)
        sums[i] = first_sum(window, field_row(from, first + i));
    for (int x = 0, count; x < window->cells; x += count) {
        const Step *step = &window->steps[x];
        count = min(step->run, PART);
        for (int i = 0; i < rows; i++) {
            const float *row = field_row(from, first + i);
            find_changes(lines[i], cells_from(row, step->after), cells_from(row, step->leaves), count);
        }
        if (rows == ROWS)
            sum_rows(lines, sums, ROWS, count);
        else
            sum_rows(lines, sums, rows, count);
        for (int i = 0; i < rows; i++) {
            const float *row = field_row(from, first + i);
            means_of_sums(field_row(to, first + i) + x, lines[i], cells_from(row, step->before),
                          cells_from(row, step->after), window->inverses + x, window->fraction, count);
        }
    }
}

static void mean_along_rows(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y += ROWS)
        for (int i = 0; i < pass->means; i++)
            mean_of_rows(pass->window, source_of(pass, i), i % 2 ? pass->other : pass->to, y,
                         min(end - y, ROWS));
}

// --- down columns ------------------------------------------------------------------------------------------

// COLUMNS cells of row `y` from `column` on; 0 if there is no such row.
static const float *row_part(const Field *field, int y, int column) {
    static const float nothing[COLUMNS];
    return y < 0 ? nothing : field_row(field, y) + column;
}

KERNEL static void add_part(double *restrict sums, const float *restrict part, int columns, double times) {
    for (int x = 0; x < columns; x++)
        sums[x] += (double)part[x] * times;
}

KERNEL static void means_of_columns(float *restrict out, double *restrict sums, const float *restrict before,
                                    const float *restrict after, const float *restrict leaves, double inverse,
                                    double fraction, int columns) {
    for (int x = 0; x < columns; x++) {
        const double beside = (double)before[x] + (double)after[x];
        out[x] = (float)((sums[x] + fraction * beside) * inverse);
        sums[x] += (double)after[x] - (double)leaves[x];
    }
}

static void mean_of_columns(const Window *window, const Field *from, Field *to, int left, int columns) {
    double sums[COLUMNS] = { 0 };
    for (int y = 0; y < window->cells && window->turns > 0; y++)
        add_part(sums, row_part(from, y, left), columns, window->turns);
    for (int i = 0; i < window->rest; i++)
        add_part(sums, row_part(from, (window->first + i) % window->cells, left), columns, 1);
    for (int y = 0; y < window->cells; y++) {
        const Step *step = &window->steps[y];
        means_of_columns(field_row(to, y) + left, sums, row_part(from, step->before, left),
                         row_part(from, step->after, left), row_part(from, step->leaves, left),
                         window->inverses[y], window->fraction, columns);
    }
}

static void mean_down_columns(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->from->width;
    for (int strip = first; strip < end; strip++)
        for (int i = 0; i < pass->means; i++)
            mean_of_columns(pass->window, source_of(pass, i), i % 2 ? pass->other : pass->to, strip * COLUMNS,
                            min(width - strip * COLUMNS, COLUMNS));
}

static bool is_small(double radius, int means) {
    return radius < BOX_SMALL_RADIUS && means <= BOX_SMALL_MEANS;
}

int box_mean_reach(double radius, int means) {
    return is_small(radius, means) ? means * (whole_int(radius) + 1) : SEES_ALL;
}

// --- several means where edges do not meet ----------------------------------------------------------------

// A field beyond whose edge nothing lies, so far that means over edges that meet find none of the other side,
// counts cells beyond as 0: the scales of box_scales then leave the cells that exist.
typedef struct Padding {
    const Field *from;
    Field *to;
    const double *scales; // of the columns or the rows of `to`; NULL: all 1
    bool of_rows;
} Padding;

// What both fields have; the rest of `to` is 0.
KERNEL static void copy_scaled(void *context, int first, int end) {
    const Padding *padding = context;
    const int width = min(padding->from->width, padding->to->width);
    for (int y = first; y < end; y++) {
        float *restrict out = field_row(padding->to, y);
        const bool there = y < padding->from->height;
        const float *restrict row = field_row(padding->from, there ? y : 0);
        const double *restrict scales = padding->of_rows ? NULL : padding->scales;
        const double scale = padding->of_rows ? padding->scales[y] : 1;
        for (int x = 0; there && x < width; x++)
            out[x] = (float)((double)row[x] * (scales ? scales[x] : scale));
        for (int x = there ? width : 0; x < padding->to->width; x++)
            out[x] = 0;
    }
}

// As field_create, but it may be larger than a field can be.
static Status create_padded(Field *field, int width, int height, Error *error) {
    *field = (Field){ .width = width, .height = height };
    field->cells = memory_new((size_t)width * (size_t)height, sizeof(float), error);
    return field->cells ? STATUS_OK : STATUS_MEMORY;
}

// All means along one axis: of `from` into `to`, which may be the same.
static Status means_along(const Run *run, const Field *from, Field *to, double radius, int means, bool down,
                          Error *error) {
    const int cells = down ? from->height : from->width, beyond = means * (whole_int(radius) + 1);
    const int width = from->width + (down ? 0 : beyond), height = from->height + (down ? beyond : 0);
    Field fields[2] = { { 0 } };
    Window window = { 0 };
    double *scales = box_scales(cells, radius, means, error);
    Status status = scales ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = create_padded(&fields[i], width, height, error);
    if (status == STATUS_OK)
        status = window_create(&window, cells + beyond, radius, true, error);
    if (status == STATUS_OK)
        status =
            parallel_rows(run, height, width * 0.5, copy_scaled, &(Padding){ from, &fields[0], NULL, false });
    Pass pass = { &fields[0], &fields[1], &fields[0], &window, means };
    if (status == STATUS_OK && down)
        status = parallel_rows(run, (width + COLUMNS - 1) / COLUMNS, height * (double)COLUMNS * means,
                               mean_down_columns, &pass);
    else if (status == STATUS_OK)
        status = parallel_rows(run, height, width * 2.0 * means, mean_along_rows, &pass);
    if (status == STATUS_OK)
        status = parallel_rows(run, to->height, to->width * 0.5, copy_scaled,
                               &(Padding){ &fields[means % 2], to, scales, down });
    window_free(&window);
    field_free(&fields[0]);
    field_free(&fields[1]);
    memory_free(scales);
    return status;
}

Status box_mean(const Run *run, const Field *from, Field *to, double radius, int means, bool wraps,
                Error *error) {
    if (is_small(radius, means))
        return box_mean_small(run, from, to, radius, means, wraps, error);
    if (means > 1 && !wraps) {
        const Status status = means_along(run, from, to, radius, means, false, error);
        return status == STATUS_OK ? means_along(run, to, to, radius, means, true, error) : status;
    }
    const bool odd = means % 2 != 0;
    Field along = { 0 };
    Window rows = { 0 }, columns = { 0 };
    Status status = field_create(&along, from->width, from->height, error);
    if (status == STATUS_OK)
        status = window_create(&rows, from->width, radius, wraps, error);
    if (status == STATUS_OK)
        status = window_create(&columns, from->height, radius, wraps, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, from->height, from->width * 2.0 * means, mean_along_rows,
                               &(Pass){ from, &along, to, &rows, means });
    Field *rest = odd ? &along : to;
    if (status == STATUS_OK)
        status =
            parallel_rows(run, (from->width + COLUMNS - 1) / COLUMNS, from->height * (double)COLUMNS * means,
                          mean_down_columns, &(Pass){ rest, odd ? to : &along, rest, &columns, means });
    window_free(&rows);
    window_free(&columns);
    field_free(&along);
    return status;
}
