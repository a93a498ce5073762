// A terrain as seen from a camera: sun with soft shadows, light from the sky, rock where it is steep, water,
// haze.

#include "core/elementary.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"
#include "core/whole.h"
#include "picture/camera.h"
#include "picture/colour.h"
#include "picture/daylight.h"
#include "picture/sight.h"

#include <math.h>

typedef struct Perspective {
    Numbers camera, target, light;
    double azimuth, pitch, distance, field_of_view, vertical_scale, sea_level, haze, low, high, rock;
    Palette palette;
    const Field *rivers;
    const Image *drape;
} Perspective;

typedef struct View {
    Sight sight, unraised; // the same heights as they are
    bool flat;
    Daylight daylight;
    const Perspective *params;
    Image *image;
    const Ramp *ramp;
    Camera camera;
    Vector sun;
    bool sea;            // there is some: it goes on to the horizon
    double above, below; // 1 / z of the highest ground, and of the deepest sea floor
    Light rock, wall, shallow, deep, zenith, horizon, river;
    float linear[256]; // of the drape's bytes
} View;

// --- colours -----------------------------------------------------------------------------------------------

static Light sky_towards(const View *view, Vector along) {
    const double up = along.z > 0 ? along.z : 0, near_sun = vector_dot(along, view->sun);
    const Light blue = light_blend(view->horizon, view->zenith, (float)sqrt(up));
    const double glow = near_sun > 0 ? near_sun * near_sun * near_sun * near_sun * 0.15 : 0;
    return light_blend(blue, (Light){ 1, 0.95f, 0.85f }, (float)glow);
}

// Light is lost in the air on the way, and the air's own comes in.
static Light through_air(const View *view, Light light, Vector along, double distance) {
    const double air = distance * view->params->haze / field_side(view->sight.height);
    const double lost = 1 - 1 / (1 + 0.35 * air * air);
    return light_blend(light, sky_towards(view, (Vector){ along.x, along.y, 0.02 }), (float)lost);
}

// The slope over what a pixel shows, so that far ground does not glitter.
static Vector normal_at(const View *view, Vector here, double distance) {
    const double shown = 0.7 * distance * view->camera.pixel, off = shown > 0.75 ? shown : 0.75;
    const Sight *sight = &view->sight;
    const double dx = sight_ground(sight, here.x + off, here.y) - sight_ground(sight, here.x - off, here.y);
    const double dy = sight_ground(sight, here.x, here.y + off) - sight_ground(sight, here.x, here.y - off);
    return vector_unit((Vector){ -dx / (2 * off), -dy / (2 * off), 1 });
}

static Light lit(const View *view, Light colour, Vector here, Vector normal) {
    const double facing = vector_dot(normal, view->sun), shown = facing > 0 ? facing : 0;
    const double sun = 1.5 * shown * daylight_sun(&view->daylight, here.x, here.y);
    const double sky = 0.38 * daylight_sky(&view->daylight, here.x, here.y) * (0.6 + 0.4 * normal.z);
    return (Light){ colour.red * (float)(sun * 1.02 + sky * 0.86), colour.green * (float)(sun + sky * 0.97),
                    colour.blue * (float)(sun * 0.93 + sky * 1.2) };
}

// The image's colours between its pixels, and how opaque it is there.
static Light drape_at(const View *view, double x, double y, float *opacity) {
    const Image *drape = view->params->drape;
    const double right = drape->width - 1, bottom = drape->height - 1;
    const double across = x > 0 ? x < right ? x : right : 0, down = y > 0 ? y < bottom ? y : bottom : 0;
    const int column = index_within(across, drape->width - 1), row = index_within(down, drape->height - 1);
    Light sum = { 0, 0, 0 };
    *opacity = 0;
    for (int i = 0; i < 4; i++) {
        const Pixel pixel = image_row(drape, row + i / 2)[column + i % 2];
        const float u = (float)(across - column), v = (float)(down - row);
        const float share = (i % 2 ? u : 1 - u) * (i / 2 ? v : 1 - v) * (float)pixel.alpha / 255;
        sum.red += share * view->linear[pixel.red];
        sum.green += share * view->linear[pixel.green];
        sum.blue += share * view->linear[pixel.blue];
        *opacity += share;
    }
    return *opacity > 0 ? light_scaled(sum, 1 / *opacity) : sum;
}

static Light ground_colour(const View *view, Vector here, Vector normal) {
    const double z = view->flat ? sight_ground(&view->unraised, here.x, here.y) : here.z;
    const double height = z > 0 ? z * view->above : -0.001 + z * view->below * 0.999;
    const Light soil = ramp_at(view->ramp, height);
    const double steep = (0.78 - normal.z) * 5 * view->params->rock;
    const double share = here.z > 0 ? steep > 0 ? steep < 1 ? steep : 1 : 0 : 0;
    const Light ground = light_blend(soil, view->rock, (float)share);
    if (!view->params->drape)
        return ground;
    float opacity;
    const Light drape = drape_at(view, here.x, here.y, &opacity);
    return light_blend(ground, drape, opacity);
}

static double river_at(const View *view, double x, double y) {
    const Field *rivers = view->params->rivers;
    if (!rivers)
        return 0;
    const Sight as_ground = { .height = rivers, .rise = 1 };
    const double water = sight_ground(&as_ground, x, y);
    return water < 1 ? water : 1;
}

// Water takes the sky's colour the more, the flatter one looks at it (Schlick 1994).
static Light water_surface(const View *view, Light under, Vector along) {
    const double facing = -along.z > 0 ? -along.z : 0, off = 1 - facing;
    const double mirror = 0.02 + 0.98 * off * off * off * off * off;
    const Vector up = { along.x, along.y, -along.z };
    return light_blend(under, sky_towards(view, up), (float)(mirror < 0.75 ? mirror : 0.75));
}

static Light ground_seen(const View *view, Vector here, Vector along, double distance) {
    const Vector normal = normal_at(view, here, distance);
    Light light = lit(view, ground_colour(view, here, normal), here, normal);
    const double river = river_at(view, here.x, here.y);
    if (river > 0) {
        const Light water = lit(view, view->river, here, (Vector){ 0, 0, 1 });
        light = light_blend(light, water_surface(view, water, along), (float)river);
    }
    return light;
}

// Beyond the field the sea is as deep as at its edge.
static Light sea_seen(const View *view, Vector here, Vector along) {
    const double floor = sight_ground(&view->sight, here.x, here.y);
    const double depth = floor < 0 ? -floor / (0.02 * field_side(view->sight.height)) : 0;
    const Light water = light_blend(view->deep, view->shallow, (float)(1 / (1 + depth * depth)));
    return water_surface(view, lit(view, water, here, (Vector){ 0, 0, 1 }), along);
}

// --- rays --------------------------------------------------------------------------------------------------

static Light seen_in(const View *view, double across, double down) {
    const double half = 0.5 * view->image->height;
    Vector along =
        vector_plus(view->camera.ahead, view->camera.right, (across - 0.5 * view->image->width) / half);
    along = vector_unit(vector_plus(along, view->camera.up, (half - down) / half));
    const double sea = view->sea && along.z < 0 ? -view->camera.place.z / along.z : INFINITY;
    const Seen seen = sight_cast(&view->sight, view->camera.place, along, sea < 1e9 ? sea : 1e9);
    if (seen.kind == SEEN_NOTHING && !(sea < 1e9))
        return sky_towards(view, along);
    const double distance = seen.kind == SEEN_NOTHING ? sea : seen.distance;
    const Vector here = vector_plus(view->camera.place, along, distance);
    Light light;
    if (seen.kind == SEEN_GROUND)
        light = ground_seen(view, here, along, distance);
    else if (seen.kind == SEEN_WALL)
        light = light_scaled(view->wall, (float)(0.7 + 0.3 * vector_dot(along, view->sun)));
    else
        light = sea_seen(view, here, along);
    return through_air(view, light, along, distance);
}

static void look_rows(void *context, int first, int end) {
    enum { CHUNK = 256 };
    const View *view = context;
    for (int y = first; y < end; y++)
        for (int start = 0; start < view->image->width; start += CHUNK) {
            const int left = view->image->width - start, count = left < CHUNK ? left : CHUNK;
            float red[CHUNK], green[CHUNK], blue[CHUNK];
            for (int i = 0; i < count; i++) {
                const Light light = seen_in(view, start + i + 0.5, y + 0.5);
                red[i] = light.red;
                green[i] = light.green;
                blue[i] = light.blue;
            }
            encode_lights(view->ramp, red, green, blue, count, image_row(view->image, y) + start);
        }
}

// --- smooth edges ------------------------------------------------------------------------------------------

// Alpha marks the pixels that differ from a neighbour; they are looked at again, in four places.
enum { MARKED = 254, DIFFERENT = 12 };

// By address: other rows' alphas are being written meanwhile.
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
                const Light light = seen_in(view, x + places[i][0], y + places[i][1]);
                sum.red += 0.25f * (light.red < 1 ? light.red : 1);
                sum.green += 0.25f * (light.green < 1 ? light.green : 1);
                sum.blue += 0.25f * (light.blue < 1 ? light.blue : 1);
            }
            encode_lights(view->ramp, &sum.red, &sum.green, &sum.blue, 1, &row[x]);
        }
    }
}

static Status set_sun(View *view, Error *error) {
    const Numbers *light = &view->params->light;
    if (light->count != 2 || !(light->at[1] >= 1 && light->at[1] <= 90))
        return fail(error, STATUS_INVALID, "light must be { azimuth, altitude }, the altitude 1 to 90");
    const double azimuth = light->at[0] * (PI / 180), altitude = light->at[1] * (PI / 180);
    view->sun =
        (Vector){ sine(azimuth) * cosine(altitude), -cosine(azimuth) * cosine(altitude), sine(altitude) };
    return STATUS_OK;
}

// --- running -----------------------------------------------------------------------------------------------

// The range of heights is N/16 cells times the vertical scale, as steep as relief shades it.
static Status raise_ground(const Call *call, View *view, Error *error) {
    const Perspective *params = view->params;
    const Field *height = call->inputs[0].field;
    double low = params->low, high = params->high;
    Status status = field_scale(call->run, height, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double range = high - low > 1e-45 ? high - low : 1, side = field_side(height);
    const double rise = params->vertical_scale * side / 16 / range;
    view->flat = rise == 0; // and has its colours all the same
    const double coloured = view->flat ? 1 : rise;
    view->sea = params->sea_level > low;
    const double shore = view->sea ? params->sea_level : low;
    view->above = high > shore ? 1 / ((high - shore) * coloured) : 0;
    view->below = shore > low ? 1 / ((shore - low) * coloured) : 0;
    view->unraised = (Sight){ .height = height, .base = shore, .rise = 1 };
    status = sight_create(&view->sight, call->run, height, shore, rise, error);
    view->sight.lowest = (low - shore) * rise - 0.03 * side;
    return status;
}

static Status render(const Call *call, View *view, Error *error) {
    Status status = raise_ground(call, view, error);
    const Perspective *params = view->params;
    const CameraPlan plan = { &params->camera,  &params->target,       params->azimuth, params->pitch,
                              params->distance, params->field_of_view, view->sea,       view->image->height };
    if (status == STATUS_OK)
        status = camera_aim(&view->camera, &plan, &view->sight, error);
    if (status == STATUS_OK)
        status = set_sun(view, error);
    if (status == STATUS_OK)
        status = daylight_create(&view->daylight, call->run, &view->sight, view->sun, error);
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
    View view = { .params = params,
                  .image = &call->outputs[0].image,
                  .ramp = ramp,
                  .rock = to_light((Pixel){ 0x83, 0x79, 0x6d, 255 }),
                  .wall = to_light((Pixel){ 0x8a, 0x74, 0x5c, 255 }),
                  .shallow = to_light((Pixel){ 0x5f, 0xa6, 0xa8, 255 }),
                  .deep = to_light((Pixel){ 0x1d, 0x4e, 0x74, 255 }),
                  .river = to_light((Pixel){ 0x2a, 0x5f, 0x86, 255 }),
                  .zenith = to_light((Pixel){ 0x4d, 0x86, 0xc2, 255 }),
                  .horizon = to_light((Pixel){ 0xd6, 0xe4, 0xee, 255 }) };
    for (int i = 0; i < 256; i++)
        view.linear[i] = to_light((Pixel){ (uint8_t)i, 0, 0, 255 }).red;
    const Status status = render(call, &view, error);
    daylight_free(&view.daylight);
    sight_free(&view.sight);
    memory_free(ramp);
    return status;
}

static const Param params[] = {
    PARAM(Perspective, azimuth, .initial = 330, .min = -360, .max = 360, .unit = UNIT_DEGREES,
          .doc = "where the camera looks, clockwise from north"),
    PARAM(Perspective, pitch, .initial = 30, .min = -80, .max = 89, .unit = UNIT_DEGREES,
          .doc = "how far it looks down"),
    PARAM(Perspective, distance, .initial = 1.35, .min = 0.001, .max = 1000,
          .doc = "from the target, in sides of the field"),
    PARAM(Perspective, target, .min = -1000, .max = 1000,
          .doc =
              "what is in the middle, { x, y, z } in sides, z above the sea; without it the field's middle"),
    PARAM(Perspective, camera, .min = -1000, .max = 1000,
          .doc = "where the camera is, likewise; without it as azimuth, pitch and distance say"),
    PARAM(Perspective, field_of_view, .initial = 30, .min = 1, .max = 120, .unit = UNIT_DEGREES,
          .doc = "from the picture's lower to its upper edge"),
    PARAM(Perspective, vertical_scale, .initial = 1, .min = 0, .max = 100,
          .doc = "how high the ground is; 1: the range of heights is N/16 cells, as relief shades it"),
    PARAM(Perspective, light, .initial_numbers = { 2, { 290, 32 } }, .min = -360, .max = 360,
          .unit = UNIT_DEGREES,
          .doc = "where the sun is: azimuth clockwise from north, altitude above the horizon"),
    PARAM(Perspective, sea_level, .initial = 0, .min = -1e9, .max = 1e9,
          .doc = "lower ground is under water, which goes on to the horizon"),
    PARAM(Perspective, rivers, .doc = "where rivers are: 0 none, 1 water; of the height's size"),
    PARAM(Perspective, palette, .initial_text = "alpine",
          .doc = "colours for heights -1 (deepest) to 1 (highest), 0 at the shore"),
    PARAM(Perspective, drape,
          .doc = "an image that covers the ground instead, of the height's size; where it is clear, the "
                 "palette shows"),
    PARAM(Perspective, rock, .initial = 1, .min = 0, .max = 10,
          .doc = "how soon steep ground is bare rock; 0: never"),
    PARAM(Perspective, haze, .initial = 0.35, .min = 0, .max = 10,
          .doc = "how soon distant ground fades into the air"),
    PARAM(Perspective, low, .initial = 0, .min = -1e9, .max = 1e9,
          .doc = "the lowest height that has a colour"),
    PARAM(Perspective, high, .initial = 0, .min = -1e9, .max = 1e9,
          .doc = "the highest; with low 0: 0 to 1, or the field's own range where that is larger"),
    { 0 },
};

const Operation op_perspective = {
    .name = "perspective",
    .category = "picture",
    .summary = "Shows a terrain as a camera sees it: sun and shadows, water, haze",
    .description = "Without a sea the field stands as a block in the sky. Edges are antialiased.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "image", "the view", KIND_IMAGE } },
    .params = params,
    .params_size = sizeof(Perspective),
    .sized = true,
    .any_sizes = true,
    .example = "local view = height:perspective{ width = 160, height = 90, pitch = 40 }",
    .run = run,
};
