// A shaded relief map: hypsometric colours, sea below the sea level, light from one side. Colours blend and
// are shaded in linear light.
//
// The ground is as steep as in Olsen 2004 ("Base terrain modifications", Analysis): the range of heights is
// N/16 cells high. A flat cell keeps its palette colour; a slope gets it times n·l / l_z, softened by a share
// of light from the sky.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "picture/colour.h"

#include <math.h>

typedef struct Relief {
    Palette palette;
    Numbers light;
    double sea_level, exaggeration, contrast, low, high;
    const Field *rivers;
    bool wrap;
} Relief;

typedef struct Scene {
    const Field *height, *rivers;
    const Image *image;
    const Ramp *ramp;
    Light river;
    float light[3];            // towards it; x to the right, y down, z up
    float sea, above, below;   // sea level; 1 / the highest height above it, 1 / the depth below it
    float steepness, contrast; // height to cells, halved for the central difference
    bool wrap;
} Scene;

static int neighbour(int at, int count, bool wraps) {
    if (wraps)
        return wrap(at, count);
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

// The brightness of ground that rises by dx, dy a cell: 1 where it is flat.
KERNEL_INLINE float shade(const Scene *scene, float dx, float dy) {
    const float length = sqrtf(dx * dx + dy * dy + 1);
    const float facing = (scene->light[2] - dx * scene->light[0] - dy * scene->light[1]) / length;
    const float sun = (facing > 0 ? facing : 0) / scene->light[2];
    const float sky = 0.5f + 0.5f / length; // steep ground sees less of it
    const float lit = 0.8f * sun + 0.2f * sky;
    return 1 + scene->contrast * (lit - 1);
}

static Light ground(const Scene *scene, float height, float brightness) {
    const bool sea = height < scene->sea;
    const float level = (height - scene->sea) * (sea ? scene->below : scene->above);
    const Light colour = ramp_at(scene->ramp, level);
    const float factor = sea ? 1 + 0.25f * (brightness - 1) : brightness; // the sea floor shows faintly
    return (Light){ colour.red * factor, colour.green * factor, colour.blue * factor };
}

static void shade_rows(void *context, int first, int end) {
    const Scene *scene = context;
    const Field *height = scene->height;
    for (int y = first; y < end; y++) {
        const float *row = field_row(height, y);
        const float *up = field_row(height, neighbour(y - 1, height->height, scene->wrap));
        const float *down = field_row(height, neighbour(y + 1, height->height, scene->wrap));
        const float *river = scene->rivers ? field_row(scene->rivers, y) : NULL;
        Pixel *out = image_row(scene->image, y);
        for (int x = 0; x < height->width; x++) {
            const float left = row[neighbour(x - 1, height->width, scene->wrap)];
            const float right = row[neighbour(x + 1, height->width, scene->wrap)];
            const float brightness =
                shade(scene, (right - left) * scene->steepness, (down[x] - up[x]) * scene->steepness);
            Light light = ground(scene, row[x], brightness);
            if (river && river[x] > 0) {
                const float share = river[x] < 1 ? river[x] : 1;
                light.red += (scene->river.red - light.red) * share;
                light.green += (scene->river.green - light.green) * share;
                light.blue += (scene->river.blue - light.blue) * share;
            }
            out[x] = (Pixel){ encode_light(scene->ramp, light.red), encode_light(scene->ramp, light.green),
                              encode_light(scene->ramp, light.blue), 255 };
        }
    }
}

static Status set_light(const Relief *relief, Scene *scene, Error *error) {
    if (relief->light.count != 2)
        return fail(error, STATUS_INVALID, "light must be { azimuth, altitude }, got %d numbers",
                    relief->light.count);
    const double azimuth = relief->light.at[0] * (PI / 180), altitude = relief->light.at[1] * (PI / 180);
    if (!(relief->light.at[1] >= 1 && relief->light.at[1] <= 90))
        return fail(error, STATUS_INVALID, "light: the altitude must be 1 to 90, got %g",
                    relief->light.at[1]);
    scene->light[0] = (float)(sine(azimuth) * cosine(altitude));
    scene->light[1] = (float)(-cosine(azimuth) * cosine(altitude)); // north is up, y runs down
    scene->light[2] = (float)sine(altitude);
    return STATUS_OK;
}

// What the palette's ends and the sea stand for.
static Status set_heights(const Call *call, Scene *scene, Error *error) {
    const Relief *relief = call->params;
    double low = relief->low, high = relief->high;
    const Status status = field_scale(call->run, call->inputs[0].field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double range = high > low ? high - low : 1;
    const double shore = relief->sea_level > low ? relief->sea_level : low; // no sea: the lowest land is 0
    scene->sea = (float)shore;
    scene->above = high > shore ? (float)(1 / (high - shore)) : 0;
    scene->below = shore > low ? (float)(1 / (shore - low)) : 0;
    scene->steepness = (float)(0.5 * relief->exaggeration * field_side(scene->height) / 16 / range);
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Relief *relief = call->params;
    Scene scene = { .height = call->inputs[0].field,
                    .rivers = relief->rivers,
                    .image = &call->outputs[0].image,
                    .contrast = (float)relief->contrast,
                    .river = to_light((Pixel){ 0x2b, 0x5d, 0x8c, 255 }),
                    .wrap = relief->wrap };
    Status status = set_light(relief, &scene, error);
    if (status == STATUS_OK)
        status = set_heights(call, &scene, error);
    if (status != STATUS_OK)
        return status;
    Ramp *ramp = memory_new(1, sizeof *ramp, error);
    if (!ramp)
        return STATUS_MEMORY;
    ramp_fill(ramp, &relief->palette);
    scene.ramp = ramp;
    status = parallel_rows(call->run, call->height, call->width * 10.0, shade_rows, &scene);
    memory_free(ramp);
    return status;
}

static const Param params[] = {
    PARAM(Relief, palette, .initial_text = "hypsometric",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore"),
    PARAM(Relief, light, .initial_numbers = { 2, { 315, 45 } }, .min = -360, .max = 360, .unit = UNIT_DEGREES,
          .doc = "where light comes from: azimuth clockwise from north, altitude above the horizon"),
    PARAM(Relief, sea_level, .initial = 0, .min = -1e9, .max = 1e9, .doc = "lower ground is sea"),
    PARAM(Relief, exaggeration, .initial = 1, .min = 0, .max = 100,
          .doc = "how steep the ground is shaded; 1: the range of heights is N/16 cells"),
    PARAM(Relief, contrast, .initial = 0.85, .min = 0, .max = 1, .doc = "strength of light and shade"),
    PARAM(Relief, low, .initial = 0, .min = -1e9, .max = 1e9, .doc = "the lowest height that has a colour"),
    PARAM(Relief, high, .initial = 0, .min = -1e9, .max = 1e9,
          .doc = "the highest; with low 0: 0 to 1, or the field's own range where that is larger"),
    PARAM(Relief, rivers, .doc = "where rivers are drawn: 0 none, 1 water"),
    PARAM(Relief, wrap, .initial = true, .doc = "whether opposite edges meet; false for real terrain"),
    { 0 },
};

const Operation op_relief = {
    .name = "relief",
    .category = "picture",
    .summary = "Draws a shaded relief map: colours by height, sea, light and shade",
    .source = "Height scale: Olsen 2004, Base terrain modifications, Analysis",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the map", KIND_IMAGE } },
    .params = params,
    .params_size = sizeof(Relief),
    .example = "local map = height:relief{ sea_level = 0.3, light = { 300, 40 } }",
    .run = run,
};
