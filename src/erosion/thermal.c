// Thermal erosion (Olsen 2004, "Thermal erosion", after Musgrave, Kolb and Mace 1989): material breaks loose
// on slopes steeper than the talus T and slides down.
//
// Reference, over the Moore neighbourhood, with d_i = h - h_i, d_max the greatest and d_total the sum of the
// d_i greater than T:
//
//     h_i = h_i + c (d_max - T) d_i / d_total        where d_i > T
//
// applied after the whole pass. Fast: the rotated von Neumann neighbourhood, all of d_max / 2 to the lowest
// neighbour, at once.

#include "core/kernel.h"
#include "core/operation.h"
#include "erosion/levelling.h"
#include "erosion/padded.h"

#include <float.h>

typedef struct ThermalErosion {
    int method, iterations;
    double talus, c;
} ThermalErosion;

enum { FAST, REFERENCE };

typedef struct Pass {
    Padded heights, rates, next; // rates: c (d_max - T) / d_total
    float talus, c;
} Pass;

KERNEL_INLINE float steeper(float difference, float talus) {
    return difference > talus ? difference : 0;
}

KERNEL static void rate_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    const float talus = pass->talus, c = pass->c;
    for (int y = first; y < end; y++) {
        const float *restrict up = padded_row(&pass->heights, y - 1);
        const float *restrict row = padded_row(&pass->heights, y);
        const float *restrict down = padded_row(&pass->heights, y + 1);
        float *restrict rates = padded_row(&pass->rates, y);
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
            rates[x] = total > 0 ? c * (most - talus) / total : 0;
        }
        pad_row(rates, width);
    }
}

// What comes from a neighbour less what goes to it: the same two numbers on both sides, so nothing is lost.
KERNEL_INLINE float exchange(float h, float rate, float neighbour, float its_rate, float talus) {
    return its_rate * steeper(neighbour - h, talus) - rate * steeper(h - neighbour, talus);
}

KERNEL static void slide_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    const float t = pass->talus;
    for (int y = first; y < end; y++) {
        const float *restrict up = padded_row(&pass->heights, y - 1);
        const float *restrict row = padded_row(&pass->heights, y);
        const float *restrict down = padded_row(&pass->heights, y + 1);
        const float *restrict up_rates = padded_row(&pass->rates, y - 1);
        const float *restrict rates = padded_row(&pass->rates, y);
        const float *restrict down_rates = padded_row(&pass->rates, y + 1);
        float *restrict next = padded_row(&pass->next, y);
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
            next[x] = h + (above + beside + below);
        }
        pad_row(next, width);
    }
}

static Status erode_by_reference(const Call *call, Error *error) {
    const ThermalErosion *erosion = call->params;
    const int width = call->width, height = call->height;
    Pass pass = { .talus = (float)erosion->talus, .c = (float)erosion->c };
    Status status = padded_create(&pass.heights, width, height, error);
    if (status == STATUS_OK)
        status = padded_create(&pass.rates, width, height, error);
    if (status == STATUS_OK)
        status = padded_create(&pass.next, width, height, error);
    if (status == STATUS_OK)
        padded_from_field(&pass.heights, call->inputs[0].field);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = parallel_rows(call->run, height, width * 1.0, rate_rows, &pass);
        if (status == STATUS_OK)
            status = parallel_rows(call->run, height, width * 1.0, slide_rows, &pass);
        const Padded done = pass.next;
        pass.next = pass.heights;
        pass.heights = done;
    }
    if (status == STATUS_OK)
        padded_to_field(&pass.heights, &call->outputs[0].field);
    memory_free(pass.heights.cells);
    memory_free(pass.rates.cells);
    memory_free(pass.next.cells);
    return status;
}

static Status run(const Call *call, Error *error) {
    const ThermalErosion *erosion = call->params;
    if (erosion->method == REFERENCE)
        return erode_by_reference(call, error);
    const Levelling levelling = { .above = (float)erosion->talus, .most = FLT_MAX, .diagonal = true };
    return level_in_place(call, levelling, erosion->iterations, error);
}

static const Param params[] = {
    PARAM(ThermalErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "the paper's optimized method, or the one it is measured against"),
    PARAM(ThermalErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(ThermalErosion, talus, .initial = 4, .min = 0, .max = 1e4, .unit = UNIT_PER_SIDE,
          .doc = "height differences up to this are stable"),
    PARAM(ThermalErosion, c, .initial = 0.5, .min = 0, .max = 1,
          .doc = "the share of the excess that moves in a pass; reference only"),
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
