// Thermal erosion (Olsen 2004, "Thermal erosion", after Musgrave, Kolb and Mace 1989): material breaks loose
// on slopes steeper than the talus T and slides down.
//
// Reference, over the Moore neighbourhood, with d_i = h - h_i, d_max the greatest and d_total the sum of the
// d_i greater than T:
//
//     h_i = h_i + c (d_max - T) d_i / d_total        where d_i > T
//
// applied after the whole pass. Fast: the rotated von Neumann neighbourhood, c d_max to the lowest neighbour,
// at once; the paper's c is 1/2 there, too, which levels the two.

#include "core/kernel.h"
#include "core/operation.h"
#include "erosion/bands.h"
#include "erosion/erodibility.h"
#include "erosion/levelling.h"

#include <float.h>
#include <string.h>

typedef struct ThermalErosion {
    int method, iterations;
    double talus, c;
    const Field *mask;
} ThermalErosion;

enum { FAST, REFERENCE };
enum { HEIGHT, RATE, QUANTITIES }; // rate: c (d_max - T) / d_total

typedef struct Pass {
    Erodibility erodibility;
    float talus, c;
} Pass;

KERNEL_INLINE float steeper(float difference, float talus) {
    return difference > talus ? difference : 0;
}

static void read_heights(const void *context, const Window *window, const float *const *rows, int y,
                         int field_y) {
    (void)context, (void)field_y;
    memcpy(window_row(window, HEIGHT, y), rows[0], (size_t)window->width * sizeof(float));
    window_wrap(window, HEIGHT, y);
}

KERNEL static void measure_rates(const void *context, const Window *window, int y, int field_y) {
    const Pass *pass = context;
    const int width = window->width;
    const float talus = pass->talus, c = pass->c;
    const float *restrict up = window_row(window, HEIGHT, y - 1), *restrict row =
                                                                      window_row(window, HEIGHT, y);
    const float *restrict down = window_row(window, HEIGHT, y + 1);
    const float *restrict share = erodibility_row(&pass->erodibility, field_y);
    float *restrict rates = window_row(window, RATE, y);
    for (int x = 0; x < width; x++) {
        const float h = row[x];
        const float d[8] = { steeper(h - up[x - 1], talus),  steeper(h - up[x], talus),
                             steeper(h - up[x + 1], talus),  steeper(h - row[x - 1], talus),
                             steeper(h - row[x + 1], talus), steeper(h - down[x - 1], talus),
                             steeper(h - down[x], talus),    steeper(h - down[x + 1], talus) };
        float most = 0, total = 0;
        for (int i = 0; i < 8; i++) {
            most = d[i] > most ? d[i] : most;
            total += d[i];
        }
        rates[x] = total > 0 ? c * share[x] * (most - talus) / total : 0;
    }
    window_wrap(window, RATE, y);
}

// What comes from a neighbour less what goes to it: the same two numbers on both sides, so nothing is lost.
KERNEL_INLINE float exchange(float h, float rate, float neighbour, float its_rate, float talus) {
    return its_rate * steeper(neighbour - h, talus) - rate * steeper(h - neighbour, talus);
}

KERNEL static void slide(const void *context, const Window *window, float *const *rows, int y) {
    const Pass *pass = context;
    const int width = window->width;
    const float t = pass->talus;
    const float *restrict up = window_row(window, HEIGHT, y - 1), *restrict row =
                                                                      window_row(window, HEIGHT, y);
    const float *restrict down = window_row(window, HEIGHT, y + 1);
    const float *restrict up_rates = window_row(window, RATE, y - 1);
    const float *restrict rates = window_row(window, RATE, y);
    const float *restrict down_rates = window_row(window, RATE, y + 1);
    float *restrict heights = rows[0];
    for (int x = 0; x < width; x++) {
        const float h = row[x], k = rates[x];
        const float above = exchange(h, k, up[x - 1], up_rates[x - 1], t) +
                            exchange(h, k, up[x], up_rates[x], t) +
                            exchange(h, k, up[x + 1], up_rates[x + 1], t);
        const float beside =
            exchange(h, k, row[x - 1], rates[x - 1], t) + exchange(h, k, row[x + 1], rates[x + 1], t);
        const float below = exchange(h, k, down[x - 1], down_rates[x - 1], t) +
                            exchange(h, k, down[x], down_rates[x], t) +
                            exchange(h, k, down[x + 1], down_rates[x + 1], t);
        heights[x] = h + (above + beside + below);
    }
}

static Status erode_by_reference(const Call *call, Error *error) {
    const ThermalErosion *erosion = call->params;
    Field *height = &call->outputs[0].field;
    Pass pass = { .talus = (float)erosion->talus, .c = (float)erosion->c };
    Bands bands = { .grids = { height },
                    .grid_count = 1,
                    .rule = { QUANTITIES, read_heights, measure_rates, slide },
                    .context = &pass };
    memcpy(field_cells(height), call->inputs[0].field->cells, field_count(height) * sizeof(float));
    Status status = erodibility_create(&pass.erodibility, call, erosion->mask, false, error);
    if (status == STATUS_OK)
        status = bands_create(&bands, error);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = bands_pass(call->run, &bands, call->width * 2.0);
    }
    bands_free(&bands);
    erodibility_free(&pass.erodibility);
    return status;
}

static Status run(const Call *call, Error *error) {
    const ThermalErosion *erosion = call->params;
    if (erosion->method == REFERENCE)
        return erode_by_reference(call, error);
    const Levelling levelling = { .above = (float)erosion->talus,
                                  .most = FLT_MAX,
                                  .share = (float)erosion->c,
                                  .diagonal = true,
                                  .mask = erosion->mask };
    return level_in_place(call, levelling, erosion->iterations, error);
}

static const Param params[] = {
    PARAM(ThermalErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "the paper's optimized method, or the one it is measured against"),
    PARAM(ThermalErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(ThermalErosion, talus, .initial = 4, .min = 0, .max = 1e4, .unit = UNIT_PER_SIDE,
          .doc = "height differences up to this are stable"),
    PARAM(ThermalErosion, c, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the share that slides in a pass: of the greatest difference (fast), or of what it exceeds "
                 "the talus by (reference)"),
    PARAM_MASK(ThermalErosion),
    { 0 },
};

const Operation op_thermal_erosion = {
    .name = "thermal_erosion",
    .category = "erosion",
    .summary = "Lets material slide down slopes that are steeper than the talus",
    .description = "Leaves slopes of constant angle with piles at their feet. Material is conserved.",
    .source = "Olsen 2004, Thermal erosion",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights" } },
    .params = params,
    .params_size = sizeof(ThermalErosion),
    .example = "local screes = height:thermal_erosion{ talus = 6, iterations = 20 }",
    .run = run,
};
