// First along the rows, then down the columns, each with a running sum: the entering cell is added, the
// leaving one subtracted. Sums are doubles, so that errors do not accumulate visibly.

#include "core/box_mean.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

enum { COLUMNS = 64 }; // processed together down the field

// The window around one cell of a line. Positions are cells; -1: none, counts as 0.
typedef struct Step {
    int before, after; // the cells beside the window, weighted by the fraction; `after` enters next
    int leaves;        // the window's first
    double weight;     // the divisor of the sum
} Step;

typedef struct Window {
    int cells;       // of the line
    int first, rest; // the window around cell 0 begins at `first` and has `rest` cells …
    int turns;       // … plus this many whole lines
    double fraction;
    Step *steps; // one for each place
} Window;

typedef struct Pass {
    const Field *from;
    Field *to;
    const Window *window;
} Pass;

static int place(int at, int cells, bool wraps) {
    if (wraps)
        return (at % cells + cells) % cells;
    return at < 0 || at >= cells ? -1 : at;
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
    if (!window->steps)
        return STATUS_MEMORY;
    for (int at = 0; at < cells; at++) {
        const int low = at - reach, high = at + reach;
        Step *step = &window->steps[at];
        *step = (Step){ .before = place(low - 1, cells, wraps),
                        .after = place(high + 1, cells, wraps),
                        .leaves = place(low, cells, wraps),
                        .weight = 2 * reach + 1 };
        if (!wraps)
            step->weight = (high < cells ? high + 1 : cells) - max(low, 0);
        step->weight += fraction * ((step->before >= 0) + (step->after >= 0));
    }
    return STATUS_OK;
}

static void mean_along_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const Window *window = pass->window;
    for (int y = first; y < end; y++) {
        const float *row = field_row(pass->from, y);
        float *out = field_row(pass->to, y);
        double sum = 0;
        for (int x = 0; x < window->cells && window->turns > 0; x++)
            sum += (double)row[x] * window->turns;
        for (int i = 0; i < window->rest; i++)
            sum += (double)row[(window->first + i) % window->cells];
        for (int x = 0; x < window->cells; x++) {
            const Step *step = &window->steps[x];
            const double before = step->before < 0 ? 0 : (double)row[step->before];
            const double after = step->after < 0 ? 0 : (double)row[step->after];
            out[x] = (float)((sum + window->fraction * (before + after)) / step->weight);
            sum += after - (step->leaves < 0 ? 0 : (double)row[step->leaves]);
        }
    }
}

// COLUMNS cells of row `y` from `column` on; 0 if there is no such row.
static const float *row_part(const Field *field, int y, int column) {
    static const float nothing[COLUMNS];
    return y < 0 ? nothing : field_row(field, y) + column;
}

static void add_part(double *restrict sums, const float *restrict part, int columns, double times) {
    for (int x = 0; x < columns; x++)
        sums[x] += (double)part[x] * times;
}

static void mean_down_columns(void *context, int first, int end) {
    const Pass *pass = context;
    const Window *window = pass->window;
    const int width = pass->from->width;
    for (int strip = first; strip < end; strip++) {
        const int from = strip * COLUMNS, columns = min(width - from, COLUMNS);
        double sums[COLUMNS] = { 0 };
        for (int y = 0; y < window->cells && window->turns > 0; y++)
            add_part(sums, row_part(pass->from, y, from), columns, window->turns);
        for (int i = 0; i < window->rest; i++)
            add_part(sums, row_part(pass->from, (window->first + i) % window->cells, from), columns, 1);
        for (int y = 0; y < window->cells; y++) {
            const Step *step = &window->steps[y];
            const float *restrict before = row_part(pass->from, step->before, from);
            const float *restrict after = row_part(pass->from, step->after, from);
            const float *restrict leaves = row_part(pass->from, step->leaves, from);
            float *restrict out = field_row(pass->to, y) + from;
            for (int x = 0; x < columns; x++) {
                const double beside = (double)before[x] + (double)after[x];
                out[x] = (float)((sums[x] + window->fraction * beside) / step->weight);
                sums[x] += (double)after[x] - (double)leaves[x];
            }
        }
    }
}

Status box_mean(const Run *run, Field *field, double radius, bool wraps, Error *error) {
    Field along = { 0 };
    Window rows = { 0 }, columns = { 0 };
    Status status = field_create(&along, field->width, field->height, error);
    if (status == STATUS_OK)
        status = window_create(&rows, field->width, radius, wraps, error);
    if (status == STATUS_OK)
        status = window_create(&columns, field->height, radius, wraps, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, field->height, field->width * 2.0, mean_along_rows,
                               &(Pass){ field, &along, &rows });
    if (status == STATUS_OK)
        status = parallel_rows(run, (field->width + COLUMNS - 1) / COLUMNS, field->height * (double)COLUMNS,
                               mean_down_columns, &(Pass){ &along, field, &columns });
    memory_free(rows.steps);
    memory_free(columns.steps);
    field_free(&along);
    return status;
}
