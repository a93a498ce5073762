// Resampling. Cell x of W covers x/W … (x+1)/W of the field. Where the result is coarser, a cell is the mean
// of what it covers; where it is finer, heights are interpolated between cell centres.
//
// Tables say with what weights which cells make one along a row. A row of the field is resampled when
// rows of the result need it, part by part, and combined with its neighbours while it is in the cache.

#include "filter/resize.h"

#include "core/field.h"
#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// --- resample ----------------------------------------------------------------------------------------------

bool takes_means(const Axis *axis) {
    return axis->to < axis->from && axis->interpolation != NEAREST;
}

static double place_of(int at, const Axis *axis) {
    if (axis->interpolation == POINTS)
        return axis->to > 1 ? at * (axis->from - 1.0) / (axis->to - 1) : 0;
    return (at + 0.5) * axis->from / axis->to - 0.5;
}

Taps taps_between(int at, const Axis *axis) {
    const double centre = place_of(at, axis);
    const int before = whole_int(floor(centre));
    const float t = (float)(centre - before);
    if (axis->interpolation == NEAREST)
        return (Taps){ whole_int(floor(centre + 0.5)), 1, { { 1 } } };
    if (axis->interpolation == LINEAR)
        return (Taps){ before, 2, { { 1 - t, t } } };
    Taps taps = { before - 1, 4, catmull_rom(t) };
    for (int k = 0; axis->magnitudes && k < taps.count; k++)
        taps.weights.at[k] = fabsf(taps.weights.at[k]);
    return taps;
}

int cell_at(int at, const Axis *axis) {
    if (axis->wraps)
        return (at % axis->from + axis->from) % axis->from;
    return clamp(at, 0, axis->from - 1);
}

Span span_of(int at, const Axis *axis) {
    double left = (double)at * axis->from / axis->to, right = (double)(at + 1) * axis->from / axis->to;
    if (axis->interpolation == POINTS) { // as far to either side, and not beyond the border: there, a cell
        const double place = place_of(at, axis) + 0.5, half = 0.5 * axis->from / axis->to;
        const double within = min(half, min(place, axis->from - place));
        left = place - within;
        right = place + within;
    }
    return (Span){ left, right, whole_int(left), min(whole_int(ceil(right)), axis->from) };
}

double share_of(const Span *span, int at) {
    return min(at + 1, span->right) - max(at, span->left);
}

// --- tables ------------------------------------------------------------------------------------------------

static void tables_free(Tables *tables) {
    memory_free(tables->first);
    memory_free(tables->weights);
    memory_free(tables->shares);
    memory_free(tables->lengths);
}

static Status make_weights(Tables *tables, const Axis *axis, Error *error) {
    tables->taps = taps_between(0, axis).count;
    tables->doubles = axis->to == 2 * axis->from && tables->taps > 1 && axis->interpolation != POINTS;
    tables->repeats = axis->to == 2 * axis->from && axis->interpolation == NEAREST;
    tables->weights = memory_new_cells(tables->taps, axis->to, sizeof *tables->weights, error);
    if (!tables->weights)
        return STATUS_MEMORY;
    for (int x = 0; x < axis->to; x++) {
        const Taps taps = taps_between(x, axis);
        tables->first[x] = taps.first;
        for (int k = 0; k < taps.count; k++)
            tables->weights[(size_t)k * (size_t)axis->to + (size_t)x] = taps.weights.at[k];
    }
    return STATUS_OK;
}

static Status make_shares(Tables *tables, const Axis *axis, Error *error) {
    tables->whole = axis->from % axis->to == 0 && axis->interpolation != POINTS ? axis->from / axis->to : 0;
    for (int x = 0; x < axis->to; x++) {
        const Span span = span_of(x, axis);
        tables->taps = max(tables->taps, span.end - span.first);
    }
    tables->shares = memory_new_cells(tables->taps, axis->to, sizeof *tables->shares, error);
    if (!tables->shares)
        return STATUS_MEMORY;
    tables->lengths = memory_new((size_t)axis->to, sizeof *tables->lengths, error);
    if (!tables->lengths)
        return STATUS_MEMORY;
    for (int x = 0; x < axis->to; x++) {
        const Span span = span_of(x, axis);
        tables->first[x] = min(span.first, axis->from - tables->taps);
        tables->lengths[x] = span.right - span.left;
        for (int k = 0; k < tables->taps; k++) {
            const int at = tables->first[x] + k;
            tables->shares[(size_t)k * (size_t)axis->to + (size_t)x] =
                at >= span.first && at < span.end ? share_of(&span, at) : 0;
        }
    }
    return STATUS_OK;
}

// Freed by tables_free, also where it failed.
static Status make_tables(Tables *tables, const Axis *axis, Error *error) {
    *tables = (Tables){ .to = axis->to };
    tables->first = memory_new((size_t)axis->to, sizeof *tables->first, error);
    if (!tables->first)
        return STATUS_MEMORY;
    return (takes_means(axis) ? make_shares : make_weights)(tables, axis, error);
}

// --- along rows --------------------------------------------------------------------------------------------

// Cells `first` + k of a row, k = 0 … taps - 1, make x. They are fetched together, one x after the other:
// processors gather vectors more slowly.
KERNEL_INLINE void interpolate_cells(float *restrict out, const float *restrict row,
                                     const int *restrict first, const float *restrict weights, size_t to,
                                     int taps, float *restrict fetched, int count) {
    for (int x = 0; x < count; x++)
        memcpy(fetched + taps * x, row + first[x], (size_t)taps * sizeof *row);
    for (int x = 0; x < count; x++) {
        float sum = 0;
#pragma GCC unroll 4
        for (int k = 0; k < taps; k++)
            sum += weights[(size_t)k * to + (size_t)x] * fetched[taps * x + k];
        out[x] = sum;
    }
}

KERNEL static void interpolate_cells_2(float *restrict out, const float *restrict row,
                                       const int *restrict first, const float *restrict weights, size_t to,
                                       int count) {
    float fetched[2 * PART];
    interpolate_cells(out, row, first, weights, to, 2, fetched, count);
}

KERNEL static void interpolate_cells_4(float *restrict out, const float *restrict row,
                                       const int *restrict first, const float *restrict weights, size_t to,
                                       int count) {
    float fetched[4 * PART];
    interpolate_cells(out, row, first, weights, to, 4, fetched, count);
}

// Pairs, of cells from `row` on and of those from row + 1 on.
KERNEL_INLINE void double_row(float *restrict out, const float *restrict row, const float *restrict weights,
                              size_t to, int taps, int pairs) {
    for (int i = 0; i < pairs; i++) {
        float left = 0, right = 0;
#pragma GCC unroll 4
        for (int k = 0; k < taps; k++) {
            left += weights[(size_t)k * to] * row[i + k];
            right += weights[(size_t)k * to + 1] * row[i + 1 + k];
        }
        out[2 * i] = left;
        out[2 * i + 1] = right;
    }
}

KERNEL static void double_row_2(float *restrict out, const float *restrict row, const float *restrict weights,
                                size_t to, int pairs) {
    double_row(out, row, weights, to, 2, pairs);
}

KERNEL static void double_row_4(float *restrict out, const float *restrict row, const float *restrict weights,
                                size_t to, int pairs) {
    double_row(out, row, weights, to, 4, pairs);
}

KERNEL static void repeat_cells(float *restrict out, const float *restrict row, int pairs) {
    for (int i = 0; i < pairs; i++)
        out[2 * i] = out[2 * i + 1] = row[i] + 0;
}

// Cells column … column + count - 1 of a row, which are made of cells that exist, or of a copy with edges.
static void interpolate_part(float *out, const float *row, const int *first, const Tables *tables, int column,
                             int count) {
    if (count <= 0)
        return;
    const float *weights = tables->weights + column;
    const size_t to = (size_t)tables->to;
    if (tables->repeats)
        repeat_cells(out, row + first[0], count / 2);
    else if (tables->taps == 1)
        for (int x = 0; x < count; x++)
            out[x] = row[first[x]] + 0;
    else if (tables->doubles)
        (tables->taps == 2 ? double_row_2 : double_row_4)(out, row + first[0], weights, to, count / 2);
    else
        (tables->taps == 2 ? interpolate_cells_2 : interpolate_cells_4)(out, row, first, weights, to, count);
}

static void interpolate_edge(float *out, const float *row, const Tables *tables, const Axis *axis, int column,
                             int count) {
    if (count <= 0)
        return;
    float part[PART + TAPS_MAX];
    int first[PART];
    const int start = tables->first[column], end = tables->first[column + count - 1] + tables->taps;
    for (int at = start; at < end; at++)
        part[at - start] = row[cell_at(at, axis)];
    for (int x = 0; x < count; x++)
        first[x] = tables->first[column + x] - start;
    interpolate_part(out, part, first, tables, column, count);
}

// Pairs of cells stay together.
static void interpolate_row(float *out, const float *row, const Tables *tables, const Axis *axis, int column,
                            int count) {
    const int *first = tables->first + column;
    int inside = 0, outside = count;
    while (inside < count && first[inside] < 0)
        inside += 2;
    while (outside > inside && first[outside - 1] + tables->taps > axis->from)
        outside -= 2;
    inside = min(inside, count);
    outside = max(outside, inside);
    interpolate_edge(out, row, tables, axis, column, inside);
    interpolate_part(out + inside, row, first + inside, tables, column + inside, outside - inside);
    interpolate_edge(out + outside, row, tables, axis, column + outside, count - outside);
}

KERNEL static void add_shares(double *restrict sums, const float *restrict row, const int *restrict first,
                              const double *restrict shares, int count) {
    for (int x = 0; x < count; x++)
        sums[x] += shares[x] * (double)row[first[x]];
}

KERNEL static void divide_by_lengths(float *restrict out, const double *restrict sums,
                                     const double *restrict lengths, int count) {
    for (int x = 0; x < count; x++)
        out[x] = (float)(sums[x] / lengths[x]);
}

// Cells that cover whole ones, `of` each: the same sums, without tables.
KERNEL_INLINE void mean_of_runs(float *restrict out, const float *restrict row, int of, int count) {
    for (int x = 0; x < count; x++) {
        double sum = 0;
#pragma GCC unroll 4
        for (int k = 0; k < of; k++)
            sum += (double)row[of * x + k];
        out[x] = (float)(sum / of);
    }
}

KERNEL static void mean_of_pairs(float *out, const float *row, int count) {
    mean_of_runs(out, row, 2, count);
}

KERNEL static void mean_of_fours(float *out, const float *row, int count) {
    mean_of_runs(out, row, 4, count);
}

static void mean_of_row(float *out, const float *row, const Tables *tables, int column, int count) {
    const float *first = row + tables->first[column];
    if (tables->whole == 2 || tables->whole == 4) {
        (tables->whole == 2 ? mean_of_pairs : mean_of_fours)(out, first, count);
        return;
    }
    double sums[PART] = { 0 };
    for (int k = 0; k < tables->taps; k++)
        add_shares(sums, row + k, tables->first + column,
                   tables->shares + (size_t)k * (size_t)tables->to + (size_t)column, count);
    divide_by_lengths(out, sums, tables->lengths + column, count);
}

// `count` cells of a row, from `column` on: at most PART, from a multiple of it on.
static void resample_row(float *out, const float *row, const Tables *tables, const Axis *axis, int column,
                         int count) {
    if (tables->shares)
        mean_of_row(out, row, tables, column, count);
    else
        interpolate_row(out, row, tables, axis, column, count);
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Resampling {
    const Field *from;
    Field *to;
    int top;   // the row of the whole that `from` begins with
    int begin; // the first row that is made
    Axis across, down;
    Tables tables; // for rows
} Resampling;

// `count` cells of row `y` of the field, resampled from `column` on.
static void along_row(const Resampling *all, float *out, int y, int column, int count) {
    resample_row(out, field_row(all->from, y - all->top), &all->tables, &all->across, column, count);
}

// --- down columns ------------------------------------------------------------------------------------------

// These return the largest float_magnitude.

KERNEL static int32_t blend_2(float *restrict out, const float *restrict a, const float *restrict b,
                              const float *restrict weights, int count) {
    int32_t most = 0;
    for (int x = 0; x < count; x++) {
        out[x] = 0 + weights[0] * a[x] + weights[1] * b[x];
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

KERNEL static int32_t blend_4(float *restrict out, const float *restrict a, const float *restrict b,
                              const float *restrict c, const float *restrict d, const float *restrict weights,
                              int count) {
    int32_t most = 0;
    for (int x = 0; x < count; x++) {
        out[x] = 0 + weights[0] * a[x] + weights[1] * b[x] + weights[2] * c[x] + weights[3] * d[x];
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

// Rows that lie between those of the field: each is resampled once, and held while it is needed.
static int32_t finer_rows(const Resampling *all, int first, int end, int column, int count) {
    int32_t most = 0;
    float held[TAPS_MAX][PART] = { 0 };
    int next = taps_between(first, &all->down).first; // the first row that is not yet held
    for (int y = first; y < end; y++) {
        const Taps taps = taps_between(y, &all->down);
        for (next = max(next, taps.first); next < taps.first + taps.count; next++)
            along_row(all, held[next & (TAPS_MAX - 1)], cell_at(next, &all->down), column, count);
        const float *rows[TAPS_MAX];
        for (int k = 0; k < TAPS_MAX; k++)
            rows[k] = held[(taps.first + k) & (TAPS_MAX - 1)];
        float *out = field_row(all->to, y) + column;
        if (taps.count == 2)
            most = max(most, blend_2(out, rows[0], rows[1], taps.weights.at, count));
        else
            most = max(most, blend_4(out, rows[0], rows[1], rows[2], rows[3], taps.weights.at, count));
    }
    return most;
}

// Rows of the field's own cells, which are finite: each is made once, and copied.
static int32_t nearest_rows(const Resampling *all, int first, int end, int column, int count) {
    int held = -1;
    for (int y = first; y < end; y++) {
        float *out = field_row(all->to, y) + column;
        const int at = cell_at(taps_between(y, &all->down).first, &all->down);
        if (at == held)
            memcpy(out, field_row(all->to, y - 1) + column, (size_t)count * sizeof *out);
        else
            along_row(all, out, at, column, count);
        held = at;
    }
    return 0;
}

KERNEL static void add_row(double *restrict sums, const float *restrict row, double share, int count) {
    for (int x = 0; x < count; x++)
        sums[x] += share * (double)row[x];
}

KERNEL static int32_t divide_row(float *restrict out, const double *restrict sums, double length, int count) {
    int32_t most = 0;
    for (int x = 0; x < count; x++) {
        out[x] = (float)(sums[x] / length);
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

// Rows that are means of several; one on the border of two is resampled once.
static int32_t coarser_rows(const Resampling *all, int first, int end, int column, int count) {
    float row[PART] = { 0 };
    int held = -1;
    int32_t most = 0;
    for (int y = first; y < end; y++) {
        const Span span = span_of(y, &all->down);
        double sums[PART] = { 0 };
        for (int i = span.first; i < span.end; i++) {
            if (i != held)
                along_row(all, row, i, column, count);
            held = i;
            add_row(sums, row, share_of(&span, i), count);
        }
        const int32_t magnitude =
            divide_row(field_row(all->to, y) + column, sums, span.right - span.left, count);
        most = max(most, magnitude);
    }
    return most;
}

// A MeasuredBody.
static int32_t resample_rows(void *context, int first, int end) {
    const Resampling *all = context;
    first += all->begin;
    end += all->begin;
    int32_t most = 0;
    for (int column = 0; column < all->to->width; column += PART) {
        const int32_t magnitude = (takes_means(&all->down)              ? coarser_rows
                                   : all->down.interpolation == NEAREST ? nearest_rows
                                                                        : finer_rows)(
            all, first, end, column, min(all->to->width - column, PART));
        most = max(most, magnitude);
    }
    return most;
}

static void make_rows(void *context, int first, int end) {
    resample_rows(context, first, end);
}

// --- half the size -----------------------------------------------------------------------------------------

// The means of rows, then of those: in floats, which round as doubles and then floats do, unless a sum is too
// large for them. Returns the largest float_magnitude.
KERNEL static int32_t halve_row(float *restrict out, const float *restrict above, const float *restrict below,
                                int count) {
    int32_t largest = 0;
    for (int x = 0; x < count; x++) {
        const float upper = (above[2 * x] + above[2 * x + 1]) * 0.5f;
        const float lower = (below[2 * x] + below[2 * x + 1]) * 0.5f;
        out[x] = (upper + lower + 0) * 0.5f; // no -0 but by underflow
        largest = max(float_magnitude(out[x]), largest);
    }
    return largest;
}

static int32_t halve_rows(void *context, int first, int end) {
    const Resampling *all = context;
    int32_t most = 0;
    for (int y = first; y < end; y++) {
        int32_t magnitude = halve_row(field_row(all->to, y), field_row(all->from, 2 * y),
                                      field_row(all->from, 2 * y + 1), all->to->width);
        if (magnitude >= FLOAT_INFINITE)
            magnitude = resample_rows(context, y, y + 1);
        most = max(most, magnitude);
    }
    return most;
}

static bool is_half(const Axis *axis) {
    return takes_means(axis) && axis->from == 2 * axis->to && axis->interpolation != POINTS;
}

// -----------------------------------------------------------------------------------------------------------

// --- the size ----------------------------------------------------------------------------------------------

// A side in proportion to one of `from` cells; at least a cell.
static int in_proportion(int from, double scale) {
    return whole_within(from * scale + 0.5, 1, SIDE_MAX + 1);
}

Status resize_sides(const Resize *resize, const Field *from, int *width, int *height, Error *error) {
    const bool sides = resize->width > 0 || resize->height > 0;
    if ((resize->size > 0) + sides + (resize->scale > 0) > 1)
        return fail(error, STATUS_INVALID, "give size, or width and height, or scale");
    const double scale = resize->width > 0    ? (double)resize->width / from->width
                         : resize->height > 0 ? (double)resize->height / from->height
                                              : resize->scale;
    *width = resize->width > 0 ? resize->width : in_proportion(from->width, scale);
    *height = resize->height > 0 ? resize->height : in_proportion(from->height, scale);
    if (!sides && resize->scale <= 0)
        *width = *height = resize->size > 0 ? resize->size : 128;
    if (*width > SIDE_MAX || *height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "at most %d cells along a side", SIDE_MAX);
    return STATUS_OK;
}

// The cost of a row of the result, in nanoseconds.
static double row_cost(const Resampling *all) {
    const double across = all->tables.taps * 0.2 * all->to->width;
    return all->to->width * 0.5 + across * max((double)all->down.from / all->to->height, 1);
}

// With a call, whose output `to` is, results are checked while they are made.
static Status resample(const Call *call, const Run *run, const Field *from, Axis across, Axis down, Field *to,
                       Error *error) {
    Resampling all = { .from = from, .to = to, .across = across, .down = down };
    Status status = make_tables(&all.tables, &all.across, error);
    if (status == STATUS_OK)
        status = field_create(to, across.to, down.to, error);
    to->wraps = across.wraps;
    const bool half = call && is_half(&all.across) && is_half(&all.down);
    if (status == STATUS_OK && half)
        status = finite_rows_measured(call, across.to * 0.5, halve_rows, &all);
    else if (status == STATUS_OK && call)
        status = finite_rows_measured(call, row_cost(&all), resample_rows, &all);
    else if (status == STATUS_OK)
        status = parallel_rows(run, down.to, row_cost(&all), make_rows, &all);
    tables_free(&all.tables);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Resize *resize = call->params;
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    int width = 0, height = 0;
    Status status = resize_sides(resize, from, &width, &height, error);
    if (status != STATUS_OK)
        return status;
    const Axis across = { from->width, width, resize->interpolation, call->wraps, call->of_gaps };
    const Axis down = { from->height, height, resize->interpolation, call->wraps, call->of_gaps };
    return resample(call, call->run, from, across, down, to, error);
}

Status resize_as_points(const Run *run, const Field *from, int width, int height, Field *to, Error *error) {
    const Axis across = { .from = from->width, .to = width, .interpolation = POINTS };
    const Axis down = { .from = from->height, .to = height, .interpolation = POINTS };
    const Status status = resample(NULL, run, from, across, down, to, error);
    to->frame = frame_of_points(&from->frame, from->width, from->height, width, height);
    return status;
}

// --- part by part ------------------------------------------------------------------------------------------

void resize_needs(const Axis *down, int first, int end, int *top, int *bottom) {
    if (takes_means(down)) {
        *top = span_of(first, down).first;
        *bottom = span_of(end - 1, down).end;
        return;
    }
    const Taps last = taps_between(end - 1, down);
    *top = cell_at(taps_between(first, down).first, down);
    *bottom = cell_at(last.first + last.count - 1, down) + 1;
}

Status resize_part(const Run *run, const Field *part, int top, const Axis *down, Field *to, int first,
                   int end, Error *error) {
    Resampling all = { .from = part,
                       .to = to,
                       .top = top,
                       .begin = first,
                       .across = { part->width, to->width, down->interpolation, false, down->magnitudes },
                       .down = *down };
    Status status = make_tables(&all.tables, &all.across, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, end - first, row_cost(&all), make_rows, &all);
    tables_free(&all.tables);
    return status;
}

static const Param params[] = {
    PARAM(Resize, size, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new width and height; 0: 128, unless others say it"),
    PARAM(Resize, width, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new width, instead of size; alone, it keeps the proportions"),
    PARAM(Resize, height, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "new height, instead of size; alone, it keeps the proportions"),
    PARAM(Resize, scale, .initial = 0, .min = 0, .max = SIDE_MAX,
          .doc = "factor on width and height, instead of size"),
    PARAM(Resize, interpolation, .choices = CHOICES("linear", "cubic", "nearest"),
          .doc = "interpolation between cells where the new field is finer"),
    { 0 },
};

const Operation op_resize = {
    .name = "resize",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .keywords = "scale resample upsample downsample zoom resolution enlarge shrink resampling pixelate "
                "gdaladdo overviews interpolation",
    .summary = "Changes a terrain's resolution",
    .description = "Coarser cells are means of the cells that they cover; finer cells are interpolated. "
                   "Where edges do not meet, the outermost cells are repeated beyond the edge.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the same terrain with more or fewer cells", .heights = true } },
    .params = params,
    .params_size = sizeof(Resize),
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local fine = height:resize{ size = 256, interpolation = \"cubic\" }",
    .picture = "local coarse = height:resize{ size = 16, interpolation = \"nearest\" }\n"
               "return coarse:resize{ size = height.width, interpolation = \"nearest\" },\n"
               "       coarse:resize{ size = height.width, interpolation = \"cubic\" }",
    .see_also = "crop blur",
    .run = run,
};
