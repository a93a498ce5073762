// The Laplacian, d²h/dx² + d²h/dy², by nine cells (Patra and Karttunen 2006, "Stencils with isotropic
// discretization error"): (4 (n + s + w + e) + nw + ne + sw + se - 20 c) / 6, with lengths in N.

#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
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

// Cells `first` … `end` - 1 of two rows, which share half of what is read; none of them at an edge.
KERNEL_INLINE int32_t laplace_pair(const float *restrict up, const float *restrict upper,
                                   const float *restrict lower, const float *restrict down, int first,
                                   int end, float scale, float *restrict upper_out,
                                   float *restrict lower_out) {
    int32_t most = 0;
    for (int x = first; x < end; x++) {
        upper_out[x] = laplace_at(up, upper, lower, x - 1, x, x + 1, scale);
        lower_out[x] = laplace_at(upper, lower, down, x - 1, x, x + 1, scale);
        most = max(most, max(float_magnitude(upper_out[x]), float_magnitude(lower_out[x])));
    }
    return most;
}

// From VECTOR on vectors are written where they are aligned.
KERNEL_NARROW static int32_t laplace_two_rows(const float *const *rows, int width, float scale,
                                              float *upper_out, float *lower_out) {
    enum { VECTOR = 16 };
    const int last = width - 1, middle = min(VECTOR, last);
    const int32_t most =
        laplace_pair(rows[0], rows[1], rows[2], rows[3], 1, middle, scale, upper_out, lower_out);
    return max(most,
               laplace_pair(rows[0], rows[1], rows[2], rows[3], middle, last, scale, upper_out, lower_out));
}

KERNEL_NARROW static int32_t laplace_one_row(const float *const *rows, int width, float scale,
                                             float *restrict out) {
    int32_t most = 0;
    for (int x = 1; x < width - 1; x++) {
        out[x] = laplace_at(rows[0], rows[1], rows[2], x - 1, x, x + 1, scale);
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

static int32_t laplace_ends(const float *const *rows, int width, bool wraps, float scale, float *out) {
    int32_t most = 0;
    for (int x = 0; x < width; x += max(width - 1, 1)) {
        out[x] = laplace_at(rows[0], rows[1], rows[2], neighbour_at(x - 1, width, wraps), x,
                            neighbour_at(x + 1, width, wraps), scale);
        most = max(most, float_magnitude(out[x]));
    }
    return most;
}

static int32_t laplace_rows(void *context, int first, int end) {
    const Laplace *laplace = context;
    const Call *call = laplace->call;
    const Field *height = call->inputs[0].field;
    const int width = call->width;
    const float scale = laplace->scale;
    int32_t most = 0;
    for (int y = first; y < end; y += 2) {
        const int count = min(end - y, 2);
        const float *rows[4];
        float *out[2];
        for (int i = 0; i < 4; i++) // of a lone row the last is not read
            rows[i] = field_row(height, neighbour_at(y - 1 + min(i, count + 1), call->height, call->wraps));
        for (int i = 0; i < 2; i++)
            out[i] = field_row(&call->outputs[0].field, y + min(i, count - 1));
        most = max(most, count == 2 ? laplace_two_rows(rows, width, scale, out[0], out[1])
                                    : laplace_one_row(rows, width, scale, out[0]));
        for (int i = 0; i < count; i++)
            most = max(most, laplace_ends(rows + i, width, call->wraps, scale, out[i]));
    }
    return most;
}

static Status run(const Call *call, Error *error) {
    (void)error;
    const float side = (float)field_side(call->inputs[0].field);
    Laplace laplace = { call, side * side / 6 };
    return finite_rows_measured(call, call->width * 0.6, laplace_rows, &laplace);
}

const Operation op_laplacian = {
    .name = "laplacian",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "filter",
    .summary = "Gives the Laplacian: above 0 in hollows, below 0 on ridges",
    .description = "It is in heights per N², where N is the longer side, so it does not depend on the "
                   "resolution. Where edges do not meet, the outermost cells are repeated beyond the edge.",
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
