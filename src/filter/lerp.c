// Blends two fields: a + (b - a) · weight, where the weight may differ from cell to cell.

#include "core/kernel.h"
#include "core/operation.h"

KERNEL_INLINE float value_at(const Input *input, const float *row, int x) {
    return row ? row[x] : (float)input->number;
}

static const float *row_of(const Input *input, int y) {
    return input->field ? field_row(input->field, y) : NULL;
}

KERNEL static void blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Input *inputs = call->inputs;
    for (int y = first; y < end; y++) {
        const float *a = row_of(&inputs[0], y), *b = row_of(&inputs[1], y), *weights = row_of(&inputs[2], y);
        float *restrict out = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++) {
            const float from = value_at(&inputs[0], a, x), to = value_at(&inputs[1], b, x);
            out[x] = from + (to - from) * value_at(&inputs[2], weights, x);
        }
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return parallel_rows(call->run, call->height, call->width * 0.6, blend_rows, (void *)call);
}

#define EITHER                                                                                               \
    { &type_field, &type_number }

const Operation op_lerp = {
    .name = "lerp",
    .category = "filter",
    .keywords = "mix blend interpolate mask combine",
    .summary = "Blends two fields: a where the weight is 0, b where it is 1",
    .description = "Each of the three is a field or a number. Weights outside 0 to 1 extrapolate "
                   "linearly.",
    .inputs = { { "a", "heights for weight 0", EITHER },
                { "b", "heights for weight 1", EITHER },
                { "weight", "the share of b, 0 to 1", EITHER } },
    .outputs = { { "height", "blended heights" } },
    .example = "local low_is_flat = esker.lerp(0.2, height, height:clamp())",
    .see_also = "clamp",
    .run = run,
};
