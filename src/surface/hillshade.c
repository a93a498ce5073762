// Shading of the surface by one or several lights: the cosine of the angle between the light and the normal
// (Horn 1981, "Hill shading and the reflectance map", section "Lambertian surfaces"), 0 on the far side.

#include "core/elementary.h"
#include "core/math.h"
#include "surface/horizon.h"
#include "surface/nine_points.h"

typedef struct Hillshade {
    Numbers light;
    double exaggeration, softness;
    int method;
    bool shadows;
} Hillshade;

typedef struct LightRay {
    float x, y, z;  // towards it: to the right, down, up
    float weight;   // of all lights' sum
    float altitude; // degrees
} LightRay;

typedef struct Shading {
    GradientMethod method;
    float scale, softness;
    LightRay light;
    const Field *horizon; // in its direction; NULL: no shadows
    bool first;           // of several lights
} Shading;

// The share of the light that passes the horizon; shadows have soft edges.
KERNEL_INLINE float passing(const Shading *shading, float horizon) {
    const float over = shading->light.altitude - angle_of(horizon * shading->scale, 1) * DEGREES_PER_RADIAN;
    const float share = over / shading->softness + 0.5f, above = share > 0 ? share : 0;
    const float lit = above < 1 ? above : 1;
    return lit * lit * (3 - 2 * lit);
}

KERNEL_INLINE void shade_by(GradientMethod method, bool shadows, const Shading *shading, NinePoints at,
                            int count, float *restrict out) {
    const LightRay light = shading->light;
    const float scale = shading->scale, kept = shading->first ? 0 : 1;
    const float *restrict horizon = shadows ? field_row(shading->horizon, at.y) + at.x : at.row;
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(method, at, x, &across, &along);
        const float p = across * scale, q = along * scale;
        const float facing = (light.z - p * light.x - q * light.y) / sqrtf(p * p + q * q + 1);
        const float lit = shadows ? passing(shading, horizon[x]) : 1;
        const float bright = facing > 0 ? facing * light.weight * lit : 0;
        out[x] = kept > 0 ? out[x] + bright : bright;
    }
}

KERNEL static void shade_cells(const void *context, NinePoints at, int count, float *out) {
    const Shading *shading = context;
    const bool horn = shading->method == GRADIENT_HORN;
    if (horn && !shading->horizon)
        shade_by(GRADIENT_HORN, false, shading, at, count, out);
    else if (horn)
        shade_by(GRADIENT_HORN, true, shading, at, count, out);
    else if (!shading->horizon)
        shade_by(GRADIENT_ZEVENBERGEN, false, shading, at, count, out);
    else
        shade_by(GRADIENT_ZEVENBERGEN, true, shading, at, count, out);
}

// One row of `light`, whose azimuth is that direction in the array of cells.
static LightRay read_light(const double *row, double direction, double weights) {
    const double azimuth = direction * (PI / 180), altitude = row[1] * (PI / 180);
    return (LightRay){ (float)(sine(azimuth) * cosine(altitude)),
                       (float)(-cosine(azimuth) * cosine(altitude)), (float)sine(altitude),
                       (float)(row[2] / weights), (float)row[1] };
}

static Status check_lights(const Numbers *lights, double *weights, Error *error) {
    *weights = 0;
    for (int i = 0; i < lights->count; i += 3) {
        const double altitude = lights->at[i + 1], weight = lights->at[i + 2];
        if (!(altitude >= 0 && altitude <= 90))
            return fail(error, STATUS_INVALID, "light: an altitude must be 0 to 90, got %s",
                        digits_of(altitude).text);
        if (!(weight >= 0))
            return fail(error, STATUS_INVALID, "light: a weight must be at least 0, got %s",
                        digits_of(weight).text);
        *weights += weight;
    }
    return *weights > 0 ? STATUS_OK : fail(error, STATUS_INVALID, "light: one weight must be above 0");
}

static Status shade(const Call *call, Horizon *horizon, Field *tangent, double weights) {
    const Hillshade *params = call->params;
    Shading shading = { .method = (GradientMethod)params->method,
                        .scale = cells_per_height(call->inputs[0].field, params->exaggeration),
                        .softness = (float)params->softness,
                        .horizon = params->shadows ? tangent : NULL };
    const Compass compass = frame_compass(&call->inputs[0].field->frame);
    Status status = STATUS_OK;
    for (int i = 0; i < params->light.count && status == STATUS_OK; i += 3) {
        const double *light = params->light.at + i;
        const double direction = compass_to_cells(compass, light[0]);
        shading.light = read_light(light, direction, weights);
        shading.first = i == 0;
        if (params->shadows)
            status = horizon_towards(horizon, call->run, direction, tangent);
        if (status == STATUS_OK)
            status = nine_points(call, shade_cells, &shading, 2, &call->outputs[0].field);
    }
    return status;
}

static Status run(const Call *call, Error *error) {
    const Hillshade *params = call->params;
    double weights = 0;
    Horizon horizon = { 0 };
    Field tangent = { 0 };
    Status status = check_lights(&params->light, &weights, error);
    if (status == STATUS_OK && params->shadows)
        status = field_create(&tangent, call->width, call->height, error);
    if (status == STATUS_OK && params->shadows)
        status = horizon_create(&horizon, call->run, call->inputs[0].field, call->wraps, error);
    if (status == STATUS_OK)
        status = shade(call, &horizon, &tangent, weights);
    horizon_free(&horizon);
    field_free(&tangent);
    return status;
}

static int hillshade_reach(const Call *call) {
    return ((const Hillshade *)call->params)->shadows ? SEES_ALL : 1;
}

static const Param params[] = {
    PARAM(Hillshade, light, .initial_numbers = NUMBERS(315, 45, 1), .columns = 3, .columns_min = 2, .rest = 1,
          .rows_min = 1, .min = -360, .max = 360,
          .doc =
              "direction of the light, { azimuth, altitude }, as in relief: clockwise from north, and above "
              "the horizon, in degrees; or several, as rows { azimuth, altitude, weight }, the weights "
              "relative to each other"),
    PARAM(Hillshade, shadows,
          .doc = "whether ground casts shadows, which are found along lines one cell apart"),
    PARAM(Hillshade, softness, .initial = 2, .min = 0.01, .max = 90, .unit = UNIT_DEGREES,
          .doc = "width of a shadow's edge, seen from the ground; the sun is 0.5 wide"),
    EXAGGERATION_PARAM(Hillshade, UNIT_EXAGGERATION),
    GRADIENT_PARAM(Hillshade),
    { 0 },
};

const Operation op_hillshade = {
    .name = "hillshade",
    .gaps = GAPS_KEPT,
    .reach = hillshade_reach,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "shading shaded relief light sun shadow lambert multidirectional gdaldem zfactor lamp",
    .summary = "Shades the ground by one or several lights, with or without shadows",
    .description = "Level ground gets the sine of the light's altitude. Shadows reach across the whole "
                   "field. " ON_BEYOND_EDGES,
    .source = "Horn 1981, Hill shading and the reflectance map; horizons: Timonen and Westerholm 2010, "
              "Scalable height field self-shadowing",
    .inputs = { { "height", "heights" } },
    .outputs = { { "shade", "0 dark to 1 facing the light" } },
    .params = params,
    .params_size = sizeof(Hillshade),
    .example = "local shade = height:hillshade{ light = { { 315, 45, 2 }, { 45, 60, 1 } } }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:hillshade{ light = { 315, 25 }, shadows = true }:relief{ palette = shades, "
               "contrast = 0, low = 0, high = 1 }",
    .see_also = "relief sky_view gradient_angle",
    .run = run,
};
