// Unsharp masking: h + amount · (h - G h), G a Gaussian.

#include "core/kernel.h"
#include "core/operation.h"
#include "filter/gaussian.h"

#include <string.h>

typedef struct Sharpen {
    double sigma, amount;
} Sharpen;

KERNEL static void sharpen_rows(void *context, int first, int end) {
    const Call *call = context;
    const float amount = (float)((const Sharpen *)call->params)->amount;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(call->inputs[0].field, y);
        float *restrict soft = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++)
            soft[x] = row[x] + amount * (row[x] - soft[x]);
    }
}

static Status run(const Call *call, Error *error) {
    const Sharpen *sharpen = call->params;
    const Field *height = call->inputs[0].field;
    Field *result = &call->outputs[0].field;
    if (sharpen->sigma > GAUSSIAN_SIGMA_MAX)
        return fail(error, STATUS_INVALID, "sigma must be at most %d cells, got %s", GAUSSIAN_SIGMA_MAX,
                    digits_of(sharpen->sigma).text);
    memcpy(field_cells(result), height->cells, field_count(height) * sizeof(float));
    const Status status = gaussian(call->run, result, sharpen->sigma, call->wraps, error);
    if (status != STATUS_OK)
        return status;
    return parallel_rows(call->run, call->height, call->width * 0.4, sharpen_rows, (void *)call);
}

static int sharpen_reach(const Call *call) {
    return gaussian_reach(((const Sharpen *)call->params)->sigma);
}

static const Param params[] = {
    PARAM(Sharpen, sigma, .initial = 0.01, .min = 0, .max = 0.5, .unit = UNIT_SIDES,
          .doc = "size of the details that are raised: the standard deviation of a Gaussian"),
    PARAM(Sharpen, amount, .initial = 1, .min = -1, .max = 100,
          .doc = "how much they are raised; 0: not at all, -1: they are removed, an exact Gaussian blur"),
    { 0 },
};

const Operation op_sharpen = {
    .name = "sharpen",
    .gaps = GAPS_KEPT,
    .reach = sharpen_reach,
    .category = "filter",
    .summary = "Raises details above their surroundings: unsharp masking",
    .description =
        "The Gaussian is convolved with sampled weights, not approximated; the time grows with sigma. "
        "Where edges do not meet, only cells that exist count. In cells without data the nearest height goes "
        "on.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "sharper heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Sharpen),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local crisp = height:sharpen{ sigma = 0.03, amount = 1.5 }",
    .keywords = "unsharp mask detail gaussian convolution highpass crisp",
    .see_also = "blur bilateral median",
    .run = run,
};
