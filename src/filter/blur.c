// Three box means, which approximate a Gaussian with a standard deviation of exactly sigma (Gwosdek et al.
// 2011, "Theoretical foundations of Gaussian convolution by extended box filtering", section 2). A box of
// integer radius r, whose adjacent cells have weight α, has the variance
//
//     ((2r + 1) r (r + 1) / 3 + 2 α (r + 1)²) / (2r + 1 + 2α),   a third of σ²

#include "core/box_mean.h"
#include "core/operation.h"
#include "filter/gaussian.h"

#include <math.h>
#include <string.h>

enum { MEANS = 3 };

typedef struct Blur {
    double sigma;
    bool exact;
} Blur;

// r + α; r is the largest integer whose box alone is not too wide.
static double box_radius(double sigma) {
    const double variance = sigma * sigma / 3;
    const double whole = floor((sqrt(1 + 4 * sigma * sigma) - 1) / 2), next = whole + 1;
    const double missing = (2 * whole + 1) * (variance - whole * next / 3);
    return whole + (missing > 0 ? missing / (2 * (next * next - variance)) : 0);
}

static Status run(const Call *call, Error *error) {
    const Blur *blur = call->params;
    const Field *height = call->inputs[0].field;
    Field *result = &call->outputs[0].field;
    if (blur->exact && blur->sigma > GAUSSIAN_SIGMA_MAX)
        return fail(error, STATUS_INVALID, "sigma must be at most %d cells with exact, got %s",
                    GAUSSIAN_SIGMA_MAX, digits_of(blur->sigma).text);
    if (!blur->exact)
        return box_mean(call->run, height, result, box_radius(blur->sigma), MEANS, call->wraps, error);
    memcpy(field_cells(result), height->cells, field_count(height) * sizeof(float));
    return gaussian(call->run, result, blur->sigma, call->wraps, error);
}

static int blur_reach(const Call *call) {
    const Blur *blur = call->params;
    return blur->exact ? gaussian_reach(blur->sigma) : box_mean_reach(box_radius(blur->sigma), MEANS);
}

static const Param params[] = {
    PARAM(Blur, sigma, .initial = 0.01, .min = 0, .max = 1, .unit = UNIT_SIDES,
          .doc = "standard deviation of the blur, a radius in some programs"),
    PARAM(Blur, exact,
          .doc = "whether to convolve with the Gaussian itself instead, in a time that grows with sigma"),
    { 0 },
};

const Operation op_blur = {
    .name = "blur",
    .gaps = GAPS_KEPT,
    .reach = blur_reach,
    .category = "filter",
    .keywords = "smooth gaussian soften filter lowpass",
    .summary = "Smooths a field with the Gaussian blur",
    .description =
        "By default three box means stand for the Gaussian: the standard deviation is exact, the "
        "shape nearly, and the time does not depend on sigma. Where edges meet, the mean is preserved; "
        "elsewhere, cells near an edge average only the cells that exist. In cells without data the nearest "
        "height goes on.",
    .source =
        "Gwosdek et al. 2011, Theoretical foundations of Gaussian convolution by extended box filtering",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "smoothed heights", .heights = true } },
    .params = params,
    .params_size = sizeof(Blur),
    .example = "local soft = height:blur{ sigma = 0.02 }",
    .wrapping = WRAPPING_CHOSEN,
    .see_also = "relative_height resize",
    .run = run,
};
