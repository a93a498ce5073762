// Rotates, scales, shears and shifts about a field's centre: each cell takes the height, bilinear, at the
// place that the inverse transformation gives.

#include "core/elementary.h"
#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/stream.h"
#include "core/transpose.h"
#include "filter/displace.h"

#include <string.h>

typedef struct Transform {
    double angle, scale, stretch, x, y;
} Transform;

typedef struct Turning {
    const Field *height;
    Field *result;
    double xx, xy, yx, yy, shift_x, shift_y;
    bool wraps;
} Turning;

enum { CHUNK = 128 }; // cells of a row: short, so that most lie wholly inside

// Displacements along one axis of `count` cells from (first, ·) on, in cells.
KERNEL static void turn_cells(float *restrict off, int first, int count, double middle_x, double shift_x,
                              double along, double across, double middle, bool is_x, int y) {
    for (int i = 0; i < count; i++) {
        const int x = first + i;
        const double dx = x - middle_x - shift_x;
        off[i] = (float)(along * dx + across + middle - (is_x ? x : y));
    }
}

// What displace_part makes of places that all lie among four cells.
KERNEL static void sample_inside(float *restrict cells, const float *restrict down,
                                 const float *restrict middle, int width, int height, int first, int y,
                                 int count) {
    for (int i = 0; i < count; i++) {
        const float right = (float)(first + i) + cells[i], along = (float)y + down[i];
        const int left = whole_unchecked(right), up = whole_unchecked(along);
        const int upper = (up - height / 2) * width + left, lower = upper + width;
        cells[i] = bilinear(middle[upper], middle[upper + 1], middle[lower], middle[lower + 1],
                            right - (float)left, along - (float)up);
    }
}

// Whether a place lies well inside, where rounding takes it to no edge.
static bool is_inside(const Field *height, double x, double y) {
    const double margin = 2;
    return x >= margin && y >= margin && x <= height->width - 1 - margin && y <= height->height - 1 - margin;
}

static void transform_rows(void *context, int first, int end) {
    const Turning *turning = context;
    const Field *height = turning->height;
    const int width = height->width;
    const double middle_x = 0.5 * (width - 1), middle_y = 0.5 * (height->height - 1);
    const Displacement displacement = {
        .height = height, .result = turning->result, .reach = 1, .wraps = turning->wraps
    };
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += CHUNK) {
            float *cells = field_row(turning->result, y) + x, down[CHUNK];
            const int count = min(width - x, CHUNK), last = count - 1;
            const double dy = y - middle_y - turning->shift_y;
            turn_cells(cells, x, count, middle_x, turning->shift_x, turning->xx, turning->xy * dy, middle_x,
                       true, y);
            turn_cells(down, x, count, middle_x, turning->shift_x, turning->yx, turning->yy * dy, middle_y,
                       false, y);
            // They lie on a line.
            const bool inside = !turning->wraps &&
                                is_inside(height, x + (double)cells[0], y + (double)down[0]) &&
                                is_inside(height, x + last + (double)cells[last], y + (double)down[last]);
            if (inside)
                sample_inside(cells, down, field_row(height, height->height / 2), width, height->height, x, y,
                              count);
            else
                displace_part(&displacement, x, y, count, down);
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
    const Field *height = beyond->height, *result = turning->result;
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

// Makes gaps of heights that come in part from beyond the outermost cells' centres, in a field with a frame:
// mirrored ground is not on its map.
static Status leave_out(const Run *run, const Turning *turning, const Field *height, Error *error) {
    Field *result = turning->result;
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

static Status run_transform(const Call *call, Error *error) {
    const Transform *transform = call->params;
    const Field *height = call->inputs[0].field;
    const double side = field_side(height);
    double c, s;
    find_turn(transform->angle, &c, &s);
    const double across = 1 / (transform->scale * transform->stretch), along = 1 / transform->scale;
    Turning turning = { .height = height,
                        .result = &call->outputs[0].field,
                        .xx = c * across,
                        .xy = s * across,
                        .yx = -s * along,
                        .yy = c * along,
                        .shift_x = transform->x * side,
                        .shift_y = transform->y * side,
                        .wraps = call->wraps };
    Status status = parallel_rows(call->run, call->height, call->width * 3.0, transform_rows, &turning);
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
    return status;
}

static const Param transform_params[] = {
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
    .description =
        "The result has the field's size. Beyond edges that meet, the field is repeated. Beyond other edges "
        "it is mirrored; a field with a frame has no data there, because mirrored ground is not on its map. "
        "Both begin at the centres of the outermost cells. The result does not wrap.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "transformed heights", .heights = true } },
    .params = transform_params,
    .params_size = sizeof(Transform),
    .wrapping = WRAPPING_CHOSEN,
    .framing = FRAMING_SET,
    .example = "local turned = height:transform{ angle = 30, scale = 1.5 }",
    .picture = "return height, height:transform{ angle = 30, scale = 2 }",
    .keywords = "rotate scale zoom translate shift affine turn rot90 rotation",
    .see_also = "flip crop resize warp stamp",
    .run = run_transform,
};

// --- flip --------------------------------------------------------------------------------------------------

// Mirrors a field.

typedef struct Flip {
    int axis;
} Flip;

enum { X, Y, DIAGONAL };

KERNEL static void mirror_row(const float *restrict row, int width, float *restrict out) {
    for (int x = 0; x < width; x++)
        out[x] = row[width - 1 - x];
}

// Of what is read: processors foresee rows that follow each other.
static void flip_rows(void *context, int first, int end) {
    const Call *call = context;
    const Field *from = call->inputs[0].field;
    const int axis = ((const Flip *)call->params)->axis, width = from->width, height = from->height;
    const bool past = streams(&call->outputs[0].field);
    for (int y = first; y < end; y++) {
        const float *row = field_row(from, y);
        float *out = field_row(&call->outputs[0].field, axis == Y ? height - 1 - y : y);
        if (axis == X)
            mirror_row(row, width, out);
        else if (past)
            stream_cells(out, row, width);
        else
            memcpy(out, row, (size_t)width * sizeof *out);
    }
    stream_end();
}

// Where the new cells lie among the old ones.
static Frame mirrored(int axis, int width, int height) {
    if (axis == X)
        return (Frame){ .x = width, .right_x = -1, .down_y = 1 };
    if (axis == Y)
        return (Frame){ .y = height, .right_x = 1, .down_y = -1 };
    return (Frame){ .right_y = 1, .down_x = 1 };
}

static Status run_flip(const Call *call, Error *error) {
    const int axis = ((const Flip *)call->params)->axis;
    const bool transposed = axis == DIAGONAL;
    Field *to = &call->outputs[0].field;
    const Status status = field_create(to, transposed ? call->height : call->width,
                                       transposed ? call->width : call->height, error);
    if (status != STATUS_OK)
        return status;
    to->wraps = call->wraps;
    const Frame cells = mirrored(axis, call->width, call->height);
    to->frame = frame_of_part(&call->inputs[0].field->frame, &cells);
    if (transposed)
        return field_transpose(call->run, call->inputs[0].field, to);
    return parallel_rows(call->run, to->height, to->width * 0.5, flip_rows, (void *)call);
}

static const Param flip_params[] = {
    PARAM(Flip, axis, .choices = CHOICES("x", "y", "diagonal"),
          .doc = "x: left and right change places, y: top and bottom, diagonal: rows and columns"),
    { 0 },
};

const Operation op_flip = {
    .name = "flip",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .summary = "Mirrors a field left to right, top to bottom or along the diagonal",
    .description =
        "flip{ axis = \"diagonal\" } is the transpose; followed by flip{}, it is a quarter turn clockwise.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the same heights, mirrored", .heights = true } },
    .params = flip_params,
    .params_size = sizeof(Flip),
    .always_finite = "copies cells",
    .framing = FRAMING_SET,
    .shapes_outputs = true,
    .example = "local quarter_turn = height:flip{ axis = \"diagonal\" }:flip{}",
    .keywords = "mirror transpose rotate reflect flipud fliplr rot90 swapaxes",
    .see_also = "transform crop",
    .run = run_flip,
};
