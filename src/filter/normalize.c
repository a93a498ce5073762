// Scales heights so that the lowest becomes `low` and the highest `high`.

#include "core/operation.h"
#include "core/rescale.h"

#include <string.h>

typedef struct Normalize {
    double low, high;
} Normalize;

static void copy_rows(void *context, int first, int end) {
    const Call *call = context;
    const size_t size = (size_t)call->width * sizeof(float);
    for (int y = first; y < end; y++)
        memcpy(field_row(&call->outputs[0].field, y), field_row(call->inputs[0].field, y), size);
}

static Status run(const Call *call, Error *error) {
    const Normalize *normalize = call->params;
    const Status status = parallel_rows(call->run, call->height, call->width * 0.25, copy_rows, (void *)call);
    return status == STATUS_OK
               ? field_rescale(call->run, &call->outputs[0].field, normalize->low, normalize->high, error)
               : status;
}

static const Param params[] = {
    PARAM(Normalize, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "new value of the lowest height"),
    PARAM(Normalize, high, .initial = 1, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "new value of the highest height"),
    { 0 },
};

const Operation op_normalize = {
    .name = "normalize",
    .gaps = GAPS_KEPT,
    .category = "filter",
    .keywords = "rescale remap stretch levels range autolevel",
    .summary = "Scales heights so that they span 0 to 1, or another range",
    .description = "A constant field becomes `low` everywhere.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "scaled heights" } },
    .params = params,
    .params_size = sizeof(Normalize),
    .example = "local land = (height * 3 - 1):normalize{ high = 0.8 }",
    .picture = "local land = height * 0.4 + 0.3\n"
               "return land, land:normalize{}",
    .see_also = "clamp curve",
    .run = run,
};
