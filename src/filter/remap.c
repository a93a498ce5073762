// Maps a range of heights onto another: t = (h - low) / (high - low), limited to 0 … 1, then shaped. Bias and
// gain (Schlick 1994, "Fast alternatives to Perlin's bias and gain functions", Graphics Gems IV):
//
//     bias(t) = t / ((1/b - 2) (1 - t) + 1),   gain(t) = t / ((1/g - 2) (1 - 2t) + 1) up to 1/2, symmetric
//     beyond

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"

typedef struct Remap {
    Numbers from, to;
    int shape;
    double bias, gain;
} Remap;

enum { LINEAR, SMOOTHSTEP, SMOOTHERSTEP };

KERNEL_INLINE float shaped(int shape, float t) {
    return shape == LINEAR ? t : shape == SMOOTHSTEP ? smoothstep(t) : t * t * t * (t * (t * 6 - 15) + 10);
}

KERNEL_INLINE void remap_row(const Remap *remap, int shape, const float *restrict row, int count,
                             float *restrict out) {
    const double width = remap->from.at[1] - remap->from.at[0];
    const float low = (float)remap->from.at[0], scale = (float)(1 / width);
    const float start = (float)remap->to.at[0], stop = (float)remap->to.at[1];
    const float bias = (float)(1 / remap->bias - 2), gain = (float)(1 / (1 - remap->gain) - 2);
    for (int x = 0; x < count; x++) {
        const float share = clamp((row[x] - low) * scale, 0, 1);
        const float biased = share / (bias * (1 - share) + 1);
        const float half = min(biased, 1 - biased), bent = half / (gain * (1 - 2 * half) + 1);
        const float t = shaped(shape, biased < 0.5f ? bent : 1 - bent);
        out[x] = start * (1 - t) + stop * t;
    }
}

KERNEL static void remap_by(const Remap *remap, const float *restrict row, int count, float *restrict out) {
    if (remap->shape == LINEAR)
        remap_row(remap, LINEAR, row, count, out);
    else if (remap->shape == SMOOTHSTEP)
        remap_row(remap, SMOOTHSTEP, row, count, out);
    else
        remap_row(remap, SMOOTHERSTEP, row, count, out);
}

static void remap_rows(void *context, int first, int end) {
    const Call *call = context;
    for (int y = first; y < end; y++)
        remap_by(call->params, field_row(call->inputs[0].field, y), call->width,
                 field_row(&call->outputs[0].field, y));
}

static Status run(const Call *call, Error *error) {
    const Remap *remap = call->params;
    const double width = remap->from.at[1] - remap->from.at[0];
    if (!(width > 1e-30) && !(width < -1e-30))
        return fail(error, STATUS_INVALID, "from must be two different heights, got %s and %s",
                    digits_of(remap->from.at[0]).text, digits_of(remap->from.at[1]).text);
    return finite_rows(call, call->width * 0.6, remap_rows, (void *)call);
}

static const Param params[] = {
    PARAM(Remap, from, .initial_numbers = NUMBERS(0, 1), .rows_min = 2, .rows_max = 2, .min = -1e30,
          .max = 1e30, .doc = "two heights { a, b }; heights beyond them are clipped. b may be below a"),
    PARAM(Remap, to, .initial_numbers = NUMBERS(0, 1), .rows_min = 2, .rows_max = 2, .min = -1e30,
          .max = 1e30, .doc = "the new heights of these two"),
    PARAM(Remap, shape, .choices = CHOICES("linear", "smoothstep", "smootherstep"),
          .doc =
              "the curve between the two: smoothstep is level at both ends, smootherstep has no bend there "
              "either"),
    PARAM(Remap, bias, .initial = 0.5, .min = 0.001, .max = 0.999,
          .doc = "new position of the middle; below 0.5 lowers, above it raises values between the ends"),
    PARAM(Remap, gain, .initial = 0.5, .min = 0.001, .max = 0.999,
          .doc = "contrast around the middle; below 0.5 less, above it more"),
    { 0 },
};

const Operation op_remap = {
    .name = "remap",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .summary = "Maps a range of heights onto another, linearly or smoothly, with bias and gain",
    .description =
        "Makes masks with soft edges: remap{ from = { 0.3, 0.4 }, shape = \"smoothstep\" } is 0 below "
        "0.3 and 1 above 0.4. Bias comes first, then gain, then the shape.",
    .source =
        "Schlick 1994, Fast alternatives to Perlin's bias and gain functions; Perlin 2002, Improving noise",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "new heights, in no unit" } },
    .params = params,
    .params_size = sizeof(Remap),
    .example = "local mask = height:remap{ from = { 0.4, 0.6 }, shape = \"smoothstep\" }",
    .picture = "return height, height:remap{ from = { 0.3, 0.7 }, shape = \"smoothstep\" }, height:remap{ "
               "bias = 0.2 "
               "}, height:remap{ gain = 0.85 }",
    .keywords = "smoothstep levels contrast gamma mask soft range reclass reclassify",
    .see_also = "curve normalize clamp terrace",
    .run = run,
};
