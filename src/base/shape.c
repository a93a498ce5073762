// Simple shapes by the distance d from a centre, in radii:
//
//     cone      1 - d
//     dome      √(1 - d²)
//     gaussian  exp(-2 d²): the radius is two standard deviations
//     disk      1, falling to 0 within `edge`
//     crater    d² - 1 + r inside, r / d³ outside, its ejecta (McGetchin, Settle and Head 1973); the rim's
//     height
//               r = 0.036 / 0.196 of the depth (Pike 1977, simple craters)
//     volcano   (1 - d)² to the rim of a crater at d = 0.15, inside which it falls by a tenth of that
//
// and `ramp`, which rises from 0 to 1 over two radii towards its azimuth.

#include "core/elementary.h"
#include "core/math.h"
#include "core/operation.h"

#include <math.h>

typedef struct Shape {
    int kind;
    double x, y, radius, azimuth, stretch, edge, magnitude;
} Shape;

enum { CONE, DOME, GAUSSIAN, DISK, CRATER, VOLCANO, RAMP };

typedef struct Outline {
    const Shape *shape;
    Field *field;
    double cosine, sine;
} Outline;

static double profile(const Shape *shape, double d) {
    static const double rim = 0.036 / 0.196, vent = 0.15;
    const double inside = max(1 - d, 0);
    switch (shape->kind) {
    case CONE:
        return inside;
    case DOME:
        return sqrt(max(1 - d * d, 0));
    case GAUSSIAN:
        return exponential(-2 * d * d);
    case DISK:
        return d <= 1            ? 1
               : shape->edge > 0 ? smoothstep(max(1 - (d - 1) * shape->radius / shape->edge, 0))
                                 : 0;
    case CRATER:
        return d < 1 ? d * d - 1 + rim : rim / (d * d * d);
    default: { // VOLCANO
        const double lip = (1 - vent) * (1 - vent), share = d / vent;
        return d < vent ? 1 - 0.1 * (1 - share * share) : inside * inside / lip;
    }
    }
}

static void shape_rows(void *context, int first, int end) {
    const Outline *outline = context;
    const Shape *shape = outline->shape;
    const Field *field = outline->field;
    const double side = field_side(field), scale = 1 / (side * shape->radius);
    for (int y = first; y < end; y++) {
        float *out = field_row(outline->field, y);
        const double dy = (y + 0.5 - shape->y * field->height) * scale;
        for (int x = 0; x < field->width; x++) {
            const double dx = (x + 0.5 - shape->x * field->width) * scale;
            const double along = (dx * outline->cosine + dy * outline->sine) / shape->stretch;
            const double across = dy * outline->cosine - dx * outline->sine;
            const double height = shape->kind == RAMP ? clamp(0.5 + 0.5 * along, 0, 1)
                                                      : profile(shape, sqrt(along * along + across * across));
            out[x] = (float)(shape->magnitude * height);
        }
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Shape *shape = call->params;
    const double angle = (shape->azimuth - 90) * (PI / 180); // from the right, clockwise
    Outline outline = { shape, &call->outputs[0].field, cosine(angle), sine(angle) };
    return parallel_rows(call->run, call->height, call->width * 8.0, shape_rows, &outline);
}

static const Param params[] = {
    PARAM(Shape, kind, .choices = CHOICES("cone", "dome", "gaussian", "disk", "crater", "volcano", "ramp"),
          .doc = "which shape"),
    PARAM(Shape, x, .initial = 0.5, .min = -100, .max = 100, .unit = UNIT_PLACE,
          .doc = "centre, as a share of the width"),
    PARAM(Shape, y, .initial = 0.5, .min = -100, .max = 100, .unit = UNIT_PLACE,
          .doc = "centre, as a share of the height"),
    PARAM(Shape, radius, .initial = 0.4, .min = 1e-5, .max = 1000,
          .doc = "as a share of N, the longer side; of a crater that of its rim, of a gaussian two standard "
                 "deviations; half the length of a ramp"),
    PARAM(Shape, azimuth, .initial = 90, .min = -36000, .max = 36000, .unit = UNIT_DEGREES,
          .doc =
              "direction of the stretch, or in which a ramp rises, clockwise from north; 90: to the right"),
    PARAM(Shape, stretch, .initial = 1, .min = 0.001, .max = 1000,
          .doc = "makes it longer in that direction"),
    PARAM(Shape, edge, .initial = 0, .min = 0, .max = 1000,
          .doc = "of a disk: how far its edge falls, outside the radius, as a share of N"),
    PARAM(Shape, magnitude, .initial = 1, .min = -1e6, .max = 1e6, .doc = "heights are multiplied by this"),
    { 0 },
};

const Operation op_shape = {
    .name = "shape",
    .category = "base",
    .summary = "Makes a cone, dome, Gaussian hill, disk, crater, volcano or ramp",
    .description =
        "Heights are 0 to 1, those of a crater -0.82 to 0.18 around the ground at 0: add them to other "
        "heights, or use a disk or ramp as a mask.",
    .source =
        "Pike 1977, Size-dependence in the shape of fresh impact craters on the Moon; McGetchin, Settle and "
        "Head 1973, Radial thickness variation in impact crater ejecta",
    .outputs = { { "height", "heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Shape),
    .sized = true,
    .example = "local hill = esker.shape{ kind = \"dome\", size = 64, x = 0.3, radius = 0.2 }",
    .picture = "local function shape(arguments)\n"
               "    arguments.size = 90\n"
               "    return esker.shape(arguments)\n"
               "end\n"
               "return shape{}, shape{ kind = \"dome\" }, shape{ kind = \"disk\" },\n"
               "    shape{ kind = \"gaussian\", stretch = 2, azimuth = 120 }, 0.5 + 0.6 * shape{ kind = "
               "\"crater\", radius = 0.25 },\n"
               "    shape{ kind = \"volcano\" }, shape{ kind = \"ramp\", azimuth = 135 }",
    .keywords =
        "cone dome hill gaussian disk circle crater volcano ramp gradient slope island falloff radial mask "
        "hemisphere linspace",
    .see_also = "polygon ridge_line stamp noise",
    .run = run,
};
