// The reference method (Olsen 2004, "Hydraulic erosion, Overview"), over the Moore neighbourhood, with
// differences applied after the pass. In each iteration, for water w, sediment m and a = h + w:
//
//     1. w += K_r                         2. h -= K_s w, m += K_s w
//     3. Δw_i = min(w, a - mean(a)) d_i / d_total to every lower neighbour, d_i = a - a_i > 0, where the mean
//     is
//        over the cell and its lower neighbours; with it sediment, Δm_i = m Δw_i / w
//     4. w *= 1 - K_e; sediment beyond K_c w settles on h
//
// One line of the paper's pseudocode has a_i = h_i + m_i; the text's a = h + w is meant.

#include "core/kernel.h"
#include "erosion/hydraulic.h"
#include "erosion/padded.h"

typedef struct Pass {
    Padded heights, water, sediment; // heights are total ones, a, between the two loops of an iteration
    Padded flows;                    // min(w, a - mean) / d_total: water that goes down a unit of difference
    Padded next_water, next_sediment;
    float rain, solubility, kept, capacity; // kept: 1 - K_e
    bool last;
} Pass;

// Steps 1 and 2.
KERNEL static void rain_on_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    const float rain = pass->rain, solubility = pass->solubility;
    for (int y = first; y < end; y++) {
        float *restrict heights = padded_row(&pass->heights, y), *restrict water =
                                                                     padded_row(&pass->water, y);
        float *restrict sediment = padded_row(&pass->sediment, y);
        for (int x = 0; x < width; x++) {
            const float w = water[x] + rain, dissolved = solubility * w;
            water[x] = w;
            sediment[x] += dissolved;
            heights[x] = heights[x] - dissolved + w;
        }
        pad_row(heights, width);
        pad_row(water, width);
        pad_row(sediment, width);
    }
}

KERNEL static void flow_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    for (int y = first; y < end; y++) {
        const float *restrict up = padded_row(&pass->heights, y - 1);
        const float *restrict row = padded_row(&pass->heights, y);
        const float *restrict down = padded_row(&pass->heights, y + 1);
        const float *restrict water = padded_row(&pass->water, y);
        float *restrict flows = padded_row(&pass->flows, y);
        for (int x = 0; x < width; x++) {
            const float a = row[x];
            const float d[8] = { a - up[x - 1],  a - up[x],       a - up[x + 1], a - row[x - 1],
                                 a - row[x + 1], a - down[x - 1], a - down[x],   a - down[x + 1] };
            float total = 0, count = 1;
            for (int i = 0; i < 8; i++) {
                total += d[i] > 0 ? d[i] : 0;
                count += d[i] > 0 ? 1.0f : 0.0f;
            }
            const float above_mean = total / count; // a - mean(a) = sum of d_i / (their number + 1)
            const float amount = water[x] < above_mean ? water[x] : above_mean;
            flows[x] = total > 0 ? amount / total : 0;
        }
        pad_row(flows, width);
    }
}

KERNEL_INLINE float downhill(float difference) {
    return difference > 0 ? difference : 0;
}

// Water that a neighbour gives less what it gets, and the same for sediment, by the sediment a unit of water.
KERNEL_INLINE void exchange(float a, float flow, float load, float its_a, float its_flow, float its_load,
                            float *water, float *sediment) {
    const float in = its_flow * downhill(its_a - a), out = flow * downhill(a - its_a);
    *water += in - out;
    *sediment += in * its_load - out * load;
}

// A grid's three rows around a cell.
typedef struct Around {
    const float *up, *row, *down;
} Around;

static Around around(const Padded *grid, int y) {
    return (Around){ padded_row(grid, y - 1), padded_row(grid, y), padded_row(grid, y + 1) };
}

KERNEL_INLINE void move_row(Around heights, Around flows, Around loads, const float *restrict water,
                            float *restrict sediment, float *restrict next_water, int width) {
    const float *a = heights.row, *f = flows.row, *l = loads.row;
    for (int x = 0; x < width; x++) {
        float w = 0, m = 0;
        exchange(a[x], f[x], l[x], heights.up[x - 1], flows.up[x - 1], loads.up[x - 1], &w, &m);
        exchange(a[x], f[x], l[x], heights.up[x], flows.up[x], loads.up[x], &w, &m);
        exchange(a[x], f[x], l[x], heights.up[x + 1], flows.up[x + 1], loads.up[x + 1], &w, &m);
        exchange(a[x], f[x], l[x], a[x - 1], f[x - 1], l[x - 1], &w, &m);
        exchange(a[x], f[x], l[x], a[x + 1], f[x + 1], l[x + 1], &w, &m);
        exchange(a[x], f[x], l[x], heights.down[x - 1], flows.down[x - 1], loads.down[x - 1], &w, &m);
        exchange(a[x], f[x], l[x], heights.down[x], flows.down[x], loads.down[x], &w, &m);
        exchange(a[x], f[x], l[x], heights.down[x + 1], flows.down[x + 1], loads.down[x + 1], &w, &m);
        const float rest = water[x] + w; // a cell gives at most what it has; rounding may take a bit more
        next_water[x] = rest > 0 ? rest : 0;
        sediment[x] += m;
    }
}

// Step 3. `next_sediment` holds the loads m / w while rows are read.
KERNEL static void move_rows(void *context, int first, int end) {
    const Pass *pass = context;
    for (int y = first; y < end; y++)
        move_row(around(&pass->heights, y), around(&pass->flows, y), around(&pass->next_sediment, y),
                 padded_row(&pass->water, y), padded_row(&pass->sediment, y),
                 padded_row(&pass->next_water, y), pass->heights.width);
}

KERNEL static void load_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    for (int y = first; y < end; y++) {
        const float *restrict water = padded_row(&pass->water, y), *restrict sediment =
                                                                       padded_row(&pass->sediment, y);
        float *restrict loads = padded_row(&pass->next_sediment, y);
        for (int x = -1; x <= width; x++)
            loads[x] = water[x] > 0 ? sediment[x] / water[x] : 0;
    }
}

KERNEL static void settle_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const int width = pass->heights.width;
    const float kept = pass->kept, capacity = pass->capacity;
    const bool last = pass->last;
    for (int y = first; y < end; y++) {
        float *restrict heights = padded_row(&pass->heights, y), *restrict water =
                                                                     padded_row(&pass->water, y);
        const float *restrict next_water = padded_row(&pass->next_water, y);
        float *restrict sediment = padded_row(&pass->sediment, y);
        for (int x = 0; x < width; x++) {
            const float w = next_water[x] * kept, most = last ? 0 : capacity * w;
            const float settled = sediment[x] > most ? sediment[x] - most : last ? sediment[x] : 0;
            heights[x] = heights[x] - water[x] + settled; // total altitude back to the ground's
            sediment[x] -= settled;
            water[x] = w;
        }
    }
}

static Status iterate(const Run *run, Pass *pass) {
    const double cost = pass->heights.width;
    RowsBody *const steps[] = { rain_on_rows, flow_rows, load_rows, move_rows, settle_rows };
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 5; i++)
        status = parallel_rows(run, pass->heights.height, cost, steps[i], pass);
    return status;
}

Status hydraulic_by_reference(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    Pass pass = { .rain = (float)erosion->rain,
                  .solubility = (float)erosion->solubility,
                  .kept = (float)(1 - erosion->evaporation),
                  .capacity = (float)erosion->capacity };
    Padded *const grids[] = { &pass.heights, &pass.water,      &pass.sediment,
                              &pass.flows,   &pass.next_water, &pass.next_sediment };
    Status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 6; i++)
        status = padded_create(grids[i], call->width, call->height, error);
    if (status == STATUS_OK)
        padded_from_field(&pass.heights, call->inputs[0].field);
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        pass.last = i + 1 == erosion->iterations; // what is still in the water settles
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = iterate(call->run, &pass);
    }
    if (status == STATUS_OK)
        padded_to_field(&pass.heights, &call->outputs[0].field);
    for (int i = 0; i < 6; i++)
        memory_free(grids[i]->cells);
    return status;
}
