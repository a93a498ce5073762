// The colour of the ground without light: a palette by height, rock where it is steep, snow where it is high
// and not too steep, water where a mask says so. Borders are frayed by noise, so that they do not follow
// contour lines.

#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/summary.h"
#include "picture/colour.h"
#include "surface/nine_points.h"

#include <math.h>

typedef struct Texture {
    Palette palette;
    Numbers rock, snow;
    double sea_level, low, high, variation, exaggeration, ambient;
    const Field *water, *shade;
} Texture;

typedef struct Ground {
    const Texture *params;
    Image *image;
    Ramp *ramp;
    Light rock, snow, river;
    float sea, above, below; // sea level; 1 / the highest height above it, 1 / the depth below it
    float scale, per_side;   // height to cells; 1 / N
    int row;                 // of the whole, which is the first
    RandomKey key;
} Ground;

enum { OCTAVES = 4, COARSEST = 24 }; // lattice points along the longer side in the first octave

// -1 … 1, at any resolution the same.
static float frayed(const Ground *ground, int x, int y) {
    double sum = 0, amplitude = 0.5, frequency = COARSEST * (double)ground->per_side;
    for (int octave = 0; octave < OCTAVES; octave++) {
        sum +=
            amplitude * value_noise_double(ground->key, (uint32_t)octave << 16, x * frequency, y * frequency);
        amplitude *= 0.5;
        frequency *= 2;
    }
    return (float)sum;
}

// 0 below `from`, 1 above `from` + `width`, smooth between them.
static float rising(float value, float from, float width) {
    return smoothstep(clamp((value - from) / max(width, 1e-6f), 0.0f, 1.0f));
}

static Light colour_at(const Ground *ground, float height, float degrees, float noise) {
    const Texture *params = ground->params;
    const float over = height - ground->sea, variation = (float)params->variation;
    const float share = over >= 0 ? over * ground->above : over * ground->below; // -1 … 1, 0 at the shore
    const float varied = share > 0 ? max(share + 0.12f * variation * noise * min(share * 10, 1), 0) : share;
    Light colour = light_scaled(ramp_at(ground->ramp, (double)varied), 1 + 0.12f * variation * noise);
    if (over >= 0 && params->rock.count) {
        const float steep = (float)params->rock.at[0] + 6 * variation * noise;
        const Light rock = light_scaled(ground->rock, 1 + 0.25f * variation * noise);
        colour = light_blend(colour, rock, rising(degrees, steep, (float)params->rock.at[1]));
    }
    if (over >= 0 && params->snow.count) {
        const float line = (float)params->snow.at[0] + 0.08f * variation * noise;
        const float lies = 1 - rising(degrees, (float)params->snow.at[2], 12);
        colour = light_blend(colour, ground->snow, lies * rising(share, line, (float)params->snow.at[1]));
    }
    return colour;
}

// NOLINTNEXTLINE(readability-non-const-parameter): as nine_points wants it
static void paint_ground(const void *context, NinePoints at, int count, float *unused) {
    (void)unused;
    const Ground *ground = context;
    const Field *water = ground->params->water, *shade = ground->params->shade;
    const float ambient = (float)ground->params->ambient;
    float lights[3][NINE_POINTS_CHUNK];
    for (int x = 0; x < count; x++) {
        const float degrees = angle_of(slope_at(GRADIENT_HORN, at, x, ground->scale), 1) * DEGREES_PER_RADIAN;
        Light light = colour_at(ground, at.row[x], degrees, frayed(ground, at.x + x, at.y + ground->row));
        if (water)
            light = light_blend(light, ground->river, clamp(field_row(water, at.y)[at.x + x], 0.0f, 1.0f));
        if (shade)
            light = light_scaled(light, ambient + (1 - ambient) * max(field_row(shade, at.y)[at.x + x], 0));
        lights[0][x] = light.red;
        lights[1][x] = light.green;
        lights[2][x] = light.blue;
    }
    encode_lights(ground->ramp, lights[0], lights[1], lights[2], count,
                  image_row(ground->image, at.y) + at.x);
}

static Status run(const Call *call, Error *error) {
    const Texture *params = call->params;
    const Field *height = call->inputs[0].field;
    HeightScale scale;
    Status status =
        field_scale(call->run, height, params->sea_level, params->low, params->high, &scale, error);
    if (status != STATUS_OK)
        return status;
    const double low = scale.low, high = scale.high;
    const double shore = max(params->sea_level, low);
    Ground ground = { .params = params,
                      .image = &call->outputs[0].image,
                      .sea = (float)shore,
                      .above = high > shore ? (float)(1 / (high - shore)) : 0,
                      .below = shore > low ? (float)(1 / (shore - low)) : 0,
                      .scale = cells_per_height(height, params->exaggeration),
                      .per_side = 1 / (float)field_side(height),
                      .row = height->whole.row,
                      .key = random_key(call->seed, 0) };
    ground.ramp = memory_new(1, sizeof *ground.ramp, error);
    if (!ground.ramp)
        return STATUS_MEMORY;
    ramp_fill(ground.ramp, &params->palette);
    ground.rock = ramp_rock(ground.ramp);
    ground.river = ramp_river(ground.ramp);
    ground.snow = to_light((Pixel){ 0xf2, 0xf5, 0xf8, 255 });
    status = nine_points(call, paint_ground, &ground, 150, NULL);
    memory_free(ground.ramp);
    return status;
}

static const Param params[] = {
    PARAM(Texture, palette, .initial_text = "ground",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore"),
    PARAM(Texture, rock, .initial_numbers = NUMBERS(32, 14), .rows_min = 2, .rows_max = 2, .optional = true,
          .min = 0, .max = 180,
          .doc = "{ degrees, soft }: slopes from which rock shows above the sea, and over how many degrees "
                 "it takes over; "
                 "{}: no rock"),
    PARAM(Texture, snow, .initial_numbers = NUMBERS(0.75, 0.1, 45), .rows_min = 3, .rows_max = 3,
          .optional = true, .min = 0, .max = 180,
          .doc =
              "{ height, soft, steepest }: the snow line as a share of the highest height above the sea, its "
              "width, and the slope in degrees on which snow does not lie; {}: no snow"),
    PARAM(Texture, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea"),
    PARAM(Texture, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lowest height of the colour range"),
    PARAM(Texture, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "highest height of the colour range; low and high 0: as in relief"),
    PARAM(Texture, variation, .initial = 1, .min = 0, .max = 4,
          .doc = "how much colours and borders vary from place to place"),
    PARAM(Texture, water, .doc = "where there is water, 0 to 1: rivers and lakes"),
    PARAM(Texture, shade, .doc = "brightness, 0 to 1, such as that of hillshade or sky_view; by default 1"),
    PARAM(Texture, ambient, .initial = 0.25, .min = 0, .max = 1,
          .doc = "share of diffuse light from the sky, which shade does not dim"),
    EXAGGERATION_PARAM(Texture, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_texture = {
    .name = "texture",
    .reach = reach_beside,
    .gaps = GAPS_KEPT,
    .measures = MEASURES_CELLS,
    .category = "picture",
    .keywords = "albedo ground colour color material satellite splat snow rock grass map biome satmap cover "
                "snowfall soil",
    .summary =
        "Colours the ground by height, slope, snow and water: a satellite's view, or a texture to drape",
    .description =
        "Without shade the colours have no light in them, as 3D programs want them. For a picture, "
        "multiply with light: shade = height:hillshade() * 1.3 gives level ground nearly its own colour.\n\n"
        "A zoomable map has such colours by its climate: map:cover(window).image.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the colours", &type_image } },
    .params = params,
    .params_size = sizeof(Texture),
    .seeded = true,
    .example = "local view = height:texture{ sea_level = 0.3, shade = height:hillshade() * 1.3 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:texture{ sea_level = 0.3 }, height:texture{ sea_level = 0.3, shade = "
               "height:hillshade() * 1.3 }",
    .see_also = "relief cover image hillshade perspective",
    .run = run,
};
