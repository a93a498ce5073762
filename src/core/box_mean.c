// First along the rows, then down the columns, each with a running sum: the cell that enters is added, the
// one that leaves taken away. Sums are doubles, so that nothing drifts.

#include "core/box_mean.h"

#include "core/memory.h"

#include <string.h>

enum { COLUMNS = 64 }; // that go down together

typedef struct Box {
    const Field *from;
    Field *to;
    int before, after; // cells on either side
} Box;

static void mean_along_rows(void *context, int first, int end) {
    const Box *box = context;
    const int width = box->from->width, count = box->before + box->after + 1;
    for (int y = first; y < end; y++) {
        const float *row = field_row(box->from, y);
        float *out = field_row(box->to, y);
        double sum = 0;
        for (int x = -box->before; x <= box->after; x++)
            sum += (double)row[wrap(x, width)];
        for (int x = 0; x < width; x++) {
            out[x] = (float)(sum / count);
            sum += (double)row[wrap(x + box->after + 1, width)] - (double)row[wrap(x - box->before, width)];
        }
    }
}

static void mean_down_columns(void *context, int first, int end) {
    const Box *box = context;
    const int width = box->from->width, height = box->from->height, count = box->before + box->after + 1;
    for (int strip = first; strip < end; strip++) {
        const int from = strip * COLUMNS, columns = width - from < COLUMNS ? width - from : COLUMNS;
        double sums[COLUMNS] = { 0 };
        for (int y = -box->before; y <= box->after; y++) {
            const float *row = field_row(box->from, wrap(y, height)) + from;
            for (int x = 0; x < columns; x++)
                sums[x] += (double)row[x];
        }
        for (int y = 0; y < height; y++) {
            const float *enters = field_row(box->from, wrap(y + box->after + 1, height)) + from;
            const float *leaves = field_row(box->from, wrap(y - box->before, height)) + from;
            float *out = field_row(box->to, y) + from;
            for (int x = 0; x < columns; x++) {
                out[x] = (float)(sums[x] / count);
                sums[x] += (double)enters[x] - (double)leaves[x];
            }
        }
    }
}

static Box box_of(const Field *from, Field *to, int radius, int cells) {
    const int before = radius < (cells - 1) / 2 ? radius : (cells - 1) / 2;
    const int after = radius < cells / 2 ? radius : cells / 2;
    return (Box){ from, to, before, after };
}

Status box_mean(const Run *run, Field *field, int radius, Error *error) {
    Field along;
    Status status = field_create(&along, field->width, field->height, error);
    if (status != STATUS_OK)
        return status;
    Box rows = box_of(field, &along, radius, field->width);
    Box columns = box_of(&along, field, radius, field->height);
    status = parallel_rows(run, field->height, field->width * 2.0, mean_along_rows, &rows);
    if (status == STATUS_OK)
        status = parallel_rows(run, (field->width + COLUMNS - 1) / COLUMNS, field->height * (double)COLUMNS,
                               mean_down_columns, &columns);
    field_free(&along);
    return status;
}
