// Cell-by-cell arithmetic: operators on fields, and min, max, abs. Each operand is a field or a number; a
// number acts as a constant field.

#include "core/elementary.h"
#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/stream.h"

#include <math.h>

enum { CHUNK = 1024 }; // cells computed together; a number is spread over this many

// out[i] = a[i] ∘ b[i]. Returns the largest float_magnitude.
typedef int32_t Binary(float *restrict out, const float *restrict a, const float *restrict b, int count);

// The same past the cache, or NULL.
typedef struct Kinds {
    Binary *near, *past;
} Kinds;

typedef struct Cells {
    Binary *compute;
    const Input *a, *b;
    Field *result;
} Cells;

// The cells of an operand from (x, y) on: the field's own, or `spread`, filled with the number.
static const float *operand_cells(const Input *operand, const float *spread, int x, int y) {
    return operand->field ? field_row(operand->field, y) + x : spread;
}

static void fill(float *spread, const Input *operand) {
    for (int i = 0; i < CHUNK && !operand->field; i++)
        spread[i] = (float)operand->number;
}

static int32_t compute_rows(void *context, int first, int end) {
    const Cells *cells = context;
    float spread_a[CHUNK], spread_b[CHUNK];
    fill(spread_a, cells->a);
    fill(spread_b, cells->b);
    const int width = cells->result->width;
    int32_t most = 0;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += CHUNK) {
            const int32_t magnitude =
                cells->compute(field_row(cells->result, y) + x, operand_cells(cells->a, spread_a, x, y),
                               operand_cells(cells->b, spread_b, x, y), min(width - x, CHUNK));
            most = max(most, magnitude);
        }
    stream_end();
    return most;
}

static Status run_binary(const Call *call, Kinds kinds, double cost_per_cell) {
    Binary *compute = kinds.past && streams(&call->outputs[0].field) ? kinds.past : kinds.near;
    Cells cells = { compute, &call->inputs[0], &call->inputs[1], &call->outputs[0].field };
    return finite_rows_measured(call, call->width * cost_per_cell, compute_rows, &cells);
}

// Not for AVX-512: they wait for memory, and a caller's cells may lie anywhere.
#define CELLS(name, expression)                                                                              \
    KERNEL_INLINE int32_t name##_part(float *restrict out, const float *restrict a, const float *restrict b, \
                                      int count) {                                                           \
        (void)b;                                                                                             \
        int32_t most = 0;                                                                                    \
        for (int i = 0; i < count; i++) {                                                                    \
            out[i] = (expression);                                                                           \
            most = max(most, float_magnitude(out[i]));                                                       \
        }                                                                                                    \
        return most;                                                                                         \
    }                                                                                                        \
    KERNEL_NARROW static int32_t name##_cells(float *restrict out, const float *restrict a,                  \
                                              const float *restrict b, int count) {                          \
        return name##_part(out, a, b, count);                                                                \
    }                                                                                                        \
    STREAMING static int32_t name##_past(float *restrict out, const float *restrict a,                       \
                                         const float *restrict b, int count) {                               \
        int at = before_line(out, count);                                                                    \
        int32_t most = name##_part(out, a, b, at);                                                           \
        for (; at + STREAMED <= count; at += STREAMED) {                                                     \
            float made[STREAMED];                                                                            \
            const int32_t magnitude = name##_part(made, a + at, b + at, STREAMED);                           \
            most = max(most, magnitude);                                                                     \
            stream_part(out + at, made);                                                                     \
        }                                                                                                    \
        const int32_t magnitude = name##_part(out + at, a + at, b + at, count - at);                         \
        return max(most, magnitude);                                                                         \
    }                                                                                                        \
    static const Kinds name##_kinds = { name##_cells, STREAMS ? name##_past : NULL };

#define BINARY(name, expression)                                                                             \
    CELLS(name, expression)                                                                                  \
    static Status run_##name(const Call *call, Error *error) {                                               \
        (void)error;                                                                                         \
        return run_binary(call, name##_kinds, 0.3);                                                          \
    }

BINARY(add, a[i] + b[i])
BINARY(subtract, a[i] - b[i])
BINARY(multiply, a[i] * b[i])
BINARY(divide, a[i] / b[i])
BINARY(negate, -a[i] + 0 * b[i])
BINARY(abs, fabsf(a[i]) + 0 * b[i])

// --- the lower and the higher ------------------------------------------------------------------------------

typedef struct Extreme {
    double blend;
} Extreme;

typedef struct Extremes {
    const Call *call;
    float sign, blend; // sign -1: the higher
} Extremes;

CELLS(lower, min(a[i], b[i]))
CELLS(higher, max(a[i], b[i]))

// The cubic smooth minimum (Quilez 2013, "Smooth minimum"): h³ k / 6 below the lower one, h = 1 where the two
// are equal and 0 where they are k apart. The higher is the lower of negated heights.
KERNEL static int32_t blended_cells(float *restrict out, const float *restrict a, const float *restrict b,
                                    float sign, float blend, int count) {
    const float inverse = 1 / blend;
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        const float one = sign * a[i], other = sign * b[i];
        const float near = max(1 - fabsf(one - other) * inverse, 0);
        const float below = near * near * near * blend * (1.0f / 6);
        out[i] = sign * (min(one, other) - below);
        most = max(most, float_magnitude(out[i]));
    }
    return most;
}

static int32_t blended_rows(void *context, int first, int end) {
    const Extremes *extremes = context;
    const Call *call = extremes->call;
    const Input *inputs = call->inputs;
    float spread_a[CHUNK], spread_b[CHUNK];
    fill(spread_a, &inputs[0]);
    fill(spread_b, &inputs[1]);
    int32_t most = 0;
    for (int y = first; y < end; y++)
        for (int x = 0; x < call->width; x += CHUNK) {
            const int32_t magnitude = blended_cells(field_row(&call->outputs[0].field, y) + x,
                                                    operand_cells(&inputs[0], spread_a, x, y),
                                                    operand_cells(&inputs[1], spread_b, x, y), extremes->sign,
                                                    extremes->blend, min(call->width - x, CHUNK));
            most = max(most, magnitude);
        }
    return most;
}

static Status run_extreme(const Call *call, float sign) {
    Extremes extremes = { call, sign, (float)((const Extreme *)call->params)->blend };
    if (!(extremes.blend > 0))
        return run_binary(call, sign > 0 ? lower_kinds : higher_kinds, 0.3);
    return finite_rows_measured(call, call->width * 0.4, blended_rows, &extremes);
}

static Status run_min(const Call *call, Error *error) {
    (void)error;
    return run_extreme(call, 1);
}

static Status run_max(const Call *call, Error *error) {
    (void)error;
    return run_extreme(call, -1);
}

// --- powers ------------------------------------------------------------------------------------------------

KERNEL static int32_t largest_of(const float *cells, int count) {
    int32_t most = 0;
    for (int i = 0; i < count; i++)
        most = max(most, float_magnitude(cells[i]));
    return most;
}

static int32_t half_power_cells(float *restrict out, const float *restrict a, const float *restrict b,
                                int count) {
    half_powers(out, a, whole_int(2 * b[0]), count);
    return largest_of(out, count);
}

static int32_t power_cells(float *restrict out, const float *restrict a, const float *restrict b, int count) {
    powers_of_one(out, a, b[0], count);
    return largest_of(out, count);
}

static int32_t powers_cells(float *restrict out, const float *restrict a, const float *restrict b,
                            int count) {
    powers(out, a, b, count);
    return largest_of(out, count);
}

CELLS(square, a[i] * a[i])
CELLS(root, sqrtf(a[i]))

static Status run_power(const Call *call, Error *error) {
    (void)error;
    const Input *exponent = &call->inputs[1];
    if (!exponent->field && exponent->number == 2)
        return run_binary(call, square_kinds, 0.3);
    if (!exponent->field && exponent->number == 0.5)
        return run_binary(call, root_kinds, 0.5);
    if (!exponent->field && power_is_half(exponent->number))
        return run_binary(call, (Kinds){ half_power_cells, NULL }, 1);
    return run_binary(call, (Kinds){ exponent->field ? powers_cells : power_cells, NULL }, 2);
}

#define EITHER                                                                                               \
    { &type_field, &type_number }

#define DECLARE_BINARY(identifier, keeps_unit, says, more, sample)                                           \
    const Operation op_##identifier = {                                                                      \
        .name = #identifier,                                                                                 \
        .category = "arithmetic",                                                                            \
        .gaps = GAPS_KEPT,                                                                                   \
        .reach = reach_none,                                                                                 \
        .summary = says,                                                                                     \
        .description = more,                                                                                 \
        .inputs = { { "a", "left operand", EITHER }, { "b", "right operand", EITHER } },                     \
        .outputs = { { "result", "the result for each cell", .heights = keeps_unit } },                      \
        .example = sample,                                                                                   \
        .run = run_##identifier,                                                                             \
    };

DECLARE_BINARY(add, true, "Adds a and b; the same as a + b", NULL, "local raised = height + 0.1")
DECLARE_BINARY(subtract, true, "Subtracts b from a; the same as a - b", NULL, "local lowered = height - 0.1")
DECLARE_BINARY(multiply, false, "Multiplies a by b; the same as a * b", NULL, "local doubled = 2 * height")
DECLARE_BINARY(divide, false, "Divides a by b; the same as a / b",
               "Division by zero is an error that names the cell.", "local halved = height / 2")
DECLARE_BINARY(power, false, "Raises a to the power b; the same as a ^ b",
               "A fractional power of a negative height is an error that names the cell. Numbers "
               "are rounded to single precision first, as heights are.",
               "local sharper = height ^ 1.5")

static const Param extreme_params[] = {
    PARAM(Extreme, blend, .initial = 0, .min = 0, .max = 1e30,
          .doc =
              "how smooth the bend is: heights that differ by less are blended, by a sixth of this at most; "
              "0: sharp"),
    { 0 },
};

#define DECLARE_EXTREME(identifier, says, sample, shows)                                                     \
    const Operation op_##identifier = {                                                                      \
        .name = #identifier,                                                                                 \
        .category = "arithmetic",                                                                            \
        .gaps = GAPS_KEPT,                                                                                   \
        .reach = reach_none,                                                                                 \
        .summary = says,                                                                                     \
        .source = "Quilez 2013, Smooth minimum (cubic)",                                                     \
        .inputs = { { "a", "left operand", EITHER }, { "b", "right operand", EITHER } },                     \
        .outputs = { { "result", "the result for each cell", .heights = true } },                            \
        .params = extreme_params,                                                                            \
        .params_size = sizeof(Extreme),                                                                      \
        .example = sample,                                                                                   \
        .picture = shows,                                                                                    \
        .keywords = "smooth minimum maximum union intersection smin smax",                                   \
        .see_also = "blend clamp",                                                                           \
        .run = run_##identifier,                                                                             \
    };

DECLARE_EXTREME(min, "Gives the lower of the two in each cell, with a sharp or a smooth bend between them",
                "local capped = esker.min(height, 0.8)",
                "return height, height:min(0.5), height:min(0.5, { blend = 0.3 })")
DECLARE_EXTREME(max, "Gives the higher of the two in each cell, with a sharp or a smooth bend between them",
                "local flooded = height:max(0.3)",
                "return height, height:max(0.5), height:max(0.5, { blend = 0.3 })")

const Operation op_negate = {
    .name = "negate",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "arithmetic",
    .summary = "Changes the sign; the same as -a",
    .inputs = { { "a", "any field" } },
    .outputs = { { "result", "the result for each cell", .heights = true } },
    .negates = true,
    .always_finite = "changes signs only",
    .example = "local valley = 1 + -height",
    .see_also = "abs",
    .run = run_negate,
};

const Operation op_abs = {
    .name = "abs",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "arithmetic",
    .summary = "Gives the absolute value",
    .inputs = { { "a", "any field" } },
    .outputs = { { "result", "the result for each cell", .heights = true } },
    .always_finite = "changes signs only",
    .example = "local ridged = 1 - (2 * height - 1):abs()",
    .see_also = "negate",
    .run = run_abs,
};

// --- clamp -------------------------------------------------------------------------------------------------

// Clips heights below `low` and above `high`.

typedef struct Clamp {
    double low, high;
} Clamp;

KERNEL_NARROW static void clamp_rows(void *context, int first, int end) {
    const Call *call = context;
    const Clamp *clamp = call->params;
    const float low = (float)clamp->low, high = (float)clamp->high;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(call->inputs[0].field, y);
        float *restrict out = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++) {
            out[x] = clamp(row[x], low, high);
        }
    }
}

static Status clamp_run(const Call *call, Error *error) {
    const Clamp *clamp = call->params;
    if (clamp->low > clamp->high)
        return fail(error, STATUS_INVALID, "low must not be above high, got %s and %s",
                    digits_of(clamp->low).text, digits_of(clamp->high).text);
    return parallel_rows(call->run, call->height, call->width * 0.3, clamp_rows, (void *)call);
}

static const Param clamp_params[] = {
    PARAM(Clamp, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "lower bound; lower heights become this"),
    PARAM(Clamp, high, .initial = 1, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "upper bound; higher heights become this"),
    { 0 },
};

const Operation op_clamp = {
    .name = "clamp",
    .gaps = GAPS_KEPT,
    .reach = reach_none,
    .category = "filter",
    .keywords = "limit clip saturate cut threshold cutoff",
    .summary = "Limits heights to a range",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights from low to high", .heights = true } },
    .params = clamp_params,
    .params_size = sizeof(Clamp),
    .always_finite = "lies between two bounds",
    .example = "local plateau = height:clamp{ low = 0.2, high = 0.7 }",
    .see_also = "normalize curve",
    .run = clamp_run,
};

// --- lerp --------------------------------------------------------------------------------------------------

// Blends two fields: a + (b - a) · weight, where the weight may differ from cell to cell.

enum { lerp_CHUNK = 512 }; // cells blended together; a number is spread over this many

// The cells of an input from (x, y) on: the field's own, or `spread`, filled with the number.
static const float *lerp_cells_at(const Input *input, const float *spread, int x, int y) {
    return input->field ? field_row(input->field, y) + x : spread;
}

KERNEL_NARROW static int32_t blend_cells(float *restrict out, const float *restrict from,
                                         const float *restrict to, const float *restrict weights, int count) {
    int32_t most = 0;
    for (int x = 0; x < count; x++) {
        out[x] = from[x] + (to[x] - from[x]) * weights[x];
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

static int32_t blend_rows(void *context, int first, int end) {
    const Call *call = context;
    const Input *inputs = call->inputs;
    float spread[3][lerp_CHUNK];
    for (int i = 0; i < 3; i++)
        for (int x = 0; x < lerp_CHUNK && !inputs[i].field; x++)
            spread[i][x] = (float)inputs[i].number;
    int32_t most = 0;
    for (int y = first; y < end; y++)
        for (int x = 0; x < call->width; x += lerp_CHUNK) {
            const int32_t magnitude = blend_cells(
                field_row(&call->outputs[0].field, y) + x, lerp_cells_at(&inputs[0], spread[0], x, y),
                lerp_cells_at(&inputs[1], spread[1], x, y), lerp_cells_at(&inputs[2], spread[2], x, y),
                min(call->width - x, lerp_CHUNK));
            most = max(most, magnitude);
        }
    return most;
}

static Status lerp_run(const Call *call, Error *error) {
    (void)error;
    return finite_rows_measured(call, call->width * 0.6, blend_rows, (void *)call);
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
    .run = lerp_run,
};
