// The bilateral filter (Tomasi and Manduchi 1998, "Bilateral filtering for gray and color images"): a mean of
// the surroundings, weighted by a Gaussian of the distance and another of the difference in height, so that
// cliffs stay and what is between them is smoothed.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"
#include "filter/surroundings.h"

#include <math.h>
#include <stdlib.h>

typedef struct Bilateral {
    double sigma, range;
} Bilateral;

enum { SIGMA_MAX = 16, REACH_MAX = 5 * SIGMA_MAX / 2, CHUNK = 256 };

typedef struct Window {
    const Call *call;
    int reach; // 2.5 sigma, where the weight is 4 %
    float distance[REACH_MAX + 1];
    float inverse; // of twice the square of the range
} Window;

// exp(-x) for x ≥ 0: Taylor's series of exp(-x / 256), squared eight times; 0 from 80 on. Relative error
// below 2e-5 up to 20, where weights end to matter.
KERNEL_INLINE float decay(float x) {
    const float g = min(x, 80.0f) * (-1.0f / 256);
    const float root = 1 + g * (1 + g * (0.5f + g * (1.0f / 6 + g * (1.0f / 24))));
    const float p2 = root * root, p4 = p2 * p2, p8 = p4 * p4, p16 = p8 * p8;
    const float p32 = p16 * p16, p64 = p32 * p32, p128 = p64 * p64;
    return x < 80 ? p128 * p128 : 0;
}

KERNEL static void bilateral_add(const float *restrict cells, const float *restrict middle, float distance,
                                 float inverse, int count, float *restrict sums, float *restrict weights) {
    for (int x = 0; x < count; x++) {
        const float difference = cells[x] - middle[x];
        const float weight = distance * decay(difference * difference * inverse);
        sums[x] += weight * difference;
        weights[x] += weight;
    }
}

static void bilateral_rows(void *context, int first, int end) {
    const Window *window = context;
    const Call *call = window->call;
    const int reach = window->reach;
    float cells[CHUNK + 2 * REACH_MAX], sums[CHUNK], weights[CHUNK];
    for (int y = first; y < end; y++)
        for (int start = 0; start < call->width; start += CHUNK) {
            const int count = min(call->width - start, CHUNK);
            const float *middle = field_row(call->inputs[0].field, y) + start;
            for (int x = 0; x < count; x++)
                sums[x] = weights[x] = 0;
            for (int j = -reach; j <= reach; j++) {
                surroundings_load(call->inputs[0].field, y + j, start - reach, count + 2 * reach, call->wraps,
                                  cells);
                for (int i = -reach; i <= reach; i++)
                    bilateral_add(cells + reach + i, middle,
                                  window->distance[abs(i)] * window->distance[abs(j)], window->inverse, count,
                                  sums, weights);
            }
            float *out = field_row(&call->outputs[0].field, y) + start;
            for (int x = 0; x < count; x++)
                out[x] = middle[x] + sums[x] / weights[x];
        }
}

static int reach_of(double sigma) {
    return whole_within(ceil(2.5 * sigma), 0, REACH_MAX);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const Bilateral *bilateral = call->params;
    const double sigma = max(bilateral->sigma, 1e-3), range = bilateral->range;
    Window window = { .call = call,
                      .reach = reach_of(bilateral->sigma),
                      .inverse = (float)(0.5 / (range * range)) };
    for (int k = 0; k <= window.reach; k++)
        window.distance[k] = (float)exponential(-0.5 * k * k / (sigma * sigma));
    const double side = 2 * window.reach + 1;
    return parallel_rows(call->run, call->height, call->width * 0.6 * side * side, bilateral_rows, &window);
}

static int bilateral_reach(const Call *call) {
    return reach_of(((const Bilateral *)call->params)->sigma);
}

static const Param params[] = {
    PARAM(Bilateral, sigma, .initial = 2, .min = 0, .max = SIGMA_MAX, .unit = UNIT_CELLS,
          .doc =
              "standard deviation of the distance's Gaussian, which ends at 2.5 of them, where it is 0.04"),
    PARAM(Bilateral, range, .initial = 0.05, .min = 1e-6, .max = 1e6,
          .doc = "standard deviation of the Gaussian of differences in height; greater ones stay"),
    { 0 },
};

const Operation op_bilateral = {
    .name = "bilateral",
    .gaps = GAPS_KEPT,
    .reach = bilateral_reach,
    .category = "filter",
    .summary = "Smooths rough ground and keeps cliffs and edges",
    .description = "Where edges do not meet, the outermost cells are repeated beyond the edge.",
    .source = "Tomasi and Manduchi 1998, Bilateral filtering for gray and color images",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "smoothed heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Bilateral),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local smooth = height:bilateral{ sigma = 2, range = 0.1 }",
    .picture = "local cliffs = height:terrace{ steps = 4, sharpness = 0.95, slope = 0.5 }\n"
               "local rough = cliffs + 0.05 * esker.noise{ size = height.width, kind = \"white\" }\n"
               "return rough, rough:bilateral{ sigma = 3, range = 0.06 }",
    .keywords = "denoise smooth edge preserving",
    .see_also = "blur median sharpen",
    .run = run,
};
