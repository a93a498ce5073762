// Normals of the surface as colours, for engines that light a terrain themselves: each component of the unit
// vector from -1 … 1 to 0 … 255.

#include "core/math.h"
#include "core/whole.h"
#include "surface/nine_points.h"

#include <math.h>

typedef struct NormalMap {
    int convention;
    double exaggeration;
} NormalMap;

enum { OPENGL, DIRECTX };

typedef struct Normals {
    float scale, up; // up: 1 if green points up the picture, -1 if down
    Image *image;
} Normals;

// The nearest of 255 steps. A component of heights near the ends of what a float holds may be no number.
KERNEL_INLINE uint8_t encoded(float component) {
    return (uint8_t)whole_within(component * 127.5f + 128, 0, 255);
}

// NOLINTNEXTLINE(readability-non-const-parameter): as nine_points wants it
KERNEL static void paint_normals(const void *context, NinePoints at, int count, float *unused) {
    (void)unused;
    const Normals *normals = context;
    const float scale = normals->scale, up = normals->up;
    Pixel *restrict pixels = image_row(normals->image, at.y) + at.x;
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(GRADIENT_HORN, at, x, &across, &along);
        const float p = across * scale, q = along * scale, length = 1 / sqrtf(p * p + q * q + 1);
        pixels[x] = (Pixel){ encoded(-p * length), encoded(up * q * length), encoded(length), 255 };
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const NormalMap *params = call->params;
    const Normals normals = { cells_per_height(call->inputs[0].field, params->exaggeration),
                              params->convention == OPENGL ? 1 : -1, &call->outputs[0].image };
    return nine_points(call, paint_normals, &normals, 2, NULL);
}

static const Param params[] = {
    PARAM(NormalMap, convention, .choices = CHOICES("opengl", "directx"),
          .doc = "opengl (Blender, Godot, Unity): green points up the picture; directx (Unreal): down"),
    EXAGGERATION_PARAM(NormalMap, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_normal_map = {
    .name = "normal_map",
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "picture",
    .keywords = "normals bump tangent space texture game engine bake",
    .summary = "Gives the surface's normals as colours, for engines that light a terrain themselves",
    .description = "Red points right, green up or down, blue out of the picture; level ground is 128, 128, "
                   "255.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "normals", "the normals", &type_image } },
    .params = params,
    .params_size = sizeof(NormalMap),
    .example = "local normals = height:normal_map{ convention = \"directx\" }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:normal_map()",
    .see_also = "hillshade image",
    .run = run,
};
