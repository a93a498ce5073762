// Ridges and valleys as lines of cells (Peucker and Douglas 1975, "Detection of surface-specific points by
// local parallel processing of discrete terrain elevation data", section "Ridge and ravine lines"): a cell
// that is the lowest of no square of 2 × 2 cells lies on a ridge, one that is the highest of none in a
// valley.

#include "surface/nine_points.h"

// In whole numbers, which make vectors.
KERNEL_INLINE int lowest(float cell, float a, float b, float c) {
    const int below_a = cell <= a, below_b = cell <= b, below_c = cell <= c;
    return below_a & below_b & below_c;
}

// `sign`: 1 for ridges, -1 for valleys.
KERNEL_INLINE void mark(float sign, NinePoints at, int count, float *restrict out) {
    const float *restrict up = at.up, *restrict row = at.row, *restrict down = at.down;
    for (int x = 0; x < count; x++) {
        const float e = sign * row[x], a = sign * up[x - 1], b = sign * up[x], c = sign * up[x + 1];
        const float d = sign * row[x - 1], f = sign * row[x + 1];
        const float g = sign * down[x - 1], h = sign * down[x], i = sign * down[x + 1];
        const int some = lowest(e, a, b, d) | lowest(e, b, c, f) | lowest(e, d, g, h) | lowest(e, f, h, i);
        out[x] = some ? 0 : 1;
    }
}

KERNEL static void mark_ridges(const void *context, NinePoints at, int count, float *out) {
    (void)context;
    mark(1, at, count, out);
}

KERNEL static void mark_valleys(const void *context, NinePoints at, int count, float *out) {
    (void)context;
    mark(-1, at, count, out);
}

static Status run_ridges(const Call *call, Error *error) {
    (void)error;
    return nine_points(call, mark_ridges, NULL, 1, &call->outputs[0].field);
}

static Status run_valleys(const Call *call, Error *error) {
    (void)error;
    return nine_points(call, mark_valleys, NULL, 1, &call->outputs[0].field);
}

#define SOURCE                                                                                               \
    "Peucker and Douglas 1975, Detection of surface-specific points by local parallel processing of "        \
    "discrete terrain elevation data"
#define DESCRIPTION                                                                                          \
    "Every bump counts: blur rough ground first. For streams that join, see flow_accumulation and "          \
    "rivers_from_flow. " ON_BEYOND_EDGES

const Operation op_ridges = {
    .name = "ridges",
    .category = "surface",
    .keywords = "crest line divide watershed skeleton mask",
    .summary = "Marks the cells that lie on ridges",
    .description = DESCRIPTION,
    .source = SOURCE,
    .inputs = { { "height", "heights" } },
    .outputs = { { "ridges", "1 on ridges, 0 elsewhere" } },
    .example = "local crests = height:blur{ sigma = 0.008 }:ridges()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:blur{ sigma = 0.008 }:ridges():relief{ palette = \"grey\", contrast = 0 }",
    .see_also = "valleys curvature position_index",
    .run = run_ridges,
};

const Operation op_valleys = {
    .name = "valleys",
    .category = "surface",
    .keywords = "ravine thalweg channel line skeleton mask",
    .summary = "Marks the cells that lie in the bottoms of valleys",
    .description = DESCRIPTION,
    .source = SOURCE,
    .inputs = { { "height", "heights" } },
    .outputs = { { "valleys", "1 in valley bottoms, 0 elsewhere" } },
    .example = "local bottoms = height:blur{ sigma = 0.008 }:valleys()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:blur{ sigma = 0.008 }:valleys():relief{ palette = \"grey\", contrast = 0 }",
    .see_also = "ridges rivers_from_flow flow_accumulation",
    .run = run_valleys,
};
