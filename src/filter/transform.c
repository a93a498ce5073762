// Rotates, scales, shears and shifts about a field's centre: each cell takes the height, bilinear, at the
// place that the inverse transformation gives.

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/operation.h"
#include "filter/displace.h"

#include <string.h>

typedef struct Transform {
    double angle, scale, stretch, x, y;
} Transform;

typedef struct Turning {
    Field *right, *down; // displacements, in cells
    double xx, xy, yx, yy, shift_x, shift_y;
} Turning;

static void turn_rows(void *context, int first, int end) {
    const Turning *turning = context;
    const double middle_x = 0.5 * (turning->right->width - 1), middle_y = 0.5 * (turning->right->height - 1);
    for (int y = first; y < end; y++) {
        float *right = field_row(turning->right, y), *down = field_row(turning->down, y);
        const double dy = y - middle_y - turning->shift_y;
        for (int x = 0; x < turning->right->width; x++) {
            const double dx = x - middle_x - turning->shift_x;
            right[x] = (float)(turning->xx * dx + turning->xy * dy + middle_x - x);
            down[x] = (float)(turning->yx * dx + turning->yy * dy + middle_y - y);
        }
    }
}

typedef struct Beyond {
    const Turning *turning;
    const Field *height;
    Gaps *gaps;
} Beyond;

static void leave_out_rows(void *context, int first, int end) {
    const Beyond *beyond = context;
    const Turning *turning = beyond->turning;
    const Field *height = beyond->height, *result = turning->right;
    const double middle_x = 0.5 * (result->width - 1), middle_y = 0.5 * (result->height - 1);
    const double near = 1e-6; // of a cell, for what rounding moves
    const double right = height->width - 1 + near, bottom = height->height - 1 + near;
    for (int y = first; y < end; y++)
        for (int x = 0; x < result->width; x++) {
            const double dx = x - middle_x - turning->shift_x, dy = y - middle_y - turning->shift_y;
            const double from_x = turning->xx * dx + turning->xy * dy + middle_x;
            const double from_y = turning->yx * dx + turning->yy * dy + middle_y;
            beyond->gaps->at[(size_t)y * (size_t)result->width + (size_t)x] =
                from_x < -near || from_x > right || from_y < -near || from_y > bottom;
        }
}

// Heights that come in part from beyond the outermost cells' centres, where ground is mirrored, are no ground
// of the map that the field's frame tells of: gaps.
static Status leave_out(const Run *run, const Turning *turning, const Field *height, Error *error) {
    Field *result = turning->right;
    Gaps *gaps = gaps_new(field_count(result), error);
    if (!gaps)
        return STATUS_MEMORY;
    Beyond beyond = { turning, height, gaps };
    const Status status = parallel_rows(run, result->height, result->width * 3.0, leave_out_rows, &beyond);
    field_set_gaps(result, gaps);
    return status;
}

// Whole turns of 90° are exact.
static void find_turn(double degrees, double *c, double *s) {
    const double quarters = degrees / 90, whole = floor(quarters + 0.5);
    *c = cosine(degrees * (PI / 180));
    *s = sine(degrees * (PI / 180));
    if (quarters == whole) {
        const int quarter = whole_within(whole - 4 * floor(whole / 4), 0, 3);
        *c = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
        *s = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
}

static Status run(const Call *call, Error *error) {
    const Transform *transform = call->params;
    const Field *height = call->inputs[0].field;
    const double side = field_side(height);
    double c, s;
    find_turn(transform->angle, &c, &s);
    const double across = 1 / (transform->scale * transform->stretch), along = 1 / transform->scale;
    Field down = { 0 };
    Status status = field_create(&down, call->width, call->height, error);
    Turning turning = { .right = &call->outputs[0].field,
                        .down = &down,
                        .xx = c * across,
                        .xy = s * across,
                        .yx = -s * along,
                        .yy = c * along,
                        .shift_x = transform->x * side,
                        .shift_y = transform->y * side };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 1.0, turn_rows, &turning);
    Displacement displacement = {
        .height = height, .down = &down, .result = &call->outputs[0].field, .reach = 1, .wraps = call->wraps
    };
    if (status == STATUS_OK)
        status = displace(call->run, &displacement);
    const double middle_x = 0.5 * call->width, middle_y = 0.5 * call->height;
    const double from_x = middle_x + turning.shift_x, from_y = middle_y + turning.shift_y;
    const Frame cells = { .x = middle_x - turning.xx * from_x - turning.xy * from_y,
                          .y = middle_y - turning.yx * from_x - turning.yy * from_y,
                          .right_x = turning.xx,
                          .right_y = turning.yx,
                          .down_x = turning.xy,
                          .down_y = turning.yy };
    call->outputs[0].field.frame = frame_of_part(&height->frame, &cells);
    call->outputs[0].field.wraps = false; // a turned pattern does not meet itself
    if (status == STATUS_OK && frame_is_set(&height->frame) && !call->wraps)
        status = leave_out(call->run, &turning, height, error);
    field_free(&down);
    return status;
}

static const Param params[] = {
    PARAM(Transform, angle, .initial = 0, .min = -36000, .max = 36000, .unit = UNIT_DEGREES,
          .doc = "rotation, clockwise; multiples of 90 are exact"),
    PARAM(Transform, scale, .initial = 1, .min = 0.001, .max = 1000,
          .doc = "above 1 makes everything larger"),
    PARAM(Transform, stretch, .initial = 1, .min = 0.001, .max = 1000,
          .doc = "additional scale to the right, before the rotation"),
    PARAM(Transform, x, .initial = 0, .min = -1000, .max = 1000,
          .doc = "shift to the right, as a share of N, the longer side"),
    PARAM(Transform, y, .initial = 0, .min = -1000, .max = 1000, .doc = "shift down, as a share of N"),
    { 0 },
};

const Operation op_transform = {
    .name = "transform",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .summary = "Rotates, scales, stretches and shifts a field about its centre",
    .description = "The result has the field's size. Beyond its edges the field is repeated where they meet; "
                   "where they do "
                   "not, it is mirrored, or without data if it has a frame, since mirrored ground lies "
                   "nowhere on its map: from the outermost cells' centres on. "
                   "The result does not wrap.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "transformed heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Transform),
    .wrapping = WRAPPING_CHOSEN,
    .framing = FRAMING_SET,
    .example = "local turned = height:transform{ angle = 30, scale = 1.5 }",
    .picture = "return height, height:transform{ angle = 30, scale = 2 }",
    .keywords = "rotate scale zoom translate shift affine turn",
    .see_also = "flip crop resize warp stamp",
    .run = run,
};
