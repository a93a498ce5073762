// Cuts a rectangle out; what lies beyond an edge is taken from the other side.

#include "core/operation.h"

#include <string.h>

typedef struct Crop {
    int x, y, width, height;
} Crop;

typedef struct Cut {
    const Field *from;
    Field *to;
    int left, top;
} Cut;

static void cut_rows(void *context, int first, int end) {
    const Cut *cut = context;
    const int width = cut->from->width;
    for (int y = first; y < end; y++) {
        const float *row = field_row(cut->from, (cut->top + y) % cut->from->height);
        float *out = field_row(cut->to, y);
        for (int x = 0, count; x < cut->to->width; x += count) { // from one edge of the field to the next
            const int start = (cut->left + x) % width, left = cut->to->width - x;
            count = width - start < left ? width - start : left;
            memcpy(out + x, row + start, (size_t)count * sizeof *row);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Crop *crop = call->params;
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    const Status status = field_create(&call->outputs[0].field, crop->width ? crop->width : from->width,
                                       crop->height ? crop->height : from->height, error);
    if (status != STATUS_OK)
        return status;
    Cut cut = { from, to, (crop->x % from->width + from->width) % from->width,
                (crop->y % from->height + from->height) % from->height };
    return parallel_rows(call->run, to->height, to->width * 0.3, cut_rows, &cut);
}

static const Param params[] = {
    PARAM(Crop, x, .initial = 0, .min = -SIDE_MAX, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "left column"),
    PARAM(Crop, y, .initial = 0, .min = -SIDE_MAX, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "top row"),
    PARAM(Crop, width, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "columns; 0: all"),
    PARAM(Crop, height, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "rows; 0: all"),
    { 0 },
};

const Operation op_crop = {
    .name = "crop",
    .category = "filter",
    .summary = "Cuts out a rectangle, or moves a terrain that tiles",
    .description = "Coordinates wrap around: crop{ x = 100 } of a whole field moves it by 100 columns, and a "
                   "rectangle larger than the field repeats it.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the rectangle" } },
    .params = params,
    .params_size = sizeof(Crop),
    .shapes_outputs = true,
    .example = "local corner = height:crop{ x = 10, y = 20, width = 32, height = 16 }",
    .run = run,
};
