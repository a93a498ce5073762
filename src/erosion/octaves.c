// Average-interpolating refinement (Donoho 1993, "Smooth wavelet decompositions with blocky coefficient
// kernels"): of the polynomial of degree 6 whose means over a cell and three on either side are theirs, the
// means over the halves of the middle one,
//
//     c - d and c + d,  d = (201 (c₁ - c₋₁) - 44 (c₂ - c₋₂) + 5 (c₃ - c₋₃)) / 1024,
//
// along columns, then along rows. Beyond an edge that meets no other lies the field turned about its last
// cell.

#include "erosion/octaves.h"
#include "core/kernel.h"

enum { REACH = 3 };

// A cell beyond the edges stands as 2 × the first of these minus the second.
typedef struct Turned {
    int last, mirrored; // last: -1 for a cell inside
} Turned;

static Turned turned_at(int at, int count, bool wraps) {
    if (at >= 0 && at < count)
        return (Turned){ -1, at };
    if (wraps)
        return (Turned){ -1, (at % count + count) % count };
    const int last = at < 0 ? 0 : count - 1;
    return (Turned){ last, clamp(2 * last - at, 0, count - 1) };
}

KERNEL_INLINE float half_difference(const float *c) { // between the two halves of *c
    return (201 * (c[1] - c[-1]) - 44 * (c[2] - c[-2]) + 5 * (c[3] - c[-3])) * (1 / 1024.0f);
}

// The rows around one, and those that they are turned about; NULL: as they are.
typedef struct Column {
    const float *rows[2 * REACH + 1], *lasts[2 * REACH + 1];
    bool inside; // all rows are as they are
} Column;

static Column column_around(const Field *field, int y) {
    Column column = { .inside = y >= REACH && y < field->height - REACH };
    for (int i = 0; i <= 2 * REACH; i++) {
        const Turned turned = turned_at(y + i - REACH, field->height, field->wraps);
        column.rows[i] = field_row(field, turned.mirrored);
        column.lasts[i] = turned.last < 0 ? NULL : field_row(field, turned.last);
    }
    return column;
}

KERNEL static void refine_inside(const Column *column, int first, int count, float *restrict upper,
                                 float *restrict lower) {
    const float *rows[2 * REACH + 1];
    for (int j = 0; j <= 2 * REACH; j++)
        rows[j] = column->rows[j] + first;
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++) {
        const float cells[2 * REACH + 1] = { rows[0][i], rows[1][i], rows[2][i], rows[3][i],
                                             rows[4][i], rows[5][i], rows[6][i] };
        const float half = half_difference(cells + REACH);
        upper[i] = cells[REACH] - half;
        lower[i] = cells[REACH] + half;
    }
}

static void refine_turned(const Column *column, int x, float *upper, float *lower) {
    float cells[2 * REACH + 1];
    for (int j = 0; j <= 2 * REACH; j++) {
        const float cell = column->rows[j][x];
        cells[j] = column->lasts[j] ? 2 * column->lasts[j][x] - cell : cell;
    }
    const float half = half_difference(cells + REACH);
    *upper = cells[REACH] - half;
    *lower = cells[REACH] + half;
}

// The halves of `count` cells from column `first` on.
static void refine_columns(const Column *column, int first, int count, float *upper, float *lower) {
    if (column->inside)
        refine_inside(column, first, count, upper, lower);
    for (int i = 0; i < count && !column->inside; i++)
        refine_turned(column, first + i, &upper[i], &lower[i]);
}

// Of one cell, which may lie beyond the edges.
static void refine_beyond(const Column *column, const Field *field, int x, float *upper, float *lower) {
    const Turned turned = turned_at(x, field->width, field->wraps);
    refine_columns(column, turned.mirrored, 1, upper, lower);
    if (turned.last < 0)
        return;
    float last_upper, last_lower;
    refine_columns(column, turned.last, 1, &last_upper, &last_lower);
    *upper = 2 * last_upper - *upper;
    *lower = 2 * last_lower - *lower;
}

// `row` has REACH cells more at either end.
KERNEL static void refine_row(const float *restrict row, int count, float *restrict out) {
    for (int i = 0; i < count; i++) {
        const float half = half_difference(row + REACH + i);
        out[2 * i] = row[REACH + i] - half;
        out[2 * i + 1] = row[REACH + i] + half;
    }
}

void refine_cells(const Field *field, int y, int first, int count, float *upper, float *lower) {
    float above[REFINED + 2 * REACH], below[REFINED + 2 * REACH];
    const Column column = column_around(field, y);
    const int from = first - REACH, to = first + count + REACH;
    const int inside = max(from, 0), end = min(to, field->width);
    for (int x = from; x < inside; x++)
        refine_beyond(&column, field, x, &above[x - from], &below[x - from]);
    refine_columns(&column, inside, end - inside, above + (inside - from), below + (inside - from));
    for (int x = end; x < to; x++)
        refine_beyond(&column, field, x, &above[x - from], &below[x - from]);
    refine_row(above, count, upper);
    refine_row(below, count, lower);
}

typedef struct Pass {
    const Field *from;
    Field *to;
} Pass;

static void refine_rows(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < pass->from->width; x += REFINED)
            refine_cells(pass->from, y, x, min(REFINED, pass->from->width - x),
                         field_row(pass->to, 2 * y) + (ptrdiff_t)2 * x,
                         field_row(pass->to, 2 * y + 1) + (ptrdiff_t)2 * x);
}

Status twice_as_fine(const Run *run, const Field *field, Field *result, Error *error) {
    const Status status = field_create(result, 2 * field->width, 2 * field->height, error);
    result->wraps = field->wraps;
    return status == STATUS_OK
               ? parallel_rows(run, field->height, field->width * 10.0, refine_rows, &(Pass){ field, result })
               : status;
}

KERNEL static void halve_rows(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y++) {
        const float *restrict upper = field_row(pass->from, 2 * y);
        const float *restrict lower = field_row(pass->from, 2 * y + 1);
        float *restrict out = field_row(pass->to, y);
        for (int x = 0; x < pass->to->width; x++)
            out[x] = 0.25f * ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]));
    }
}

Status half_as_fine(const Run *run, const Field *field, Field *result, Error *error) {
    const Status status = field_create(result, field->width / 2, field->height / 2, error);
    if (status != STATUS_OK)
        return status;
    result->wraps = field->wraps && field->width % 2 == 0 && field->height % 2 == 0;
    return parallel_rows(run, result->height, result->width * 1.0, halve_rows, &(Pass){ field, result });
}
