// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with the same
// distribution in every direction. Independent sums of splines bend the terrain evenly. Midpoint displacement
// (the same paper, "Midpoint displacement") has a cusp at every point of its lattice, which stretches the
// terrain into a spike; with one map and its transpose the scores are those of the paper's tables 2 and 3
// (docs/olsen-tables.md).

#include "base/spectral.h"
#include "core/finite.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"
#include "core/transpose.h"
#include "filter/displace.h"

#include <assert.h>

extern const Operation op_diamond_square;

typedef struct Perturb {
    double magnitude;
    int noise, lattice;
} Perturb;

enum { SPLINE, MIDPOINT };
enum { SPLINE_LATTICE = 16, MIDPOINT_LATTICE = 8 }; // what a lattice of 0 stands for
enum {
    FINEST = 4, // cells between the points of the splines' finest lattice: enough to draw their bends
    CHUNK = 256 // cells that are displaced together
};

// The displacements to the right and down, 0 … 1 once they are scaled.
typedef struct Noises {
    Displacement displacement;
    Field *right, *down;
    Scaling right_scaling, down_scaling;
} Noises;

static uint64_t noise_seed(const Call *call, uint64_t stream) {
    return mix64(call->seed * 2 + stream); // a terrain's own noise may have the same
}

static Status make_splines(const Call *call, uint64_t stream, Field *noise, Scaling *scaling, Error *error) {
    const int chosen = ((const Perturb *)call->params)->lattice, lattice = chosen ? chosen : SPLINE_LATTICE;
    const int shorter = min(call->width, call->height);
    int octaves = 1;
    while (((int64_t)lattice << octaves) <= shorter / FINEST)
        octaves++;
    const Spectral spectral = {
        .persistence = 0.5, .octaves = octaves, .lattice = lattice, .interpolation = SPECTRAL_SPLINE
    };
    Bounds bounds = { 0 };
    const Status status = spectral_sum(call->run, &spectral, noise_seed(call, stream), noise, &bounds, error);
    *scaling = scaling_to((double)bounds.least, (double)bounds.most, 0, 1);
    return status;
}

// A map of diamond_square, 0 … 1, which the caller frees.
static Status make_midpoints(const Call *call, int width, int height, Field *noise, Error *error) {
    const int chosen = ((const Perturb *)call->params)->lattice;
    _Alignas(16) unsigned char params[1024];
    assert(op_diamond_square.params_size <= sizeof params);
    params_initialise(&op_diamond_square, params);
    Output outputs[OUTPUTS_MAX] = { 0 };
    Call inner = {
        .run = call->run, .width = width, .height = height, .seed = noise_seed(call, 0), .outputs = outputs
    };
    Status status = param_set_number(operation_param(&op_diamond_square, "lattice"), params,
                                     chosen ? chosen : MIDPOINT_LATTICE, error);
    if (status == STATUS_OK)
        status = operation_run(&op_diamond_square, &inner, params, error);
    *noise = outputs[0].field;
    return status;
}

// Makes the displacements to the right and down. With midpoint noise the one down is made with the same seed
// for the transposed field, and transposed.
static Status make_noises(const Call *call, Noises *noises, Error *error) {
    if (((const Perturb *)call->params)->noise == SPLINE) {
        const Status status = make_splines(call, 0, noises->right, &noises->right_scaling, error);
        return status == STATUS_OK ? make_splines(call, 1, noises->down, &noises->down_scaling, error)
                                   : status;
    }
    noises->right_scaling = noises->down_scaling = scaling_to(0, 1, 0, 1);
    Field transposed = { 0 };
    Status status = make_midpoints(call, call->height, call->width, &transposed, error);
    if (status == STATUS_OK)
        status = field_transpose(call->run, &transposed, noises->down);
    field_free(&transposed);
    const bool wraps = noises->right->wraps;
    field_free(noises->right);
    if (status == STATUS_OK)
        status = make_midpoints(call, call->width, call->height, noises->right, error);
    noises->right->wraps = wraps;
    return status;
}

static void perturb_rows(void *context, int first, int end) {
    const Noises *noises = context;
    for (int y = first; y < end; y++)
        for (int x = 0; x < noises->right->width; x += CHUNK) {
            const int count = min(noises->right->width - x, CHUNK);
            float *right = field_row(noises->right, y) + x, *down = field_row(noises->down, y) + x;
            scale_cells(&noises->right_scaling, right, count);
            scale_cells(&noises->down_scaling, down, count);
            displace_part(&noises->displacement, x, y, count, down);
        }
}

static Status run(const Call *call, Error *error) {
    const Perturb *perturb = call->params;
    const Field *height = call->inputs[0].field;
    Field down = { 0 }, *right = &call->outputs[0].field;
    Noises noises = {
        .displacement = { .height = height, .result = right, .still = 0.5f, .wraps = call->wraps },
        .right = right,
        .down = &down
    };
    noises.displacement.reach = (float)(perturb->magnitude * field_side(height));
    Status status = field_create(&down, call->width, call->height, error);
    if (status == STATUS_OK)
        status = make_noises(call, &noises, error);
    if (status == STATUS_OK)
        status = finite_rows(call, call->width * 4.0, perturb_rows, &noises);
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
    .keywords = "warp distort displace jitter domain",
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
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .see_also = "warp voronoi",
    .run = run,
};
