// Three box means, which approximate a Gaussian with a standard deviation of exactly sigma (Gwosdek et al.
// 2011, "Theoretical foundations of Gaussian convolution by extended box filtering", section 2). A box of
// integer radius r, whose adjacent cells have weight α, has the variance
//
//     ((2r + 1) r (r + 1) / 3 + 2 α (r + 1)²) / (2r + 1 + 2α),   a third of σ²

#include "filter/box_gaussian.h"

#include "core/box_mean.h"
#include "filter/gaussian.h"

#include <math.h>
#include <string.h>

enum { MEANS = 3 };

// r + α; r is the largest integer whose box alone is not too wide.
static double box_radius(double sigma) {
    const double variance = sigma * sigma / 3;
    const double whole = floor((sqrt(1 + 4 * sigma * sigma) - 1) / 2), next = whole + 1;
    const double missing = (2 * whole + 1) * (variance - whole * next / 3);
    return whole + (missing > 0 ? missing / (2 * (next * next - variance)) : 0);
}

Status soften(const Run *run, const Field *from, Field *to, double sigma, bool exact, bool wraps,
              Error *error) {
    if (!exact)
        return box_mean(run, from, to, box_radius(sigma), MEANS, wraps, error);
    if (sigma > GAUSSIAN_SIGMA_MAX)
        return fail(error, STATUS_INVALID, "sigma must be at most %d cells with exact, got %s",
                    GAUSSIAN_SIGMA_MAX, digits_of(sigma).text);
    memcpy(field_cells(to), from->cells, field_count(from) * sizeof(float));
    return gaussian(run, to, sigma, wraps, error);
}

int soften_reach(double sigma, bool exact) {
    return exact ? gaussian_reach(sigma) : box_mean_reach(box_radius(sigma), MEANS);
}
