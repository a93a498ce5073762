// The direction in which the surface falls most steeply.

#include "core/angle.h"
#include "surface/nine_points.h"

typedef struct Aspect {
    int method;
} Aspect;

// Clockwise from north: the fall is (-across, -along) with y down, so north is along > 0.
KERNEL_INLINE void directions_by(GradientMethod method, NinePoints at, int count, float *restrict out) {
    for (int x = 0; x < count; x++) {
        float across, along;
        gradient_at(method, at, x, &across, &along);
        const float angle = angle_of(-across, along) * DEGREES_PER_RADIAN;
        const float positive = angle < 0 ? angle + 360 : angle;
        const float below = positive < 360 ? positive : 0; // a tiny negative angle is rounded up to 360
        out[x] = across == 0 && along == 0 ? -1 : below;
    }
}

KERNEL static void measure_directions(const void *context, NinePoints at, int count, float *out) {
    const Aspect *aspect = context;
    if (aspect->method == GRADIENT_HORN)
        directions_by(GRADIENT_HORN, at, count, out);
    else
        directions_by(GRADIENT_ZEVENBERGEN, at, count, out);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return nine_points(call, measure_directions, call->params, 1.5, &call->outputs[0].field);
}

static const Param params[] = {
    GRADIENT_PARAM(Aspect),
    { 0 },
};

const Operation op_aspect = {
    .name = "aspect",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "surface",
    .keywords = "direction exposure facing azimuth orientation",
    .summary = "Gives the direction in which the ground falls, in degrees clockwise from north",
    .description =
        "0 faces north (up), 90 east, 180 south, 270 west; -1 where the ground is level. " ON_BEYOND_EDGES,
    .source = "Horn 1981, Hill shading and the reflectance map; Zevenbergen and Thorne 1987, Quantitative "
              "analysis of land surface topography",
    .inputs = { { "height", "heights" } },
    .outputs = { { "aspect", "0 to below 360 degrees, or -1" } },
    .params = params,
    .params_size = sizeof(Aspect),
    .example = "local facing = height:aspect()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:aspect():colorize{ palette = \"cyclic\", low = 0, high = 360, legend = true }",
    .see_also = "gradient_angle",
    .run = run,
};
