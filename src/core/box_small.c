// Strips of columns, from the first row to the last: of each row first the means along it, then the means
// down the columns of the rows so far, so that all work stays in the cache. Lines are doubles, with cells
// beyond both ends. What lies beyond a field that does not wrap counts as 0; the last mean is scaled up by
// what cells beyond had in all means together, as if their kernels were one (Gwosdek et al. 2011, section 2).
// Scaled after each mean, cells at the edge would be counted again and again.

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
    double *across, *down; // 1 / weight of the last mean for each column and row
    double inverse;        // of all others
    double fraction;
    int reach, step, means;
    bool wraps;
    bool rounds; // between means; beside edges, level ground would not stay level to the bit
} Pass;

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

double *box_scales(int cells, double radius, int means, Error *error) {
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
static double weight_at(const Pass *pass, int at, int cells) {
    const int low = at - pass->reach, high = at + pass->reach;
    const int whole = min(high, cells - 1) - max(low, 0) + 1, beside = (low > 0) + (high < cells - 1);
    return whole + pass->fraction * beside;
}

static double *find_inverses(const Pass *pass, int cells, Error *error) {
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

// Sets `kept` or else `out` to the means of lines[-reach - 1 … reach + 1][x]; `rounds`: what is kept is
// rounded as it would be in a field. The middle comes first, then pairs, so that a mirrored field has
// mirrored means. `inverses` is one for each cell, or NULL: `inverse`.
KERNEL_INLINE void mean_of_lines(int reach, double fraction, const double *const *lines,
                                 const double *inverses, double inverse, int count, bool rounds, double *kept,
                                 float *out) {
    assert(kept || out);
    INDEPENDENT_PASSES
    for (int x = 0; x < count; x++) {
        double sum = lines[0][x];
#pragma GCC unroll 8
        for (int k = 1; k <= reach; k++)
            sum += lines[-k][x] + lines[k][x];
        const double beside = lines[-reach - 1][x] + lines[reach + 1][x];
        const double mean = (sum + fraction * beside) * (inverses ? inverses[x] : inverse);
        if (kept)
            kept[x] = rounds ? (double)(float)mean : mean;
        else
            out[x] = (float)mean;
    }
}

// `reach` is a constant in each case, so that the compiler makes vectors.
KERNEL_INLINE void small_means(int reach, double fraction, const double *const *lines, const double *inverses,
                               double inverse, int count, bool rounds, double *kept, float *out) {
    if (reach == 0)
        mean_of_lines(0, fraction, lines, inverses, inverse, count, rounds, kept, out);
    else if (reach == 1)
        mean_of_lines(1, fraction, lines, inverses, inverse, count, rounds, kept, out);
    else if (reach == 2)
        mean_of_lines(2, fraction, lines, inverses, inverse, count, rounds, kept, out);
    else
        mean_of_lines(3, fraction, lines, inverses, inverse, count, rounds, kept, out);
}

KERNEL static void small_means_across(int reach, double fraction, const double *const *lines,
                                      const double *inverses, int count, bool rounds, double *kept) {
    small_means(reach, fraction, lines, inverses, 0, count, rounds, kept, NULL);
}

KERNEL static void small_means_down(int reach, double fraction, const double *const *lines, double inverse,
                                    int count, bool rounds, double *kept) {
    small_means(reach, fraction, lines, NULL, inverse, count, rounds, kept, NULL);
}

KERNEL static void last_small_means_down(int reach, double fraction, const double *const *lines,
                                         double inverse, int count, float *out) {
    small_means(reach, fraction, lines, NULL, inverse, count, false, NULL, out);
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
        if (i < pass->means)
            small_means_down(pass->reach, pass->fraction, lines + pass->step, pass->inverse,
                             columns + 2 * more, pass->rounds, buffers[i % 2]);
        else
            small_means_across(pass->reach, pass->fraction, lines + pass->step, pass->across + left, columns,
                               pass->rounds, kept);
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
            if (i + 1 < pass->means)
                small_means_down(pass->reach, pass->fraction, around, pass->inverse, columns, pass->rounds,
                                 next_line(&lines[i + 1], window));
            else
                last_small_means_down(pass->reach, pass->fraction, around, pass->down[middle], columns,
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
        status = parallel_rows(run, (from->width + COLUMNS - 1) / COLUMNS,
                               from->height * COLUMNS * 0.8 * means, small_means_of_strips, &pass);
    memory_free(pass.across);
    memory_free(pass.down);
    field_free(&copy);
    return status;
}
