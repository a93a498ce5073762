// The place and the value of the greatest cell.

#include "core/gaps.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"

#include <math.h>

typedef struct RowSearch {
    const Field *field;
    int *columns; // of the first greatest cell of each row; -1: the row has no data
} RowSearch;

static void search_rows(void *context, int first, int end) {
    const RowSearch *search = context;
    const Field *field = search->field;
    for (int y = first; y < end; y++) {
        const float *row = field_row(field, y);
        const size_t at = (size_t)y * (size_t)field->width;
        float most = -INFINITY;
        search->columns[y] = -1;
        for (int x = 0; x < field->width; x++)
            if (row[x] > most && field_has_data(field, at + (size_t)x)) {
                most = row[x];
                search->columns[y] = x;
            }
    }
}

static Status run(const Call *call, Error *error) {
    const Field *field = call->inputs[0].field;
    RowSearch search = { .field = field,
                         .columns = memory_new((size_t)field->height, sizeof *search.columns, error) };
    if (!search.columns)
        return STATUS_MEMORY;
    Status status = parallel_rows(call->run, field->height, field->width * 1.0, search_rows, &search);
    int row = -1;
    float most = -INFINITY;
    for (int y = 0; y < field->height && status == STATUS_OK; y++)
        if (search.columns[y] >= 0 && field_row(field, y)[search.columns[y]] > most) {
            row = y;
            most = field_row(field, y)[search.columns[y]];
        }
    if (status == STATUS_OK && row < 0)
        status = fail(error, STATUS_INVALID, "the field has no cell with data");
    if (status == STATUS_OK) {
        call->outputs[0].number = search.columns[row] + 0.5;
        call->outputs[1].number = row + 0.5;
        call->outputs[2].number = (double)most;
    }
    memory_free(search.columns);
    return status;
}

static const Param params[] = { { 0 } };

const Operation op_argmax = {
    .name = "argmax",
    .gaps = GAPS_OWN,
    .category = "analysis",
    .keywords = "maximum highest greatest best argmin lowest minimum place position index find where "
                "argwhere nonzero",
    .summary = "Gives the place and the value of the greatest cell",
    .description =
        "x and y are the middle of the cell, in cells, as points have them; for `get` round them "
        "down. The first in rows from the top counts where several are equal. The lowest cell of a "
        "field is `(-height):argmax()`.",
    .inputs = { { "height", "any field" } },
    .outputs = { { "x", "cells from the left edge", &type_number, .dimension = DIMENSION_CELLS },
                 { "y", "cells from the upper edge", &type_number, .dimension = DIMENSION_CELLS },
                 { "value", "its value", &type_number, .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .record = true,
    .example = "local best = height:argmax()\n"
               "print(best.x, best.y, best.value)",
    .see_also = "statistics peaks sites",
    .run = run,
};
