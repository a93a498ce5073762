// Blends two fields: a + (b - a) · weight, where the weight may differ from cell to cell.

#include "core/finite.h"
#include "core/kernel.h"
#include "core/operation.h"

enum { CHUNK = 512 }; // cells blended together; a number is spread over this many

// The cells of an input from (x, y) on: the field's own, or `spread`, filled with the number.
static const float *cells_at(const Input *input, const float *spread, int x, int y) {
    return input->field ? field_row(input->field, y) + x : spread;
}

KERNEL static void blend_cells(float *restrict out, const float *restrict from, const float *restrict to,
                               const float *restrict weights, int count) {
    for (int x = 0; x < count; x++)
        out[x] = from[x] + (to[x] - from[x]) * weights[x];
}

static void blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Input *inputs = call->inputs;
    float spread[3][CHUNK];
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < CHUNK && !inputs[i].field; x++)
            spread[i][x] = (float)inputs[i].number;
    for (int y = first; y < end; y++)
        for (int x = 0; x < call->width; x += CHUNK)
            blend_cells(field_row(&call->outputs[0].field, y) + x, cells_at(&inputs[0], spread[0], x, y),
                        cells_at(&inputs[1], spread[1], x, y), cells_at(&inputs[2], spread[2], x, y),
                        min(call->width - x, CHUNK));
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return finite_rows(call, call->width * 0.6, blend_rows, (void *)call);
}

#define EITHER                                                                                               \
    { &type_field, &type_number }

const Operation op_lerp = {
    .name = "lerp",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .keywords = "mix blend interpolate mask combine patch chooser mixer where",
    .summary = "Blends two fields: a where the weight is 0, b where it is 1",
    .description = "Each of the three is a field or a number. Weights outside 0 to 1 extrapolate "
                   "linearly.",
    .inputs = { { "a", "heights for weight 0", EITHER },
                { "b", "heights for weight 1", EITHER },
                { "weight", "the share of b, 0 to 1", EITHER } },
    .outputs = { { "height", "blended heights", .heights = true } },
    .example = "local low_is_flat = esker.lerp(0.2, height, height:clamp())",
    .see_also = "clamp",
    .run = run,
};
