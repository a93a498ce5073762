// The angle of the steepest slope of the surface.

#include "core/math.h"
#include "surface/nine_points.h"

typedef struct GradientAngle {
    double exaggeration;
    int method;
} GradientAngle;

typedef struct Angles {
    float scale;
    GradientMethod method;
} Angles;

KERNEL_INLINE void angles_by(GradientMethod method, float scale, NinePoints at, int count,
                             float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] = angle_of(slope_at(method, at, x, scale), 1) * DEGREES_PER_RADIAN;
}

KERNEL static void measure_angles(const void *context, NinePoints at, int count, float *out) {
    const Angles *angles = context;
    if (angles->method == GRADIENT_HORN)
        angles_by(GRADIENT_HORN, angles->scale, at, count, out);
    else
        angles_by(GRADIENT_ZEVENBERGEN, angles->scale, at, count, out);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const GradientAngle *params = call->params;
    const Angles angles = { cells_per_height(call->inputs[0].field, params->exaggeration),
                            (GradientMethod)params->method };
    return nine_points(call, measure_angles, &angles, 1, &call->outputs[0].field);
}

static const Param gradient_params[] = {
    EXAGGERATION_PARAM(GradientAngle, UNIT_EXAGGERATION),
    GRADIENT_PARAM(GradientAngle),
    { 0 },
};

const Operation op_gradient_angle = {
    .name = "gradient_angle",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "slope degrees steepness inclination angle dip",
    .summary = "Gives the angle of the steepest slope, in degrees",
    .description = "0 is level, 90 a cliff. " ON_BEYOND_EDGES,
    .source = "Horn 1981, Hill shading and the reflectance map; Zevenbergen and Thorne 1987, Quantitative "
              "analysis of land surface topography",
    .inputs = { { "height", "heights" } },
    .outputs = { { "angle", "0 to 90", .dimension = DIMENSION_ANGLE } },
    .params = gradient_params,
    .params_size = sizeof(GradientAngle),
    .example = "local too_steep = height:gradient_angle():clamp{ low = 30, high = 31 } - 30",
    .wrapping = WRAPPING_CHOSEN,
    .picture =
        "return height:gradient_angle():relief{ palette = \"grey\", contrast = 0, low = 0, high = 60 }",
    .see_also = "slope aspect curvature",
    .run = run,
};

// --- aspect ------------------------------------------------------------------------------------------------

// The direction in which the surface falls most steeply.

typedef struct Aspect {
    int method;
} Aspect;

typedef struct Directions {
    GradientMethod method;
    float turn, sign; // of the frame's compass
} Directions;

// Clockwise from north: the fall is (-across, -along) with y down, so up is along > 0.
KERNEL_INLINE void directions_by(GradientMethod method, const Directions *directions, NinePoints at,
                                 int count, float *restrict out) {
    const float turn = directions->turn, sign = directions->sign;
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(method, at, x, &across, &along);
        const float angle = angle_of(-across, along) * DEGREES_PER_RADIAN;
        const float turned = sign * (angle - turn);
        const float positive = turned < 0 ? turned + 360 : turned;
        const float below =
            positive < 360 ? positive : positive - 360; // a tiny negative angle is rounded up to 360
        out[x] = across == 0 && along == 0 ? -1 : below;
    }
}

KERNEL static void measure_directions(const void *context, NinePoints at, int count, float *out) {
    const Directions *directions = context;
    if (directions->method == GRADIENT_HORN)
        directions_by(GRADIENT_HORN, directions, at, count, out);
    else
        directions_by(GRADIENT_ZEVENBERGEN, directions, at, count, out);
}

static Status aspect_run(const Call *call, Error *error) {
    (void)error;
    const Aspect *params = call->params;
    const Compass compass = frame_compass(&call->inputs[0].field->frame);
    const Directions directions = { (GradientMethod)params->method, (float)compass.turn,
                                    compass.mirrored ? -1 : 1 };
    return nine_points(call, measure_directions, &directions, 1.5, &call->outputs[0].field);
}

static const Param aspect_params[] = {
    GRADIENT_PARAM(Aspect),
    { 0 },
};

const Operation op_aspect = {
    .name = "aspect",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "direction exposure facing azimuth orientation",
    .summary = "Gives the direction in which the ground falls, in degrees clockwise from north",
    .description = "0 faces north (as the frame says, otherwise up), 90 east, 180 south, 270 west; -1 where "
                   "the ground is level. " ON_BEYOND_EDGES,
    .source = "Horn 1981, Hill shading and the reflectance map; Zevenbergen and Thorne 1987, Quantitative "
              "analysis of land surface topography",
    .inputs = { { "height", "heights" } },
    .outputs = { { "aspect", "0 to below 360, or -1", .dimension = DIMENSION_ANGLE } },
    .params = aspect_params,
    .params_size = sizeof(Aspect),
    .example = "local facing = height:aspect()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:aspect():colorize{ palette = \"cyclic\", low = 0, high = 360, legend = true }",
    .see_also = "gradient_angle",
    .run = aspect_run,
};
