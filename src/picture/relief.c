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

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Relief {
    Palette palette;
    Numbers light;
    double sea_level, exaggeration, contrast, low, high;
    const Field *rivers;
} Relief;

typedef struct Scene {
    const Field *height, *rivers;
    Image *image;
    const Ramp *ramp;
    Light river;
    float light[3];            // towards it; x to the right, y down, z up
    double sea, above, below;  // sea level; 1 / the highest height above it, 1 / the depth below it
    float steepness, contrast; // height to cells, halved for the central difference
    bool wraps;
} Scene;

enum { CHUNK = 256 }; // cells that are measured at once, as vectors, before they are coloured

typedef struct Lie {         // how the ground lies
    float brightness[CHUNK]; // 1 where it is flat
    float land[CHUNK];       // how much of the cell is land, as the shore may cross it
} Lie;

// `row` may be read from -1 to `count`.
KERNEL static void measure_lie(const Scene *scene, const float *restrict up, const float *restrict row,
                               const float *restrict down, int count, Lie *restrict lie) {
    const float steepness = scene->steepness, contrast = scene->contrast;
    const float light_x = scene->light[0], light_y = scene->light[1], light_z = scene->light[2];
    const float sea = scene->below > 0 ? (float)scene->sea : -FLT_MAX;
    for (int x = 0; x < count; x++) {
        const float across = row[x + 1] - row[x - 1], along = down[x] - up[x];
        const float dx = across * steepness, dy = along * steepness;
        const float length = sqrtf(dx * dx + dy * dy + 1);
        const float facing = (light_z - dx * light_x - dy * light_y) / length;
        const float sun = (facing > 0 ? facing : 0) / light_z;
        const float sky = 0.5f + 0.5f / length; // steep ground sees less of it
        lie->brightness[x] = 1 + contrast * (0.8f * sun + 0.2f * sky - 1);
        const float rise = 0.5f * sqrtf(across * across + along * along), over = row[x] - sea;
        const float share = 0.5f + over / (rise > FLT_MIN ? rise : FLT_MIN), land = share > 0 ? share : 0;
        lie->land[x] = land < 1 ? land : 1;
    }
}

static Light ground(const Scene *scene, float height, float land, float brightness) {
    const double over = (double)height - scene->sea, depth = over * scene->below, least = -1.0 / RAMP_STEPS;
    const Light dry = light_scaled(ramp_at(scene->ramp, over > 0 ? over * scene->above : 0), brightness);
    if (land == 1)
        return dry;
    const Light wet = light_scaled(ramp_at(scene->ramp, depth < least ? depth : least),
                                   1 + 0.25f * (brightness - 1)); // the sea floor shows faintly
    return land > 0 ? light_blend(wet, dry, land) : wet;
}

static void shade_chunk(const Scene *scene, int start, int count, int y) {
    const Field *height = scene->height;
    const float *row = field_row(height, y);
    const float *up = field_row(height, neighbour_at(y - 1, height->height, scene->wraps));
    const float *down = field_row(height, neighbour_at(y + 1, height->height, scene->wraps));
    const float *river = NULL;
    if (scene->rivers)
        river = field_row(scene->rivers, y);
    float padded[CHUNK + 2];
    padded[0] = row[neighbour_at(start - 1, height->width, scene->wraps)];
    memcpy(padded + 1, row + start, (size_t)count * sizeof *row);
    padded[count + 1] = row[neighbour_at(start + count, height->width, scene->wraps)];
    Lie lie;
    measure_lie(scene, up + start, padded + 1, down + start, count, &lie);
    float red[CHUNK], green[CHUNK], blue[CHUNK];
    for (int x = 0; x < count; x++) {
        Light light = ground(scene, padded[x + 1], lie.land[x], lie.brightness[x]);
        if (river && river[start + x] > 0)
            light = light_blend(light, scene->river, river[start + x] < 1 ? river[start + x] : 1);
        red[x] = light.red;
        green[x] = light.green;
        blue[x] = light.blue;
    }
    encode_lights(scene->ramp, red, green, blue, count, image_row(scene->image, y) + start);
}

static void shade_rows(void *context, int first, int end) {
    const Scene *scene = context;
    const int width = scene->height->width;
    for (int y = first; y < end; y++)
        for (int start = 0; start < width; start += CHUNK)
            shade_chunk(scene, start, width - start < CHUNK ? width - start : CHUNK, y);
}

static Status set_light(const Relief *relief, Scene *scene, Error *error) {
    if (relief->light.count != 2)
        return fail(error, STATUS_INVALID, "light must be { azimuth, altitude }, got %d numbers",
                    relief->light.count);
    const double azimuth = relief->light.at[0] * (PI / 180), altitude = relief->light.at[1] * (PI / 180);
    if (!(relief->light.at[1] >= 1 && relief->light.at[1] <= 90))
        return fail(error, STATUS_INVALID, "light: the altitude must be 1 to 90, got %s",
                    digits_of(relief->light.at[1]).text);
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
    scene->sea = shore;
    scene->above = high > shore ? 1 / (high - shore) : 0;
    scene->below = shore > low ? 1 / (shore - low) : 0;
    const double steepness = 0.5 * relief->exaggeration * field_side(scene->height) / 16 / range;
    scene->steepness = (float)(steepness < FLT_MAX ? steepness : FLT_MAX);
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    const Relief *relief = call->params;
    Scene scene = { .height = call->inputs[0].field,
                    .rivers = relief->rivers,
                    .image = &call->outputs[0].image,
                    .contrast = (float)relief->contrast,
                    .river = to_light((Pixel){ 0x2b, 0x5d, 0x8c, 255 }),
                    .wraps = call->wraps };
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
    .wrapping = WRAPPING_CHOSEN,
    .run = run,
};
