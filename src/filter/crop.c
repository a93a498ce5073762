// Cuts a rectangle out; what lies beyond an edge is taken from the other side.

#include "core/operation.h"

typedef struct Crop {
    int x, y, width, height;
} Crop;

static Status run(const Call *call, Error *error) {
    const Crop *crop = call->params;
    const Field *from = call->inputs[0].field, *to = &call->outputs[0].field;
    const Status status = field_create(&call->outputs[0].field, crop->width ? crop->width : from->width,
                                       crop->height ? crop->height : from->height, error);
    if (status != STATUS_OK)
        return status;
    const int left = (crop->x % from->width + from->width) % from->width;
    const int top = (crop->y % from->height + from->height) % from->height;
    for (int y = 0; y < to->height; y++) {
        const float *row = field_row(from, (top + y) % from->height);
        for (int x = 0; x < to->width; x++)
            field_row(to, y)[x] = row[(left + x) % from->width];
    }
    return STATUS_OK;
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
