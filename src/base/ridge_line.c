// A mountain range along a line: at the distance d from the nearest point of a segment, in radii, the point's
// height times the profile. The highest of all segments counts.

#include "core/math.h"
#include "core/operation.h"

#include <math.h>

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

static Status run(const Call *call, Error *error) {
    (void)error;
    Range range = { call->params, &call->outputs[0].field };
    return parallel_rows(call->run, call->height, call->width * 4.0 * range.ridge->points.count,
                         ridge_line_rows, &range);
}

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(RidgeLine),
    .sized = true,
    .example = "local range = esker.ridge_line{ size = 64, points = { { 0.1, 0.2, 0.5 }, { 0.9, 0.7, 1 } } }",
    .picture = "local range = esker.ridge_line{ size = 128 }\n"
               "return range, range:perturb{ magnitude = 0.2, seed = 2, wrap = false } + 0.1 * esker.noise{ "
               "size = 128 }",
    .keywords = "mountain range crest spine polyline layout",
    .see_also = "shape polygon perturb stream_erosion",
    .run = run,
};
