// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height of a place that lies a random way off, in a random direction, both given by noise. A magnitude
// of 0.25 displaces by at most N/4 cells.
//
// The noise is that of `diamond_square` with gaussian offsets: one field for the distance, an independent one
// for the direction, a full turn from its lowest to its highest value.

#include "core/kernel.h"
#include "core/operation.h"
#include "operations.h"

#include <assert.h>
#include <math.h>

typedef struct Perturb {
    double magnitude;
} Perturb;

typedef struct Displacement {
    const Field *height, *distance, *direction, *result;
    float reach; // in cells
} Displacement;

// Only a displacement by more than the field's width leaves the usual range of one period on either side.
KERNEL_INLINE int wrap_far(int at, int count) {
    const int near = at < 0 ? at + count : at >= count ? at - count : at;
    return near >= 0 && near < count ? near : (at % count + count) % count;
}

// Bilinear between the four cells around (x, y), which wrap around.
KERNEL_INLINE float sample(const Field *field, float x, float y) {
    const float left = floorf(x), top = floorf(y), tx = x - left, ty = y - top;
    const int column = wrap_far((int)left, field->width), row = wrap_far((int)top, field->height);
    const int next = column + 1 < field->width ? column + 1 : 0;
    const float *upper = field_row(field, row);
    const float *lower = field_row(field, row + 1 < field->height ? row + 1 : 0);
    const float above = upper[column] + (upper[next] - upper[column]) * tx;
    const float below = lower[column] + (lower[next] - lower[column]) * tx;
    return above + (below - above) * ty;
}

// sin(2π turns) for -0.5 … 0.5 to within a thousandth: a parabola, then one correction.
KERNEL_INLINE float sine_of_turns(float turns) {
    const float parabola = 16 * turns * (0.5f - fabsf(turns));
    return parabola + 0.225f * (parabola * fabsf(parabola) - parabola);
}

KERNEL static void perturb_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    const float reach = displacement->reach;
    for (int y = first; y < end; y++) {
        const float *distances = field_row(displacement->distance, y);
        const float *directions = field_row(displacement->direction, y);
        float *out = field_row(displacement->result, y);
        for (int x = 0; x < displacement->height->width; x++) {
            const float turns = directions[x] - 0.5f, quarter_on = turns + 0.25f;
            const float distance = distances[x] * reach;
            const float dx = distance * sine_of_turns(quarter_on > 0.5f ? quarter_on - 1 : quarter_on);
            const float dy = distance * sine_of_turns(turns);
            out[x] = sample(displacement->height, (float)x + dx, (float)y + dy);
        }
    }
}

// Gaussian midpoint noise of the call's size; the field is the caller's.
static Status make_noise(const Call *call, uint64_t stream, Field *noise, Error *error) {
    const Operation *generator = &op_diamond_square;
    _Alignas(16) unsigned char params[1024];
    assert(generator->params_size <= sizeof params);
    params_initialise(generator, params);
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run,
                   .width = call->width,
                   .height = call->height,
                   .seed = call->seed * 2 + stream,
                   .outputs = outputs };
    Status status = param_set_text(operation_param(generator, "distribution"), params, "gaussian", error);
    if (status == STATUS_OK)
        status = operation_run(generator, &inner, params, error);
    *noise = outputs[0].field;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Perturb *perturb = call->params;
    Field distance = { 0 }, direction = { 0 };
    Displacement displacement = { .height = call->inputs[0].field,
                                  .distance = &distance,
                                  .direction = &direction,
                                  .result = &call->outputs[0].field };
    displacement.reach = (float)(perturb->magnitude * field_side(displacement.height));
    Status status = make_noise(call, 0, &distance, error);
    if (status == STATUS_OK)
        status = make_noise(call, 1, &direction, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 5.0, perturb_rows, &displacement);
    field_free(&distance);
    field_free(&direction);
    return status;
}

static const Param params[] = {
    PARAM(Perturb, magnitude, .initial = 0.25, .min = 0, .max = 1,
          .doc = "the greatest displacement, as a share of N, the longer side"),
    { 0 },
};

const Operation op_perturb = {
    .name = "perturb",
    .category = "filter",
    .summary = "Crumples a terrain: every cell is displaced a random way in a random direction",
    .description = "Breaks the straight lines of a Voronoi diagram. Opposite edges still meet.",
    .source = "Olsen 2004, Combination and perturbation",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "displaced heights" } },
    .params = params,
    .params_size = sizeof(Perturb),
    .seeded = true,
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .run = run,
};
