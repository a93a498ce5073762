// Strips of columns, from the first row to the last: of each row first the means along it, then the means
// down the columns of the rows so far, so that all work stays in the cache. Lines are doubles, with cells
// beyond both ends; what lies beyond a field that does not wrap counts as 0 and has no weight.

#include "core/box_small.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEP =
        BOX_SMALL_RADIUS,  // cells that a mean sees to either side, at most: its radius, and the cells beside
    BEYOND = 16,           // and all means; a multiple of 64 bytes
    COLUMNS = 208,         // of a strip
    APART = COLUMNS + 8,   // from line to line: a multiple of 4096 bytes would let lines wait for each other
    WINDOW = 2 * STEP + 1, // lines
    ROWS_AHEAD = 2,        // that are fetched
};

typedef struct Pass {
    const Field *from;
    Field *to;
    double *across, *down; // 1 / weight for each column and row, from BEYOND before the first; 0 beyond edges
    double fraction;
    int reach, step, means;
    bool wraps;
} Pass;

static int place(int at, int cells, bool wraps) {
    if (wraps)
        return (at % cells + cells) % cells;
    return at < 0 || at >= cells ? -1 : at;
}

static double *find_inverses(int reach, double fraction, int cells, bool wraps, Error *error) {
    double *inverses = memory_new((size_t)cells + 2 * BEYOND, sizeof(double), error);
    for (int at = -BEYOND; inverses && at < cells + BEYOND; at++) {
        int whole = 0, beside = 0;
        for (int k = -reach - 1; k <= reach + 1; k++)
            if (wraps || place(at + k, cells, false) >= 0)
                *(abs(k) > reach ? &beside : &whole) += 1;
        inverses[BEYOND + at] = wraps || place(at, cells, false) >= 0 ? 1 / (whole + fraction * beside) : 0;
    }
    return inverses;
}

// --- means of lines ----------------------------------------------------------------------------------------

// Sets `kept` or else `out` to the means of lines[-reach - 1 … reach + 1][x], rounded as they would be in a
// field. The middle comes first, then pairs, so that a mirrored field has mirrored means. `inverses` is one
// for each cell, or NULL: `inverse`.
KERNEL_INLINE void mean_of_lines(int reach, double fraction, const double *const *lines,
                                 const double *inverses, double inverse, int count, double *kept,
                                 float *out) {
    assert(kept || out);
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++) {
        double sum = lines[0][x];
#pragma GCC unroll 8
        for (int k = 1; k <= reach; k++)
            sum += lines[-k][x] + lines[k][x];
        const double beside = lines[-reach - 1][x] + lines[reach + 1][x];
        const float mean = (float)((sum + fraction * beside) * (inverses ? inverses[x] : inverse));
        if (kept)
            kept[x] = (double)mean;
        else
            out[x] = mean;
    }
}

// `reach` is a constant in each case, so that the compiler makes vectors.
KERNEL_INLINE void small_means(int reach, double fraction, const double *const *lines, const double *inverses,
                               double inverse, int count, double *kept, float *out) {
    if (reach == 0)
        mean_of_lines(0, fraction, lines, inverses, inverse, count, kept, out);
    else if (reach == 1)
        mean_of_lines(1, fraction, lines, inverses, inverse, count, kept, out);
    else if (reach == 2)
        mean_of_lines(2, fraction, lines, inverses, inverse, count, kept, out);
    else
        mean_of_lines(3, fraction, lines, inverses, inverse, count, kept, out);
}

KERNEL static void small_means_across(int reach, double fraction, const double *const *lines,
                                      const double *inverses, int count, double *kept) {
    small_means(reach, fraction, lines, inverses, 0, count, kept, NULL);
}

KERNEL static void small_means_down(int reach, double fraction, const double *const *lines, double inverse,
                                    int count, double *kept) {
    small_means(reach, fraction, lines, NULL, inverse, count, kept, NULL);
}

KERNEL static void last_small_means_down(int reach, double fraction, const double *const *lines,
                                         double inverse, int count, float *out) {
    small_means(reach, fraction, lines, NULL, inverse, count, NULL, out);
}

// --- along a row -------------------------------------------------------------------------------------------

KERNEL static void widen_cells(double *restrict line, const float *restrict cells, int count) {
    for (int x = 0; x < count; x++)
        line[x] = (double)cells[x];
}

// Cells `start` … `end` - 1 of a row, some of them beyond its ends.
static void load_part(double *line, const float *row, int width, int start, int end, bool wraps) {
    const int first = max(start, 0), last = min(end, width);
    for (int x = start; x < first; x++)
        line[x - start] = wraps ? (double)row[place(x, width, true)] : 0;
    widen_cells(line + (first - start), row + first, last - first);
    for (int x = last; x < end; x++)
        line[x - start] = wraps ? (double)row[place(x, width, true)] : 0;
}

// Fetches columns `left` … of row y: rows lie so far apart that processors do not foresee them.
static void fetch_part(const Field *field, int y, int left, int columns) {
    enum { FETCHED = 16 }; // cells that come together
    const float *row = field_row(field, y);
    const int end = min(left + columns, field->width);
    for (int x = max(left, 0); x < end; x += FETCHED)
        __builtin_prefetch(row + x);
}

// Columns `left` … of row y, with all means along the row.
static void small_means_of_row(const Pass *pass, int y, int left, int columns, double *kept) {
    _Alignas(64) double buffers[2][COLUMNS + 2 * BEYOND];
    const double *lines[WINDOW];
    const int all = pass->step * pass->means;
    load_part(buffers[0], field_row(pass->from, y), pass->from->width, left - all, left + columns + all,
              pass->wraps);
    for (int i = 1; i <= pass->means; i++) { // each buffer begins one step behind the one before
        for (int k = 0; k <= 2 * pass->step; k++)
            lines[k] = buffers[(i - 1) % 2] + k;
        const int more = all - pass->step * i;
        small_means_across(pass->reach, pass->fraction, lines + pass->step,
                           pass->across + BEYOND + left - more, columns + 2 * more,
                           i < pass->means ? buffers[i % 2] : kept);
    }
}

// --- down a strip ------------------------------------------------------------------------------------------

// The last lines that arrived, 2 · step + 1 of them, the newest last.
typedef struct Lines {
    double *line[WINDOW];
} Lines;

// The line that is needed no more becomes the newest.
static double *next_line(Lines *lines, int count) {
    double *oldest = lines->line[0];
    for (int i = 0; i + 1 < count; i++)
        lines->line[i] = lines->line[i + 1];
    return lines->line[count - 1] = oldest;
}

// Each line that arrives completes a window of lines, whose mean is a line for the next mean.
static void small_means_of_strip(const Pass *pass, int left, int columns) {
    _Alignas(64) double cells[BOX_SMALL_MEANS][WINDOW][APART];
    Lines lines[BOX_SMALL_MEANS];
    const int step = pass->step, window = 2 * step + 1, height = pass->from->height, all = step * pass->means;
    for (int i = 0; i < BOX_SMALL_MEANS; i++)
        for (int k = 0; k < WINDOW; k++)
            lines[i].line[k] = cells[i][k];
    for (int y = -all; y < height + all; y++) {
        const int at = place(y, height, pass->wraps), later = place(y + ROWS_AHEAD, height, pass->wraps);
        if (later >= 0)
            fetch_part(pass->from, later, left, columns + all);
        double *line = next_line(&lines[0], window);
        if (at >= 0)
            small_means_of_row(pass, at, left, columns, line);
        else
            memset(line, 0, sizeof cells[0][0]);
        for (int i = 0; i < pass->means && y + all >= 2 * step * (i + 1); i++) {
            const int middle = y - step * (i + 1);
            const double *const *around = (const double *const *)lines[i].line + step;
            const double inverse = pass->down[BEYOND + middle];
            if (i + 1 < pass->means)
                small_means_down(pass->reach, pass->fraction, around, inverse, columns,
                                 next_line(&lines[i + 1], window));
            else
                last_small_means_down(pass->reach, pass->fraction, around, inverse, columns,
                                      field_row(pass->to, middle) + left);
        }
    }
}

static void small_means_of_strips(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->from->width;
    for (int strip = first; strip < end; strip++)
        small_means_of_strip(pass, strip * COLUMNS, min(width - strip * COLUMNS, COLUMNS));
}

Status box_mean_small(const Run *run, const Field *from, Field *to, double radius, int means, bool wraps,
                      Error *error) {
    const int reach = whole_int(radius);
    Field copy = { 0 }; // strips look at columns beside them that others may have set
    Status status = from == to ? field_create(&copy, from->width, from->height, error) : STATUS_OK;
    if (copy.cells)
        memcpy(field_cells(&copy), from->cells, field_count(from) * sizeof(float));
    Pass pass = { .from = from == to ? &copy : from,
                  .to = to,
                  .across = find_inverses(reach, radius - reach, from->width, wraps, error),
                  .down = find_inverses(reach, radius - reach, from->height, wraps, error),
                  .fraction = radius - reach,
                  .reach = reach,
                  .step = reach + 1,
                  .means = means,
                  .wraps = wraps };
    if (status == STATUS_OK && (!pass.across || !pass.down))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, (from->width + COLUMNS - 1) / COLUMNS,
                               from->height * COLUMNS * 0.8 * means, small_means_of_strips, &pass);
    memory_free(pass.across);
    memory_free(pass.down);
    field_free(&copy);
    return status;
}
