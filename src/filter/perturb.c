// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with the same
// distribution in every direction. Independent sums of splines bend the terrain evenly. Midpoint displacement
// (the same paper, "Midpoint displacement") has a cusp at every point of its lattice, which stretches the
// terrain into a spike; with one map and its transpose the scores are those of the paper's tables 2 and 3
// (docs/olsen-tables.md).

#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "filter/displace.h"

#include <assert.h>
#include <math.h>

extern const Operation op_diamond_square, op_spectral;

typedef struct Perturb {
    double magnitude;
    int noise, lattice;
} Perturb;

enum { SPLINE, MIDPOINT };
enum { SPLINE_LATTICE = 16, MIDPOINT_LATTICE = 8 }; // what a lattice of 0 stands for
enum { FINEST = 4 }; // cells between the points of the splines' finest lattice: enough to draw their bends

static Status set_splines(const Call *call, int lattice, void *params, Error *error) {
    const int shorter = min(call->width, call->height);
    int octaves = 1;
    while (((int64_t)lattice << octaves) <= shorter / FINEST)
        octaves++;
    const Status status =
        param_set_text(operation_param(&op_spectral, "interpolation"), params, "spline", error);
    return status == STATUS_OK
               ? param_set_number(operation_param(&op_spectral, "octaves"), params, octaves, error)
               : status;
}

// Noise of these sides; the field is the caller's.
static Status make_noise(const Call *call, uint64_t stream, int width, int height, Field *noise,
                         Error *error) {
    const Perturb *perturb = call->params;
    const bool splines = perturb->noise == SPLINE;
    const int lattice = perturb->lattice ? perturb->lattice : splines ? SPLINE_LATTICE : MIDPOINT_LATTICE;
    const Operation *generator = splines ? &op_spectral : &op_diamond_square;
    _Alignas(16) unsigned char params[1024];
    assert(generator->params_size <= sizeof params);
    params_initialise(generator, params);
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = { .run = call->run,
                   .width = width,
                   .height = height,
                   .seed = mix64(call->seed * 2 + stream), // a terrain's own noise may have the same
                   .outputs = outputs };
    Status status = splines ? set_splines(call, lattice, params, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = param_set_number(operation_param(generator, "lattice"), params, lattice, error);
    if (status == STATUS_OK)
        status = operation_run(generator, &inner, params, error);
    *noise = outputs[0].field;
    return status;
}

static void transpose_rows(void *context, int first, int end) {
    const Field *const *fields = context; // from, to
    for (int y = first; y < end; y++)
        for (int x = 0; x < fields[1]->width; x++)
            field_row((Field *)fields[1], y)[x] = field_row(fields[0], x)[y];
}

// The displacement down: of splines another noise, else the transpose of what the same seed gives for a
// transposed field.
static Status make_second_noise(const Call *call, Field *noise, Error *error) {
    if (((const Perturb *)call->params)->noise == SPLINE)
        return make_noise(call, 1, call->width, call->height, noise, error);
    Field transposed = { 0 };
    Status status = make_noise(call, 0, call->height, call->width, &transposed, error);
    if (status == STATUS_OK)
        status = field_create(noise, call->width, call->height, error);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 1.0, transpose_rows,
                               (const Field *[]){ &transposed, noise });
    field_free(&transposed);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Perturb *perturb = call->params;
    Field down = { 0 }, *result = &call->outputs[0].field;
    Displacement displacement = {
        .height = call->inputs[0].field, .down = &down, .result = result, .still = 0.5f, .wraps = call->wraps
    };
    displacement.reach = (float)(perturb->magnitude * field_side(displacement.height));
    Status status = make_noise(call, 0, call->width, call->height, result, error);
    if (status == STATUS_OK)
        status = make_second_noise(call, &down, error);
    if (status == STATUS_OK)
        status = displace(call->run, &displacement);
    result->wraps = call->wraps && result->cells;
    field_free(&down);
    return status;
}

static const Param params[] = {
    PARAM(Perturb, magnitude, .initial = 0.25, .min = 0, .max = 1,
          .doc = "largest displacement, as a share of N, the longer side"),
    PARAM(Perturb, noise, .choices = CHOICES("spline", "midpoint"),
          .doc =
              "spline: bends the terrain evenly; midpoint: one map of diamond_square and its transpose, with "
              "spikes, for the scores of the paper's tables"),
    PARAM(Perturb, lattice, .initial = 0, .min = 0, .max = 4096,
          .doc =
              "points of the noise's first lattice along the shorter side; more give finer folds; 0: 16 of "
              "splines, 8 of midpoint noise"),
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
