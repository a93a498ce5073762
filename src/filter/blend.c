// Blends a layer onto another, fields or images.

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/stream.h"
#include "core/whole.h"

#include <math.h>

// --- modes -------------------------------------------------------------------------------------------------

// The modes in which a layer is blended onto another (W3C, "Compositing and blending level 1", section 9.1),
// where a is the backdrop and b the source: a + (B(a, b) - a) · opacity · mask.

typedef struct Blend {
    int mode;
    double opacity;
    const Field *mask; // NULL: everywhere
} Blend;

enum { BLEND_NORMAL }; // the first mode

enum {
    NORMAL,
    ADD,
    SUBTRACT,
    MULTIPLY,
    SCREEN,
    OVERLAY,
    HARD_LIGHT,
    SOFT_LIGHT,
    DIFFERENCE,
    EXCLUSION,
    DODGE,
    BURN,
    DARKEN,
    LIGHTEN,
};

KERNEL_INLINE float screen(float a, float b) {
    return a + b - a * b;
}

KERNEL_INLINE float hard_light(float a, float b) {
    return b <= 0.5f ? a * (2 * b) : screen(a, 2 * b - 1);
}

KERNEL_INLINE float soft_light(float a, float b) {
    const float root = sqrtf(max(a, 0)), shadow = ((16 * a - 12) * a + 4) * a;
    const float light = a <= 0.25f ? shadow : root;
    return b <= 0.5f ? a - (1 - 2 * b) * a * (1 - a) : a + (2 * b - 1) * (light - a);
}

KERNEL_INLINE float mixed(int mode, float a, float b) {
    switch (mode) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case SCREEN:
        return screen(a, b);
    case OVERLAY:
        return hard_light(b, a);
    case HARD_LIGHT:
        return hard_light(a, b);
    case SOFT_LIGHT:
        return soft_light(a, b);
    case DIFFERENCE:
        return fabsf(a - b);
    case EXCLUSION:
        return a + b - 2 * a * b;
    case DODGE:
        return a <= 0 ? 0 : a >= 1 - b ? 1.0f : a / (1 - b);
    case BURN:
        return a >= 1 ? 1.0f : 1 - a >= b ? 0 : 1 - (1 - a) / b;
    case DARKEN:
        return min(a, b);
    case LIGHTEN:
        return max(a, b);
    default:
        return b;
    }
}

KERNEL_INLINE int32_t blend_row_by(int mode, const float *restrict a, const float *restrict b,
                                   const float *restrict mask, float opacity, int count,
                                   float *restrict out) {
    int32_t most = 0;
    if (!mask)
        for (int x = 0; x < count; x++) {
            out[x] = a[x] * (1 - opacity) + mixed(mode, a[x], b[x]) * opacity;
            most = max(most, float_magnitude(out[x]));
        }
    else
        for (int x = 0; x < count; x++) {
            const float weight = mask[x] * opacity;
            out[x] = a[x] * (1 - weight) + mixed(mode, a[x], b[x]) * weight;
            most = max(most, float_magnitude(out[x]));
        }
    return most;
}

// Past the cache (core/stream.h).
STREAMING KERNEL_INLINE int32_t blend_past_by(int mode, const float *restrict a, const float *restrict b,
                                              const float *restrict mask, float opacity, int count,
                                              float *restrict out) {
    int at = before_line(out, count);
    int32_t most = blend_row_by(mode, a, b, mask, opacity, at, out);
    for (; at + STREAMED <= count; at += STREAMED) {
        float made[STREAMED];
        const int32_t magnitude =
            blend_row_by(mode, a + at, b + at, mask ? mask + at : NULL, opacity, STREAMED, made);
        most = max(most, magnitude);
        stream_part(out + at, made);
    }
    const int32_t magnitude =
        blend_row_by(mode, a + at, b + at, mask ? mask + at : NULL, opacity, count - at, out + at);
    return max(most, magnitude);
}

#define ROW_BY(mode)                                                                                         \
    case mode:                                                                                               \
        return blend_row_by(mode, a, b, mask, opacity, count, out);
#define PAST_BY(mode)                                                                                        \
    case mode:                                                                                               \
        return blend_past_by(mode, a, b, mask, opacity, count, out);

#define EACH_MODE(DO)                                                                                        \
    DO(NORMAL)                                                                                               \
    DO(ADD)                                                                                                  \
    DO(SUBTRACT)                                                                                             \
    DO(MULTIPLY)                                                                                             \
    DO(SCREEN)                                                                                               \
    DO(OVERLAY)                                                                                              \
    DO(HARD_LIGHT)                                                                                           \
    DO(SOFT_LIGHT)                                                                                           \
    DO(DIFFERENCE)                                                                                           \
    DO(EXCLUSION)                                                                                            \
    DO(DODGE)                                                                                                \
    DO(BURN)                                                                                                 \
    DO(DARKEN)                                                                                               \
    DO(LIGHTEN)

// Static, since the symbols of a kernel's versions are exported from a library whatever its visibility.
KERNEL_NARROW static int32_t blend_row(int mode, const float *a, const float *b, const float *mask,
                                       float opacity, int count, float *out) {
    switch (mode) { EACH_MODE(ROW_BY) }
    return 0;
}

// out = a + (B(a, b) - a) · opacity · mask for `count` values; `mask` may be NULL. Returns the largest
// float_magnitude (core/finite.h).
static int32_t blend_values(int mode, const float *a, const float *b, const float *mask, float opacity,
                            int count, float *out) {
    return blend_row(mode, a, b, mask, opacity, count, out);
}

// The same past the cache.
STREAMING static int32_t blend_past(int mode, const float *a, const float *b, const float *mask,
                                    float opacity, int count, float *out) {
    switch (mode) { EACH_MODE(PAST_BY) }
    return 0;
}

// --- images ------------------------------------------------------------------------------------------------

// W3C, "Compositing and blending level 1", sections 9.1 and 10: with the backdrop's alpha a and the source's
// s, the result has the alpha s + a (1 - s) and the colour
//
//     (s (1 - a) C_source + s a B(C_backdrop, C_source) + (1 - s) a C_backdrop) / alpha
//
// for colours as they are stored, not in linear light.

enum { CHUNK = 256 };

typedef struct Layers {
    const Blend *blend;
    const Image *a, *b;
    Image *out;
} Layers;

typedef float Channels[4][CHUNK]; // red, green, blue, alpha; 0 … 1

static void load(const Pixel *pixels, int count, Channels to) {
    for (int x = 0; x < count; x++) {
        to[0][x] = (float)pixels[x].red / 255;
        to[1][x] = (float)pixels[x].green / 255;
        to[2][x] = (float)pixels[x].blue / 255;
        to[3][x] = (float)pixels[x].alpha / 255;
    }
}

static uint8_t byte_of(float value) {
    return (uint8_t)whole_within(value * 255 + 0.5f, 0, 255);
}

static void store(Channels from, int count, Pixel *pixels) {
    for (int x = 0; x < count; x++)
        pixels[x] =
            (Pixel){ byte_of(from[0][x]), byte_of(from[1][x]), byte_of(from[2][x]), byte_of(from[3][x]) };
}

// The source's alpha.
KERNEL static void find_weights(const float *restrict alpha, const float *restrict mask, float opacity,
                                int count, float *restrict weights) {
    for (int x = 0; x < count; x++) {
        const float share = mask ? mask[x] : 1, above = share > 0 ? share : 0;
        weights[x] = alpha[x] * opacity * (above < 1 ? above : 1);
    }
}

// One channel: `mixed` holds B(a, b), and then the result.
KERNEL static void compose(const float *restrict a, const float *restrict b, const float *restrict alpha,
                           const float *restrict weights, int count, float *restrict mixed) {
    for (int x = 0; x < count; x++) {
        const float above = mixed[x] > 0 ? mixed[x] : 0, inside = above < 1 ? above : 1;
        const float source = weights[x], backdrop = alpha[x];
        const float sum =
            source * (1 - backdrop) * b[x] + source * backdrop * inside + (1 - source) * backdrop * a[x];
        const float all = source + backdrop * (1 - source);
        mixed[x] = all > 0 ? sum / all : a[x];
    }
}

static void blend_image_rows(void *context, int first, int end) {
    const Layers *layers = context;
    const Blend *blend = layers->blend;
    Channels a, b, out = { { 0 } };
    float weights[CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < layers->out->width; start += CHUNK) {
            const int count = min(layers->out->width - start, CHUNK);
            load(image_row(layers->a, y) + start, count, a);
            load(image_row(layers->b, y) + start, count, b);
            find_weights(b[3], blend->mask ? field_row(blend->mask, y) + start : NULL, (float)blend->opacity,
                         count, weights);
            for (int channel = 0; channel < 3; channel++) {
                blend_values(blend->mode, a[channel], b[channel], NULL, 1, count, out[channel]);
                compose(a[channel], b[channel], a[3], weights, count, out[channel]);
            }
            for (int x = 0; x < count; x++)
                out[3][x] = weights[x] + a[3][x] * (1 - weights[x]);
            store(out, count, image_row(layers->out, y) + start);
        }
}

// b over a, of the same size, into `out`.
static Status blend_images(const Run *run, const Blend *blend, const Image *a, const Image *b, Image *out) {
    return parallel_rows(run, out->height, out->width * 8.0, blend_image_rows, &(Layers){ blend, a, b, out });
}

// --- the operation -----------------------------------------------------------------------------------------

static int32_t blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Blend *blend = call->params;
    const bool past = streams(&call->outputs[0].field);
    int32_t most = 0;
    for (int y = first; y < end; y++) {
        const int32_t magnitude = (past ? blend_past : blend_values)(
            blend->mode, field_row(call->inputs[0].field, y), field_row(call->inputs[1].field, y),
            blend->mask ? field_row(blend->mask, y) : NULL, (float)blend->opacity, call->width,
            field_row(&call->outputs[0].field, y));
        most = max(most, magnitude);
    }
    stream_end();
    return most;
}

static Status blend_fields(const Call *call, Error *error) {
    Field *height = &call->outputs[0].field;
    const Status status = field_create(height, call->width, call->height, error);
    height->wraps = call->wraps;
    return status == STATUS_OK ? finite_rows_measured(call, call->width * 0.6, blend_rows, (void *)call)
                               : status;
}

static Status run(const Call *call, Error *error) {
    const Image *a = call->inputs[0].image, *b = call->inputs[1].image;
    if (!a && !b)
        return blend_fields(call, error);
    if (!a || !b)
        return fail(error, STATUS_INVALID, "a and b must be two fields or two images, got %s and %s",
                    a ? "an image" : "a field", b ? "an image" : "a field");
    if (a->width != b->width || a->height != b->height)
        return fail(error, STATUS_INVALID, "b is %d × %d, but must have the size of a, %d × %d", b->width,
                    b->height, a->width, a->height);
    Image *image = &call->outputs[1].image;
    const Status status = image_create(image, a->width, a->height, error);
    return status == STATUS_OK ? blend_images(call->run, call->params, a, b, image) : status;
}

static const Param params[] = {
    PARAM(Blend, mode,
          .choices = CHOICES("normal", "add", "subtract", "multiply", "screen", "overlay", "hard_light",
                             "soft_light", "difference", "exclusion", "dodge", "burn", "darken", "lighten"),
          .doc = "what b does to a"),
    PARAM(Blend, opacity, .initial = 1, .min = 0, .max = 1, .doc = "how much of it; 0: none"),
    PARAM(Blend, mask, .doc = "a field, 0 to 1, that opacity is multiplied by: where to blend"),
    { 0 },
};

const Operation op_blend = {
    .name = "blend",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .summary = "Blends a field onto another, or an image onto another, as layers of a picture",
    .description =
        "The modes are those of the W3C standard. They are meant for heights of 0 to 1; only add and "
        "subtract can leave that range. Colours are blended as stored; the images' alpha is respected.",
    .source = "W3C, Compositing and blending level 1, sections 9.1 and 10",
    .inputs = { { "a", "the lower layer", { &type_field, &type_image } },
                { "b", "the upper layer, of the same kind and size", { &type_field, &type_image } } },
    .outputs = { { "height", "blended heights", .heights = true },
                 { "image", "the blended image", &type_image } },
    .one_output = true,
    .shapes_outputs = true,
    .params = params,
    .params_size = sizeof(Blend),
    .example = "local rough = height:blend(esker.noise{ size = height.width, frequency = 16 }, { mode = "
               "\"overlay\" })",
    .picture =
        "local noise = esker.noise{ size = height.width, seed = 2, fractal = \"ridged\" }\n"
        "return height, noise, height:blend(noise, { mode = \"overlay\" }), height:blend(noise, { mode = "
        "\"multiply\" }), height:blend(noise, { mode = \"lighten\", mask = height })",
    .keywords = "mix combine compositing layer mask multiply screen overlay composite alpha patch combiner "
                "mixer",
    .see_also = "lerp min max paint",
    .run = run,
};
