#include "core/operation.h"
#include "filter/box_gaussian.h"

typedef struct Blur {
    double sigma;
    bool exact;
} Blur;

static Status run(const Call *call, Error *error) {
    const Blur *blur = call->params;
    return soften(call->run, call->inputs[0].field, &call->outputs[0].field, blur->sigma, blur->exact,
                  call->wraps, error);
}

static int blur_reach(const Call *call) {
    const Blur *blur = call->params;
    return soften_reach(blur->sigma, blur->exact);
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
    .keywords = "smooth gaussian soften filter lowpass uniform neighbors neighbours mean box",
    .summary = "Smooths a field with the Gaussian blur",
    .description =
        "By default three box means stand for the Gaussian: the standard deviation is exact, the "
        "shape nearly, and the time does not depend on sigma. Where edges meet, the mean is preserved; "
        "elsewhere, cells near an edge average only the cells that exist. In cells without data the heights "
        "beside them go on.",
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
