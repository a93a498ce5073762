// Three box means, whose result is close to a gaussian's: the standard deviation of one box of radius r is
// √(r (r + 1) / 3), that of three √3 times as much.

#include "core/box_mean.h"
#include "core/operation.h"

#include <string.h>

typedef struct Blur {
    int radius;
} Blur;

static Status run(const Call *call, Error *error) {
    const Blur *blur = call->params;
    const Field *height = call->inputs[0].field;
    Field *result = &call->outputs[0].field;
    memcpy(field_cells(result), height->cells, field_count(height) * sizeof(float));
    Status status = STATUS_OK;
    for (int pass = 0; status == STATUS_OK && pass < 3; pass++)
        status = box_mean(call->run, result, blur->radius, error);
    return status;
}

static const Param params[] = {
    PARAM(Blur, radius, .initial = 2, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "reach of one of three box means; the blur's standard deviation is about this"),
    { 0 },
};

const Operation op_blur = {
    .name = "blur",
    .category = "filter",
    .summary = "Smooths a field, nearly as a gaussian does",
    .description = "Time does not depend on the radius. The mean stays; opposite edges still meet.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "smoothed heights" } },
    .params = params,
    .params_size = sizeof(Blur),
    .example = "local soft = height:blur{ radius = 3 }",
    .run = run,
};
