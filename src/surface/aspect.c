// The direction in which the surface falls most steeply.

#include "core/angle.h"
#include "surface/nine_points.h"

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

static Status run(const Call *call, Error *error) {
    (void)error;
    const Aspect *params = call->params;
    const Compass compass = frame_compass(&call->inputs[0].field->frame);
    const Directions directions = { (GradientMethod)params->method, (float)compass.turn,
                                    compass.mirrored ? -1 : 1 };
    return nine_points(call, measure_directions, &directions, 1.5, &call->outputs[0].field);
}

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(Aspect),
    .example = "local facing = height:aspect()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:aspect():colorize{ palette = \"cyclic\", low = 0, high = 360, legend = true }",
    .see_also = "gradient_angle",
    .run = run,
};
