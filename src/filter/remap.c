// Heights mapped by a function of the height alone: to a range, shaped, through a curve, to terraces.

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"

#include <math.h>
#include <string.h>

// --- normalize ---------------------------------------------------------------------------------------------

// Scales heights so that the lowest becomes `low` and the highest `high`.

typedef struct Normalize {
    double low, high;
} Normalize;

static Status run_normalize(const Call *call, Error *error) {
    const Normalize *normalize = call->params;
    Field heights = *call->inputs[0].field; // gaps are filled by now
    heights.gaps = NULL;
    heights.whole = call->outputs[0].field.whole;
    return field_rescale(call->run, &heights, &call->outputs[0].field, normalize->low, normalize->high,
                         error);
}

static const Param normalize_params[] = {
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
    .params = normalize_params,
    .params_size = sizeof(Normalize),
    .example = "local land = (height * 3 - 1):normalize{ high = 0.8 }",
    .picture = "local land = height * 0.4 + 0.3\n"
               "return land, land:normalize{}",
    .see_also = "clamp curve",
    .run = run_normalize,
};

// --- remap -------------------------------------------------------------------------------------------------

// Maps a range of heights onto another: t = (h - low) / (high - low), limited to 0 … 1, then shaped. Bias and
// gain (Schlick 1994, "Fast alternatives to Perlin's bias and gain functions", Graphics Gems IV):
//
//     bias(t) = t / ((1/b - 2) (1 - t) + 1),   gain(t) = t / ((1/g - 2) (1 - 2t) + 1) up to 1/2, symmetric
//     beyond

typedef struct Remap {
    Numbers from, to;
    int shape;
    double bias, gain;
} Remap;

enum { LINEARLY, SMOOTHSTEP, SMOOTHERSTEP };

KERNEL_INLINE float shaped(int shape, float t) {
    return shape == LINEARLY ? t : shape == SMOOTHSTEP ? smoothstep(t) : t * t * t * (t * (t * 6 - 15) + 10);
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
    if (remap->shape == LINEARLY)
        remap_row(remap, LINEARLY, row, count, out);
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

static Status run_remap(const Call *call, Error *error) {
    const Remap *remap = call->params;
    const double width = remap->from.at[1] - remap->from.at[0];
    if (!(width > 1e-30) && !(width < -1e-30))
        return fail(error, STATUS_INVALID, "from must be two different heights, got %s and %s",
                    digits_of(remap->from.at[0]).text, digits_of(remap->from.at[1]).text);
    return finite_rows(call, call->width * 0.6, remap_rows, (void *)call);
}

static const Param remap_params[] = {
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
    .params = remap_params,
    .params_size = sizeof(Remap),
    .example = "local mask = height:remap{ from = { 0.4, 0.6 }, shape = \"smoothstep\" }",
    .picture = "return height, height:remap{ from = { 0.3, 0.7 }, shape = \"smoothstep\" }, height:remap{ "
               "bias = 0.2 "
               "}, height:remap{ gain = 0.85 }",
    .keywords = "smoothstep levels contrast gamma mask soft range reclass reclassify",
    .see_also = "curve normalize clamp terrace",
    .run = run_remap,
};

// --- curve -------------------------------------------------------------------------------------------------

// Maps heights through a curve given by points: a monotone cubic (Fritsch and Carlson 1980), which does not
// overshoot, or straight lines. Constant beyond the first and the last point.

typedef struct Curve {
    Numbers points;
    int interpolation;
} Curve;

enum { CUBIC, LINEAR };
enum { POINTS_MAX = NUMBERS_MAX / 2 };

typedef struct Spline {
    int count;
    double x[POINTS_MAX], y[POINTS_MAX], slope[POINTS_MAX];
    bool linear;
    const Field *from;
    Field *to;
} Spline;

static void set_slopes(Spline *spline) {
    const double *x = spline->x, *y = spline->y;
    for (int i = 0; i < spline->count; i++) {
        const int last = spline->count - 1;
        const double before = i > 0 ? (y[i] - y[i - 1]) / (x[i] - x[i - 1]) : 0;
        const double after = i < last ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0;
        if (i == 0 || i == last)
            spline->slope[i] = i == 0 ? after : before;
        else if (before * after <= 0)
            spline->slope[i] = 0; // a turning point stays one
        else                      // the weighted harmonic mean, which keeps each piece monotone
            spline->slope[i] =
                3 * (x[i + 1] - x[i - 1]) /
                ((2 * x[i + 1] - x[i] - x[i - 1]) / before + (x[i + 1] + x[i] - 2 * x[i - 1]) / after);
    }
}

static double height_at(const Spline *spline, double height) {
    const int last = spline->count - 1;
    if (height <= spline->x[0])
        return spline->y[0];
    if (height >= spline->x[last])
        return spline->y[last];
    int i = 0;
    while (height > spline->x[i + 1])
        i++;
    const double width = spline->x[i + 1] - spline->x[i], t = (height - spline->x[i]) / width;
    const double rise = spline->y[i + 1] - spline->y[i];
    if (spline->linear)
        return spline->y[i] + rise * t;
    const double t2 = t * t, t3 = t2 * t;
    return spline->y[i] + rise * (3 * t2 - 2 * t3) +
           width * (spline->slope[i] * (t3 - 2 * t2 + t) + spline->slope[i + 1] * (t3 - t2));
}

static void bend_rows(void *context, int first, int end) {
    const Spline *spline = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < spline->from->width; x++)
            field_row(spline->to, y)[x] = (float)height_at(spline, (double)field_row(spline->from, y)[x]);
}

static Status run_curve(const Call *call, Error *error) {
    const Curve *curve = call->params;
    Spline spline = { .count = curve->points.count / 2,
                      .linear = curve->interpolation == LINEAR,
                      .from = call->inputs[0].field,
                      .to = &call->outputs[0].field };
    for (int i = 0; i < spline.count; i++) {
        spline.x[i] = curve->points.at[2 * i];
        spline.y[i] = curve->points.at[2 * i + 1];
        if (i > 0 && !(spline.x[i] > spline.x[i - 1]))
            return fail(error, STATUS_INVALID,
                        "points must rise in height, but that of point %d, "
                        "%s, is not above %s",
                        i + 1, digits_of(spline.x[i]).text, digits_of(spline.x[i - 1]).text);
    }
    set_slopes(&spline);
    return parallel_rows(call->run, call->height, call->width * 10.0, bend_rows, &spline);
}

static const Param curve_params[] = {
    PARAM(Curve, points, .initial_numbers = NUMBERS(0, 0, 1, 1), .columns = 2, .rows_min = 2,
          .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "points { height, new height } in order of rising height"),
    PARAM(Curve, interpolation, .choices = CHOICES("cubic", "linear"),
          .doc = "interpolation between the points"),
    { 0 },
};

const Operation op_curve = {
    .name = "curve",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .keywords = "terrace terraces plateau shelf remap spline levels tone reclass reclassify shaper interp "
                "lookup",
    .summary = "Maps heights through a curve: terraces, plateaus, shelves",
    .description = "The cubic does not overshoot between points. Heights beyond the first and the last "
                   "point get the new heights of those points.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "new heights" } },
    .params = curve_params,
    .params_size = sizeof(Curve),
    .example = "local shelf = height:curve{ points = { {0, 0}, {0.4, 0.1}, {0.5, 0.5}, {1, 1} } }",
    .see_also = "normalize clamp",
    .run = run_curve,
};

// --- terrace -----------------------------------------------------------------------------------------------

// Terraces. In units of a step, t = h · steps lies between the levels b_k and b_{k+1}, at the share f of the
// way; the way is replaced by
//
//     g(f) = slope · f + (1 - slope) · S(clamp((f - s) / (1 - s))),   s = sharpness, S(u) = u² (3 - 2u)
//
// flat up to the share s, a riser after it. Levels are the whole numbers, each moved by up to half of
// `jitter`, but not 0 and `steps`: heights 0 to 1 stay in that range.

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

static Status run_terrace(const Call *call, Error *error) {
    (void)error;
    return parallel_rows(call->run, call->height, call->width * 1.0, terrace_rows, (void *)call);
}

static const Param terrace_params[] = {
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
    .params = terrace_params,
    .params_size = sizeof(Terrace),
    .seeded = true,
    .example = "local steps = height:terrace{ steps = 5, sharpness = 0.8 }",
    .picture = "return height, height:terrace{ steps = 7 }, height:terrace{ steps = 7, jitter = 0.8, "
               "sharpness = 0.9 }",
    .keywords = "steps plateau mesa strata layers quantize posterize stratify digitize bands outcrop "
                "outcrops sandstone",
    .see_also = "curve remap",
    .run = run_terrace,
};
