// A terrain as seen from a camera: sun with soft shadows, sky light, rock on steep ground, water, haze.

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "picture/land_scale.h"
#include "picture/scenery.h"

typedef struct Perspective {
    Numbers camera, target, light;
    double azimuth, pitch, distance, field_of_view, vertical_scale, sea_level, haze, low, high, rock;
    Palette palette;
    const Field *rivers;
    const Image *drape;
} Perspective;

typedef struct View {
    Scenery scenery;
    const Perspective *params;
    Image *image;
} View;

static void look_rows(void *context, int first, int end) {
    enum { CHUNK = 256 };
    const View *view = context;
    for (int y = first; y < end; y++)
        for (int start = 0; start < view->image->width; start += CHUNK) {
            const int left = view->image->width - start, count = min(left, CHUNK);
            float red[CHUNK], green[CHUNK], blue[CHUNK];
            for (int i = 0; i < count; i++) {
                const Light light = scenery_at(&view->scenery, start + i + 0.5, y + 0.5);
                red[i] = light.red;
                green[i] = light.green;
                blue[i] = light.blue;
            }
            encode_lights(view->scenery.ramp, red, green, blue, count, image_row(view->image, y) + start);
        }
}

// --- smooth edges ------------------------------------------------------------------------------------------

// Alpha marks the pixels that differ from a neighbour; they are sampled again at four points.
enum { MARKED = 254, DIFFERENT = 12 };

// Accessed by pointer, since other threads write other rows' alphas.
static bool differ(const Pixel *a, const Pixel *b) {
    const int red = a->red - b->red, green = a->green - b->green, blue = a->blue - b->blue;
    return red * red + green * green + blue * blue > DIFFERENT * DIFFERENT;
}

static void mark_rows(void *context, int first, int end) {
    Image *image = ((const View *)context)->image;
    for (int y = first; y < end; y++) {
        Pixel *row = image_row(image, y);
        for (int x = 0; x < image->width; x++)
            if ((x > 0 && differ(&row[x], &row[x - 1])) ||
                (x + 1 < image->width && differ(&row[x], &row[x + 1])) ||
                (y > 0 && differ(&row[x], &image_row(image, y - 1)[x])) ||
                (y + 1 < image->height && differ(&row[x], &image_row(image, y + 1)[x])))
                row[x].alpha = MARKED;
    }
}

static void smooth_rows(void *context, int first, int end) {
    static const double places[4][2] = {
        { 0.125, 0.375 }, { 0.625, 0.125 }, { 0.875, 0.625 }, { 0.375, 0.875 }
    };
    const View *view = context;
    for (int y = first; y < end; y++) {
        Pixel *row = image_row(view->image, y);
        for (int x = 0; x < view->image->width; x++) {
            if (row[x].alpha != MARKED)
                continue;
            Light sum = { 0, 0, 0 };
            for (int i = 0; i < 4; i++) {
                const Light light = scenery_at(&view->scenery, x + places[i][0], y + places[i][1]);
                sum.red += 0.25f * min(light.red, 1);
                sum.green += 0.25f * min(light.green, 1);
                sum.blue += 0.25f * min(light.blue, 1);
            }
            encode_lights(view->scenery.ramp, &sum.red, &sum.green, &sum.blue, 1, &row[x]);
        }
    }
}

static Status set_sun(View *view, Compass compass, Error *error) {
    const Numbers *light = &view->params->light;
    const Status status = lights_set(&view->scenery.lights, compass, light->at[0], light->at[1], 0.85, error);
    if (status != STATUS_OK)
        return status;
    const float *towards = view->scenery.lights.towards[0];
    view->scenery.sun = (Vector){ (double)towards[0], (double)towards[1], (double)towards[2] };
    return STATUS_OK;
}

// --- running -----------------------------------------------------------------------------------------------

// The range of heights is N/16 cells times the vertical scale, as in relief's shading.
static Status raise_ground(const Call *call, View *view, Error *error) {
    const Perspective *params = view->params;
    const Field *height = call->inputs[0].field;
    const LandScaleParams given = { .sea_level = params->sea_level,
                                    .low = params->low,
                                    .high = params->high };
    LandScale land;
    Status status = land_scale(call->run, height, &given, &land, error);
    if (status != STATUS_OK)
        return status;
    const HeightScale scale = land.colours;
    const double low = scale.low;
    const double range = scale.range > 1e-45 ? scale.range : 1, side = field_side(height);
    const double rise = params->vertical_scale * side / 16 / range;
    Scenery *scenery = &view->scenery;
    scenery->flat = rise == 0; // but keeps its colours
    const double coloured = scenery->flat ? 1 : rise;
    const bool sea = params->sea_level > low;
    const double shore = sea ? params->sea_level : low;
    scenery->shore = (land.sea - shore) * coloured;
    scenery->above = land.above / coloured;
    scenery->bend = land.bend / coloured;
    scenery->below = land.below / coloured;
    scenery->bend_below = land.bend_below / coloured;
    scenery->unraised = (MaxPyramid){ .height = height, .base = shore, .rise = 1 };
    status = max_pyramid_create(&scenery->pyramid, call->run, height, shore, rise, error);
    scenery->pyramid.lowest = (low - shore) * rise - 0.03 * side;
    scenery->pyramid.sea = sea;
    return status;
}

static Status render(const Call *call, View *view, Error *error) {
    Status status = raise_ground(call, view, error);
    const Perspective *params = view->params;
    Scenery *scenery = &view->scenery;
    const CameraPlan plan = { .place = &params->camera,
                              .target = &params->target,
                              .azimuth = params->azimuth,
                              .compass = frame_compass(&call->inputs[0].field->frame),
                              .pitch = params->pitch,
                              .field_of_view = params->field_of_view,
                              .distance = params->distance,
                              .over_sea = scenery->pyramid.sea,
                              .columns = view->image->width,
                              .rows = view->image->height };
    if (status == STATUS_OK)
        status = camera_aim(&scenery->camera, &plan, &scenery->pyramid, error);
    if (status == STATUS_OK)
        status = set_sun(view, plan.compass, error);
    if (status == STATUS_OK)
        status = daylight_create(&scenery->daylight, call->run, &scenery->pyramid, scenery->sun, error);
    if (status == STATUS_OK)
        status = river_cover_create(&scenery->rivers, call->run, params->rivers, error);
    if (status == STATUS_OK && scenery->pyramid.sea)
        status = open_sea_create(&scenery->open_sea, &scenery->pyramid, error);
    if (status == STATUS_OK)
        scenery_colour(scenery, params->palette.stops[0].height < 0);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 400.0, look_rows, view);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 5.0, mark_rows, view);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 600.0, smooth_rows, view);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Perspective *params = call->params;
    const Field *height = call->inputs[0].field, *rivers = params->rivers;
    const Image *drape = params->drape;
    if (height->width < 2 || height->height < 2)
        return fail(error, STATUS_INVALID, "height must have at least 2 × 2 cells, got %d × %d",
                    height->width, height->height);
    if (rivers && (rivers->width != height->width || rivers->height != height->height))
        return fail(error, STATUS_INVALID,
                    "rivers is %d × %d, but must have the size of the first field, %d × %d", rivers->width,
                    rivers->height, height->width, height->height);
    if (drape && (drape->width != height->width || drape->height != height->height))
        return fail(error, STATUS_INVALID,
                    "drape is %d × %d, but must have the size of the first field, %d × %d", drape->width,
                    drape->height, height->width, height->height);
    Ramp *ramp = memory_new(1, sizeof *ramp, error);
    if (!ramp)
        return STATUS_MEMORY;
    ramp_fill(ramp, &params->palette);
    Image *image = &call->outputs[0].image;
    View view = { .params = params,
                  .image = image,
                  .scenery = { .ramp = ramp,
                               .drape = drape,
                               .width = image->width,
                               .height = image->height,
                               .rocky = params->rock,
                               .haze = params->haze } };
    const Status status = render(call, &view, error);
    river_cover_free(&view.scenery.rivers);
    open_sea_free(&view.scenery.open_sea);
    daylight_free(&view.scenery.daylight);
    max_pyramid_free(&view.scenery.pyramid);
    memory_free(ramp);
    return status;
}

static const Param params[] = {
    PARAM(Perspective, azimuth, .initial = 330, .min = -360, .max = 360, .unit = UNIT_DEGREES,
          .doc =
              "direction in which the camera looks, clockwise from north: the first row, unless a frame says "
              "otherwise"),
    PARAM(Perspective, pitch, .initial = 30, .min = -80, .max = 89, .unit = UNIT_DEGREES,
          .doc = "angle by which the camera looks down"),
    PARAM(Perspective, distance, .optional = true, .min = 0.001, .max = 1000,
          .doc = "distance of the camera from the target, in sides of the field; by default as far as it "
                 "takes to see the whole field"),
    PARAM(Perspective, target, .rows_min = 3, .rows_max = 3, .optional = true, .min = -1000, .max = 1000,
          .doc = "point in the middle of the picture, { x, y, z } in sides, z above the sea; by "
                 "default the middle of the field"),
    PARAM(Perspective, camera, .rows_min = 3, .rows_max = 3, .optional = true, .min = -1000, .max = 1000,
          .doc = "position of the camera, in the same units; by default from azimuth, pitch and "
                 "distance"),
    PARAM(Perspective, field_of_view, .initial = 30, .min = 1, .max = 120, .unit = UNIT_DEGREES,
          .doc = "vertical angle of view"),
    PARAM(Perspective, vertical_scale, .initial = 1, .min = 0, .max = 100,
          .doc = "vertical scale; 1: the range of heights is N/16 cells, as in relief"),
    PARAM(Perspective, light, .initial_numbers = NUMBERS(290, 32), .rows_min = 2, .rows_max = 2, .min = -360,
          .max = 360, .unit = UNIT_DEGREES,
          .doc = "direction of the sun: azimuth as that of the camera, altitude above the horizon"),
    PARAM(Perspective, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is under water, which extends to the horizon; no sea if no ground "
                 "is lower"),
    PARAM(Perspective, rivers,
          .doc = "share of each cell that is water, 0 to 1; of the same size as height; drawn in the "
                 "palette's colour for -0.4, or blue if it has no sea"),
    PARAM(Perspective, palette, .initial_text = "alpine",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore; rock and sea use "
                 "them too"),
    PARAM(Perspective, drape,
          .doc = "image laid over the ground, of the same size as height; where it is transparent, "
                 "the palette shows"),
    PARAM(Perspective, rock, .initial = 1, .min = 0, .max = 10,
          .doc = "amount of bare rock on steep ground; 0: none"),
    PARAM(
        Perspective, haze, .initial = 0.35, .min = 0, .max = 10,
        .doc =
            "how quickly ground fades into the air with distance; without camera and distance only above the "
            "field"),
    PARAM(Perspective, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lowest height of the colour range"),
    PARAM(Perspective, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "highest height of the colour range; low and high 0: 0 to 1, extended if heights go "
                 "beyond, or the range of the field if it is less than a quarter of that, or all above 1 or "
                 "below -1. In a window of a zoomable map heights keep the colours of the map; a small range "
                 "gets half of them"),
    { 0 },
};

const Operation op_perspective = {
    .name = "perspective",
    .measures = MEASURES_SQUARES,
    .category = "picture",
    .keywords = "3d view camera scene fly picture render fog mist haze",
    .summary = "Renders a terrain as seen by a camera: sun and shadows, water, haze",
    .description = "Without a sea the field is a block in front of the sky. Edges are antialiased.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the view", &type_image } },
    .framing = FRAMING_LOST,
    .params = params,
    .params_size = sizeof(Perspective),
    .sized = true,
    .any_sizes = true,
    .example = "local view = height:perspective{ width = 160, height = 90, pitch = 40 }",
    .picture = "return height:perspective{ width = 256, height = 128, pitch = 40 }",
    .see_also = "relief mesh",
    .run = run,
};
