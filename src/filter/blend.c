// Blends a layer onto another by a mode (W3C, "Compositing and blending level 1", section 9.1), where a is
// the backdrop and b the source: a + (B(a, b) - a) · opacity · mask.

#include "filter/blend.h"

#include "core/kernel.h"
#include "core/math.h"

#include <math.h>

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

KERNEL_INLINE void blend_row_by(int mode, const float *restrict a, const float *restrict b,
                                const float *restrict mask, float opacity, int count, float *restrict out) {
    for (int x = 0; x < count; x++) {
        const float weight = mask ? mask[x] * opacity : opacity;
        out[x] = a[x] * (1 - weight) + mixed(mode, a[x], b[x]) * weight;
    }
}

#define ROW_BY(mode)                                                                                         \
    case mode:                                                                                               \
        blend_row_by(mode, a, b, mask, opacity, count, out);                                                 \
        break;

// Static, since the symbols of a kernel's versions are exported from a library whatever its visibility.
KERNEL static void blend_row(int mode, const float *a, const float *b, const float *mask, float opacity,
                             int count, float *out) {
    switch (mode) {
        ROW_BY(NORMAL)
        ROW_BY(ADD)
        ROW_BY(SUBTRACT)
        ROW_BY(MULTIPLY)
        ROW_BY(SCREEN)
        ROW_BY(OVERLAY)
        ROW_BY(HARD_LIGHT)
        ROW_BY(SOFT_LIGHT)
        ROW_BY(DIFFERENCE)
        ROW_BY(EXCLUSION)
        ROW_BY(DODGE)
        ROW_BY(BURN)
        ROW_BY(DARKEN)
        ROW_BY(LIGHTEN)
    }
}

void blend_values(int mode, const float *a, const float *b, const float *mask, float opacity, int count,
                  float *out) {
    blend_row(mode, a, b, mask, opacity, count, out);
}

static void blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Blend *blend = call->params;
    for (int y = first; y < end; y++)
        blend_row(blend->mode, field_row(call->inputs[0].field, y), field_row(call->inputs[1].field, y),
                  blend->mask ? field_row(blend->mask, y) : NULL, (float)blend->opacity, call->width,
                  field_row(&call->outputs[0].field, y));
}

static Status blend_fields(const Call *call, Error *error) {
    Field *height = &call->outputs[0].field;
    const Status status = field_create(height, call->width, call->height, error);
    height->wraps = call->wraps;
    return status == STATUS_OK
               ? parallel_rows(call->run, call->height, call->width * 0.6, blend_rows, (void *)call)
               : status;
}

static Status run(const Call *call, Error *error) {
    const Image *a = call->inputs[0].image, *b = call->inputs[1].image;
    if (!a && !b)
        return blend_fields(call, error);
    if (!a || !b)
        return fail(error, STATUS_INVALID, "a and b must be two fields or two images");
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
    .category = "filter",
    .summary = "Blends a field onto another, or an image onto another, as layers of a picture",
    .description =
        "The modes are those of the standard; they are meant for heights of 0 to 1, which none but add "
        "and subtract leaves. Colours are blended as they are stored, and the images' alpha counts.",
    .source = "W3C, Compositing and blending level 1, sections 9.1 and 10",
    .inputs = { { "a", "the lower layer", { &type_field, &type_image } },
                { "b", "the upper layer, of the same kind and size", { &type_field, &type_image } } },
    .outputs = { { "height", "blended heights" }, { "image", "the blended image", &type_image } },
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
    .keywords = "mix combine layer mask multiply screen overlay composite alpha",
    .see_also = "lerp min max paint",
    .run = run,
};
