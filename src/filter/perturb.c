// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two independent noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with
// the same distribution in every direction. They are sums of splines, so that the terrain is bent evenly.
// Midpoint displacement would leave marks: it has a cusp at every point of its lattice, which stretches the
// terrain into a spike.

#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "filter/displace.h"

#include <assert.h>
#include <math.h>

extern const Operation op_spectral;

typedef struct Perturb {
    double magnitude;
    int lattice;
} Perturb;

enum { FINEST = 4 }; // cells between the points of the noise's finest lattice: enough to draw its bends

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
        .height = call->inputs[0].field, .down = &down, .result = result, .still = 0.5f, .wraps = call->wraps
    };
    displacement.reach = (float)(perturb->magnitude * field_side(displacement.height));
    Status status = make_noise(call, 0, result, error);
    if (status == STATUS_OK)
        status = make_noise(call, 1, &down, error);
    if (status == STATUS_OK)
        status = displace(call->run, &displacement);
    result->wraps = call->wraps && result->cells;
    field_free(&down);
    return status;
}

static const Param params[] = {
    PARAM(Perturb, magnitude, .initial = 0.25, .min = 0, .max = 1,
          .doc = "largest displacement, as a share of N, the longer side"),
    PARAM(Perturb, lattice, .initial = 16, .min = 1, .max = 4096,
          .doc = "points of the noise's first lattice along the shorter side; more give finer folds"),
    { 0 },
};

const Operation op_perturb = {
    .name = "perturb",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .keywords = "warp distort displace jitter domain distortion",
    .summary = "Displaces every cell by a random offset, which crumples the terrain",
    .description = "Breaks up the straight lines of a Voronoi diagram. Where edges do not meet, the "
                   "terrain is mirrored beyond them.",
    .source = "Olsen 2004, Combination and perturbation",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "displaced heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Perturb),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .see_also = "warp voronoi",
    .run = run,
};
