// Displacement of fields: by two fields, and by noise.

#include "filter/displace.h"

#include "base/spectral.h"
#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/random.h"
#include "core/rescale.h"
#include "core/transpose.h"

#include <assert.h>
#include <string.h>

enum { CHUNK = 256 }; // cells that are displaced together

// The places from which a chunk of cells takes its heights.
typedef struct Places {
    float right[CHUNK], down[CHUNK];   // how far away, in cells
    int upper[CHUNK], lower[CHUNK];    // the cells to the left of that place, from the middle row's first on
    int beside[CHUNK];                 // from these to the ones to the right
    float across[CHUNK], along[CHUNK]; // from the upper left cell to the place, 0 … 1
} Places;

// The heights around each place: left and right.
typedef struct Corners {
    float upper[CHUNK][2], lower[CHUNK][2];
} Corners;

// --- one axis ----------------------------------------------------------------------------------------------

// The integer below: a conversion and a comparison, which vectorise; floorf does not. Far away it is any
// integer.
KERNEL_INLINE int whole_below(float at) {
    const int towards_zero = whole_int(at);
    return (int)((unsigned)towards_zero - (at < (float)towards_zero));
}

// Wraps into 0 … period, from any number of periods away; never below 0, where rounding would put it just
// before a whole period, and never outside, from however far away.
KERNEL_INLINE float wrap_far(float at, float period) {
    const float place = at - period * (float)whole_below(at / period);
    return clamp(place, 0, period);
}

// Wraps a place less than a period outside, without a division, to the same bits: for a place as little below
// 0 as `least` the quotient is 0.
KERNEL_INLINE float wrap_near(float at, float period) {
    const float least = -floorf(period / 2) * 0x1p-149f;
    return clamp(at < least ? at + period : at, 0, period);
}

KERNEL_INLINE float wrap_place(float at, float period, bool near) {
    return near ? wrap_near(at, period) : wrap_far(at, period);
}

// Reflects into 0 … last.
KERNEL_INLINE float mirror_place(float at, float last, bool near) {
    const float there_and_back = wrap_place(at, 2 * last, near);
    return there_and_back < last ? there_and_back : 2 * last - there_and_back;
}

// The two cells around a place, and the distance from the first one.
typedef struct Between {
    int first, second;
    float t;
} Between;

// The cells around the place `off` beyond the cell `at`. Where edges meet, `off` alone is wrapped, so that
// the place in the field does not matter to the last bit. `near`: no farther than near_cells, so there are
// several cells.
KERNEL_INLINE Between between(int at, float off, int cells, bool wraps, bool near) {
    const float last = (float)(cells - 1), place = wraps ? wrap_place(off, (float)cells, near)
                                                   : near || cells > 1
                                                       ? mirror_place((float)at + off, last, near)
                                                       : 0;
    const int below = near ? whole_unchecked(place) : whole_below(place),
              reached = wraps ? at + below : below;
    const int first = reached < cells ? reached : wraps ? reached - cells : 0;
    const int beyond = wraps ? 0 : first;
    return (Between){ first, first + 1 < cells ? first + 1 : beyond, place - (float)below };
}

// From where on a place may be a period away or more.
static float near_cells(int cells, bool wraps) {
    return wraps ? (float)cells : (float)max(cells - 2, 0);
}

// --- a chunk -----------------------------------------------------------------------------------------------

// Returns the largest magnitude.
KERNEL static int32_t find_offsets(const float *restrict values, float still, float reach, int count,
                                   float *restrict off) {
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        off[i] = (values[i] - still) * reach;
        most = max(float_magnitude(off[i]), most);
    }
    return most;
}

KERNEL_INLINE void find_places(Places *restrict places, int width, int height, int first, int y, int count,
                               bool wraps, bool near) {
    const int above = height / 2;
    for (int i = 0; i < count; i++) {
        const Between across = between(first + i, places->right[i], width, wraps, near),
                      along = between(y, places->down[i], height, wraps, near);
        places->upper[i] = (along.first - above) * width + across.first;
        places->lower[i] = (along.second - above) * width + across.first;
        places->beside[i] = across.second - across.first;
        places->across[i] = across.t;
        places->along[i] = along.t;
    }
}

KERNEL static void find_near_wrapped(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, true, true);
}

KERNEL static void find_near_mirrored(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, false, true);
}

KERNEL static void find_far_wrapped(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, true, false);
}

KERNEL static void find_far_mirrored(Places *places, int width, int height, int first, int y, int count) {
    find_places(places, width, height, first, y, count, false, false);
}

// One by one, two cells at once: processors gather vectors more slowly.
static void fetch_corners(const float *middle, const Places *places, int count, Corners *corners) {
    for (int i = 0; i < count; i++) {
        const float *upper = middle + places->upper[i], *lower = middle + places->lower[i];
        if (places->beside[i] == 1) {
            memcpy(corners->upper[i], upper, sizeof corners->upper[i]);
            memcpy(corners->lower[i], lower, sizeof corners->lower[i]);
        } else {
            corners->upper[i][0] = upper[0];
            corners->upper[i][1] = upper[places->beside[i]];
            corners->lower[i][0] = lower[0];
            corners->lower[i][1] = lower[places->beside[i]];
        }
    }
}

KERNEL static void join_corners(const Corners *restrict corners, const Places *restrict places, int count,
                                float *restrict cells) {
    for (int i = 0; i < count; i++)
        cells[i] = bilinear(corners->upper[i][0], corners->upper[i][1], corners->lower[i][0],
                            corners->lower[i][1], places->across[i], places->along[i]);
}

static void displace_chunk(const Displacement *displacement, int x, int y, int count, const float *down) {
    const Field *height = displacement->height;
    const int width = height->width, rows = height->height;
    const bool wraps = displacement->wraps;
    const float still = displacement->still, reach = displacement->reach;
    float *cells = field_row(displacement->result, y) + x;
    Places places;
    Corners corners;
    const int32_t right_most = find_offsets(cells, still, reach, count, places.right),
                  down_most = find_offsets(down, still, reach, count, places.down);
    const bool near = right_most < float_magnitude(near_cells(width, wraps)) &&
                      down_most < float_magnitude(near_cells(rows, wraps));
    if (near)
        // cppcheck-suppress uninitvar // it sees no assignment through the pointer
        (wraps ? find_near_wrapped : find_near_mirrored)(&places, width, rows, x, y, count);
    else
        (wraps ? find_far_wrapped : find_far_mirrored)(&places, width, rows, x, y, count);
    fetch_corners(field_row(height, rows / 2), &places, count, &corners);
    join_corners(&corners, &places, count, cells);
}

void displace_part(const Displacement *displacement, int x, int y, int count, const float *down) {
    for (int start = 0; start < count; start += CHUNK)
        displace_chunk(displacement, x + start, y, min(count - start, CHUNK), down + start);
}

// --- warp --------------------------------------------------------------------------------------------------

// Domain warp: every cell takes the height at a position displaced by two fields, N · magnitude · (d - still)
// along each axis. `perturb` is the same with noise of its own.

typedef struct Warp {
    double magnitude, still;
} Warp;

typedef struct Warping {
    Displacement displacement;
    const Field *right, *down;
} Warping;

static void warp_rows(void *context, int first, int end) {
    const Warping *warping = context;
    const int width = warping->right->width;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x += CHUNK) {
            const int count = min(width - x, CHUNK);
            memcpy(field_row(warping->displacement.result, y) + x, field_row(warping->right, y) + x,
                   (size_t)count * sizeof(float));
            displace_part(&warping->displacement, x, y, count, field_row(warping->down, y) + x);
        }
}

static Status run_warp(const Call *call, Error *error) {
    (void)error;
    const Warp *warp = call->params;
    const Field *height = call->inputs[0].field;
    Warping warping = { .displacement = { .height = height,
                                          .result = &call->outputs[0].field,
                                          .still = (float)warp->still,
                                          .reach = (float)(warp->magnitude * field_side(height)),
                                          .wraps = call->wraps },
                        .right = call->inputs[1].field,
                        .down = call->inputs[2].field };
    return finite_rows(call, call->width * 4.0, warp_rows, &warping);
}

static const Param warp_params[] = {
    PARAM(Warp, magnitude, .initial = 0.1, .min = -1, .max = 1,
          .doc = "displacement where a field is 1 above `still`, as a share of N, the longer side"),
    PARAM(Warp, still, .initial = 0.5, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "the value of the fields that displaces nothing"),
    { 0 },
};

const Operation op_warp = {
    .name = "warp",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .summary = "Displaces every cell by two fields: domain warp",
    .description = "A cell takes the height found `right` and `down` of it. Where edges do not meet, the "
                   "terrain is mirrored beyond them. height:warp(height, height) folds a terrain by itself.",
    .inputs = { { "height", "heights" },
                { "right", "displacement to the right" },
                { "down", "displacement down" } },
    .outputs = { { "height", "displaced heights", .heights = true } },
    .params = warp_params,
    .params_size = sizeof(Warp),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local right = esker.noise{ size = height.width, seed = 1 }\n"
               "local down = esker.noise{ size = height.width, seed = 2 }\n"
               "local bent = height:warp(right, down, { magnitude = 0.3 })",
    .picture = "local right = esker.noise{ size = height.width, seed = 1, frequency = 3 }\n"
               "local down = esker.noise{ size = height.width, seed = 2, frequency = 3 }\n"
               "return height, height:warp(right, down, { magnitude = 0.5 }), height:warp(height, height, { "
               "magnitude = 0.5 })",
    .keywords = "distort domain displace swirl map coordinates vector lattice twister fold whorl",
    .see_also = "perturb noise",
    .run = run_warp,
};

// --- perturb -----------------------------------------------------------------------------------------------

// The perturbation filter (Olsen 2004, "Combination and perturbation", after Ebert et al.): every cell takes
// the height at a position displaced by noise.
//
// Two noises n, 0 … 1, give the displacement along the two axes, N · magnitude · (n - 1/2), with the same
// distribution in every direction. Independent sums of splines bend the terrain evenly. Midpoint displacement
// (the same paper, "Midpoint displacement") has a cusp at every point of its lattice, which stretches the
// terrain into a spike; with one map and its transpose the scores are those of the paper's tables 2 and 3
// (docs/olsen-tables.md).

extern const Operation op_diamond_square;

typedef struct Perturb {
    double magnitude;
    int noise, lattice;
} Perturb;

enum { SPLINE, MIDPOINT };
enum { SPLINE_LATTICE = 16, MIDPOINT_LATTICE = 8 }; // what a lattice of 0 stands for
enum { FINEST = 4 }; // cells between the points of the splines' finest lattice: enough to draw their bends

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
            scale_cells(&noises->right_scaling, right, right, count);
            scale_cells(&noises->down_scaling, down, down, count);
            displace_part(&noises->displacement, x, y, count, down);
        }
}

static Status run_perturb(const Call *call, Error *error) {
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

static const Param perturb_params[] = {
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
    .keywords = "warp distort displace jitter domain fractalize",
    .summary = "Displaces every cell by a random offset, which crumples the terrain",
    .description = "Breaks up the straight lines of a Voronoi diagram. Where edges do not meet, the "
                   "terrain is mirrored beyond them.",
    .source = "Olsen 2004, Combination and perturbation",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "displaced heights", .heights = true } },
    .params = perturb_params,
    .params_size = sizeof(Perturb),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local crumpled = height:perturb{ magnitude = 0.1, seed = 4 }",
    .see_also = "warp voronoi",
    .run = run_perturb,
};
