// The angle of the steepest slope of the surface.

#include "core/angle.h"
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

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(GradientAngle),
    .example = "local too_steep = height:gradient_angle():clamp{ low = 30, high = 31 } - 30",
    .wrapping = WRAPPING_CHOSEN,
    .picture =
        "return height:gradient_angle():relief{ palette = \"grey\", contrast = 0, low = 0, high = 60 }",
    .see_also = "slope aspect curvature",
    .run = run,
};
