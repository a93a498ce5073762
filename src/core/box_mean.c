// First along the rows, as often as there are means, then down the columns, each with a running sum: the
// entering cell is added, the leaving one subtracted. Sums are doubles, so that errors do not accumulate
// visibly.
//
// The sum of a row is a chain in which every addition waits for the one before: several rows are summed at
// once, and all else is done in vectors, before and after.

#include "core/box_mean.h"

#include "core/fetch.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- small squares -----------------------------------------------------------------------------------------

// Strips of columns, from the first row to the last: of each row first the means along it, then the means
// down the columns of the rows so far, so that all work stays in the cache. Lines are doubles, with cells
// beyond both ends. What lies beyond a field that does not wrap counts as 0; the last mean is scaled up by
// what cells beyond had in all means together, as if their kernels were one (Gwosdek et al. 2011, section 2).
// Scaled after each mean, cells at the edge would be counted again and again.

enum {
    STEP =
        BOX_SMALL_RADIUS, // cells that a mean sees to either side, at most: its radius, and the cells beside
    BEYOND = 16,          // and all means; a multiple of 64 bytes
    STRIP_COLUMNS = 200,  // of a strip
    APART =
        STRIP_COLUMNS + 8, // from line to line: a multiple of 4096 bytes would let lines wait for each other
    BATCH = 4,             // lines that arrive together
    WINDOW = 2 * STEP + BATCH, // lines from which so many means are made
    VECTOR = 8,                // numbers, after which a loop has no rest
};

typedef struct SmallPass {
    const Field *from;
    Field *to;
    double *across, *down; // 1 / weight of the last mean for each column and row
    double inverse;        // of all others
    double fraction;
    int reach, step, means;
    bool wraps;
    bool rounds; // between means; beside edges, level ground would not stay level to the bit
} SmallPass;

static int place(int at, int cells, bool wraps) {
    if (wraps)
        return (at % cells + cells) % cells;
    return at < 0 || at >= cells ? -1 : at;
}

// Σ |j| ≤ r of from[i + j], with the cells beside at their fraction, in an array of 2 · reach + 1 weights.
static void widen_kernel(const double *from, double *to, int reach, double radius) {
    const int whole = whole_int(radius), count = 2 * reach + 1;
    double sum = 0; // from[0] … from[i + whole - 1], less those before the window
    for (int i = 0; i < whole && i < count; i++)
        sum += from[i];
    for (int i = 0; i < count; i++) {
        const int after = i + whole, before = i - whole - 1;
        sum += after < count ? from[after] : 0;
        const double beside = (before >= 0 ? from[before] : 0) + (after + 1 < count ? from[after + 1] : 0);
        to[i] = sum + (radius - whole) * beside;
        sum -= i - whole >= 0 ? from[i - whole] : 0;
    }
}

// The share of the kernel of all means that lies more than 0, 1, 2, … cells away on one side, added up from
// the outermost.
static bool find_tails(double *tails, int cells, double radius, int means, Error *error) {
    const int reach = means * (whole_int(radius) + 1), count = 2 * reach + 1;
    double *kernels[2], total = 0, sum = 0;
    kernels[0] = memory_new_zeroed((size_t)count, sizeof(double), error);
    kernels[1] = kernels[0] ? memory_new((size_t)count, sizeof(double), error) : NULL;
    if (kernels[1]) {
        kernels[0][reach] = 1;
        for (int i = 0; i < means; i++)
            widen_kernel(kernels[i % 2], kernels[1 - i % 2], reach, radius);
        const double *kernel = kernels[means % 2];
        for (int i = 0; i < count; i++)
            total += kernel[i];
        for (int at = max(cells - 1, reach); at >= 0; at--) {
            if (at < cells)
                tails[at] = sum / total;
            sum += at <= reach ? kernel[reach + at] : 0;
        }
    }
    const bool made = kernels[1];
    memory_free(kernels[0]);
    memory_free(kernels[1]);
    return made;
}

// What to multiply the means of a line by whose cells have no weight but count as 0 beyond its ends, so that
// only the cells that exist count; a number for each cell, to be freed. 1 away from the ends, the same for a
// mirrored line.
static double *box_scales(int cells, double radius, int means, Error *error) {
    double *tails = memory_new((size_t)cells, sizeof *tails, error);
    double *scales = tails ? memory_new((size_t)cells, sizeof *scales, error) : NULL;
    const bool made = scales && find_tails(tails, cells, radius, means, error);
    for (int at = 0; made && at < cells; at++)
        scales[at] = 1 / (1 - (tails[at] + tails[cells - 1 - at]));
    memory_free(tails);
    if (!made)
        memory_free(scales);
    return made ? scales : NULL;
}

// How much the cells that exist weigh in a single mean.
static double weight_at(const SmallPass *pass, int at, int cells) {
    const int low = at - pass->reach, high = at + pass->reach;
    const int whole = min(high, cells - 1) - max(low, 0) + 1, beside = (low > 0) + (high < cells - 1);
    return whole + pass->fraction * beside;
}

static double *find_inverses(const SmallPass *pass, int cells, Error *error) {
    const bool several = pass->means > 1 && !pass->wraps;
    double *inverses = several ? box_scales(cells, pass->reach + pass->fraction, pass->means, error)
                               : memory_new((size_t)cells, sizeof *inverses, error);
    for (int at = 0; inverses && at < cells; at++)
        inverses[at] = several       ? inverses[at] * pass->inverse
                       : pass->wraps ? pass->inverse
                                     : 1 / weight_at(pass, at, cells);
    return inverses;
}

// --- means of lines ----------------------------------------------------------------------------------------

// The mean of lines[-reach - 1 … reach + 1][x]. The middle comes first, then pairs, so that a mirrored field
// has mirrored means.
KERNEL_INLINE double mean_at(int reach, double fraction, const double *const *lines, int x, double inverse) {
    double sum = lines[0][x];
#pragma GCC unroll 8
    for (int k = 1; k <= reach; k++)
        sum += lines[-k][x] + lines[k][x];
    const double beside = lines[-reach - 1][x] + lines[reach + 1][x];
    return (sum + fraction * beside) * inverse;
}

// What is kept, rounded as it would be in a field if `rounds`.
KERNEL_INLINE double kept_as(double mean, bool rounds) {
    return rounds ? (double)(float)mean : mean;
}

// `inverses` is one for each cell, or NULL: `inverse`.
KERNEL_INLINE void means_of_one(int reach, double fraction, const double *const *lines,
                                const double *inverses, double inverse, int count, bool rounds,
                                double *kept) {
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++)
        kept[x] = kept_as(mean_at(reach, fraction, lines, x, inverses ? inverses[x] : inverse), rounds);
}

// The means of BATCH lines, one below the other, and of a single one.
KERNEL_INLINE void means_of_batch(int reach, double fraction, const double *const *lines, double inverse,
                                  int count, bool rounds, double *const *kept) {
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++) {
        kept[0][x] = kept_as(mean_at(reach, fraction, lines, x, inverse), rounds);
        kept[1][x] = kept_as(mean_at(reach, fraction, lines + 1, x, inverse), rounds);
        kept[2][x] = kept_as(mean_at(reach, fraction, lines + 2, x, inverse), rounds);
        kept[3][x] = kept_as(mean_at(reach, fraction, lines + 3, x, inverse), rounds);
    }
}

KERNEL_INLINE void last_means_of_batch(int reach, double fraction, const double *const *lines,
                                       const double *inverses, int count, float *const *out) {
    const double inverse[BATCH] = { inverses[0], inverses[1], inverses[2], inverses[3] };
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++) {
        out[0][x] = (float)mean_at(reach, fraction, lines, x, inverse[0]);
        out[1][x] = (float)mean_at(reach, fraction, lines + 1, x, inverse[1]);
        out[2][x] = (float)mean_at(reach, fraction, lines + 2, x, inverse[2]);
        out[3][x] = (float)mean_at(reach, fraction, lines + 3, x, inverse[3]);
    }
}

KERNEL_INLINE void last_means_of_one(int reach, double fraction, const double *const *lines, double inverse,
                                     int count, float *out) {
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++)
        out[x] = (float)mean_at(reach, fraction, lines, x, inverse);
}

// The reach is a constant in each case, so that the compiler makes vectors.
#define BY_REACH(reach, function, ...)                                                                       \
    switch (reach) {                                                                                         \
    case 0:                                                                                                  \
        function(0, __VA_ARGS__);                                                                            \
        break;                                                                                               \
    case 1:                                                                                                  \
        function(1, __VA_ARGS__);                                                                            \
        break;                                                                                               \
    case 2:                                                                                                  \
        function(2, __VA_ARGS__);                                                                            \
        break;                                                                                               \
    default:                                                                                                 \
        function(3, __VA_ARGS__);                                                                            \
    }

KERNEL_NARROW static void small_means_along(int reach, double fraction, const double *const *lines,
                                            double inverse, int count, bool rounds, double *kept){
    BY_REACH(reach, means_of_one, fraction, lines, NULL, inverse, count, rounds, kept)
}

KERNEL_NARROW static void last_small_means_along(int reach, double fraction, const double *const *lines,
                                                 const double *inverses, int count, bool rounds,
                                                 double *kept){ BY_REACH(reach, means_of_one, fraction, lines,
                                                                         inverses, 0, count, rounds, kept) }

KERNEL static void small_means_down(int reach, double fraction, const double *const *lines, double inverse,
                                    int count, bool rounds, double *const *kept) {
    if (rounds)
        BY_REACH(reach, means_of_batch, fraction, lines, inverse, count, true, kept)
    else
        BY_REACH(reach, means_of_batch, fraction, lines, inverse, count, false, kept)
}

KERNEL static void last_small_means_down(int reach, double fraction, const double *const *lines,
                                         const double *inverses, int count, float *const *out){
    BY_REACH(reach, last_means_of_batch, fraction, lines, inverses, count, out)
}

KERNEL
    static void last_small_mean_down(int reach, double fraction, const double *const *lines, double inverse,
                                     int count, float *out){ BY_REACH(reach, last_means_of_one, fraction,
                                                                      lines, inverse, count, out) }

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
    for (int x = end; x < end + VECTOR; x++)
        line[x - start] = 0;
}

static int in_vectors(int count) {
    return (count + VECTOR - 1) / VECTOR * VECTOR;
}

// Columns `left` … of row y, with all means along the row.
static void small_means_of_row(const SmallPass *pass, int y, int left, int columns, double *kept) {
    _Alignas(64) double buffers[2][STRIP_COLUMNS + 2 * BEYOND];
    const double *lines[2 * STEP + 1];
    const int all = pass->step * pass->means;
    load_part(buffers[0], field_row(pass->from, y), pass->from->width, left - all, left + columns + all,
              pass->wraps);
    for (int i = 1; i <= pass->means; i++) { // each buffer begins one step behind the one before
        for (int k = 0; k <= 2 * pass->step; k++)
            lines[k] = buffers[(i - 1) % 2] + k;
        const int more = all - pass->step * i;
        if (i < pass->means)
            small_means_along(pass->reach, pass->fraction, lines + pass->step, pass->inverse,
                              in_vectors(columns + 2 * more), pass->rounds, buffers[i % 2]);
        else
            last_small_means_along(pass->reach, pass->fraction, lines + pass->step, pass->across + left,
                                   columns, pass->rounds, kept);
    }
}

// --- down a strip ------------------------------------------------------------------------------------------

// The last lines that arrived, 2 · step + BATCH of them, the newest last.
typedef struct Lines {
    double *line[WINDOW];
} Lines;

// The lines that are needed no more become the newest, which are given.
static double **next_lines(Lines *lines, int count) {
    double *oldest[BATCH];
    memcpy(oldest, lines->line, sizeof oldest);
    memmove(lines->line, lines->line + BATCH, (size_t)(count - BATCH) * sizeof *lines->line);
    return memcpy(lines->line + count - BATCH, oldest, sizeof oldest);
}

// The last means of rows from `y` on.
static void write_means(const SmallPass *pass, int y, int left, int columns, const double *const *around) {
    const int height = pass->to->height;
    if (y >= 0 && y + BATCH <= height) {
        float *out[BATCH];
        for (int i = 0; i < BATCH; i++)
            out[i] = field_row(pass->to, y + i) + left;
        last_small_means_down(pass->reach, pass->fraction, around, pass->down + y, columns, out);
        return;
    }
    for (int row = max(y, 0); row < min(y + BATCH, height); row++)
        last_small_mean_down(pass->reach, pass->fraction, around + (row - y), pass->down[row], columns,
                             field_row(pass->to, row) + left);
}

// The lines that arrive complete windows of lines, whose means are lines for the next mean. The first ones
// are completed by lines that are 0: they are means of rows above the field, which no other row needs.
static void small_means_of_strip(const SmallPass *pass, int left, int columns) {
    _Alignas(64) double cells[BOX_SMALL_MEANS][WINDOW][APART] = { 0 };
    Lines lines[BOX_SMALL_MEANS];
    const int step = pass->step, window = 2 * step + BATCH, height = pass->from->height,
              all = step * pass->means;
    for (int i = 0; i < BOX_SMALL_MEANS; i++)
        for (int k = 0; k < WINDOW; k++)
            lines[i].line[k] = cells[i][k];
    for (int y = -all; y < height + all; y += BATCH) {
        double **newest = next_lines(&lines[0], window);
        for (int i = 0; i < BATCH; i++) {
            const int at = place(y + i, height, pass->wraps);
            fetch_to_read(pass->from, place(y + i + ROWS_AHEAD, height, pass->wraps), left, columns + all);
            fetch_to_write(pass->to, y + i - all, left, columns);
            if (at >= 0)
                small_means_of_row(pass, at, left, columns, newest[i]);
            else
                memset(newest[i], 0, sizeof cells[0][0]);
        }
        for (int i = 0; i < pass->means; i++) {
            const double *const *around = (const double *const *)lines[i].line + step;
            if (i + 1 < pass->means)
                small_means_down(pass->reach, pass->fraction, around, pass->inverse, columns, pass->rounds,
                                 next_lines(&lines[i + 1], window));
            else
                write_means(pass, y - all, left, columns, around);
        }
    }
}

static void small_means_of_strips(void *context, int first, int end) {
    const SmallPass *pass = context;
    const int width = pass->from->width;
    for (int strip = first; strip < end; strip++)
        small_means_of_strip(pass, strip * STRIP_COLUMNS, min(width - strip * STRIP_COLUMNS, STRIP_COLUMNS));
}

// box_mean for small radii and few means.
static Status box_mean_small(const Run *run, const Field *from, Field *to, double radius, int means,
                             bool wraps, Error *error) {
    const int reach = whole_int(radius);
    Field copy = { 0 }; // strips look at columns beside them that others may have set
    Status status = from == to ? field_create(&copy, from->width, from->height, error) : STATUS_OK;
    if (copy.cells)
        memcpy(field_cells(&copy), from->cells, field_count(from) * sizeof(float));
    SmallPass pass = { .from = from == to ? &copy : from,
                       .to = to,
                       .inverse = 1 / (2 * reach + 1 + 2 * (radius - reach)),
                       .fraction = radius - reach,
                       .reach = reach,
                       .step = reach + 1,
                       .means = means,
                       .wraps = wraps,
                       .rounds = wraps || means == 1 };
    pass.across = find_inverses(&pass, from->width, error);
    pass.down = pass.across ? find_inverses(&pass, from->height, error) : NULL;
    if (status == STATUS_OK && (!pass.across || !pass.down))
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, (from->width + STRIP_COLUMNS - 1) / STRIP_COLUMNS,
                               from->height * STRIP_COLUMNS * 0.8 * means, small_means_of_strips, &pass);
    memory_free(pass.across);
    memory_free(pass.down);
    field_free(&copy);
    return status;
}

// --- box mean ----------------------------------------------------------------------------------------------

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
        if (step->after >= 0)
            fetch_to_read(from, step->after + ROWS_AHEAD, left, columns);
        fetch_to_write(to, y + ROWS_AHEAD, left, columns);
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
        const int left = there ? width : 0;
        memset(out + left, 0, (size_t)(padding->to->width - left) * sizeof *out);
    }
}

// As field_create, but it may be larger than a field can be.
static Status create_padded(Field *field, int width, int height, Error *error) {
    *field = (Field){ .width = width, .height = height };
    field->cells = memory_new_cells(width, height, sizeof(float), error);
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

// --- means of what has data --------------------------------------------------------------------------------

// The mean over a square of the cells that have data: that of all, with 0 in gaps, over the share of data.

KERNEL static void divide_rows(void *context, int first, int end) {
    const Field *const *fields = context; // the result, and by what it is divided
    for (int y = first; y < end; y++) {
        float *restrict mean = field_row((Field *)fields[0], y);
        const float *restrict share = field_row(fields[1], y);
        for (int x = 0; x < fields[0]->width; x++)
            mean[x] = share[x] > 0 ? mean[x] / share[x] : 0;
    }
}

static void part_rows(void *context, int first, int end) {
    const Field *const *fields = context; // the heights, those with 0 in gaps, and the share of data
    const size_t width = (size_t)fields[0]->width;
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++) {
        const bool has_data = field_has_data(fields[0], i);
        field_cells((Field *)fields[1])[i] = has_data ? fields[0]->cells[i] : 0;
        field_cells((Field *)fields[2])[i] = has_data ? 1 : 0;
    }
}

Status data_mean(const Run *run, const Field *from, Field *to, double radius, bool wraps, Error *error) {
    if (!from->gaps)
        return box_mean(run, from, to, radius, 1, wraps, error);
    Field share = { 0 };
    Status status = field_create(&share, from->width, from->height, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, from->height, from->width * 1.0, part_rows,
                               (const Field *[]){ from, to, &share });
    if (status == STATUS_OK)
        status = box_mean(run, &share, &share, radius, 1, wraps, error);
    if (status == STATUS_OK)
        status = box_mean(run, to, to, radius, 1, wraps, error);
    if (status == STATUS_OK)
        status =
            parallel_rows(run, from->height, from->width * 0.5, divide_rows, (const Field *[]){ to, &share });
    field_free(&share);
    return status;
}
