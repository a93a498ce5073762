#include "filter/resample.h"

#include "core/field.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

bool takes_means(const Axis *axis) {
    return axis->to < axis->from && axis->interpolation != NEAREST;
}

Taps taps_between(int at, const Axis *axis) {
    const double centre = (at + 0.5) * axis->from / axis->to - 0.5;
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
    const double left = (double)at * axis->from / axis->to, right = (double)(at + 1) * axis->from / axis->to;
    return (Span){ left, right, whole_int(left), min(whole_int(ceil(right)), axis->from) };
}

double share_of(const Span *span, int at) {
    return min(at + 1, span->right) - max(at, span->left);
}

// --- tables ------------------------------------------------------------------------------------------------

void tables_free(Tables *tables) {
    memory_free(tables->first);
    memory_free(tables->weights);
    memory_free(tables->shares);
    memory_free(tables->lengths);
}

static Status make_weights(Tables *tables, const Axis *axis, Error *error) {
    tables->taps = taps_between(0, axis).count;
    tables->doubles = axis->to == 2 * axis->from && tables->taps > 1;
    tables->weights = memory_new((size_t)tables->taps * (size_t)axis->to, sizeof *tables->weights, error);
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
    for (int x = 0; x < axis->to; x++) {
        const Span span = span_of(x, axis);
        tables->taps = max(tables->taps, span.end - span.first);
    }
    tables->shares = memory_new((size_t)tables->taps * (size_t)axis->to, sizeof *tables->shares, error);
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

Status make_tables(Tables *tables, const Axis *axis, Error *error) {
    *tables = (Tables){ .to = axis->to };
    tables->first = memory_new((size_t)axis->to, sizeof *tables->first, error);
    if (!tables->first)
        return STATUS_MEMORY;
    return (takes_means(axis) ? make_shares : make_weights)(tables, axis, error);
}

// --- along rows --------------------------------------------------------------------------------------------

// Cells `first` + k of a row, k = 0 … taps - 1, make x.
KERNEL_INLINE void interpolate_cells(float *restrict out, const float *restrict row,
                                     const int *restrict first, const float *restrict weights, size_t to,
                                     int taps, int count) {
    for (int x = 0; x < count; x++) {
        float sum = 0;
#pragma GCC unroll 4
        for (int k = 0; k < taps; k++)
            sum += weights[(size_t)k * to + (size_t)x] * (row + k)[first[x]];
        out[x] = sum;
    }
}

KERNEL static void interpolate_cells_2(float *restrict out, const float *restrict row,
                                       const int *restrict first, const float *restrict weights, size_t to,
                                       int count) {
    interpolate_cells(out, row, first, weights, to, 2, count);
}

KERNEL static void interpolate_cells_4(float *restrict out, const float *restrict row,
                                       const int *restrict first, const float *restrict weights, size_t to,
                                       int count) {
    interpolate_cells(out, row, first, weights, to, 4, count);
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

// Cells column … column + count - 1 of a row, which are made of cells that exist, or of a copy with edges.
static void interpolate_part(float *out, const float *row, const int *first, const Tables *tables, int column,
                             int count) {
    if (count <= 0)
        return;
    const float *weights = tables->weights + column;
    const size_t to = (size_t)tables->to;
    if (tables->taps == 1)
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

static void mean_of_row(float *out, const float *row, const Tables *tables, int column, int count) {
    double sums[PART] = { 0 };
    for (int k = 0; k < tables->taps; k++)
        add_shares(sums, row + k, tables->first + column,
                   tables->shares + (size_t)k * (size_t)tables->to + (size_t)column, count);
    divide_by_lengths(out, sums, tables->lengths + column, count);
}

void resample_row(float *out, const float *row, const Tables *tables, const Axis *axis, int column,
                  int count) {
    if (tables->shares)
        mean_of_row(out, row, tables, column, count);
    else
        interpolate_row(out, row, tables, axis, column, count);
}
