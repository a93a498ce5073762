// Curvatures of the surface, from a polynomial of nine cells (surface/nine_points.h; formulas as in Young
// 1978 and Pennock et al. 1987, "Landform classification and soil distribution in hummocky terrain",
// appendix). With p, q the first and r, s, t the second derivatives of height in cells:
//
//     profile     -(p² r + 2 p q s + q² t) / ((p² + q²) (1 + p² + q²)^(3/2))   along the steepest slope
//     plan        -(q² r - 2 p q s + p² t) / (p² + q²)^(3/2)                   of the contour line
//     tangential  -(q² r - 2 p q s + p² t) / ((p² + q²) (1 + p² + q²)^(1/2))   across the slope
//     mean        -((1 + q²) r - 2 p q s + (1 + p²) t) / (2 (1 + p² + q²)^(3/2))
//
// Zevenbergen and Thorne give the second derivatives in these directions instead, without the powers of
// 1 + p² + q², and across the slope for plan: the same on gentle slopes, on steep ones no curvature of the
// surface.

#include "surface/nine_points.h"

#include <math.h>

typedef enum Kind { MEAN, PROFILE, TANGENTIAL, PLAN } Kind;

typedef struct Curvature {
    int kind, method;
    double exaggeration;
} Curvature;

typedef struct Surface {
    Kind kind;
    SurfaceFit fit;
    float scale, side;
} Surface;

KERNEL_INLINE float bend(Kind kind, Quadratic at) {
    const float p = at.p, q = at.q, r = at.r, s = at.s, t = at.t;
    const float steepness = p * p + q * q, root = sqrtf(1 + steepness);
    const float along = p * p * r + 2 * p * q * s + q * q * t, across = q * q * r - 2 * p * q * s + p * p * t;
    const float slanted = steepness > 0 ? steepness : 1; // where it is level, both numerators are 0
    switch (kind) {
    case PROFILE:
        return -along / (slanted * (1 + steepness) * root);
    case TANGENTIAL:
        return -across / (slanted * root);
    case PLAN:
        return -across / (slanted * sqrtf(slanted));
    default:
        return mean_curvature(at);
    }
}

KERNEL_INLINE void bends_of(Kind kind, SurfaceFit fit, const Surface *surface, NinePoints at, int count,
                            float *restrict out) {
    const float scale = surface->scale, side = surface->side;
    for (int x = 0; x < count; x++)
        out[x] = bend(kind, quadratic_at(fit, at, x, scale)) * side;
}

KERNEL_INLINE void bends_by(SurfaceFit fit, const Surface *surface, NinePoints at, int count, float *out) {
    switch (surface->kind) {
    case MEAN:
        bends_of(MEAN, fit, surface, at, count, out);
        break;
    case PROFILE:
        bends_of(PROFILE, fit, surface, at, count, out);
        break;
    case TANGENTIAL:
        bends_of(TANGENTIAL, fit, surface, at, count, out);
        break;
    case PLAN:
        bends_of(PLAN, fit, surface, at, count, out);
        break;
    }
}

KERNEL static void measure_bends(const void *context, NinePoints at, int count, float *out) {
    const Surface *surface = context;
    if (surface->fit == FIT_EVANS)
        bends_by(FIT_EVANS, surface, at, count, out);
    else
        bends_by(FIT_ZEVENBERGEN, surface, at, count, out);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Curvature *params = call->params;
    const Field *height = call->inputs[0].field;
    const double cell = field_cell_metres(height);
    const Surface surface = { (Kind)params->kind, (SurfaceFit)params->method,
                              cells_per_height(height, params->exaggeration),
                              (float)(cell > 0 ? 1 / cell : field_side(height)) };
    return nine_points(call, measure_bends, &surface, 1.5, &call->outputs[0].field);
}

static const Param params[] = {
    PARAM(Curvature, kind, .choices = CHOICES("mean", "profile", "tangential", "plan"),
          .doc =
              "profile: down the slope, where water speeds up or slows down; tangential: across the slope, "
              "where water gathers or spreads; plan: of the contour line; mean: the mean of all directions"),
    PARAM(Curvature, method, .choices = CHOICES("evans", "zevenbergen"),
          .doc = "evans: of the quadratic nearest to the nine cells, less noise; zevenbergen: of the surface "
                 "through all nine, sharper"),
    EXAGGERATION_PARAM(Curvature, UNIT_EXAGGERATION),
    { 0 },
};

const Operation op_curvature = {
    .name = "curvature",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .measures = MEASURES_CELLS,
    .category = "surface",
    .keywords = "convexity concavity bend ridge valley laplacian profile plan tangential parameter scale "
                "convergence divergence",
    .summary = "Gives the curvature of the surface: above 0 where it is convex, below 0 where it is concave",
    .description =
        "Curvature is the inverse of a radius. Where the field has a frame it is in 1/m: 0.01 is a circle "
        "with a radius of 100 m. Elsewhere it is in 1/N: 16 is one of N/16 cells. On level ground all kinds "
        "but mean are 0. " ON_BEYOND_EDGES,
    .source = "Evans 1980, An integrated system of terrain analysis and slope mapping; Zevenbergen and "
              "Thorne 1987, "
              "Quantitative analysis of land surface topography; Pennock, Zebarth and "
              "de Jong 1987, Landform classification and soil distribution in hummocky terrain",
    .inputs = { { "height", "heights" } },
    .outputs = { { "curvature", "inverse of the radius", .dimension = DIMENSION_CURVATURE } },
    .params = params,
    .params_size = sizeof(Curvature),
    .example = "local crests = height:curvature{ kind = \"tangential\" }:clamp{ low = 0 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture =
        "local colours = { { -1, \"#2166ac\" }, { 0, \"#f7f7f7\" }, { 1, \"#b2182b\" } }\n"
        "return height:blur{ sigma = 0.012 }:curvature():relief{ palette = colours, contrast = 0, low = "
        "-20, high = 20 }",
    .see_also = "relative_height gradient_angle",
    .run = run,
};
