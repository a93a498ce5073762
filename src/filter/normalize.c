// Scales heights so that the lowest becomes `low` and the highest `high`.

#include "core/kernel.h"
#include "core/operation.h"
#include "core/summary.h"

typedef struct Normalize {
    double low, high;
} Normalize;

typedef struct Scaling {
    const Field *height, *result;
    float min, scale, low, bottom, top;
} Scaling;

KERNEL static void scale_rows(void *context, int first, int end) {
    const Scaling *scaling = context;
    const float min = scaling->min, scale = scaling->scale, low = scaling->low;
    const float bottom = scaling->bottom, top = scaling->top;
    const int width = scaling->height->width;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(scaling->height, y);
        float *restrict out = field_row(scaling->result, y);
        for (int x = 0; x < width; x++) {
            const float scaled = low + (row[x] - min) * scale;
            const float above = scaled > bottom ? scaled : bottom; // rounding may pass an end by a bit
            out[x] = above < top ? above : top;
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Normalize *normalize = call->params;
    const Field *height = call->inputs[0].field;
    Summary summary;
    const Status status = field_summarise(call->run, height, &summary, error);
    if (status != STATUS_OK)
        return status;
    const double low = normalize->low, high = normalize->high, range = summary.max - summary.min;
    Scaling scaling = {
        .height = height,
        .result = &call->outputs[0].field,
        .min = (float)summary.min,
        .scale = range > 0 ? (float)((high - low) / range) : 0,
        .low = (float)low,
        .bottom = (float)(low < high ? low : high),
        .top = (float)(low < high ? high : low),
    };
    return parallel_rows(call->run, height->height, height->width * 0.3, scale_rows, &scaling);
}

static const Param params[] = {
    PARAM(Normalize, low, .initial = 0, .min = -1e9, .max = 1e9, .doc = "what the lowest height becomes"),
    PARAM(Normalize, high, .initial = 1, .min = -1e9, .max = 1e9, .doc = "what the highest height becomes"),
    { 0 },
};

const Operation op_normalize = {
    .name = "normalize",
    .category = "filter",
    .summary = "Scales heights so that they span 0 to 1, or another range",
    .description = "A field that is the same everywhere becomes `low` everywhere.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "scaled heights" } },
    .params = params,
    .params_size = sizeof(Normalize),
    .may_overflow = true,
    .example = "local land = (height * 3 - 1):normalize{ high = 0.8 }",
    .run = run,
};
