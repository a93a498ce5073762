// Blurs fields with a Gaussian, and sharpens them by what that takes away.

#include "core/box_mean.h"
#include "core/elementary.h"
#include "core/field.h"
#include "core/finite.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "filter/surroundings.h"

#include <math.h>
#include <string.h>

// --- the Gaussian ------------------------------------------------------------------------------------------

// Three box means, which approximate a Gaussian with a standard deviation of exactly sigma (Gwosdek et al.
// 2011, "Theoretical foundations of Gaussian convolution by extended box filtering", section 2). A box of
// integer radius r, whose adjacent cells have weight α, has the variance
//
//     ((2r + 1) r (r + 1) / 3 + 2 α (r + 1)²) / (2r + 1 + 2α),   a third of σ²

// --- small ones --------------------------------------------------------------------------------------------

// Convolution with a sampled Gaussian.
// First along the rows, then down the columns, with the weights exp(-k² / 2σ²) for |k| up to 5σ; what lies
// beyond is below a millionth.

enum { GAUSSIAN_SIGMA_MAX = 1024 }; // cells

enum { REACH_MAX = 5 * GAUSSIAN_SIGMA_MAX + 1, CHUNK = 512 };

typedef struct Kernel {
    int reach;
    float *weights; // 0 … reach
} Kernel;

typedef struct Pass {
    const Field *from;
    Field *to;
    const Kernel *kernel;
    bool wraps;
} Pass;

// How far away the convolution reads heights, in cells.
static int gaussian_reach(double sigma) {
    return whole_within(ceil(5 * sigma), 0, REACH_MAX);
}

static Status make_kernel(Kernel *kernel, double sigma, Error *error) {
    kernel->reach = gaussian_reach(sigma);
    kernel->weights = memory_new((size_t)kernel->reach + 1, sizeof(float), error);
    if (!kernel->weights)
        return STATUS_MEMORY;
    double sum = 1;
    for (int k = 1; k <= kernel->reach; k++)
        sum += 2 * exponential(-0.5 * k * k / (sigma * sigma));
    kernel->weights[0] = (float)(1 / sum);
    for (int k = 1; k <= kernel->reach; k++)
        kernel->weights[k] = (float)(exponential(-0.5 * k * k / (sigma * sigma)) / sum);
    return STATUS_OK;
}

// The sum of the weights of the cells that exist around `at`.
static float weight_at(const Kernel *kernel, int at, int count) {
    float sum = kernel->weights[0];
    for (int k = 1; k <= kernel->reach; k++)
        sum += kernel->weights[k] * (float)((at - k >= 0) + (at + k < count));
    return sum;
}

// `cells` lie around `count` of them, from `reach` before to `reach` after.
KERNEL static void gaussian_line(const Kernel *kernel, const float *restrict cells, int count,
                                 float *restrict out) {
    const float *restrict weights = kernel->weights;
    const int reach = kernel->reach;
    for (int x = 0; x < count; x++)
        out[x] = weights[0] * cells[x + reach];
    for (int k = 1; k <= reach; k++)
        for (int x = 0; x < count; x++)
            out[x] += weights[k] * (cells[x + reach - k] + cells[x + reach + k]);
}

static void along_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const Kernel *kernel = pass->kernel;
    const int width = pass->from->width, reach = kernel->reach;
    float cells[CHUNK + 2 * REACH_MAX];
    for (int y = first; y < end; y++) {
        float *out = field_row(pass->to, y);
        for (int start = 0; start < width; start += CHUNK) {
            const int count = min(width - start, CHUNK);
            surroundings_load(pass->from, y, start - reach, count + 2 * reach, pass->wraps, cells);
            for (int i = 0; !pass->wraps && i < count + 2 * reach; i++)
                if (start + i < reach || start + i >= width + reach)
                    cells[i] = 0;
            gaussian_line(kernel, cells, count, out + start);
            for (int x = start; !pass->wraps && x < start + count; x++)
                if (x < reach || x >= width - reach)
                    out[x] /= weight_at(kernel, x, width);
        }
    }
}

KERNEL static void gaussian_add_rows(float weight, const float *restrict a, const float *restrict b,
                                     int count, float *restrict out) {
    for (int x = 0; x < count; x++)
        out[x] += weight * (a[x] + b[x]);
}

static void down_columns(void *context, int first, int end) {
    const Pass *pass = context;
    const Kernel *kernel = pass->kernel;
    static const float nothing[CHUNK];
    const int width = pass->from->width, height = pass->from->height;
    for (int y = first; y < end; y++) {
        const float scale = pass->wraps ? 1 : 1 / weight_at(kernel, y, height);
        for (int start = 0; start < width; start += CHUNK) {
            const int count = min(width - start, CHUNK);
            float *out = field_row(pass->to, y) + start;
            memset(out, 0, (size_t)count * sizeof *out);
            for (int k = 0; k <= kernel->reach; k++) {
                const float *rows[2];
                for (int side = 0; side < 2; side++) {
                    const int at = side ? y + k : y - k;
                    const int inside = pass->wraps ? (at % height + height) % height : at;
                    rows[side] =
                        inside >= 0 && inside < height ? field_row(pass->from, inside) + start : nothing;
                }
                gaussian_add_rows(kernel->weights[k] * scale, rows[0], k ? rows[1] : nothing, count, out);
            }
        }
    }
}

// Replaces a field by its convolution; sigma in cells, 0 … GAUSSIAN_SIGMA_MAX. Where edges do not meet, only
// cells that exist count.
static Status gaussian(const Run *run, Field *field, double sigma, bool wraps, Error *error) {
    if (!(sigma > 0))
        return STATUS_OK;
    Field along = { 0 };
    Kernel kernel = { 0 };
    Status status = field_create(&along, field->width, field->height, error);
    if (status == STATUS_OK)
        status = make_kernel(&kernel, sigma, error);
    const double cost = field->width * 0.1 * kernel.reach;
    if (status == STATUS_OK)
        status =
            parallel_rows(run, field->height, cost, along_rows, &(Pass){ field, &along, &kernel, wraps });
    if (status == STATUS_OK)
        status =
            parallel_rows(run, field->height, cost, down_columns, &(Pass){ &along, field, &kernel, wraps });
    memory_free(kernel.weights);
    field_free(&along);
    return status;
}

// --- by box means ------------------------------------------------------------------------------------------

enum { MEANS = 3 };

// r + α; r is the largest integer whose box alone is not too wide.
static double box_radius(double sigma) {
    const double variance = sigma * sigma / 3;
    const double whole = floor((sqrt(1 + 4 * sigma * sigma) - 1) / 2), next = whole + 1;
    const double missing = (2 * whole + 1) * (variance - whole * next / 3);
    return whole + (missing > 0 ? missing / (2 * (next * next - variance)) : 0);
}

// Blurs `from` into `to`, another field of its size, with a standard deviation of `sigma` cells: with the
// Gaussian itself if `exact` (sigma is at most GAUSSIAN_SIGMA_MAX), otherwise with three box means, whose
// time does not depend on sigma. Where edges do not meet, only cells that exist count.
static Status soften(const Run *run, const Field *from, Field *to, double sigma, bool exact, bool wraps,
                     Error *error) {
    if (!exact)
        return box_mean(run, from, to, box_radius(sigma), MEANS, wraps, error);
    if (sigma > GAUSSIAN_SIGMA_MAX)
        return fail(error, STATUS_INVALID, "sigma must be at most %d cells with exact, got %s",
                    GAUSSIAN_SIGMA_MAX, digits_of(sigma).text);
    memcpy(field_cells(to), from->cells, field_count(from) * sizeof(float));
    return gaussian(run, to, sigma, wraps, error);
}

// How far away it reads heights, in cells, or SEES_ALL (core/operation.h).
static int soften_reach(double sigma, bool exact) {
    return exact ? gaussian_reach(sigma) : box_mean_reach(box_radius(sigma), MEANS);
}

// --- blur --------------------------------------------------------------------------------------------------

typedef struct Blur {
    double sigma;
    bool exact;
} Blur;

static Status run(const Call *call, Error *error) {
    const Blur *blur = call->params;
    call->outputs[0].finite = !blur->exact; // means of doubles are no higher than what they are of
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
    .description = "By default three box means stand for the Gaussian: the standard deviation is exact, the "
                   "shape nearly, and the time does not depend on sigma. Where edges meet, the mean is "
                   "preserved; elsewhere, cells near an edge average only the cells that exist. In cells "
                   "without data the heights beside them continue.",
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

// --- sharpen -----------------------------------------------------------------------------------------------

// Unsharp masking: h + amount · (h - G h), G a Gaussian blur.

typedef struct Sharpen {
    double sigma, amount;
    bool exact;
} Sharpen;

KERNEL static void sharpen_rows(void *context, int first, int end) {
    const Call *call = context;
    const float amount = (float)((const Sharpen *)call->params)->amount;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(call->inputs[0].field, y);
        float *restrict soft = field_row(&call->outputs[0].field, y);
        for (int x = 0; x < call->width; x++)
            soft[x] = row[x] + amount * (row[x] - soft[x]);
    }
}

static Status run_sharpen(const Call *call, Error *error) {
    const Sharpen *sharpen = call->params;
    const Status status = soften(call->run, call->inputs[0].field, &call->outputs[0].field, sharpen->sigma,
                                 sharpen->exact, call->wraps, error);
    if (status != STATUS_OK)
        return status;
    return finite_rows(call, call->width * 0.4, sharpen_rows, (void *)call);
}

static int sharpen_reach(const Call *call) {
    const Sharpen *sharpen = call->params;
    return soften_reach(sharpen->sigma, sharpen->exact);
}

static const Param sharpen_params[] = {
    PARAM(Sharpen, sigma, .initial = 0.01, .min = 0, .max = 0.5, .unit = UNIT_SIDES,
          .doc = "size of the details that are raised: the standard deviation of a Gaussian"),
    PARAM(Sharpen, amount, .initial = 1, .min = -1, .max = 100,
          .doc = "how much they are raised; 0: not at all, -1: they are removed, as by blur"),
    PARAM(Sharpen, exact,
          .doc = "whether to convolve with the Gaussian itself, in a time that grows with sigma"),
    { 0 },
};

const Operation op_sharpen = {
    .name = "sharpen",
    .gaps = GAPS_KEPT,
    .reach = sharpen_reach,
    .category = "filter",
    .summary = "Raises details above their surroundings: unsharp masking",
    .description = "What `blur` with the same sigma takes away is added `amount` times. By default the time "
                   "does not depend "
                   "on sigma.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "sharper heights", .heights = true } },
    .params = sharpen_params,
    .params_size = sizeof(Sharpen),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local crisp = height:sharpen{ sigma = 0.03, amount = 1.5 }",
    .keywords = "unsharp mask detail gaussian convolution highpass crisp",
    .see_also = "blur bilateral median",
    .run = run_sharpen,
};
