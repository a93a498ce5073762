// A mask: the inside of a polygon, by the even-odd rule, with an edge of a given width.

#include "core/math.h"
#include "core/operation.h"

#include <math.h>

typedef struct Polygon {
    Numbers points;
    double edge;
} Polygon;

typedef struct Outline {
    const Polygon *polygon;
    Field *field;
} Outline;

static double corner(const Outline *outline, int i, int axis) {
    const Numbers *points = &outline->polygon->points;
    return points->at[2 * i + axis] * (axis ? outline->field->height : outline->field->width);
}

// The distance to the polygon's edge in cells, below 0 inside.
static double outside(const Outline *outline, double x, double y) {
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
    const Outline *outline = context;
    const double width = max(outline->polygon->edge * field_side(outline->field), 1);
    for (int y = first; y < end; y++)
        for (int x = 0; x < outline->field->width; x++) {
            const double share = 0.5 - outside(outline, x + 0.5, y + 0.5) / width;
            field_row(outline->field, y)[x] = (float)smoothstep(clamp(share, 0, 1));
        }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    Outline outline = { call->params, &call->outputs[0].field };
    return parallel_rows(call->run, call->height, call->width * 4.0 * outline.polygon->points.count,
                         polygon_rows, &outline);
}

static const Param params[] = {
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
    .params = params,
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
    .run = run,
};
