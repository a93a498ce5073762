// The fast method (Olsen 2004, "Hydraulic erosion, Optimizations"): water goes to the lowest of the four
// neighbours only, at once, and there is no sediment map, since with K_c = K_s all water carries as much as
// it can, m = K_s w.
//
// So the ground that a cell's water holds is K_s w at any time, and each step moves exactly as much ground as
// the water that moves it: rain K_r takes K_s K_r from the ground, water Δw carries K_s Δw along, and what
// evaporates leaves K_s K_e w. In terms of S = h + K_s w, all ground of the cell, loose or not, only the flow
// changes S, and what one cell loses another gets: material is conserved by construction.

#include "core/kernel.h"
#include "erosion/erodibility.h"
#include "erosion/hydraulic.h"
#include "erosion/in_place.h"

typedef struct Pass {
    Field solid, water; // S and w, woven
    Erodibility erodibility;
    float rain, solubility, kept;
} Pass;

// One grid's cells around a place: its own, left, right, above, below.
typedef struct Cross {
    float *here, *left, *right, *up, *down;
} Cross;

// Moves water to the lowest of the four neighbours, the first of equal ones: min(w, (a - a_l) / 2), which
// levels the two. Ground goes with it, as much as the water that leaves carries.
KERNEL_INLINE void flow_cell(float *s0, float *s1, float *s2, float *s3, float *s4, float *w0, float *w1,
                             float *w2, float *w3, float *w4, float share, float solubility) {
    const float wet = 1 - solubility; // a = h + w = S + (1 - K_s) w
    const float a1 = *s1 + wet * *w1, a2 = *s2 + wet * *w2, a3 = *s3 + wet * *w3, a4 = *s4 + wet * *w4;
    const float low12 = a1 < a2 ? a1 : a2, low34 = a3 < a4 ? a3 : a4, lowest = low12 < low34 ? low12 : low34;
    const float w = *w0, half = 0.5f * (*s0 + wet * w - lowest);
    const float down = w < half ? w : half, moved = half > 0 ? down : 0;
    const float carried = solubility * share;
    const float to1 = a1 == lowest ? moved : 0, left1 = a1 == lowest ? 0 : moved;
    const float to2 = a2 == lowest ? left1 : 0, left2 = a2 == lowest ? 0 : left1;
    const float to3 = a3 == lowest ? left2 : 0, to4 = a3 == lowest ? 0 : left2;
    *w0 = w - moved;
    *s0 -= carried * moved;
    *w1 += to1;
    *w2 += to2;
    *w3 += to3;
    *w4 += to4;
    *s1 += carried * to1;
    *s2 += carried * to2;
    *s3 += carried * to3;
    *s4 += carried * to4;
}

// Only as parameters of their own do the ten pointers keep the promise not to overlap.
KERNEL_INLINE void flow_lanes(float *restrict s0, float *restrict s1, float *restrict s2, float *restrict s3,
                              float *restrict s4, float *restrict w0, float *restrict w1, float *restrict w2,
                              float *restrict w3, float *restrict w4, const float *restrict share,
                              float solubility) {
    for (int i = 0; i < STRIPS; i++)
        flow_cell(s0 + i, s1 + i, s2 + i, s3 + i, s4 + i, w0 + i, w1 + i, w2 + i, w3 + i, w4 + i, share[i],
                  solubility);
}

static Cross cross_at(Field *field, int y, int here, int left, int right) {
    float *row = field_row(field, y);
    float *up = field_row(field, wrap(y - 1, field->height)),
          *down = field_row(field, wrap(y + 1, field->height));
    return (Cross){ row + here, row + left, row + right, up + here, down + here };
}

static void flow_one(Pass *pass, const float *share, int x, int y, int strip) {
    const int width = pass->water.width;
    const int left = woven(wrap(x - 1, width), strip), right = woven(wrap(x + 1, width), strip);
    const int here = woven(x, strip);
    const Cross s = cross_at(&pass->solid, y, here, left, right),
                w = cross_at(&pass->water, y, here, left, right);
    flow_cell(s.here, s.left, s.right, s.up, s.down, w.here, w.left, w.right, w.up, w.down, share[here],
              pass->solubility);
}

// The first or the last step of a row: `edge` tells where the neighbours in other strips stand.
KERNEL_INLINE void flow_edge(Cross s, Cross w, const float *share, bool leftmost, StripEdge edge,
                             float *solid_row, float *water_row, float solubility) {
    float solid[STRIPS], water[STRIPS];
    edge_take(edge, solid_row, solid);
    edge_take(edge, water_row, water);
    if (leftmost)
        flow_lanes(s.here, solid, s.right, s.up, s.down, w.here, water, w.right, w.up, w.down, share,
                   solubility);
    else
        flow_lanes(s.here, s.left, solid, s.up, s.down, w.here, w.left, water, w.up, w.down, share,
                   solubility);
    edge_put(edge, solid_row, solid);
    edge_put(edge, water_row, water);
}

KERNEL static void flow_row(void *context, const Sweep *sweep, int y) {
    Pass *pass = context;
    const int width = pass->water.width, strip = sweep->strip;
    const float *share = erodibility_row(&pass->erodibility, y);
    const StripEdge edges[2] = { left_of_strips(width, strip), right_of_strips(width, strip) };
    const int last = strip - 1;
    for (int step = 0; step < strip; step++) {
        const int i = sweep_column(sweep, step), at = i * STRIPS;
        const Cross s = cross_at(&pass->solid, y, at, at - STRIPS, at + STRIPS);
        const Cross w = cross_at(&pass->water, y, at, at - STRIPS, at + STRIPS);
        if (i > 0 && i < last)
            flow_lanes(s.here, s.left, s.right, s.up, s.down, w.here, w.left, w.right, w.up, w.down,
                       share + at, pass->solubility);
        else
            flow_edge(s, w, share + at, i == 0, edges[i != 0], field_row(&pass->solid, y),
                      field_row(&pass->water, y), pass->solubility);
    }
    for (int x = STRIPS * strip; x < width; x++)
        flow_one(pass, share, x, y, strip);
}

// Evaporation of the last shower and the next one's rain.
KERNEL static void next_shower(void *context, int first, int end) {
    Pass *pass = context;
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
        status = erodibility_create(&pass.erodibility, call, erosion->mask, true, error);
    if (status == STATUS_OK)
        status = weave(call->run, call->inputs[0].field, &pass.solid);
    for (size_t i = 0; status == STATUS_OK && i < field_count(&pass.water); i++)
        field_cells(&pass.water)[i] = 0;
    for (int i = 0; status == STATUS_OK && i < erosion->iterations; i++) {
        status = run_advance(call->run, i, erosion->iterations);
        if (status == STATUS_OK)
            status = parallel_rows(call->run, call->height, call->width * 0.2, next_shower, &pass);
        if (status == STATUS_OK)
            status = sweep_in_place(call->run, call->inputs[0].field, i, call->width * 1.5, flow_row, &pass);
    }
    if (status == STATUS_OK) // S: what is in the water has settled where it is
        status = unweave(call->run, &pass.solid, &call->outputs[0].field);
    erodibility_free(&pass.erodibility);
    field_free(&pass.solid);
    field_free(&pass.water);
    return status;
}
