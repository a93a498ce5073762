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

#include "core/math.h"
#include "erosion/bands.h"
#include "erosion/erodibility.h"
#include "erosion/hydraulic_erosion.h"

#include <float.h>
#include <string.h>

enum { SOLID_GRID, WATER_GRID, GRIDS };
enum {
    TOTAL,  // a = h + w
    WATER,  // w, after rain
    LOWEST, // total altitude of the lowest neighbour
    PART,   // the share of each of the lowest neighbours
    QUANTITIES
};

typedef struct Pass {
    Erodibility erodibility;
    float rain, solubility, kept; // kept: 1 - K_e
} Pass;

// Evaporation of the last shower and this one's rain.
KERNEL_INLINE void rain_row(const Pass *pass, const float *restrict solid, const float *restrict old_water,
                            float *restrict total, float *restrict water, int width) {
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
    rain_row(context, rows[SOLID_GRID], rows[WATER_GRID], window_row(window, TOTAL, y),
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

// A quantity's three rows around a cell.
typedef struct Around {
    const float *up, *row, *down;
} Around;

static Around around(const Window *window, int quantity, int y) {
    return (Around){ window_row(window, quantity, y - 1), window_row(window, quantity, y),
                     window_row(window, quantity, y + 1) };
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
             pass->solubility, rows[WATER_GRID], rows[SOLID_GRID], window->width);
}

Status hydraulic_fast(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    Field *solid = &call->outputs[0].field; // what was still in the water at the end has been deposited
    Pass pass = { .rain = (float)erosion->rain,
                  .solubility = (float)erosion->solubility,
                  .kept = (float)(1 - erosion->evaporation) };
    Field water = { 0 };
    Bands bands = { .grids = { solid, &water },
                    .grid_count = GRIDS,
                    .wraps = call->wraps,
                    .rule = { QUANTITIES, { [TOTAL] = FLT_MAX }, rain_on_solid, measure_descent, flow_down },
                    .context = &pass };
    memcpy(field_cells(solid), call->inputs[0].field->cells, field_count(solid) * sizeof(float));
    Status status = erodibility_create(&pass.erodibility, call, erosion->mask, error);
    if (status == STATUS_OK)
        status = field_create(&water, call->width, call->height, error);
    if (status == STATUS_OK) {
        memset(field_cells(&water), 0, field_count(&water) * sizeof(float));
        status = bands_create(&bands, error);
    }
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = bands_pass(call->run, &bands, call->width * 2.0);
    }
    bands_free(&bands);
    field_free(&water);
    erodibility_free(&pass.erodibility);
    return status;
}
