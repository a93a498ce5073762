// The reference method (Olsen 2004, "Hydraulic erosion, Overview"), over the Moore neighbourhood, with
// differences applied after the pass. In each iteration, for water w, sediment m and a = h + w:
//
//     1. w += K_r                         2. h -= K_s w, m += K_s w
//     3. Δw_i = min(w, a - mean(a), d_min) d_i / d_total to every lower neighbour, d_i = a - a_i > 0, where
//        the mean is over the cell and its lower neighbours; with it sediment, Δm_i = m Δw_i / w
//     4. w *= 1 - K_e; sediment beyond K_c w settles on h
//
// d_min, the smallest d_i, is not in the text but in its author's program, which also has K_c = 1 instead of
// the text's 0.01. Both are needed for the scores of the paper's table 2 (docs/olsen-tables.md). Without
// d_min a cell may give so much to a neighbour that is hardly lower that it rises above the cell.
//
// One line of the paper's pseudocode has a_i = h_i + m_i; the text's a = h + w is meant.

#include "core/kernel.h"
#include "core/math.h"
#include "erosion/bands.h"
#include "erosion/erodibility.h"
#include "erosion/hydraulic_erosion.h"

#include <float.h>
#include <string.h>

enum { HEIGHT, WATER_GRID, SEDIMENT_GRID, GRIDS };
enum {
    TOTAL, // a
    WATER, // w, m: after rain
    SEDIMENT,
    FLOW, // min(w, a - mean, d_min) / d_total: water per unit of difference
    LOAD, // m / w
    QUANTITIES
};

typedef struct Pass {
    Erodibility erodibility;
    float rain, solubility, kept, capacity; // kept: 1 - K_e
    bool last;
} Pass;

// A separate function, because restrict is only honoured on parameters.
KERNEL_INLINE void rain_row(float rain, float solubility, const float *restrict old_water,
                            const float *restrict old_sediment, const float *restrict share,
                            const float *restrict heights, int count, float *restrict total,
                            float *restrict water, float *restrict sediment, float *restrict load) {
    for (int x = 0; x < count; x++) {
        const float w = old_water[x] + rain, dissolved = solubility * share[x] * w;
        const float m = old_sediment[x] + dissolved;
        water[x] = w;
        sediment[x] = m;
        load[x] = w > 0 ? m / w : 0;
        total[x] = heights[x] - dissolved + w;
    }
}

// Steps 1 and 2.
KERNEL static void rain_on(const void *context, const Window *window, const float *const *rows, int y,
                           int field_y) {
    const Pass *pass = context;
    rain_row(pass->rain, pass->solubility, rows[WATER_GRID], rows[SEDIMENT_GRID],
             erodibility_row(&pass->erodibility, field_y), rows[HEIGHT], window->width,
             window_row(window, TOTAL, y), window_row(window, WATER, y), window_row(window, SEDIMENT, y),
             window_row(window, LOAD, y));
    window_close(window, TOTAL, y);
    window_close(window, LOAD, y);
}

KERNEL static void measure_flow(const void *context, const Window *window, int y, int field_y) {
    (void)context, (void)field_y;
    const int width = window->width;
    const float *restrict up = window_row(window, TOTAL, y - 1), *restrict row = window_row(window, TOTAL, y);
    const float *restrict down = window_row(window, TOTAL, y + 1), *restrict water =
                                                                       window_row(window, WATER, y);
    float *restrict flows = window_row(window, FLOW, y);
    for (int x = 0; x < width; x++) {
        const float a = row[x];
        const float d[8] = { a - up[x - 1],  a - up[x],       a - up[x + 1], a - row[x - 1],
                             a - row[x + 1], a - down[x - 1], a - down[x],   a - down[x + 1] };
        float lower[8], count = 1, least = FLT_MAX;
        for (int i = 0; i < 8; i++) {
            lower[i] = max(d[i], 0);
            count += d[i] > 0 ? 1.0f : 0.0f;
            least = d[i] > 0 && d[i] < least ? d[i] : least;
        }
        const float total = sum_around(lower);
        const float above_mean = total / count; // a - mean(a) = sum of d_i / (their number + 1)
        const float level = min(least, above_mean);
        const float amount = min(water[x], level);
        flows[x] = total > 0 ? amount / total : 0;
    }
    window_close(window, FLOW, y);
}

KERNEL_INLINE float downhill(float difference) {
    return max(difference, 0);
}

// Water received from a neighbour minus water given to it, and the same for sediment, by the sediment per
// unit of water.
KERNEL_INLINE void exchange(float a, float flow, float load, float its_a, float its_flow, float its_load,
                            float *water, float *sediment) {
    const float in = its_flow * downhill(its_a - a), out = flow * downhill(a - its_a);
    *water = in - out;
    *sediment = in * its_load - out * load;
}

// A quantity's three rows around a cell.
typedef struct Around {
    const float *up, *row, *down;
} Around;

static Around around(const Window *window, int quantity, int y) {
    return (Around){ window_row(window, quantity, y - 1), window_row(window, quantity, y),
                     window_row(window, quantity, y + 1) };
}

// Steps 3 and 4.
KERNEL_INLINE void move_row(const Pass *pass, Around total, Around flow, Around load,
                            const float *restrict water, const float *restrict sediment,
                            float *restrict new_heights, float *restrict new_water,
                            float *restrict new_sediment, int width) {
    const float *a = total.row, *f = flow.row, *l = load.row;
    const float kept = pass->kept, capacity = pass->last ? 0 : pass->capacity;
    for (int x = 0; x < width; x++) {
        float w[8], m[8];
        exchange(a[x], f[x], l[x], total.up[x - 1], flow.up[x - 1], load.up[x - 1], &w[0], &m[0]);
        exchange(a[x], f[x], l[x], total.up[x], flow.up[x], load.up[x], &w[1], &m[1]);
        exchange(a[x], f[x], l[x], total.up[x + 1], flow.up[x + 1], load.up[x + 1], &w[2], &m[2]);
        exchange(a[x], f[x], l[x], a[x - 1], f[x - 1], l[x - 1], &w[3], &m[3]);
        exchange(a[x], f[x], l[x], a[x + 1], f[x + 1], l[x + 1], &w[4], &m[4]);
        exchange(a[x], f[x], l[x], total.down[x - 1], flow.down[x - 1], load.down[x - 1], &w[5], &m[5]);
        exchange(a[x], f[x], l[x], total.down[x], flow.down[x], load.down[x], &w[6], &m[6]);
        exchange(a[x], f[x], l[x], total.down[x + 1], flow.down[x + 1], load.down[x + 1], &w[7], &m[7]);
        const float rest = water[x] + sum_around(w); // a cell gives at most what it has, apart from rounding
        const float left = max(rest, 0) * kept, most = capacity * left;
        const float carried = sediment[x] + sum_around(m);
        const float kept_up = min(carried, most);
        new_heights[x] = a[x] - water[x] + (carried - kept_up); // from total altitude to ground altitude
        new_water[x] = left;
        new_sediment[x] = kept_up;
    }
}

KERNEL static void move_and_settle(const void *context, const Window *window, float *const *rows, int y) {
    move_row(context, around(window, TOTAL, y), around(window, FLOW, y), around(window, LOAD, y),
             window_row(window, WATER, y), window_row(window, SEDIMENT, y), rows[HEIGHT], rows[WATER_GRID],
             rows[SEDIMENT_GRID], window->width);
}

Status hydraulic_reference(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    Field *height = &call->outputs[0].field;
    Pass pass = { .rain = (float)erosion->rain,
                  .solubility = (float)erosion->solubility,
                  .kept = (float)(1 - erosion->evaporation),
                  .capacity = (float)erosion->capacity };
    Field water = { 0 }, sediment = { 0 };
    Bands bands = { .grids = { height, &water, &sediment },
                    .grid_count = GRIDS,
                    .wraps = call->wraps,
                    .rule = { QUANTITIES, { [TOTAL] = FLT_MAX }, rain_on, measure_flow, move_and_settle },
                    .context = &pass };
    memcpy(field_cells(height), call->inputs[0].field->cells, field_count(height) * sizeof(float));
    Status status = erodibility_create(&pass.erodibility, call, erosion->mask, error);
    if (status == STATUS_OK)
        status = field_create(&water, call->width, call->height, error);
    if (status == STATUS_OK)
        status = field_create(&sediment, call->width, call->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(height); i++)
        field_cells(&water)[i] = field_cells(&sediment)[i] = 0;
    if (status == STATUS_OK)
        status = bands_create(&bands, error);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        pass.last = i + 1 == erosion->iterations; // sediment still in the water is deposited
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = bands_pass(call->run, &bands, call->width * 5.0);
    }
    bands_free(&bands);
    field_free(&water);
    field_free(&sediment);
    erodibility_free(&pass.erodibility);
    return status;
}
