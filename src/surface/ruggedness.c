// How rugged the ground is: the differences between a cell and its eight neighbours.

#include "surface/nine_points.h"

#include <math.h>

typedef struct Ruggedness {
    int measure;
} Ruggedness;

enum { RILEY, WILSON };

KERNEL_INLINE float differences(NinePoints at, int x, bool squares) {
    const float *up = at.up, *row = at.row, *down = at.down, centre = row[x];
    const float d[8] = {
        up[x - 1] - centre,  up[x] - centre,       up[x + 1] - centre, row[x - 1] - centre,
        row[x + 1] - centre, down[x - 1] - centre, down[x] - centre,   down[x + 1] - centre
    };
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += squares ? d[i] * d[i] : fabsf(d[i]);
    return squares ? sqrtf(sum) : sum * 0.125f;
}

// In doubles, whose squares of floats neither vanish nor overflow.
static float exact_root(NinePoints at, int x) {
    const float *const rows[3] = { at.up, at.row, at.down };
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        const double d = (double)rows[i / 3][x + i % 3 - 1] - (double)at.row[x];
        sum += d * d;
    }
    return (float)sqrt(sum);
}

KERNEL_INLINE int is_unsafe(float root) {
    const int small = root < 1e-16f, large = !(root < 1e18f);
    return small | large;
}

static void mend_unsafe(NinePoints at, int count, float *restrict out) {
    for (int x = 0; x < count; x++)
        if (is_unsafe(out[x]))
            out[x] = exact_root(at, x);
}

KERNEL static void measure_ruggedness(const void *context, NinePoints at, int count, float *restrict out) {
    const Ruggedness *params = context;
    if (params->measure == WILSON) {
        for (int x = 0; x < count; x++)
            out[x] = differences(at, x, false);
        return;
    }
    int some = 0;
    for (int x = 0; x < count; x++) {
        out[x] = differences(at, x, true);
        some |= is_unsafe(out[x]);
    }
    if (some)
        mend_unsafe(at, count, out);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return nine_points(call, measure_ruggedness, call->params, 1, &call->outputs[0].field);
}

static const Param params[] = {
    PARAM(Ruggedness, measure, .choices = CHOICES("riley", "wilson"),
          .doc = "riley: the root of the sum of the eight squared differences; wilson: the mean of their "
                 "absolute values"),
    { 0 },
};

const Operation op_ruggedness = {
    .name = "ruggedness",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "surface",
    .keywords = "tri roughness rough terrain index vrm vector",
    .summary = "Gives the terrain ruggedness index: how much a cell's height differs from its neighbours'",
    .source = "Riley, DeGloria and Elliot 1999, A terrain ruggedness index; Wilson et al. 2007, Multiscale "
              "terrain analysis of multibeam bathymetry data",
    .inputs = { { "height", "heights" } },
    .outputs = { { "ruggedness", "0 or more", .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .params_size = sizeof(Ruggedness),
    .example = "local rough = height:ruggedness()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:ruggedness():relief{ palette = \"grey\", contrast = 0, low = 0, high = 0.12 }",
    .see_also = "slope gradient_angle relative_height",
    .run = run,
};
