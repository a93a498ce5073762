// The Laplacian, d²h/dx² + d²h/dy², by nine cells (Patra and Karttunen 2006, "Stencils with isotropic
// discretization error"): (4 (n + s + w + e) + nw + ne + sw + se - 20 c) / 6, with lengths in N.

#include "core/kernel.h"
#include "core/operation.h"

typedef struct Laplace {
    const Call *call;
    float scale;
} Laplace;

KERNEL_INLINE float laplace_at(const float *up, const float *row, const float *down, int left, int x,
                               int right, float scale) {
    const float sides = (up[x] + down[x]) + (row[left] + row[right]);
    const float corners = (up[left] + up[right]) + (down[left] + down[right]);
    return (4 * sides + corners - 20 * row[x]) * scale;
}

KERNEL static void laplace_rows(void *context, int first, int end) {
    const Laplace *laplace = context;
    const Call *call = laplace->call;
    const Field *height = call->inputs[0].field;
    const int width = call->width;
    for (int y = first; y < end; y++) {
        const float *restrict up = field_row(height, neighbour_at(y - 1, call->height, call->wraps));
        const float *restrict row = field_row(height, y);
        const float *restrict down = field_row(height, neighbour_at(y + 1, call->height, call->wraps));
        float *restrict out = field_row(&call->outputs[0].field, y);
        for (int x = 1; x < width - 1; x++)
            out[x] = laplace_at(up, row, down, x - 1, x, x + 1, laplace->scale);
        for (int i = 0; i < 2; i++) {
            const int x = i ? width - 1 : 0;
            out[x] = laplace_at(up, row, down, neighbour_at(x - 1, width, call->wraps), x,
                                neighbour_at(x + 1, width, call->wraps), laplace->scale);
        }
    }
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const float side = (float)field_side(call->inputs[0].field);
    Laplace laplace = { call, side * side / 6 };
    return parallel_rows(call->run, call->height, call->width * 0.6, laplace_rows, &laplace);
}

const Operation op_laplacian = {
    .name = "laplacian",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "filter",
    .summary = "Gives the Laplacian: above 0 in hollows, below 0 on ridges",
    .description =
        "In heights per N², N the longer side, so that it does not depend on the resolution. Where "
        "edges do not meet, the outermost cells are repeated beyond the edge.",
    .source = "Patra and Karttunen 2006, Stencils with isotropic discretization error",
    .inputs = { { "height", "heights" } },
    .outputs = { { "laplacian", "sum of the second derivatives" } },
    .wrapping = WRAPPING_CHOSEN,
    .example = "local hollows = height:blur{ sigma = 0.03 }:laplacian()",
    .picture = "local colours = { { -1, \"#2166ac\" }, { 0, \"#f7f7f7\" }, { 1, \"#b2182b\" } }\n"
               "return height, height:blur{ sigma = 0.025 }:laplacian():relief{ palette = colours, contrast "
               "= 0, low = "
               "-300, high = 300 }",
    .keywords = "curvature convexity second derivative edge detection laplace",
    .see_also = "slope sharpen",
    .run = run,
};
