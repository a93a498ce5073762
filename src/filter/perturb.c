// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two independent noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with
// the same distribution in every direction. They are sums of splines, so that the terrain is bent evenly.
// Midpoint displacement would leave marks: it has a cusp at every point of its lattice, which stretches the
// terrain into a spike.

#include "base/spectral.h"
#include "core/finite.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"
#include "filter/displace.h"

typedef struct Perturb {
    double magnitude;
    int lattice;
} Perturb;

enum {
    FINEST = 4, // cells between the points of the noise's finest lattice: enough to draw its bends
    CHUNK = 256 // cells that are displaced together
};

// The displacements to the right and down, 0 … 1 once they are scaled.
typedef struct Noises {
    Displacement displacement;
    Field *right, *down;
    Scaling right_scaling, down_scaling;
} Noises;

// Spline noise.
static Status make_noise(const Call *call, uint64_t stream, Field *noise, Scaling *scaling, Error *error) {
    const Perturb *perturb = call->params;
    const int shorter = min(call->width, call->height);
    int octaves = 1;
    while (((int64_t)perturb->lattice << octaves) <= shorter / FINEST)
        octaves++;
    const Spectral spectral = {
        .persistence = 0.5, .octaves = octaves, .lattice = perturb->lattice, .interpolation = SPECTRAL_SPLINE
    };
    const uint64_t seed = mix64(call->seed * 2 + stream); // a terrain's own noise may have the same
    Bounds bounds = { 0 };
    const Status status = spectral_sum(call->run, &spectral, seed, noise, &bounds, error);
    *scaling = scaling_to((double)bounds.least, (double)bounds.most, 0, 1);
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
        status = make_noise(call, 0, right, &noises.right_scaling, error);
    if (status == STATUS_OK)
        status = make_noise(call, 1, &down, &noises.down_scaling, error);
    if (status == STATUS_OK)
        status = finite_rows(call, call->width * 4.0, perturb_rows, &noises);
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
