// A terrain as seen from a camera: sun with soft shadows, sky light, rock on steep ground, water, haze.

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "picture/colour.h"
#include "picture/daylight.h"
#include "picture/max_pyramid.h"
#include "picture/river_cover.h"
#include "picture/shading.h"

#include <math.h>

// --- what a ray hits ---------------------------------------------------------------------------------------

// Shades what a ray from the camera hits: ground, rivers, the sea, the cut through the ground, sky, and the
// air between.

// The camera of a view: its position, and the directions of the rays through the picture.
typedef struct CameraPlan {        // places in sides of the field, z above the sea
    const Numbers *place, *target; // empty: from the angles, and the field's middle
    double azimuth, pitch, field_of_view;
    Compass compass;   // of the field
    double distance;   // NAN: as far as it takes to see the whole field
    bool over_sea;     // which ends the ground at z 0
    int columns, rows; // of the picture
} CameraPlan;

typedef struct Camera {
    Vector place; // cells
    Vector ahead, right,
        up;       // right (left on mirrored ground) and up, half of the picture's height at distance 1
    double pixel; // its width at distance 1
    double clear; // distance from which on there is haze
} Camera;

// The apparent depth of the sea: the depth of the floor inside the field, of the nearby border just beyond
// it, and a uniform depth far away.
typedef struct OpenSea {
    const MaxPyramid *pyramid;
    double *sums; // of the border's cells, clockwise from the upper left corner: of the first 0, 1, 2, …
    int count;    // cells of the border
    double far;   // the value far away
} OpenSea;

typedef struct Scenery {
    MaxPyramid pyramid, unraised; // the unscaled heights
    bool flat;                    // everything is at z = 0, with the colours of its heights
    Daylight daylight;
    OpenSea open_sea;
    RiverCover rivers;
    const Image *drape; // may be NULL
    float linear[256];  // of the drape's bytes
    const Ramp *ramp;
    Camera camera;
    int width, height; // of the picture
    Vector sun;
    Lights lights; // the sun's, and the sky's beside it
    // Places on the palette (shading.h) of z: z of the height whose place is 0, and factors.
    double shore, above, bend, below, bend_below;
    double rocky, haze;
    Light rock, wall, shallow, deep, zenith, horizon, river;
} Scenery;

// --- camera ------------------------------------------------------------------------------------------------

// A place in sides, its height in sides above the sea. Heights are those of cells' middles, which lie at
// whole numbers here, half a cell from the field's edges.
static Vector from_sides(const Numbers *place, double side) {
    return (Vector){ place->at[0] * side - 0.5, place->at[1] * side - 0.5, place->at[2] * side };
}

// The half of the picture's height at distance 1.
static double half_height(const CameraPlan *plan) {
    const double half = plan->field_of_view * (PI / 360);
    return sine(half) / cosine(half);
}

// The least distance from the target, in cells, at which all corners of the field are in the picture, with a
// margin. `back`: from the target towards the camera.
static double whole_distance(const CameraPlan *plan, const MaxPyramid *pyramid, Vector target, Vector back) {
    static const double margin = 1.04;
    const Vector right = vector_unit((Vector){ back.y, -back.x, 0 });
    const Vector up = { -right.y * back.z, right.x * back.z, right.y * back.x - right.x * back.y };
    const double high = half_height(plan), wide = high * plan->columns / plan->rows;
    const Field *height = pyramid->height;
    const double top = max(max_pyramid_highest(pyramid), 0);
    double least = 0;
    for (int corner = 0; corner < 8; corner++) {
        const Vector at = { corner & 1 ? height->width - 1 : 0, corner & 2 ? height->height - 1 : 0,
                            corner & 4     ? top
                            : pyramid->sea ? 0
                                           : pyramid->lowest };
        const Vector from = vector_plus(at, target, -1);
        const double aside = fabs(vector_dot(from, right)) / wide, over = fabs(vector_dot(from, up)) / high;
        least = max(least, max(aside, over) * margin + vector_dot(from, back));
    }
    return least;
}

// Fails with STATUS_INVALID when the camera is inside the ground, looks straight up or down, or at itself.
static Status camera_aim(Camera *camera, const CameraPlan *plan, const MaxPyramid *pyramid, Error *error) {
    const Field *height = pyramid->height;
    const double side = field_side(height);
    Vector target = { 0.5 * (height->width - 1), 0.5 * (height->height - 1), 0 };
    if (plan->target->count)
        target = from_sides(plan->target, side);
    if (plan->place->count) {
        camera->place = from_sides(plan->place, side);
    } else {
        const double azimuth = compass_to_cells(plan->compass, plan->azimuth) * (PI / 180),
                     pitch = plan->pitch * (PI / 180);
        const Vector back = { -cosine(pitch) * sine(azimuth), cosine(pitch) * cosine(azimuth), sine(pitch) };
        const bool whole = isnan(plan->distance);
        const double far = whole ? whole_distance(plan, pyramid, target, back) : plan->distance * side;
        camera->clear = whole ? max(far - 0.75 * side, 0) : 0; // up to the field's corner
        camera->place = vector_plus(target, back, far);
    }
    const Vector towards = vector_plus(target, camera->place, -1);
    camera->ahead = vector_unit(towards);
    if (!(fabs(camera->ahead.z) < 0.9999) || !(vector_dot(towards, towards) > 1e-12))
        return fail(error, STATUS_INVALID,
                    "the camera must not look straight up or down: its direction is (%.3g, %.3g, %.3g)",
                    camera->ahead.x, camera->ahead.y, camera->ahead.z);
    const double ground = max_pyramid_ground(pyramid, camera->place.x, camera->place.y);
    const bool over_field = camera->place.x >= 0 && camera->place.y >= 0 &&
                            camera->place.x <= height->width - 1 && camera->place.y <= height->height - 1;
    if ((over_field && camera->place.z <= ground) || (plan->over_sea && camera->place.z <= 0))
        return fail(error, STATUS_INVALID,
                    "the camera is inside the ground: at z %s, where the ground is at %s",
                    digits_of(camera->place.z / side).text,
                    digits_of((over_field && ground > 0 ? ground : 0) / side).text);
    const double widest = half_height(plan);
    const Vector right = vector_unit((Vector){ -camera->ahead.y, camera->ahead.x, 0 });
    const Vector up = { -right.y * camera->ahead.z, right.x * camera->ahead.z,
                        right.y * camera->ahead.x - right.x * camera->ahead.y };
    camera->right = (Vector){ right.x * widest, right.y * widest, 0 };
    camera->up = (Vector){ up.x * widest, up.y * widest, up.z * widest };
    if (camera->up.z < 0)
        camera->up = (Vector){ -camera->up.x, -camera->up.y, -camera->up.z };
    if (plan->compass.mirrored) // so is the picture, which shows the ground as it is
        camera->right = (Vector){ -camera->right.x, -camera->right.y, 0 };
    camera->pixel = 2 * widest / plan->rows;
    return STATUS_OK;
}

// --- open sea ----------------------------------------------------------------------------------------------

static double shallowness(const Field *height, double z) {
    const double depth = z < 0 ? -z / (0.02 * field_side(height)) : 0;
    return 1 / (1 + depth * depth);
}

// The position of a border point along the border.
static double border_place(const Field *height, double x, double y) {
    const double right = height->width - 1, bottom = height->height - 1;
    if (y <= 0)
        return x;
    if (x >= right)
        return right + y;
    return y >= bottom ? right + bottom + (right - x) : 2 * right + 2 * bottom - y;
}

// Freed by open_sea_free, also after a failure.
static Status open_sea_create(OpenSea *sea, const MaxPyramid *pyramid, Error *error) {
    const Field *height = pyramid->height;
    const int right = height->width - 1, bottom = height->height - 1;
    *sea = (OpenSea){ .pyramid = pyramid, .count = 2 * right + 2 * bottom };
    sea->sums = memory_new((size_t)sea->count + 1, sizeof *sea->sums, error);
    if (!sea->sums)
        return STATUS_MEMORY;
    double wet = 0;
    int wet_count = 0;
    sea->sums[0] = 0;
    for (int i = 0; i < sea->count; i++) {
        const int half = right + bottom, along = i < half ? i : 2 * half - i;
        const int x = i < half ? min(along, right) : max(min(along - bottom, right), 0);
        const int y = i < half ? max(along - right, 0) : min(along, bottom);
        const double z = max_pyramid_ground(pyramid, x, y), shallow = shallowness(height, z);
        sea->sums[i + 1] = sea->sums[i] + shallow;
        wet += z < 0 ? shallow : 0;
        wet_count += z < 0;
    }
    sea->far = wet_count > 0 ? wet / wet_count : 0;
    return STATUS_OK;
}

static void open_sea_free(OpenSea *sea) {
    memory_free(sea->sums);
}

// The sum of the border's cells up to a position, which may be before its beginning or after its end.
static double sum_to(const OpenSea *sea, double place) {
    const double round = floor(place / sea->count), within = place - round * sea->count;
    const int cell = index_within(within, sea->count);
    const double part = sea->sums[cell] + (sea->sums[cell + 1] - sea->sums[cell]) * (within - cell);
    return round * sea->sums[sea->count] + part;
}

// 1 where the sea has no depth, approaching 0 with depth.
static double shallow_at(const OpenSea *sea, double x, double y) {
    const Field *height = sea->pyramid->height;
    const double in_x = clamp(x, 0, height->width - 1.0), in_y = clamp(y, 0, height->height - 1.0);
    const double beyond = sqrt((x - in_x) * (x - in_x) + (y - in_y) * (y - in_y));
    if (beyond == 0)
        return shallowness(height, max_pyramid_ground(sea->pyramid, x, y));
    const double far = beyond / (0.12 * field_side(height)), open = far < 1 ? far * far * (3 - 2 * far) : 1;
    if (open == 1)
        return sea->far;
    // The mean of the border around the nearest point, over a width that grows with the distance, so that
    // the sea continues without a seam and soon without the border's detail.
    const double half = min(2 * beyond + 0.5, 0.5 * sea->count);
    const double place = border_place(height, in_x, in_y) + 0.5;
    const double near = (sum_to(sea, place + half) - sum_to(sea, place - half)) / (2 * half);
    return near + (sea->far - near) * open;
}

// --- colours and light -------------------------------------------------------------------------------------

static Light sky_towards(const Scenery *scenery, Vector along) {
    const double up = max(along.z, 0), near_sun = vector_dot(along, scenery->sun);
    const double high = up * up / (up * up + 0.06); // without a kink at the horizon
    const Light blue = light_blend(scenery->horizon, scenery->zenith, (float)high);
    const double glow = near_sun > 0 ? near_sun * near_sun * near_sun * near_sun * 0.15 : 0;
    return light_blend(blue, (Light){ 1, 0.95f, 0.85f }, (float)glow);
}

// Air attenuates light on the way and adds its own.
static Light through_air(const Scenery *scenery, Light light, Vector along, double distance) {
    const double hazy = max(distance - scenery->camera.clear, 0);
    const double air = hazy * scenery->haze / field_side(scenery->pyramid.height);
    const double lost = 1 - 1 / (1 + 0.35 * air * air);
    return light_blend(light, sky_towards(scenery, (Vector){ along.x, along.y, 0.02 }), (float)lost);
}

// The slope over the footprint of a pixel, so that distant ground does not flicker.
static Vector normal_at(const Scenery *scenery, Vector here, double distance) {
    const double shown = 0.7 * distance * scenery->camera.pixel, off = max(shown, 0.75);
    const MaxPyramid *pyramid = &scenery->pyramid;
    const double dx =
        max_pyramid_ground(pyramid, here.x + off, here.y) - max_pyramid_ground(pyramid, here.x - off, here.y);
    const double dy =
        max_pyramid_ground(pyramid, here.x, here.y + off) - max_pyramid_ground(pyramid, here.x, here.y - off);
    return vector_unit((Vector){ -dx / (2 * off), -dy / (2 * off), 1 });
}

// The place of land on the palette, 0 to 1.
static double place_of(const Scenery *scenery, double z) {
    const double over = max(z - scenery->shore, 0);
    return (double)land_place((float)over, (float)scenery->above, (float)scenery->bend);
}

// The shading of relief, and cast shadows: there the ground has the tone of a slope that faces away.
static Light lit(const Scenery *scenery, Light colour, Vector here, Vector normal) {
    const float shadow = -0.6f, sun = (float)daylight_sun(&scenery->daylight, here.x, here.y);
    const float hollow = (float)daylight_sky(&scenery->daylight, here.x, here.y) - OPEN_SKY;
    const float across = (float)(-normal.x / normal.z), along = (float)(-normal.y / normal.z);
    const float gain = gentle_gain(across, along, (float)here.z);
    const float open = lights_tone(&scenery->lights, gain * across, gain * along),
                tone = lerp(min(open, shadow), open, sun);
    const float contrast = contrast_at((float)place_of(scenery, here.z)), hollows = 0.6f;
    const float shown = contrast * (tone + hollows * hollow);
    const Light light = scenery->drape ? lit_nature(colour, shown) : lit_ground(colour, shown);
    return light_compressed(light, SHADING_KNEE, shading_brightest(&scenery->lights));
}

// The image's colours between its pixels, and how opaque it is there.
static Light drape_at(const Scenery *scenery, double x, double y, float *opacity) {
    const Image *drape = scenery->drape;
    const double right = drape->width - 1, bottom = drape->height - 1;
    const double across = clamp(x, 0, right), down = clamp(y, 0, bottom);
    const int column = index_within(across, drape->width - 1), row = index_within(down, drape->height - 1);
    Light sum = { 0, 0, 0 };
    *opacity = 0;
    for (int i = 0; i < 4; i++) {
        const Pixel pixel = image_row(drape, row + i / 2)[column + i % 2];
        const float u = (float)(across - column), v = (float)(down - row);
        const float share = (i % 2 ? u : 1 - u) * (i / 2 ? v : 1 - v) * (float)pixel.alpha / 255;
        sum.red += share * scenery->linear[pixel.red];
        sum.green += share * scenery->linear[pixel.green];
        sum.blue += share * scenery->linear[pixel.blue];
        *opacity += share;
    }
    return *opacity > 0 ? light_scaled(sum, 1 / *opacity) : sum;
}

// Visible ground is not under water, whatever the rounding of its z.
static Light ground_colour(const Scenery *scenery, Vector here, Vector normal) {
    const double z = scenery->flat ? max_pyramid_ground(&scenery->unraised, here.x, here.y) : here.z;
    const bool sunken = scenery->flat && scenery->pyramid.sea && z < 0;
    const double depth =
        sunken ? (double)land_place((float)-z, (float)scenery->below, (float)scenery->bend_below) : 0;
    const double height = sunken ? -0.001 - 0.999 * depth : place_of(scenery, z);
    const Light soil = ramp_at(scenery->ramp, height);
    const double steep = (0.78 - normal.z) * 5 * scenery->rocky;
    const double bare = here.z > 0 ? clamp(steep, 0, 1) : 0;
    const Light rock = light_blend(scenery->rock, light_scaled(soil, 0.6f), 0.3f);
    const Light ground = light_blend(soil, rock, (float)bare);
    if (!scenery->drape)
        return ground;
    float opacity;
    const Light drape = drape_at(scenery, here.x, here.y, &opacity);
    return light_blend(ground, drape, opacity);
}

// The footprint of a pixel on sloping ground: longer at grazing angles.
static Patch patch_of(const Scenery *scenery, Vector here, Vector normal, Vector along, double distance) {
    const double width = distance * scenery->camera.pixel, facing = -vector_dot(normal, along);
    const double least = max(facing, 0.05), slant = 1 - facing * facing;
    const Vector down = vector_plus(along, normal, facing); // along the ground
    const double half = slant > 1e-9 ? 0.5 * width / (least * sqrt(slant)) : 0;
    return (Patch){ here.x, here.y, half * down.x, half * down.y, width };
}

// Water reflects more of the sky at grazing angles (Schlick 1994).
static Light water_surface(const Scenery *scenery, Light under, Vector along) {
    const double facing = max(-along.z, 0), off = 1 - facing;
    const double mirror = 0.02 + 0.98 * off * off * off * off * off;
    const Vector up = { along.x, along.y, -along.z };
    return light_blend(under, sky_towards(scenery, up), (float)min(mirror, 0.75));
}

// Ground or sea, with the rivers on it.
static Light under_rivers(const Scenery *scenery, Light light, Vector here, Vector normal, Vector along,
                          double distance) {
    if (!scenery->rivers.rivers)
        return light;
    const Patch patch = patch_of(scenery, here, normal, along, distance);
    const double river = river_cover_at(&scenery->rivers, &patch);
    if (!(river > 0))
        return light;
    const Light water = lit(scenery, scenery->river, here, (Vector){ 0, 0, 1 });
    return light_blend(light, water_surface(scenery, water, along), (float)river);
}

static Light ground_seen(const Scenery *scenery, Vector here, Vector along, double distance) {
    const Vector normal = normal_at(scenery, here, distance);
    const Light light = lit(scenery, ground_colour(scenery, here, normal), here, normal);
    return under_rivers(scenery, light, here, normal, along, distance);
}

// Beds of rivers may lie below the sea's level.
static Light sea_seen(const Scenery *scenery, Vector here, Vector along, double distance) {
    const Vector up = { 0, 0, 1 };
    const Light water =
        light_blend(scenery->deep, scenery->shallow, (float)shallow_at(&scenery->open_sea, here.x, here.y));
    const Light light = water_surface(scenery, lit(scenery, water, here, up), along);
    const Field *height = scenery->pyramid.height;
    const bool inside =
        here.x >= 0 && here.y >= 0 && here.x <= height->width - 1 && here.y <= height->height - 1;
    return inside ? under_rivers(scenery, light, here, up, along, distance) : light;
}

// --- colours that go with the palette ----------------------------------------------------------------------

// Colours that go with the palette. `has_sea`: the palette has colours for it.
static void scenery_colour(Scenery *scenery, bool has_sea) {
    scenery->rock = ramp_rock(scenery->ramp);
    scenery->wall = light_scaled(scenery->rock, 0.8f);
    scenery->shallow = has_sea ? ramp_at(scenery->ramp, -0.15) : to_light((Pixel){ 0x5f, 0xa6, 0xa8, 255 });
    scenery->deep = has_sea ? ramp_at(scenery->ramp, -0.9) : to_light((Pixel){ 0x1d, 0x4e, 0x74, 255 });
    scenery->river = light_scaled(ramp_river(scenery->ramp), has_sea ? 0.5f : 1); // as narrow ones in relief
    scenery->zenith = to_light((Pixel){ 0x4d, 0x86, 0xc2, 255 });
    scenery->horizon = to_light((Pixel){ 0xd6, 0xe4, 0xee, 255 });
    for (int i = 0; i < 256; i++)
        scenery->linear[i] = to_light((Pixel){ (uint8_t)i, 0, 0, 255 }).red;
}

// --- rays --------------------------------------------------------------------------------------------------

// The colour at a position in the picture, in pixels from its upper left corner.
static Light scenery_at(const Scenery *scenery, double across, double down) {
    const double half = 0.5 * scenery->height;
    Vector along =
        vector_plus(scenery->camera.ahead, scenery->camera.right, (across - 0.5 * scenery->width) / half);
    along = vector_unit(vector_plus(along, scenery->camera.up, (half - down) / half));
    const double sea = scenery->pyramid.sea && along.z < 0 ? -scenery->camera.place.z / along.z : INFINITY;
    const double touch = 2e-3; // ground at the sea's level is land
    const Seen seen =
        max_pyramid_cast(&scenery->pyramid, scenery->camera.place, along, sea < 1e9 ? sea + touch : 1e9);
    if (seen.kind == SEEN_NOTHING && !(sea < 1e9))
        return sky_towards(scenery, along);
    const double distance = seen.kind == SEEN_NOTHING ? sea : seen.distance;
    const Vector here = vector_plus(scenery->camera.place, along, distance);
    Light light;
    if (seen.kind == SEEN_GROUND)
        light = ground_seen(scenery, here, along, distance);
    else if (seen.kind == SEEN_WALL)
        light = light_scaled(scenery->wall, (float)(0.7 + 0.3 * vector_dot(along, scenery->sun)));
    else
        light = sea_seen(scenery, here, along, distance);
    return through_air(scenery, light, along, distance);
}

// --- rays --------------------------------------------------------------------------------------------------

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
    PARAM(Perspective, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
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
