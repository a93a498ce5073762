// Unsharp masking: h + amount · (h - G h), G a Gaussian blur.

#include "core/finite.h"
#include "core/kernel.h"
#include "core/operation.h"
#include "filter/box_gaussian.h"

typedef struct Sharpen {
    double sigma, amount;
    bool exact;
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
    const Status status = soften(call->run, call->inputs[0].field, &call->outputs[0].field, sharpen->sigma,
                                 sharpen->exact, call->wraps, error);
    if (status != STATUS_OK)
        return status;
    return finite_rows(call, call->width * 0.4, sharpen_rows, (void *)call);
}

static int sharpen_reach(const Call *call) {
    const Sharpen *sharpen = call->params;
    return soften_reach(sharpen->sigma, sharpen->exact);
}

static const Param params[] = {
    PARAM(Sharpen, sigma, .initial = 0.01, .min = 0, .max = 0.5, .unit = UNIT_SIDES,
          .doc = "size of the details that are raised: the standard deviation of a Gaussian"),
    PARAM(Sharpen, amount, .initial = 1, .min = -1, .max = 100,
          .doc = "how much they are raised; 0: not at all, -1: they are removed, as by blur"),
    PARAM(Sharpen, exact,
          .doc = "whether to convolve with the Gaussian itself, in a time that grows with sigma"),
    { 0 },
};

const Operation op_sharpen = {
    .name = "sharpen",
    .gaps = GAPS_KEPT,
    .reach = sharpen_reach,
    .category = "filter",
    .summary = "Raises details above their surroundings: unsharp masking",
    .description = "What `blur` with the same sigma takes away is added `amount` times. By default the time "
                   "does not depend "
                   "on sigma.",
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
