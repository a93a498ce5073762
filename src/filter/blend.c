// Blends a layer onto another, fields or images.

#include "filter/blend.h"

#include "core/finite.h"
#include "core/math.h"

static int32_t blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Blend *blend = call->params;
    int32_t most = 0;
    for (int y = first; y < end; y++) {
        const int32_t magnitude =
            blend_values(blend->mode, field_row(call->inputs[0].field, y),
                         field_row(call->inputs[1].field, y), blend->mask ? field_row(blend->mask, y) : NULL,
                         (float)blend->opacity, call->width, field_row(&call->outputs[0].field, y));
        most = max(most, magnitude);
    }
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
