// Thermal erosion (Olsen 2004, "Thermal erosion", after Musgrave, Kolb and Mace 1989): material breaks loose
// on slopes steeper than the talus T and slides down. Both methods apply the differences of a pass after it.
//
// Reference, over the Moore neighbourhood, with d_i = h - h_i, d_max the greatest and d_total the sum of the
// d_i greater than T:
//
//     h_i = h_i + c (d_max - T) d_i / d_total        where d_i > T
//
// Fast: to each of the eight neighbours, the diagonal ones as far away as they are
//
//     h_i = h_i + c/3 (d_i - T)        where d_i > T, along the axes
//     h_i = h_i + c/6 (d_i - √2 T)     where d_i > √2 T, along the diagonals
//
// so that slopes of the talus face every way alike. The paper's fast method looks at the four diagonal
// neighbours alone, which leaves scratches at 45°, and takes the lowest of them, d_max / 2, which is more
// than what slides, while it goes over the cells, whose order then shows.
//
// With c = 1/4 the finest ripples die out at once. The paper's 1/2 leaves them undamped, since a cell in a
// slope both gives and gets; on steep ground they grow into a checkerboard.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "erosion/bands.h"
#include "erosion/erodibility.h"

#include <math.h>
#include <string.h>

typedef struct ThermalErosion {
    int method, iterations;
    double talus, c;
    const Field *mask;
} ThermalErosion;

enum { FAST, REFERENCE };

typedef struct Pass {
    Erodibility erodibility;
    float talus, c;
} Pass;

// The quantities of both methods begin with the heights.
enum { HEIGHT };

static void read_heights(const void *context, const Window *window, const float *const *rows, int y,
                         int field_y) {
    (void)context, (void)field_y;
    memcpy(window_row(window, HEIGHT, y), rows[0], (size_t)window->width * sizeof(float));
    window_close(window, HEIGHT, y);
}

// --- reference -------------------------------------------------------------------------------------------

enum { RATE = HEIGHT + 1, REFERENCE_QUANTITIES }; // rate: c (d_max - T) / d_total

KERNEL_INLINE float steeper(float difference, float talus) {
    return difference > talus ? difference : 0;
}

KERNEL static void measure_rates(const void *context, const Window *window, int y, int field_y) {
    const Pass *pass = context;
    const int width = window->width;
    const float talus = pass->talus, c = pass->c;
    const float *restrict up = window_row(window, HEIGHT, y - 1);
    const float *restrict row = window_row(window, HEIGHT, y);
    const float *restrict down = window_row(window, HEIGHT, y + 1);
    const float *restrict share = erodibility_row(&pass->erodibility, field_y);
    float *restrict rates = window_row(window, RATE, y);
    for (int x = 0; x < width; x++) {
        const float h = row[x];
        const float d[8] = { steeper(h - up[x - 1], talus),  steeper(h - up[x], talus),
                             steeper(h - up[x + 1], talus),  steeper(h - row[x - 1], talus),
                             steeper(h - row[x + 1], talus), steeper(h - down[x - 1], talus),
                             steeper(h - down[x], talus),    steeper(h - down[x + 1], talus) };
        float most = 0;
        for (int i = 0; i < 8; i++)
            most = max(d[i], most);
        const float total = sum_around(d);
        rates[x] = total > 0 ? c * share[x] * (most - talus) / total : 0;
    }
    window_close(window, RATE, y);
}

// Received from a neighbour minus given to it: the same two numbers on both sides, so nothing is lost.
KERNEL_INLINE float exchange(float h, float rate, float neighbour, float its_rate, float talus) {
    return its_rate * steeper(neighbour - h, talus) - rate * steeper(h - neighbour, talus);
}

KERNEL static void slide_around(const void *context, const Window *window, float *const *rows, int y) {
    const Pass *pass = context;
    const int width = window->width;
    const float t = pass->talus;
    const float *restrict up = window_row(window, HEIGHT, y - 1);
    const float *restrict row = window_row(window, HEIGHT, y);
    const float *restrict down = window_row(window, HEIGHT, y + 1);
    const float *restrict up_rates = window_row(window, RATE, y - 1);
    const float *restrict rates = window_row(window, RATE, y);
    const float *restrict down_rates = window_row(window, RATE, y + 1);
    float *restrict heights = rows[0];
    for (int x = 0; x < width; x++) {
        const float h = row[x], k = rates[x];
        const float gains[8] = {
            exchange(h, k, up[x - 1], up_rates[x - 1], t), exchange(h, k, up[x], up_rates[x], t),
            exchange(h, k, up[x + 1], up_rates[x + 1], t), exchange(h, k, row[x - 1], rates[x - 1], t),
            exchange(h, k, row[x + 1], rates[x + 1], t),   exchange(h, k, down[x - 1], down_rates[x - 1], t),
            exchange(h, k, down[x], down_rates[x], t),     exchange(h, k, down[x + 1], down_rates[x + 1], t)
        };
        heights[x] = h + sum_around(gains);
    }
}

// --- fast ------------------------------------------------------------------------------------------------

enum { FAST_QUANTITIES = HEIGHT + 1 };

// For the excess over T: received from a neighbour minus given to it.
KERNEL_INLINE float slide_between(float h, float share, float neighbour, float its_share, float talus) {
    const float d = neighbour - h, in = d - talus, out = -d - talus;
    return its_share * max(in, 0) - share * max(out, 0);
}

// A separate function, because restrict is only honoured on parameters.
KERNEL_INLINE void slide_row(const float *restrict up, const float *restrict row, const float *restrict down,
                             const float *restrict up_shares, const float *restrict shares,
                             const float *restrict down_shares, const Pass *pass, float *restrict heights,
                             int width) {
    const float t = pass->talus, diagonal = t * 1.41421356f, third = pass->c / 3, sixth = pass->c / 6;
    for (int x = 0; x < width; x++) {
        const float h = row[x], s = shares[x];
        const float falling = slide_between(h, s, up[x - 1], up_shares[x - 1], diagonal) +
                              slide_between(h, s, down[x + 1], down_shares[x + 1], diagonal);
        const float rising = slide_between(h, s, up[x + 1], up_shares[x + 1], diagonal) +
                             slide_between(h, s, down[x - 1], down_shares[x - 1], diagonal);
        const float along =
            slide_between(h, s, up[x], up_shares[x], t) + slide_between(h, s, down[x], down_shares[x], t);
        const float across = slide_between(h, s, row[x - 1], shares[x - 1], t) +
                             slide_between(h, s, row[x + 1], shares[x + 1], t);
        heights[x] = h + (third * (along + across) + sixth * (falling + rising));
    }
}

static void measure_nothing(const void *context, const Window *window, int y, int field_y) {
    (void)context, (void)window, (void)y, (void)field_y;
}

KERNEL static void slide_to_all(const void *context, const Window *window, float *const *rows, int y) {
    const Pass *pass = context;
    const Erodibility *shares = &pass->erodibility;
    slide_row(window_row(window, HEIGHT, y - 1), window_row(window, HEIGHT, y),
              window_row(window, HEIGHT, y + 1), erodibility_row(shares, y - 1), erodibility_row(shares, y),
              erodibility_row(shares, y + 1), pass, rows[0], window->width);
}

// --- the operation ---------------------------------------------------------------------------------------

// No material leaves or enters the field: a difference from NaN never exceeds the talus.
static const BandRule rules[] = {
    [FAST] = { FAST_QUANTITIES, { [HEIGHT] = NAN }, read_heights, measure_nothing, slide_to_all },
    [REFERENCE] = { REFERENCE_QUANTITIES, { [HEIGHT] = NAN }, read_heights, measure_rates, slide_around },
};

static Status run(const Call *call, Error *error) {
    const ThermalErosion *erosion = call->params;
    Field *height = &call->outputs[0].field;
    Pass pass = { .talus = (float)erosion->talus, .c = (float)erosion->c };
    Bands bands = { .grids = { height },
                    .grid_count = 1,
                    .wraps = call->wraps,
                    .rule = rules[erosion->method],
                    .context = &pass };
    memcpy(field_cells(height), call->inputs[0].field->cells, field_count(height) * sizeof(float));
    Status status = erodibility_create(&pass.erodibility, call, erosion->mask, error);
    if (status == STATUS_OK)
        status = bands_create(&bands, error);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = bands_pass(call->run, &bands, call->width * (erosion->method == FAST ? 1.0 : 2.0));
    }
    bands_free(&bands);
    erodibility_free(&pass.erodibility);
    return status;
}

// What slides from a neighbour depends on its own neighbours.
static int thermal_reach(const Call *call) {
    return 2 * ((const ThermalErosion *)call->params)->iterations;
}

static const Param params[] = {
    PARAM(ThermalErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "\"fast\": the same in all directions; \"reference\": as in the paper"),
    PARAM(ThermalErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(ThermalErosion, talus, .initial = 4, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "height differences up to this are stable"),
    PARAM(ThermalErosion, c, .initial = 0.25, .min = 0, .max = 1,
          .doc = "share of the excess over the talus that slides in a pass; above 0.25 ripples may "
                 "remain"),
    PARAM_MASK(ThermalErosion),
    { 0 },
};

const Operation op_thermal_erosion = {
    .name = "thermal_erosion",
    .reach = thermal_reach,
    .measures = NEEDS_SQUARES,
    .category = "erosion",
    .keywords = "weathering talus scree slump landslide weather crumble debris shaper",
    .summary = "Moves material down slopes that are steeper than the talus",
    .description = "Leaves slopes of constant angle with piles of debris at their feet. Material is "
                   "conserved. The result does not depend on the order of cells. Material that slides "
                   "down may dam valleys: see examples/watershed.lua.\n\n"
                   "A pass moves material by one cell, so the effect decreases with resolution. With "
                   "the same arguments, a field of twice the side changes about 0.6 times as much, "
                   "relative to the standard deviation of its heights. Four times the iterations "
                   "restore the effect.",
    .source = "Olsen 2004, Thermal erosion",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true } },
    .params = params,
    .params_size = sizeof(ThermalErosion),
    .example = "local screes = height:thermal_erosion{ talus = 6, iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:thermal_erosion{ talus = 3, iterations = 60 }",
    .see_also = "hydraulic_erosion olsen_erosion",
    .run = run,
};
