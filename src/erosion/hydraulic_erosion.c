// Hydraulic erosion (Olsen 2004, "Hydraulic erosion", after Beneš and Forsbach): rain dissolves ground,
// carries it downhill and deposits it where the water evaporates.

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "erosion/bands.h"
#include "erosion/erodibility.h"

#include <float.h>
#include <string.h>

typedef struct HydraulicErosion {
    int method, iterations;
    double rain, solubility, evaporation, capacity; // K_r, K_s, K_e, K_c
    const Field *mask;
} HydraulicErosion;

enum { HYDRAULIC_FAST, HYDRAULIC_REFERENCE };

typedef struct Pass {
    Erodibility erodibility;
    float rain, solubility, kept, capacity; // kept: 1 - K_e
    bool last;
} Pass;

enum { GROUND_GRID, WATER_GRID, SEDIMENT_GRID };
enum {
    TOTAL, // a = h + w
    WATER, // w, after rain
    SHARED
};

// A quantity's three rows around a cell.
typedef struct Around {
    const float *up, *row, *down;
} Around;

static Around around(const Window *window, int quantity, int y) {
    return (Around){ window_row(window, quantity, y - 1), window_row(window, quantity, y),
                     window_row(window, quantity, y + 1) };
}

// --- fast --------------------------------------------------------------------------------------------------

// The fast method (Olsen 2004, "Hydraulic erosion, Optimizations"): water flows only to the lowest of the
// four neighbours. There is no sediment map, because with K_c = K_s all water carries as much as it can, m =
// K_s w. The paper changes heights while visiting the cells; here the differences of a shower are applied
// after it, so that the order of cells does not matter. A quarter of a difference moves instead of half,
// because four cells may give to the same one.
//
// A cell's water therefore always holds K_s w of ground, and every step moves the ground that belongs to the
// water: rain K_r takes K_s K_r from the ground, water Δw carries K_s Δw, and evaporation leaves K_s K_e w.
// In terms of S = h + K_s w, all ground of the cell, loose or not, only the flow changes S, and what one
// cell loses another gets: material is conserved by construction.

enum {
    LOWEST = SHARED, // total altitude of the lowest neighbour
    PART,            // the share of each of the lowest neighbours
    FAST_QUANTITIES
};

// Evaporation of the last shower and this one's rain.
KERNEL_INLINE void rain_solid_row(const Pass *pass, const float *restrict solid,
                                  const float *restrict old_water, float *restrict total,
                                  float *restrict water, int width) {
    const float rain = pass->rain, kept = pass->kept, wet = 1 - pass->solubility;
    for (int x = 0; x < width; x++) {
        const float w = old_water[x] * kept + rain;
        water[x] = w;
        total[x] = solid[x] + wet * w; // h + w = S + (1 - K_s) w
    }
}

KERNEL static void rain_on_solid(const void *context, const Window *window, const float *const *rows, int y,
                                 int field_y) {
    (void)field_y;
    rain_solid_row(context, rows[GROUND_GRID], rows[WATER_GRID], window_row(window, TOTAL, y),
                   window_row(window, WATER, y), window->width);
    window_close(window, TOTAL, y);
}

// The water that leaves a cell of total altitude `a`.
KERNEL_INLINE float descending(float a, float lowest, float water) {
    const float quarter = 0.25f * (a - lowest), most = max(quarter, 0);
    return min(water, most);
}

// A separate function, because restrict is only honoured on parameters.
KERNEL_INLINE void measure_descent_row(const float *restrict up, const float *restrict row,
                                       const float *restrict down, const float *restrict water,
                                       float *restrict lowest, float *restrict parts, int width) {
    for (int x = 0; x < width; x++) {
        const float a = row[x - 1], b = row[x + 1], c = up[x], d = down[x], low = lowest_of(a, b, c, d);
        lowest[x] = low;
        parts[x] = descending(row[x], low, water[x]) * part_of_lowest(low, a, b, c, d);
    }
}

KERNEL static void measure_descent(const void *context, const Window *window, int y, int field_y) {
    (void)context, (void)field_y;
    measure_descent_row(window_row(window, TOTAL, y - 1), window_row(window, TOTAL, y),
                        window_row(window, TOTAL, y + 1), window_row(window, WATER, y),
                        window_row(window, LOWEST, y), window_row(window, PART, y), window->width);
    window_close(window, LOWEST, y);
    window_close(window, PART, y);
}

KERNEL_INLINE void flow_row(const float *restrict total, const float *restrict water, Around lowest,
                            Around parts, Around shares, float solubility, float *restrict new_water,
                            float *restrict new_solid, int width) {
    for (int x = 0; x < width; x++) {
        const float a = total[x], given = descending(a, lowest.row[x], water[x]);
        const float left = part_from(lowest.row[x - 1], parts.row[x - 1], a);
        const float right = part_from(lowest.row[x + 1], parts.row[x + 1], a);
        const float above = part_from(lowest.up[x], parts.up[x], a);
        const float below = part_from(lowest.down[x], parts.down[x], a);
        const float dissolved = (left * shares.row[x - 1] + right * shares.row[x + 1]) +
                                (above * shares.up[x] + below * shares.down[x]);
        new_water[x] = water[x] - given + ((left + right) + (above + below));
        new_solid[x] += solubility * (dissolved - given * shares.row[x]);
    }
}

KERNEL static void flow_down(const void *context, const Window *window, float *const *rows, int y) {
    const Pass *pass = context;
    const Erodibility *shares = &pass->erodibility;
    flow_row(window_row(window, TOTAL, y), window_row(window, WATER, y), around(window, LOWEST, y),
             around(window, PART, y),
             (Around){ erodibility_row(shares, y - 1), erodibility_row(shares, y),
                       erodibility_row(shares, y + 1) },
             pass->solubility, rows[WATER_GRID], rows[GROUND_GRID], window->width);
}

// --- reference ---------------------------------------------------------------------------------------------

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

enum {
    SEDIMENT = SHARED, // m, after rain
    FLOW,              // min(w, a - mean, d_min) / d_total: water per unit of difference
    LOAD,              // m / w
    REFERENCE_QUANTITIES
};

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
             erodibility_row(&pass->erodibility, field_y), rows[GROUND_GRID], window->width,
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
             window_row(window, WATER, y), window_row(window, SEDIMENT, y), rows[GROUND_GRID],
             rows[WATER_GRID], rows[SEDIMENT_GRID], window->width);
}

// --- the operation -----------------------------------------------------------------------------------------

static const struct Method {
    int grids;
    double work; // of a cell
    BandRule rule;
} methods[] = {
    [HYDRAULIC_FAST] = { SEDIMENT_GRID,
                         2,
                         { FAST_QUANTITIES,
                           { [TOTAL] = FLT_MAX },
                           rain_on_solid,
                           measure_descent,
                           flow_down } },
    [HYDRAULIC_REFERENCE] = { SEDIMENT_GRID + 1,
                              5,
                              { REFERENCE_QUANTITIES,
                                { [TOTAL] = FLT_MAX },
                                rain_on,
                                measure_flow,
                                move_and_settle } },
};

static Status run(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    const struct Method *method = &methods[erosion->method];
    Field *ground = &call->outputs[0].field, loose[2] = { 0 }; // water and sediment
    Pass pass = { .rain = (float)erosion->rain,
                  .solubility = (float)erosion->solubility,
                  .kept = (float)(1 - erosion->evaporation),
                  .capacity = (float)erosion->capacity };
    Bands bands = { .grids = { ground, &loose[0], &loose[1] },
                    .grid_count = method->grids,
                    .wraps = call->wraps,
                    .rule = method->rule,
                    .context = &pass };
    memcpy(field_cells(ground), call->inputs[0].field->cells, field_count(ground) * sizeof(float));
    Status status = erodibility_create(&pass.erodibility, call, erosion->mask, error);
    for (int i = 0; i < method->grids - 1 && status == STATUS_OK; i++) {
        status = field_create(&loose[i], call->width, call->height, error);
        if (status == STATUS_OK)
            memset(field_cells(&loose[i]), 0, field_count(&loose[i]) * sizeof(float));
    }
    if (status == STATUS_OK)
        status = bands_create(&bands, error);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        pass.last = i + 1 == erosion->iterations; // sediment still in the water is deposited
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = bands_pass(call->run, &bands, call->width * method->work);
    }
    bands_free(&bands);
    for (int i = 0; i < 2; i++)
        field_free(&loose[i]);
    erodibility_free(&pass.erodibility);
    return status;
}

// What flows from a neighbour depends on its own neighbours.
static int hydraulic_reach(const Call *call) {
    return 2 * ((const HydraulicErosion *)call->params)->iterations;
}

static const Param params[] = {
    PARAM(HydraulicErosion, method, .choices = CHOICES("fast", "reference"),
          .doc = "the paper's optimized method, or its reference method"),
    PARAM(HydraulicErosion, iterations, .initial = 100, .min = 0, .max = 1e6, .doc = "number of showers"),
    PARAM(HydraulicErosion, rain, .initial = 0.01, .min = 0, .max = 1,
          .doc = "water added to each cell in a shower"),
    PARAM(HydraulicErosion, solubility, .initial = 0.01, .min = 0, .max = 1,
          .doc = "ground dissolved by a unit of water"),
    PARAM(HydraulicErosion, evaporation, .initial = 0.5, .min = 0, .max = 1,
          .doc = "share of the water that evaporates after a shower"),
    PARAM(HydraulicErosion, capacity, .initial = 1, .min = 0, .max = 1,
          .doc = "sediment that a unit of water can carry; only for \"reference\", \"fast\" uses the "
                 "solubility"),
    PARAM_MASK(HydraulicErosion),
    { 0 },
};

const Operation op_hydraulic_erosion = {
    .name = "hydraulic_erosion",
    .reach = hydraulic_reach,
    .measures = NEEDS_SQUARES,
    .category = "erosion",
    .keywords = "erode water rain sediment weather fluvial droplet wear deposits",
    .summary = "Simulates rain that dissolves ground, carries it downhill and deposits it in valleys",
    .description = "Material is conserved: sediment that is still in the water at the end is deposited "
                   "where it is. The result does not depend on the order of cells. The fast method has "
                   "no sediment map: water always carries as much as it can.\n\n"
                   "A shower moves water by one cell, so the effect decreases with resolution. With the "
                   "same arguments, a field of twice the side changes 0.5 (fast) to 0.7 times "
                   "(reference) as much, relative to the standard deviation of its heights. Twice the "
                   "iterations restore the effect.",
    .source = "Olsen 2004, Hydraulic erosion",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true } },
    .params = params,
    .params_size = sizeof(HydraulicErosion),
    .example = "local washed = height:hydraulic_erosion{ iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "return height:hydraulic_erosion{ method = \"reference\", iterations = 300 }",
    .see_also = "thermal_erosion olsen_erosion flow_accumulation",
    .run = run,
};
