// Mirrors a field.

#include "core/operation.h"
#include "core/transpose.h"

typedef struct Flip {
    int axis;
} Flip;

enum { X, Y, DIAGONAL };

static void flip_rows(void *context, int first, int end) {
    const Call *call = context;
    const Field *from = call->inputs[0].field;
    const int axis = ((const Flip *)call->params)->axis, width = from->width, height = from->height;
    for (int y = first; y < end; y++) {
        const float *row = field_row(from, axis == Y ? height - 1 - y : y);
        float *out = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < width; x++)
            out[x] = row[axis == X ? width - 1 - x : x];
    }
}

// Where the new cells lie among the old ones.
static Frame mirrored(int axis, int width, int height) {
    if (axis == X)
        return (Frame){ .x = width, .right_x = -1, .down_y = 1 };
    if (axis == Y)
        return (Frame){ .y = height, .right_x = 1, .down_y = -1 };
    return (Frame){ .right_y = 1, .down_x = 1 };
}

static Status run(const Call *call, Error *error) {
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

static const Param params[] = {
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
    .params = params,
    .params_size = sizeof(Flip),
    .always_finite = "copies cells",
    .framing = FRAMING_SET,
    .shapes_outputs = true,
    .example = "local quarter_turn = height:flip{ axis = \"diagonal\" }:flip{}",
    .keywords = "mirror transpose rotate reflect flipud fliplr rot90",
    .see_also = "transform crop",
    .run = run,
};
