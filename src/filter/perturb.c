// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height of a place that lies a random way off, in a random direction, both given by noise. A magnitude
// of 0.25 displaces by at most N/4 cells.
//
// The noise is that of `diamond_square` with gaussian offsets: one field for the distance, from the reach in
// one sense to the reach in the other, an independent one for the direction, half a turn from its lowest to
// its highest value.

#include "core/kernel.h"
#include "core/operation.h"
#include "core/whole.h"
#include "operations.h"

#include <assert.h>
#include <math.h>

typedef struct Perturb {
    double magnitude;
    int lattice;
} Perturb;

typedef struct Displacement {
    const Field *height, *direction;
    Field *result; // holds the distances before
    float reach;   // in cells
} Displacement;

// The whole number below: a conversion and a comparison, which become vectors where floorf does not.
KERNEL_INLINE int whole_below(float at) {
    const int towards_zero = whole_int(at);
    return towards_zero - (at < (float)towards_zero);
}

// Into 0 … period, from any number of periods away.
KERNEL_INLINE float wrap_place(float at, float period) {
    return at - period * (float)whole_below(at / period);
}

// Bilinear between the four cells around (x, y), which wrap around. `middle` is the middle row, so that 32
// bits tell every cell's place, as vectors want it.
KERNEL_INLINE float sample(const float *restrict middle, int width, int height, float x, float y) {
    const float near_x = wrap_place(x, (float)width), near_y = wrap_place(y, (float)height);
    const int left = whole_below(near_x), top = whole_below(near_y);
    const float tx = near_x - (float)left, ty = near_y - (float)top;
    const int column = (unsigned)left < (unsigned)width ? left : 0; // rounding may pass an end by a bit
    const int row = (unsigned)top < (unsigned)height ? top : 0;
    const int next = column + 1 < width ? column + 1 : 0, below = row + 1 < height ? row + 1 : 0;
    const int upper = (row - height / 2) * width, lower = (below - height / 2) * width;
    const float high = middle[upper + column] + (middle[upper + next] - middle[upper + column]) * tx;
    const float low = middle[lower + column] + (middle[lower + next] - middle[lower + column]) * tx;
    return high + (low - high) * ty;
}

// sin(πt) for t = -1 … 1 to within a thousandth: a parabola, then one correction.
KERNEL_INLINE float sine_of_half_turns(float t) {
    const float parabola = 4 * t * (1 - fabsf(t));
    return parabola + 0.225f * (parabola * fabsf(parabola) - parabola);
}

// Row y: in it the distances, then the heights. A kernel of its own, as gathers want pointers that are known
// not to overlap, and inlining forgets that.
KERNEL static void perturb_row(float *restrict row, const float *restrict directions,
                               const float *restrict middle, int width, int height, float reach, float y) {
    for (int x = 0; x < width; x++) {
        const float distance = (2 * row[x] - 1) * reach;
        const float dx = distance * sine_of_half_turns(directions[x] - 0.5f);
        const float dy = distance * sine_of_half_turns(directions[x]);
        row[x] = sample(middle, width, height, (float)x + dx, y + dy);
    }
}

static void perturb_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    const Field *height = displacement->height;
    for (int y = first; y < end; y++)
        perturb_row(field_row(displacement->result, y), field_row(displacement->direction, y),
                    field_row(height, height->height / 2), height->width, height->height, displacement->reach,
                    (float)y);
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
    const Perturb *perturb = call->params;
    Status status = param_set_text(operation_param(generator, "distribution"), params, "gaussian", error);
    if (status == STATUS_OK)
        status = param_set_number(operation_param(generator, "lattice"), params, perturb->lattice, error);
    if (status == STATUS_OK)
        status = operation_run(generator, &inner, params, error);
    *noise = outputs[0].field;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Perturb *perturb = call->params;
    Field direction = { 0 }, *result = &call->outputs[0].field;
    Displacement displacement = { .height = call->inputs[0].field,
                                  .direction = &direction,
                                  .result = result };
    displacement.reach = (float)(perturb->magnitude * field_side(displacement.height));
    Status status = make_noise(call, 0, result, error);
    if (status == STATUS_OK)
        status = make_noise(call, 1, &direction, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 3.0, perturb_rows, &displacement);
    field_free(&direction);
    return status;
}

static const Param params[] = {
    PARAM(Perturb, magnitude, .initial = 0.25, .min = 0, .max = 1,
          .doc = "the greatest displacement, as a share of N, the longer side"),
    PARAM(Perturb, lattice, .initial = 8, .min = 1, .max = 4096, .unit = UNIT_CELLS,
          .doc = "points of the noise's first lattice along the shorter side; more crumple finer"),
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
    .shapes_outputs = true,
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .run = run,
};
