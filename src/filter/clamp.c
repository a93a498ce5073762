// Clips heights below `low` and above `high`.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"

typedef struct Clamp {
    double low, high;
} Clamp;

KERNEL static void clamp_rows(void *context, int first, int end) {
    const Call *call = context;
    const Clamp *clamp = call->params;
    const float low = (float)clamp->low, high = (float)clamp->high;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(call->inputs[0].field, y);
        float *restrict out = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++) {
            out[x] = clamp(row[x], low, high);
        }
    }
}

static Status run(const Call *call, Error *error) {
    const Clamp *clamp = call->params;
    if (clamp->low > clamp->high)
        return fail(error, STATUS_INVALID, "low must not be above high, got %s and %s",
                    digits_of(clamp->low).text, digits_of(clamp->high).text);
    return parallel_rows(call->run, call->height, call->width * 0.3, clamp_rows, (void *)call);
}

static const Param params[] = {
    PARAM(Clamp, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lower bound; lower heights become this"),
    PARAM(Clamp, high, .initial = 1, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "upper bound; higher heights become this"),
    { 0 },
};

const Operation op_clamp = {
    .name = "clamp",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .keywords = "limit clip saturate cut threshold",
    .summary = "Limits heights to a range",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights from low to high", .heights = true } },
    .params = params,
    .params_size = sizeof(Clamp),
    .always_finite = "lies between two bounds",
    .example = "local plateau = height:clamp{ low = 0.2, high = 0.7 }",
    .see_also = "normalize curve",
    .run = run,
};
