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

typedef struct Pass {
    const Field *from;
    Field *to;
} Pass;

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

KERNEL static void refine_columns(void *context, int first, int end) {
    const Pass *pass = context;
    const Field *from = pass->from;
    const int width = from->width;
    for (int y = first; y < end; y++) {
        const float *rows[2 * REACH + 1], *lasts[2 * REACH + 1];
        for (int i = 0; i <= 2 * REACH; i++) {
            const Turned turned = turned_at(y + i - REACH, from->height, from->wraps);
            rows[i] = field_row(from, turned.mirrored);
            lasts[i] = turned.last < 0 ? NULL : field_row(from, turned.last);
        }
        float *restrict upper = field_row(pass->to, 2 * y), *restrict lower = field_row(pass->to, 2 * y + 1);
        for (int x = 0; x < width; x++) {
            float column[2 * REACH + 1];
            for (int i = 0; i <= 2 * REACH; i++)
                column[i] = lasts[i] ? 2 * lasts[i][x] - rows[i][x] : rows[i][x];
            const float half = half_difference(column + REACH);
            upper[x] = column[REACH] - half;
            lower[x] = column[REACH] + half;
        }
    }
}

KERNEL_INLINE float along_row(const float *row, int at, int width, bool wraps) {
    const Turned turned = turned_at(at, width, wraps);
    return turned.last < 0 ? row[turned.mirrored] : 2 * row[turned.last] - row[turned.mirrored];
}

KERNEL static void refine_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->from->width;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(pass->from, y);
        float *restrict out = field_row(pass->to, y);
        for (int x = 0; x < width; x++) {
            float cells[2 * REACH + 1];
            if (x >= REACH && x < width - REACH)
                for (int i = 0; i <= 2 * REACH; i++)
                    cells[i] = row[x + i - REACH];
            else
                for (int i = 0; i <= 2 * REACH; i++)
                    cells[i] = along_row(row, x + i - REACH, width, pass->from->wraps);
            const float half = half_difference(cells + REACH);
            out[2 * x] = row[x] - half;
            out[2 * x + 1] = row[x] + half;
        }
    }
}

Status twice_as_fine(const Run *run, const Field *field, Field *result, Error *error) {
    Field between = { 0 };
    Status status = field_create(&between, field->width, 2 * field->height, error);
    if (status == STATUS_OK)
        status = field_create(result, 2 * field->width, 2 * field->height, error);
    between.wraps = result->wraps = field->wraps;
    if (status == STATUS_OK)
        status =
            parallel_rows(run, field->height, field->width * 6.0, refine_columns, &(Pass){ field, &between });
    if (status == STATUS_OK)
        status =
            parallel_rows(run, between.height, field->width * 4.0, refine_rows, &(Pass){ &between, result });
    field_free(&between);
    return status;
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
