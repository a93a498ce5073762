// Terraces. In units of a step, t = h · steps lies between the levels b_k and b_{k+1}, at the share f of the
// way; the way is replaced by
//
//     g(f) = slope · f + (1 - slope) · S(clamp((f - s) / (1 - s))),   s = sharpness, S(u) = u² (3 - 2u)
//
// flat up to the share s, a riser after it. Levels are the whole numbers, each moved by up to half of
// `jitter`, but not 0 and `steps`: heights 0 to 1 stay in that range.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"

#include <math.h>

typedef struct Terrace {
    double steps, sharpness, slope, jitter;
} Terrace;

enum { LEVELS = 1 << 22 }; // beyond, steps are too fine for a float: the ground stays

KERNEL_INLINE float level(RandomKey key, int k, float reach, float steps) {
    const float at = (float)k;
    return at * (at - steps) == 0 ? at : at + reach * random_signed(key, (uint32_t)k, 0);
}

KERNEL static void terrace_row(const Terrace *terrace, RandomKey key, const float *restrict row, int count,
                               float *restrict out) {
    const float steps = (float)terrace->steps, slope = (float)terrace->slope;
    const float flat = (float)terrace->sharpness, riser = 1 / max(1 - flat, 0x1p-20f);
    const float reach = (float)terrace->jitter / 2, most = (float)LEVELS;
    for (int x = 0; x < count; x++) {
        const float t = clamp(row[x] * steps, -most, most);
        const int nearest = whole_within(t + most + 0.5f, 0, 2 * LEVELS) - LEVELS;
        const int k = nearest - (t < level(key, nearest, reach, steps));
        const float low = level(key, k, reach, steps), step = level(key, k + 1, reach, steps) - low;
        const float f = (t - low) / step, rise = clamp((f - flat) * riser, 0, 1);
        const float stepped = (low + step * (slope * f + (1 - slope) * smoothstep(rise))) / steps;
        out[x] = fabsf(t) < most ? stepped : row[x];
    }
}

static void terrace_rows(void *context, int first, int end) {
    const Call *call = context;
    const RandomKey key = random_key(call->seed, 0);
    for (int y = first; y < end; y++)
        terrace_row(call->params, key, field_row(call->inputs[0].field, y), call->width,
                    field_row(&call->outputs[0].field, y));
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return parallel_rows(call->run, call->height, call->width * 1.0, terrace_rows, (void *)call);
}

static const Param params[] = {
    PARAM(Terrace, steps, .initial = 8, .min = 0.001, .max = 1e4, .doc = "steps from height 0 to 1"),
    PARAM(Terrace, sharpness, .initial = 0.7, .min = 0, .max = 1,
          .doc = "share of each step that is flat; the rest is the riser; 1: a cliff"),
    PARAM(Terrace, slope, .initial = 0.1, .min = 0, .max = 1,
          .doc = "slope of the flat part relative to the ground's; 1 leaves the ground as it was"),
    PARAM(Terrace, jitter, .initial = 0, .min = 0, .max = 0.9,
          .doc = "variation of the steps' heights, as a share of their height; depends on seed"),
    { 0 },
};

const Operation op_terrace = {
    .name = "terrace",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .summary = "Cuts heights into steps with flat treads and steep risers",
    .description =
        "Steps are counted from height 0 in both directions. To vary terraces from place to place, "
        "add noise to the heights before and subtract it afterwards, or blend with lerp.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights in steps", .heights = true } },
    .params = params,
    .params_size = sizeof(Terrace),
    .seeded = true,
    .example = "local steps = height:terrace{ steps = 5, sharpness = 0.8 }",
    .picture = "return height, height:terrace{ steps = 7 }, height:terrace{ steps = 7, jitter = 0.8, "
               "sharpness = 0.9 }",
    .keywords = "steps plateau mesa strata layers quantize posterize stratify digitize bands",
    .see_also = "curve remap",
    .run = run,
};
