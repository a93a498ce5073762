// Puts one field into another: each cell takes the stamp's height, bilinear, at the place that rotation and
// scale give it.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/sample.h"

#include <math.h>

typedef struct Stamp {
    double x, y, size, angle, feather, magnitude;
    int mode;
} Stamp;

enum { ADD, REPLACE, MAX, MIN };

typedef struct Impression {
    const Call *call;
    const Field *stamp;
    double centre_x, centre_y; // in cells, from the centre of the first
    double across_x, across_y; // a step to the right, in shares of the stamp's sides
    double down_x, down_y;     // and one down
    double nudge_x,
        nudge_y; // what takes places on the edges that belong to the stamp into it, and others out
    float feather, magnitude;
    int mode;
} Impression;

// Edges belong to the stamp where they face left or, if level, up, so that one that falls on cells' centres
// covers as many as any other. Steps along an axis of the stamp's, to the right and down.
static double nudge(double across, double down) {
    const double least = 1e-9; // of rounding, in shares of a side
    return fabs(across) > least * fabs(down) ? copysign(least, across) : copysign(least, down);
}

static bool is_inside(double share) {
    return share >= 0 && share < 1;
}

static double nearest_image(double off, int period, bool wraps) {
    return wraps ? off - period * floor(off / period + 0.5) : off;
}

static float blended(const Impression *impression, float ground, float height, float share) {
    switch (impression->mode) {
    case ADD:
        return ground + height * share;
    case MAX:
        return ground + (max(ground, height) - ground) * share;
    case MIN:
        return ground + (min(ground, height) - ground) * share;
    default:
        return ground + (height - ground) * share;
    }
}

static void stamp_rows(void *context, int first, int end) {
    const Impression *impression = context;
    const Call *call = impression->call;
    const Field *stamp = impression->stamp;
    for (int y = first; y < end; y++) {
        const float *ground = field_row(call->inputs[0].field, y);
        float *out = field_row(&call->outputs[0].field, y);
        const double dy = nearest_image(y - impression->centre_y, call->height, call->wraps);
        for (int x = 0; x < call->width; x++) {
            const double dx = nearest_image(x - impression->centre_x, call->width, call->wraps);
            const double u = 0.5 + dx * impression->across_x + dy * impression->down_x;
            const double v = 0.5 + dx * impression->across_y + dy * impression->down_y;
            out[x] = ground[x];
            if (!is_inside(u + impression->nudge_x) || !is_inside(v + impression->nudge_y))
                continue;
            const double inside = max(min(min(u, 1 - u), min(v, 1 - v)), 0.0);
            const float height = (float)grid_sample(stamp->cells, stamp->width, stamp->height,
                                                    u * stamp->width - 0.5, v * stamp->height - 0.5);
            const float way = impression->feather > 0 ? min(2 * (float)inside / impression->feather, 1) : 1;
            out[x] = blended(impression, ground[x], impression->magnitude * height, smoothstep(way));
        }
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Stamp *stamp = call->params;
    const Field *ground = call->inputs[0].field, *field = call->inputs[1].field;
    const double side = field_side(ground);
    const double width = isnan(stamp->size) ? field->width : stamp->size * side;
    const double height = width * field->height / field->width;
    const double angle = stamp->angle * (PI / 180), c = cosine(angle), s = sine(angle);
    Impression impression = { .call = call,
                              .stamp = field,
                              .centre_x = stamp->x * call->width - 0.5,
                              .centre_y = stamp->y * call->height - 0.5,
                              .across_x = c / width,
                              .down_x = s / width,
                              .across_y = -s / height,
                              .down_y = c / height,
                              .feather = (float)stamp->feather,
                              .magnitude = (float)stamp->magnitude,
                              .mode = stamp->mode };
    impression.nudge_x = nudge(impression.across_x, impression.down_x);
    impression.nudge_y = nudge(impression.across_y, impression.down_y);
    return parallel_rows(call->run, call->height, call->width * 3.0, stamp_rows, &impression);
}

static const Param params[] = {
    PARAM(Stamp, x, .initial = 0.5, .min = -10, .max = 10, .unit = UNIT_PLACE,
          .doc = "centre, as a share of the width"),
    PARAM(Stamp, y, .initial = 0.5, .min = -10, .max = 10, .unit = UNIT_PLACE,
          .doc = "centre, as a share of the height"),
    PARAM(Stamp, size, .min = 0.0001, .max = 10, .optional = true,
          .doc = "width of the stamp, as a share of N, the longer side; by default a cell becomes a cell"),
    PARAM(Stamp, angle, .initial = 0, .min = -36000, .max = 36000, .unit = UNIT_DEGREES,
          .doc = "rotation, clockwise"),
    PARAM(Stamp, mode, .choices = CHOICES("add", "replace", "max", "min"), .doc = "what the stamp does"),
    PARAM(Stamp, magnitude, .initial = 1, .min = -1e6, .max = 1e6,
          .doc = "the stamp's heights are multiplied by this"),
    PARAM(Stamp, feather, .initial = 0.5, .min = 0, .max = 1,
          .doc = "how far the soft edge reaches inwards: 0: a hard edge, 1: to the middle"),
    { 0 },
};

const Operation op_stamp = {
    .name = "stamp",
    .measures = MEASURES_SQUARES,
    .category = "places",
    .summary = "Adds a field to another one or replaces part of it, rotated and scaled, with a soft edge",
    .description = "The two may differ in size. Where edges meet, the stamp continues at the opposite side; "
                   "otherwise the part outside is cut off. Where an edge of the stamp falls on cells' "
                   "centres, the left and upper edges are inside the stamp.",
    .inputs = { { "height", "heights" }, { "stamp", "the field to insert, of any size" } },
    .outputs = { { "height", "heights with the stamp", .heights = true } },
    .params = params,
    .params_size = sizeof(Stamp),
    .wrapping = WRAPPING_CHOSEN,
    .any_sizes = true,
    .example = "local hill = esker.noise{ size = 32 }\n"
               "local land = height:stamp(hill, { x = 0.7, y = 0.4, angle = 30 })",
    .picture = "local crests = esker.noise{ size = 64, fractal = \"ridged\", seed = 4 }\n"
               "return height, height:stamp(crests, { x = 0.6, y = 0.4, size = 0.7, angle = 30, mode = "
               "\"replace\" })",
    .keywords = "paste place insert mountain copy brush",
    .see_also = "blend flatten",
    .run = run,
};
