// The mean over a square of the cells that have data: that of all, with 0 in gaps, over the share of data.

#include "core/box_mean.h"
#include "core/gaps.h"
#include "core/kernel.h"

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
