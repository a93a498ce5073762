// The slope map (Olsen 2004, "Defining erosion"):
//
//     s(i, j) = max |h(i, j) - h(k, l)| over the four neighbours (k, l) = (i ± 1, j), (i, j ± 1)
//
// Where edges do not meet, a neighbour beyond one is left out: the nearest cell stands for it, which is the
// cell itself, and their difference of 0 is no maximum.

#include "analysis/scores.h"
#include "core/math.h"

#include "core/kernel.h"
#include "core/operation.h"

#include <math.h>

typedef struct Slopes {
    const Field *height;
    Field *slope;
    bool wraps;
} Slopes;

KERNEL_INLINE float steepest(float centre, float left, float right, float up, float down) {
    const float a = fabsf(centre - left), b = fabsf(centre - right);
    const float c = fabsf(centre - up), d = fabsf(centre - down);
    const float ab = max(a, b), cd = max(c, d);
    return max(ab, cd);
}

KERNEL static void slope_rows(void *context, int first, int end) {
    const Slopes *slopes = context;
    const int width = slopes->height->width, height = slopes->height->height;
    const bool wraps = slopes->wraps;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(slopes->height, y);
        const float *restrict up = field_row(slopes->height, neighbour_at(y - 1, height, wraps));
        const float *restrict down = field_row(slopes->height, neighbour_at(y + 1, height, wraps));
        float *restrict out = field_row(slopes->slope, y);
        const int last = width - 1;
        out[0] = steepest(row[0], row[neighbour_at(-1, width, wraps)], row[neighbour_at(1, width, wraps)],
                          up[0], down[0]);
        for (int x = 1; x < last; x++)
            out[x] = steepest(row[x], row[x - 1], row[x + 1], up[x], down[x]);
        out[last] = steepest(row[last], row[neighbour_at(last - 1, width, wraps)],
                             row[neighbour_at(width, width, wraps)], up[last], down[last]);
    }
}

Status slope_map(const Run *run, const Field *height, bool wraps, Field *slope) {
    Slopes slopes = { height, slope, wraps };
    return parallel_rows(run, height->height, height->width * 0.3, slope_rows, &slopes);
}

static Status run(const Call *call, Error *error) {
    (void)error;
    return slope_map(call->run, call->inputs[0].field, call->wraps, &call->outputs[0].field);
}

const Operation op_slope = {
    .name = "slope",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "analysis",
    .keywords = "gradient steepness derivative inclination sobel",
    .summary = "Gives the largest height difference between each cell and its four neighbours",
    .description = "Not an angle: for degrees see gradient_angle. Edge cells of a field that does not wrap "
                   "have three neighbours, its corners two. A "
                   "slope of 16/N is 45 degrees where height 1 is N/16 cells.",
    .source = "Olsen 2004, Defining erosion",
    .inputs = { { "height", "heights" } },
    .outputs = { { "slope", "height differences, 0 or more", .dimension = DIMENSION_HEIGHT } },
    .example = "local steepness = height:slope()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:slope():relief{ palette = shades, contrast = 0, high = 0.06 }",
    .see_also = "erosion_score playability",
    .run = run,
};
