// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two independent noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with
// the same distribution in every direction. They are sums of splines, so that the terrain is bent evenly.
// Midpoint displacement would leave marks: it has a cusp at every point of its lattice, which stretches the
// terrain into a spike.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/whole.h"
#include "operations.h"

#include <assert.h>
#include <math.h>

typedef struct Perturb {
    double magnitude;
    int lattice;
} Perturb;

enum { FINEST = 4 }; // cells between the points of the noise's finest lattice: enough to draw its bends

typedef struct Displacement {
    const Field *height, *down;
    Field *result; // first holds the displacements to the right
    float reach;   // in cells, from one end of the noise to the other
    bool wraps;
} Displacement;

// The integer below: a conversion and a comparison, which vectorise; floorf does not.
KERNEL_INLINE int whole_below(float at) {
    const int towards_zero = whole_int(at);
    return towards_zero - (at < (float)towards_zero);
}

// Wraps into 0 … period, from any number of periods away; never below 0, where rounding would put it just
// before a whole period.
KERNEL_INLINE float wrap_place(float at, float period) {
    const float place = at - period * (float)whole_below(at / period);
    return max(place, 0);
}

// Reflects into 0 … last.
KERNEL_INLINE float mirror_place(float at, float last) {
    const float there_and_back = wrap_place(at, 2 * last);
    return there_and_back < last ? there_and_back : 2 * last - there_and_back;
}

// One axis of a position between cells: the two cells, and the distance from the first one.
typedef struct Between {
    int first, second;
    float t;
} Between;

KERNEL_INLINE Between between(float at, int cells, bool wraps) {
    const float last = (float)(cells - 1), place = wraps       ? wrap_place(at, (float)cells)
                                                   : cells > 1 ? mirror_place(at, last)
                                                               : 0;
    const int below = whole_below(place);
    const int first = below < cells ? below : 0; // rounding may pass the end by a bit
    const int beyond = wraps ? 0 : first;
    return (Between){ first, first + 1 < cells ? first + 1 : beyond, place - (float)below };
}

// Bilinear between the four cells around (x, y). `middle` is the middle row, so that 32 bits tell every
// cell's place, as vectors want it.
KERNEL_INLINE float sample(const float *restrict middle, int width, int height, float x, float y,
                           bool wraps) {
    const Between across = between(x, width, wraps), along = between(y, height, wraps);
    const int upper = (along.first - height / 2) * width, lower = (along.second - height / 2) * width;
    const int left = across.first, right = across.second;
    return bilinear(middle[upper + left], middle[upper + right], middle[lower + left], middle[lower + right],
                    across.t, along.t);
}

// Row y: first the displacements to the right, then the heights. Separate kernels, since gathers need
// pointers known not to overlap, which inlining forgets.
KERNEL_INLINE void perturb_row(float *restrict row, const float *restrict down, const float *restrict middle,
                               int width, int height, float reach, float y, bool wraps) {
    for (int x = 0; x < width; x++) {
        const float dx = (row[x] - 0.5f) * reach, dy = (down[x] - 0.5f) * reach;
        row[x] = sample(middle, width, height, (float)x + dx, y + dy, wraps);
    }
}

KERNEL static void perturb_wrapped(float *restrict row, const float *restrict down,
                                   const float *restrict middle, int width, int height, float reach,
                                   float y) {
    perturb_row(row, down, middle, width, height, reach, y, true);
}

KERNEL static void perturb_mirrored(float *restrict row, const float *restrict down,
                                    const float *restrict middle, int width, int height, float reach,
                                    float y) {
    perturb_row(row, down, middle, width, height, reach, y, false);
}

static void perturb_rows(void *context, int first, int end) {
    const Displacement *displacement = context;
    const Field *height = displacement->height;
    for (int y = first; y < end; y++)
        (displacement->wraps ? perturb_wrapped : perturb_mirrored)(
            field_row(displacement->result, y), field_row(displacement->down, y),
            field_row(height, height->height / 2), height->width, height->height, displacement->reach,
            (float)y);
}

// Spline noise of the call's size; the field is the caller's.
static Status make_noise(const Call *call, uint64_t stream, Field *noise, Error *error) {
    const Operation *generator = &op_spectral;
    _Alignas(16) unsigned char params[1024];
    assert(generator->params_size <= sizeof params);
    params_initialise(generator, params);
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run,
                   .width = call->width,
                   .height = call->height,
                   .seed = mix64(call->seed * 2 + stream), // a terrain's own noise may have the same
                   .outputs = outputs };
    const Perturb *perturb = call->params;
    const int shorter = min(call->width, call->height);
    int octaves = 1;
    while (((int64_t)perturb->lattice << octaves) <= shorter / FINEST)
        octaves++;
    Status status = param_set_text(operation_param(generator, "interpolation"), params, "spline", error);
    if (status == STATUS_OK)
        status = param_set_number(operation_param(generator, "lattice"), params, perturb->lattice, error);
    if (status == STATUS_OK)
        status = param_set_number(operation_param(generator, "octaves"), params, octaves, error);
    if (status == STATUS_OK)
        status = operation_run(generator, &inner, params, error);
    *noise = outputs[0].field;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Perturb *perturb = call->params;
    Field down = { 0 }, *result = &call->outputs[0].field;
    Displacement displacement = {
        .height = call->inputs[0].field, .down = &down, .result = result, .wraps = call->wraps
    };
    displacement.reach = (float)(perturb->magnitude * field_side(displacement.height));
    Status status = make_noise(call, 0, result, error);
    if (status == STATUS_OK)
        status = make_noise(call, 1, &down, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 3.0, perturb_rows, &displacement);
    result->wraps = call->wraps && result->cells;
    field_free(&down);
    return status;
}

static const Param params[] = {
    PARAM(Perturb, magnitude, .initial = 0.25, .min = 0, .max = 1,
          .doc = "largest displacement, as a share of N, the longer side"),
    PARAM(Perturb, lattice, .initial = 16, .min = 1, .max = 4096, .unit = UNIT_CELLS,
          .doc = "points of the noise's first lattice along the shorter side; more give finer folds"),
    { 0 },
};

const Operation op_perturb = {
    .name = "perturb",
    .category = "filter",
    .keywords = "warp distort displace jitter domain",
    .summary = "Displaces every cell by a random offset, which crumples the terrain",
    .description = "Breaks up the straight lines of a Voronoi diagram. Where edges do not meet, the "
                   "terrain is mirrored beyond them.",
    .source = "Olsen 2004, Combination and perturbation",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "displaced heights" } },
    .params = params,
    .params_size = sizeof(Perturb),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .see_also = "voronoi",
    .run = run,
};
