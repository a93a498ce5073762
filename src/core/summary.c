#include "core/summary.h"

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { LANES = 64 }; // enough for compilers to keep the loops over them and vectorise them

typedef struct Partial { // of one row; sums of h - shift and of its square
    double sum, squares;
    float min, max;
} Partial;

typedef struct Summing {
    const Field *field;
    double shift; // any height of the field: it keeps the squares of differences precise
    Partial *partials;
    RowsBody *body; // for rows without gaps
} Summing;

KERNEL_INLINE void add_lanes(const float *restrict heights, int count, double shift, double *restrict sums,
                             double *restrict squares) {
    for (int lane = 0; lane < count; lane++) {
        const double off = (double)heights[lane] - shift;
        sums[lane] += off;
        squares[lane] += off * off;
    }
}

KERNEL static void sum_rows(void *context, int first, int end) {
    const Summing *summing = context;
    const int width = summing->field->width;
    for (int y = first; y < end; y++) {
        const float *row = field_row(summing->field, y);
        double sums[LANES] = { 0 }, squares[LANES] = { 0 };
        int x = 0;
        for (; x + LANES <= width; x += LANES)
            add_lanes(row + x, LANES, summing->shift, sums, squares);
        add_lanes(row + x, width - x, summing->shift, sums, squares);
        Partial *partial = &summing->partials[y];
        partial->sum = partial->squares = 0;
        for (int lane = 0; lane < LANES; lane++) {
            partial->sum += sums[lane];
            partial->squares += squares[lane];
        }
    }
}

KERNEL_INLINE void bound_lanes(const float *restrict heights, int count, float *restrict least,
                               float *restrict most) {
    for (int lane = 0; lane < count; lane++) {
        least[lane] = min(heights[lane], least[lane]);
        most[lane] = max(heights[lane], most[lane]);
    }
}

KERNEL static void bound_cells(const float *cells, int count, Bounds *bounds) {
    float least[LANES], most[LANES];
    for (int lane = 0; lane < LANES; lane++)
        least[lane] = most[lane] = cells[0];
    int i = 0;
    for (; i + LANES <= count; i += LANES)
        bound_lanes(cells + i, LANES, least, most);
    bound_lanes(cells + i, count - i, least, most);
    *bounds = (Bounds){ cells[0], cells[0] };
    for (int lane = 0; lane < LANES; lane++) {
        bounds->least = min(least[lane], bounds->least);
        bounds->most = max(most[lane], bounds->most);
    }
}

Bounds bounds_of(const float *cells, int count) {
    Bounds bounds;
    bound_cells(cells, count, &bounds);
    return bounds;
}

Bounds bounds_join(const Bounds *parts, int count) {
    Bounds all = parts[0];
    for (int i = 1; i < count; i++)
        all = (Bounds){ min(parts[i].least, all.least), max(parts[i].most, all.most) };
    return all;
}

static void bound_rows(void *context, int first, int end) {
    const Summing *summing = context;
    for (int y = first; y < end; y++) {
        const Bounds bounds = bounds_of(field_row(summing->field, y), summing->field->width);
        summing->partials[y].min = bounds.least;
        summing->partials[y].max = bounds.most;
    }
}

// Sums a row with gaps, cell by cell.
static void add_row_with_gaps(const Summing *summing, int y) {
    const Field *field = summing->field;
    Partial *partial = &summing->partials[y];
    *partial = (Partial){ .min = INFINITY, .max = -INFINITY };
    for (size_t i = (size_t)y * (size_t)field->width; i < (size_t)(y + 1) * (size_t)field->width; i++)
        if (field_has_data(field, i)) {
            const double off = (double)field->cells[i] - summing->shift;
            partial->sum += off;
            partial->squares += off * off;
            partial->min = min(field->cells[i], partial->min);
            partial->max = max(field->cells[i], partial->max);
        }
}

// Each row for itself, so that parts of a field add up to the same.
static void add_rows_with_gaps(void *context, int first, int end) {
    const Summing *summing = context;
    const size_t width = (size_t)summing->field->width;
    for (int y = first; y < end; y++)
        if (memchr(summing->field->gaps->at + (size_t)y * width, 1, width))
            add_row_with_gaps(summing, y);
        else
            summing->body(context, y, y + 1);
}

static Status measure(const Run *run, Summing *summing, RowsBody *body, Error *error) {
    const Field *field = summing->field;
    summing->body = body;
    if (!summing->partials)
        summing->partials = memory_new((size_t)field->height, sizeof *summing->partials, error);
    return summing->partials ? parallel_rows(run, field->height, field->width * 0.2,
                                             field->gaps ? add_rows_with_gaps : body, summing)
                             : STATUS_MEMORY;
}

static void add_range(const Summing *summing, double *min, double *max) {
    Partial total = summing->partials[0];
    for (int y = 1; y < summing->field->height; y++) {
        const Partial *row = &summing->partials[y];
        total.min = min(row->min, total.min);
        total.max = max(row->max, total.max);
    }
    const bool some = total.min <= total.max;
    *min = some ? (double)total.min : 0;
    *max = some ? (double)total.max : 0;
}

Status field_range(const Run *run, const Field *field, double *min, double *max, Error *error) {
    if (field->whole.has_range) {
        *min = (double)field->whole.low;
        *max = (double)field->whole.high;
        return STATUS_OK;
    }
    Summing summing = { .field = field };
    const Status status = measure(run, &summing, bound_rows, error);
    if (status == STATUS_OK)
        add_range(&summing, min, max);
    memory_free(summing.partials);
    return status;
}

static double first_height(const Field *field) {
    size_t first = 0;
    while (first + 1 < field_count(field) && !field_has_data(field, first))
        first++;
    return (double)field->cells[first];
}

Status summary_add(const Run *run, const Field *part, SummaryParts *parts, Error *error) {
    if (part->gaps && part->gaps->count == field_count(part))
        return STATUS_OK;
    if (!parts->begun)
        *parts =
            (SummaryParts){ .begun = true, .shift = first_height(part), .min = INFINITY, .max = -INFINITY };
    Summing summing = { .field = part, .shift = parts->shift };
    Status status = measure(run, &summing, sum_rows, error);
    if (status == STATUS_OK)
        status = measure(run, &summing, bound_rows, error);
    for (int y = 0; y < part->height && status == STATUS_OK; y++) {
        const Partial *row = &summing.partials[y];
        parts->sum += row->sum;
        parts->squares += row->squares;
        parts->min = min((double)row->min, parts->min);
        parts->max = max((double)row->max, parts->max);
    }
    parts->cells += (double)(field_count(part) - (part->gaps ? part->gaps->count : 0));
    memory_free(summing.partials);
    return status;
}

Summary summary_of(const SummaryParts *parts) {
    if (!parts->begun)
        return (Summary){ 0 };
    const double off = parts->sum / max(parts->cells, 1);
    const double variance = parts->squares / max(parts->cells, 1) - off * off;
    const bool some = parts->min <= parts->max;
    return (Summary){ .min = some ? parts->min : 0,
                      .max = some ? parts->max : 0,
                      .mean = parts->shift + off,
                      .stddev = variance > 0 ? sqrt(variance) : 0,
                      .sum = parts->shift * parts->cells + parts->sum };
}

Status field_summarise(const Run *run, const Field *field, Summary *summary, Error *error) {
    SummaryParts parts = { 0 };
    const Status status = summary_add(run, field, &parts, error);
    if (status == STATUS_OK)
        *summary = summary_of(&parts);
    return status;
}

static void extend_range(double *low, double *high) {
    if (*high >= -1 && *low <= 1) {
        *low = min(*low, 0);
        *high = max(*high, 1);
    }
}

Status field_extent(const Run *run, const Field *field, double *low, double *high, Error *error) {
    const Status status = field_range(run, field, low, high, error);
    if (status == STATUS_OK)
        extend_range(low, high);
    return status;
}

#define WINDOW_SHARE 0.5 // of the colours that the heights of a window take

// Around what the window's middle has on the whole map: so hills have no snow, and land keeps its colour from
// zoom to zoom. At the coast the scales of land and sea begin there.
static void colour_window(double sea, double top, HeightScale *scale) {
    const double lowest = scale->low, highest = scale->high, lowest_land = max(lowest, sea);
    const double colours = (highest - lowest_land) / WINDOW_SHARE, middle = 0.5 * (lowest_land + highest);
    const double start = min(lowest_land, middle - colours * min((middle - sea) / top, 1));
    const double depth = min((sea - lowest) / WINDOW_SHARE, MAP_DEPTH * top);
    scale->low = lowest < sea ? sea - depth : start;
    scale->high = start + colours;
}

static Status find_scale(const Run *run, const Field *field, double sea, HeightScale *scale, Error *error) {
    double lowest = 0, highest = 0;
    const Status status = field_range(run, field, &lowest, &highest, error);
    *scale = (HeightScale){ .low = lowest, .high = highest };
    extend_range(&scale->low, &scale->high);
    const double top = frame_top(&field->frame);
    if (top > 0)
        *scale = (HeightScale){ .low = min(lowest, sea), .high = max(highest, sea + top) };
    const bool narrow = highest > lowest && highest - lowest < 0.25 * (scale->high - scale->low);
    if (narrow)
        *scale = (HeightScale){ .low = lowest, .high = highest };
    scale->range = scale->high - scale->low;
    if (top > 0 && narrow && highest > sea)
        colour_window(sea, top, scale);
    else if (top > 0) // so the sea of any window has the map's colours
        *scale = (HeightScale){ sea - MAP_DEPTH * top, sea + top, scale->range };
    return status;
}

Status field_scale(const Run *run, const Field *field, double sea, double low, double high,
                   HeightScale *scale, Error *error) {
    *scale = (HeightScale){ low, high, high - low };
    if (low == 0 && high == 0)
        return find_scale(run, field, sea, scale, error);
    const double top = frame_top(&field->frame);
    if (top > 0 && low == sea) // of the land alone
        scale->low = sea - MAP_DEPTH * top;
    return high > low ? STATUS_OK
                      : fail(error, STATUS_INVALID, "high must be above low, got %s and %s",
                             digits_of(high).text, digits_of(low).text);
}
