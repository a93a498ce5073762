// Shapes from distances: round ones around a point, a range along a line, the inside of a polygon.

#include "core/elementary.h"
#include "core/math.h"
#include "core/operation.h"

#include <math.h>

// --- shape -------------------------------------------------------------------------------------------------

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

static Status run_shape(const Call *call, Error *error) {
    (void)error;
    const Shape *shape = call->params;
    const double angle = (shape->azimuth - 90) * (PI / 180); // from the right, clockwise
    Outline outline = { shape, &call->outputs[0].field, cosine(angle), sine(angle) };
    return parallel_rows(call->run, call->height, call->width * 8.0, shape_rows, &outline);
}

static const Param shape_params[] = {
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
          .doc = "for a disk: how far its edge falls, outside the radius, as a share of N"),
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
    .params = shape_params,
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
    .run = run_shape,
};

// --- polygon -----------------------------------------------------------------------------------------------

// A mask: the inside of a polygon, by the even-odd rule, with an edge of a given width.

typedef struct Polygon {
    Numbers points;
    double edge;
} Polygon;

typedef struct Inside {
    const Polygon *polygon;
    Field *field;
} Inside;

static double corner(const Inside *outline, int i, int axis) {
    const Numbers *points = &outline->polygon->points;
    return points->at[2 * i + axis] * (axis ? outline->field->height : outline->field->width);
}

// The distance to the polygon's edge in cells, below 0 inside.
static double outside(const Inside *outline, double x, double y) {
    const int count = outline->polygon->points.count / 2;
    double nearest = INFINITY;
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        const double from_x = corner(outline, j, 0), from_y = corner(outline, j, 1);
        const double dx = corner(outline, i, 0) - from_x, dy = corner(outline, i, 1) - from_y;
        const double px = x - from_x, py = y - from_y;
        nearest = min(nearest, segment_distance(px, py, dx, dy, segment_share(px, py, dx, dy)));
        if ((py >= 0) != (py >= dy) && (px < dx * py / dy))
            inside = !inside;
    }
    return inside ? -nearest : nearest;
}

static void polygon_rows(void *context, int first, int end) {
    const Inside *outline = context;
    const double width = max(outline->polygon->edge * field_side(outline->field), 1);
    for (int y = first; y < end; y++)
        for (int x = 0; x < outline->field->width; x++) {
            const double share = 0.5 - outside(outline, x + 0.5, y + 0.5) / width;
            field_row(outline->field, y)[x] = (float)smoothstep(clamp(share, 0, 1));
        }
}

static Status run_polygon(const Call *call, Error *error) {
    (void)error;
    Inside outline = { call->params, &call->outputs[0].field };
    return parallel_rows(call->run, call->height, call->width * 4.0 * outline.polygon->points.count,
                         polygon_rows, &outline);
}

static const Param polygon_params[] = {
    PARAM(Polygon, points, .initial_numbers = NUMBERS(0.2, 0.8, 0.5, 0.2, 0.8, 0.8), .columns = 2,
          .rows_min = 3, .min = -1000, .max = 1000,
          .doc = "corners { x, y }, as shares of width and height; the last joins the first"),
    PARAM(Polygon, edge, .initial = 0, .min = 0, .max = 1,
          .doc =
              "width of the soft edge, half of it inside, as a share of N, the longer side; at least a cell"),
    { 0 },
};

const Operation op_polygon = {
    .name = "polygon",
    .category = "base",
    .summary = "Makes a mask that is 1 inside a polygon and 0 outside",
    .description = "Where the polygon crosses itself, areas enclosed twice are outside (even-odd rule).",
    .outputs = { { "mask", "the mask, 0 to 1" } },
    .params = polygon_params,
    .params_size = sizeof(Polygon),
    .sized = true,
    .always_finite = "lies between 0 and 1",
    .example =
        "local mask = esker.polygon{ size = 64, points = { { 0.2, 0.3 }, { 0.8, 0.2 }, { 0.6, 0.9 } } }",
    .picture = "local star = {}\n"
               "for i = 0, 9 do\n"
               "    local angle, radius = i * math.pi / 5, i % 2 == 0 and 0.45 or 0.2\n"
               "    star[i + 1] = { 0.5 + radius * math.sin(angle), 0.5 - radius * math.cos(angle) }\n"
               "end\n"
               "return esker.polygon{ size = 128, points = star }, esker.polygon{ size = 128, points = star, "
               "edge = 0.1 }",
    .keywords = "mask area region outline draw layout",
    .see_also = "shape ridge_line flatten",
    .run = run_polygon,
};

// --- ridge_line --------------------------------------------------------------------------------------------

// A mountain range along a line: at the distance d from the nearest point of a segment, in radii, the point's
// height times the profile. The highest of all segments counts.

typedef struct RidgeLine {
    Numbers points;
    double radius;
    int profile;
} RidgeLine;

enum { LINEAR, SMOOTH, CONCAVE };

typedef struct Range {
    const RidgeLine *ridge;
    Field *field;
} Range;

static double profile_at(int profile, double d) {
    const double inside = max(1 - d, 0);
    return profile == LINEAR ? inside : profile == SMOOTH ? smoothstep(inside) : inside * inside;
}

static double height_at(const Range *range, double x, double y) {
    const Numbers *points = &range->ridge->points;
    const double width = range->field->width, height = range->field->height;
    const double scale = 1 / (range->ridge->radius * field_side(range->field));
    double highest = 0;
    for (int i = 0; i < points->count / 3; i++) { // the first is a segment of its own
        const double *to = points->at + 3 * i, *from = i > 0 ? to - 3 : to;
        const double dx = (to[0] - from[0]) * width, dy = (to[1] - from[1]) * height;
        const double px = x - from[0] * width, py = y - from[1] * height,
                     share = segment_share(px, py, dx, dy);
        const double top = lerp(from[2], to[2], share);
        highest =
            max(top * profile_at(range->ridge->profile, segment_distance(px, py, dx, dy, share) * scale),
                highest);
    }
    return highest;
}

static void ridge_line_rows(void *context, int first, int end) {
    const Range *range = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < range->field->width; x++)
            field_row(range->field, y)[x] = (float)height_at(range, x + 0.5, y + 0.5);
}

static Status run_ridge_line(const Call *call, Error *error) {
    (void)error;
    Range range = { call->params, &call->outputs[0].field };
    return parallel_rows(call->run, call->height, call->width * 4.0 * range.ridge->points.count,
                         ridge_line_rows, &range);
}

static const Param ridge_line_params[] = {
    PARAM(RidgeLine, points, .initial_numbers = NUMBERS(0.15, 0.7, 0.5, 0.5, 0.3, 1, 0.85, 0.6, 0.4),
          .columns = 3, .rows_min = 1, .min = -1000, .max = 1000,
          .doc = "points { x, y, height }, as shares of width and height"),
    PARAM(RidgeLine, radius, .initial = 0.25, .min = 1e-5, .max = 1000,
          .doc = "width of the slope on either side, as a share of N, the longer side"),
    PARAM(RidgeLine, profile, .choices = CHOICES("linear", "smooth", "concave"), .initial = CONCAVE,
          .doc = "cross-section: straight sides, rounded, or steep at the crest"),
    { 0 },
};

const Operation op_ridge_line = {
    .name = "ridge_line",
    .category = "base",
    .summary = "Makes a range with a crest along a line",
    .description = "0 away from the line. To make it natural, perturb or warp it, add noise, and erode it.",
    .outputs = { { "height", "heights, 0 and up", .heights = true } },
    .params = ridge_line_params,
    .params_size = sizeof(RidgeLine),
    .sized = true,
    .example = "local range = esker.ridge_line{ size = 64, points = { { 0.1, 0.2, 0.5 }, { 0.9, 0.7, 1 } } }",
    .picture = "local range = esker.ridge_line{ size = 128 }\n"
               "return range, range:perturb{ magnitude = 0.2, seed = 2, wrap = false } + 0.1 * esker.noise{ "
               "size = 128 }",
    .keywords = "mountain range crest spine polyline layout fault scarp",
    .see_also = "shape polygon perturb stream_erosion",
    .run = run_ridge_line,
};
