// The fast method (Olsen 2004, "Hydraulic erosion, Optimizations"): water goes to the lowest of the four
// neighbours only, at once, and there is no sediment map, since with K_c = K_s all water carries as much as
// it can, m = K_s w.
//
// So the ground that a cell's water holds is K_s w at any time, and each step moves exactly as much ground as
// the water that moves it: rain K_r takes K_s K_r from the ground, water Δw carries K_s Δw along, and what
// evaporates leaves K_s K_e w. In terms of S = h + K_s w, all ground of the cell, loose or not, only the flow
// changes S, and what one cell loses another gets: material is conserved by construction.

#include "core/kernel.h"
#include "erosion/hydraulic.h"
#include "erosion/in_place.h"

typedef struct Pass {
    Field solid, water; // S and w, woven
    float rain, solubility, kept;
    bool leftwards; // in this iteration
} Pass;

// Moves water from `here` to the lowest of four cells: min(w, (a - a_l) / 2), which levels the two.
KERNEL_INLINE void flow_cell(float *solid[5], float *water[5], int at, float solubility) {
    float a[5]; // a = h + w = S + (1 - K_s) w
    for (int i = 0; i < 5; i++)
        a[i] = solid[i][at] + (1 - solubility) * water[i][at];
    const float ab = a[1] < a[2] ? a[1] : a[2], cd = a[3] < a[4] ? a[3] : a[4], lowest = ab < cd ? ab : cd;
    const float half = 0.5f * (a[0] - lowest), w = water[0][at];
    const float moved = half > 0 ? (w < half ? w : half) : 0;
    const float carried = solubility * moved;
    water[0][at] = w - moved;
    solid[0][at] -= carried;
    float left = moved;
    for (int i = 1; i < 5; i++) { // the first that is lowest gets it
        const float share = a[i] == lowest ? left : 0;
        left = a[i] == lowest ? 0 : left;
        water[i][at] += share;
        solid[i][at] += solubility * share;
    }
}

KERNEL_INLINE void flow_lanes(float *restrict s0, float *restrict s1, float *restrict s2, float *restrict s3,
                              float *restrict s4, float *restrict w0, float *restrict w1, float *restrict w2,
                              float *restrict w3, float *restrict w4, float solubility) {
    const float wet = 1 - solubility;
    for (int i = 0; i < STRIPS; i++) {
        const float a1 = s1[i] + wet * w1[i], a2 = s2[i] + wet * w2[i];
        const float a3 = s3[i] + wet * w3[i], a4 = s4[i] + wet * w4[i];
        const float low12 = a1 < a2 ? a1 : a2, low34 = a3 < a4 ? a3 : a4;
        const float lowest = low12 < low34 ? low12 : low34;
        const float w = w0[i], half = 0.5f * (s0[i] + wet * w - lowest);
        const float down = w < half ? w : half, moved = half > 0 ? down : 0;
        const float to1 = a1 == lowest ? moved : 0, left1 = a1 == lowest ? 0 : moved;
        const float to2 = a2 == lowest ? left1 : 0, left2 = a2 == lowest ? 0 : left1;
        const float to3 = a3 == lowest ? left2 : 0, to4 = a3 == lowest ? 0 : left2;
        w0[i] = w - moved;
        s0[i] -= solubility * moved;
        w1[i] += to1;
        w2[i] += to2;
        w3[i] += to3;
        w4[i] += to4;
        s1[i] += solubility * to1;
        s2[i] += solubility * to2;
        s3[i] += solubility * to3;
        s4[i] += solubility * to4;
    }
}

// The five cells of a neighbourhood, in the field's rows.
typedef struct Rows {
    float *up, *row, *down;
} Rows;

static Rows rows_of(const Field *field, int y) {
    return (Rows){ field_row(field, wrap(y - 1, field->height)), field_row(field, y),
                   field_row(field, wrap(y + 1, field->height)) };
}

KERNEL_INLINE void flow_one(const Pass *pass, Rows s, Rows w, int x, int strip) {
    const int width = pass->water.width;
    const int left = woven(wrap(x - 1, width), strip), right = woven(wrap(x + 1, width), strip);
    const int here = woven(x, strip);
    float *solid[5] = { s.row + here, s.row + left, s.row + right, s.up + here, s.down + here };
    float *water[5] = { w.row + here, w.row + left, w.row + right, w.up + here, w.down + here };
    flow_cell(solid, water, 0, pass->solubility);
}

KERNEL static void flow_row(void *context, int y) {
    const Pass *pass = context;
    const int width = pass->water.width, strip = strip_width(&pass->water);
    const Rows s = rows_of(&pass->solid, y), w = rows_of(&pass->water, y);
    const int last = strip - 1, first = pass->leftwards ? last : 0;
    for (int lane = 0; strip > 0 && lane < STRIPS; lane++)
        flow_one(pass, s, w, lane * strip + first, strip);
    for (int step = 1; step < last; step++) {
        const int at = (pass->leftwards ? last - step : step) * STRIPS;
        flow_lanes(s.row + at, s.row + at - STRIPS, s.row + at + STRIPS, s.up + at, s.down + at, w.row + at,
                   w.row + at - STRIPS, w.row + at + STRIPS, w.up + at, w.down + at, pass->solubility);
    }
    for (int lane = 0; strip > 0 && lane < STRIPS; lane++)
        flow_one(pass, s, w, lane * strip + last - first, strip);
    for (int x = STRIPS * strip; x < width; x++)
        flow_one(pass, s, w, x, strip);
}

// Evaporation of the last shower and the next one's rain.
KERNEL static void next_shower(void *context, int first, int end) {
    const Pass *pass = context;
    const float kept = pass->kept, rain = pass->rain;
    for (int y = first; y < end; y++) {
        float *restrict water = field_row(&pass->water, y);
        for (int x = 0; x < pass->water.width; x++)
            water[x] = water[x] * kept + rain;
    }
}

Status hydraulic_in_place(const Call *call, Error *error) {
    const HydraulicErosion *erosion = call->params;
    Pass pass = { .rain = (float)erosion->rain,
                  .solubility = (float)erosion->solubility,
                  .kept = (float)(1 - erosion->evaporation) };
    Status status = field_create(&pass.solid, call->width, call->height, error);
    if (status == STATUS_OK)
        status = field_create(&pass.water, call->width, call->height, error);
    if (status == STATUS_OK)
        status = weave(call->run, call->inputs[0].field, &pass.solid);
    for (size_t i = 0; status == STATUS_OK && i < field_count(&pass.water); i++)
        pass.water.cells[i] = 0;
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        pass.leftwards = i % 2 == 1;
        if (status == STATUS_OK)
            status = parallel_rows(call->run, call->height, call->width * 0.2, next_shower, &pass);
        if (status == STATUS_OK)
            status = sweep_in_place(call->run, call->height, i, call->width * 1.5, flow_row, &pass);
    }
    if (status == STATUS_OK) // S: what is in the water has settled where it is
        status = unweave(call->run, &pass.solid, &call->outputs[0].field);
    field_free(&pass.solid);
    field_free(&pass.water);
    return status;
}
