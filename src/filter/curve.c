// Maps heights through a curve given by points: a monotone cubic (Fritsch and Carlson 1980), which does not
// overshoot, or straight lines. Constant beyond the first and the last point.

#include "core/operation.h"

#include <math.h>

typedef struct Curve {
    Numbers points;
    int interpolation;
} Curve;

enum { CUBIC, LINEAR };
enum { POINTS_MAX = NUMBERS_MAX / 2 };

typedef struct Spline {
    int count;
    double x[POINTS_MAX], y[POINTS_MAX], slope[POINTS_MAX];
    bool linear;
    const Field *from;
    Field *to;
} Spline;

static void set_slopes(Spline *spline) {
    const double *x = spline->x, *y = spline->y;
    for (int i = 0; i < spline->count; i++) {
        const int last = spline->count - 1;
        const double before = i > 0 ? (y[i] - y[i - 1]) / (x[i] - x[i - 1]) : 0;
        const double after = i < last ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0;
        if (i == 0 || i == last)
            spline->slope[i] = i == 0 ? after : before;
        else if (before * after <= 0)
            spline->slope[i] = 0; // a turning point stays one
        else                      // the weighted harmonic mean, which keeps each piece monotone
            spline->slope[i] =
                3 * (x[i + 1] - x[i - 1]) /
                ((2 * x[i + 1] - x[i] - x[i - 1]) / before + (x[i + 1] + x[i] - 2 * x[i - 1]) / after);
    }
}

static double height_at(const Spline *spline, double height) {
    const int last = spline->count - 1;
    if (height <= spline->x[0])
        return spline->y[0];
    if (height >= spline->x[last])
        return spline->y[last];
    int i = 0;
    while (height > spline->x[i + 1])
        i++;
    const double width = spline->x[i + 1] - spline->x[i], t = (height - spline->x[i]) / width;
    const double rise = spline->y[i + 1] - spline->y[i];
    if (spline->linear)
        return spline->y[i] + rise * t;
    const double t2 = t * t, t3 = t2 * t;
    return spline->y[i] + rise * (3 * t2 - 2 * t3) +
           width * (spline->slope[i] * (t3 - 2 * t2 + t) + spline->slope[i + 1] * (t3 - t2));
}

static void bend_rows(void *context, int first, int end) {
    const Spline *spline = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < spline->from->width; x++)
            field_row(spline->to, y)[x] = (float)height_at(spline, (double)field_row(spline->from, y)[x]);
}

static Status run(const Call *call, Error *error) {
    const Curve *curve = call->params;
    Spline spline = { .count = curve->points.count / 2,
                      .linear = curve->interpolation == LINEAR,
                      .from = call->inputs[0].field,
                      .to = &call->outputs[0].field };
    for (int i = 0; i < spline.count; i++) {
        spline.x[i] = curve->points.at[2 * i];
        spline.y[i] = curve->points.at[2 * i + 1];
        if (i > 0 && !(spline.x[i] > spline.x[i - 1]))
            return fail(error, STATUS_INVALID,
                        "points must rise in height, but that of point %d, "
                        "%s, is not above %s",
                        i + 1, digits_of(spline.x[i]).text, digits_of(spline.x[i - 1]).text);
    }
    set_slopes(&spline);
    return parallel_rows(call->run, call->height, call->width * 10.0, bend_rows, &spline);
}

static const Param params[] = {
    PARAM(Curve, points, .initial_numbers = NUMBERS(0, 0, 1, 1), .columns = 2, .rows_min = 2,
          .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "points { height, new height } in order of rising height"),
    PARAM(Curve, interpolation, .choices = CHOICES("cubic", "linear"),
          .doc = "interpolation between the points"),
    { 0 },
};

const Operation op_curve = {
    .name = "curve",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .keywords = "terrace terraces plateau shelf remap spline levels tone reclass reclassify shaper interp "
                "lookup",
    .summary = "Maps heights through a curve: terraces, plateaus, shelves",
    .description = "The cubic does not overshoot between points. Heights beyond the first and the last "
                   "point get the new heights of those points.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "new heights" } },
    .params = params,
    .params_size = sizeof(Curve),
    .example = "local shelf = height:curve{ points = { {0, 0}, {0.4, 0.1}, {0.5, 0.5}, {1, 1} } }",
    .see_also = "normalize clamp",
    .run = run,
};
