// Olsen 2004, "Thermal erosion, Optimizations" and "A new proposed algorithm": material goes to the lowest
// neighbour only, at once, and as much as levels the two, Δh = d_max / 2, less where the mask says so.

#include "erosion/levelling.h"

#include "core/kernel.h"
#include "erosion/erodibility.h"
#include "erosion/in_place.h"

typedef struct Pass {
    Field heights; // woven
    Levelling levelling;
    Erodibility erodibility; // woven, too
    bool leftwards;          // in this iteration
} Pass;

// Lowest first of four equal ones; `a` … `d` are cells that `centre` may give to.
KERNEL_INLINE void level_cell(float *centre, float *a, float *b, float *c, float *d, float share,
                              Levelling levelling) {
    const float height = *centre;
    const float ab = *a < *b ? *a : *b, cd = *c < *d ? *c : *d, lowest = ab < cd ? ab : cd;
    const float difference = height - lowest;
    const bool moves = difference > levelling.above && difference <= levelling.most;
    const float given = moves ? levelling.share * share * difference : 0;
    const float to_a = *a == lowest ? given : 0;
    const float after_a = *a == lowest ? 0 : given;
    const float to_b = *b == lowest ? after_a : 0;
    const float after_b = *b == lowest ? 0 : after_a;
    const float to_c = *c == lowest ? after_b : 0;
    const float to_d = *c == lowest ? 0 : after_b;
    *centre = height - given;
    *a += to_a;
    *b += to_b;
    *c += to_c;
    *d += to_d;
}

KERNEL_INLINE void level_lanes(float *restrict centre, float *restrict a, float *restrict b,
                               float *restrict c, float *restrict d, const float *restrict share,
                               Levelling levelling) {
    for (int lane = 0; lane < STRIPS; lane++)
        level_cell(&centre[lane], &a[lane], &b[lane], &c[lane], &d[lane], share[lane], levelling);
}

static void level_one(const Pass *pass, float *up, float *row, float *down, const float *share, int x,
                      int strip) {
    const int width = pass->heights.width;
    const int left = woven(wrap(x - 1, width), strip), right = woven(wrap(x + 1, width), strip);
    const int here = woven(x, strip);
    if (pass->levelling.diagonal)
        level_cell(&row[here], &up[left], &up[right], &down[left], &down[right], share[here],
                   pass->levelling);
    else
        level_cell(&row[here], &row[left], &row[right], &up[here], &down[here], share[here], pass->levelling);
}

// The first or the last step of a row: `edge` tells where the neighbours in other strips stand.
KERNEL_INLINE void level_edge(float *up, float *row, float *down, const float *share, int i, StripEdge edge,
                              Levelling levelling) {
    float *centre = row + i * STRIPS, *high = up + i * STRIPS, *low = down + i * STRIPS;
    const int inwards = i == 0 ? STRIPS : -STRIPS;
    float lanes[2][STRIPS];
    if (levelling.diagonal) {
        edge_take(edge, up, lanes[0]);
        edge_take(edge, down, lanes[1]);
        if (i == 0)
            level_lanes(centre, lanes[0], high + inwards, lanes[1], low + inwards, share + i * STRIPS,
                        levelling);
        else
            level_lanes(centre, high + inwards, lanes[0], low + inwards, lanes[1], share + i * STRIPS,
                        levelling);
        edge_put(edge, up, lanes[0]);
        edge_put(edge, down, lanes[1]);
        return;
    }
    edge_take(edge, row, lanes[0]);
    if (i == 0)
        level_lanes(centre, lanes[0], centre + inwards, high, low, share + i * STRIPS, levelling);
    else
        level_lanes(centre, centre + inwards, lanes[0], high, low, share + i * STRIPS, levelling);
    edge_put(edge, row, lanes[0]);
}

KERNEL static void level_row(void *context, const Sweep *sweep, int y) {
    Pass *pass = context;
    Field *heights = &pass->heights;
    const int width = heights->width, strip = sweep->strip;
    const Levelling levelling = pass->levelling;
    const float *share = erodibility_row(&pass->erodibility, y);
    float *row = field_row(heights, y);
    float *up = field_row(heights, wrap(y - 1, heights->height));
    float *down = field_row(heights, wrap(y + 1, heights->height));
    const StripEdge edges[2] = { left_of_strips(width, strip), right_of_strips(width, strip) };
    const int last = strip - 1;
    for (int step = 0; step < strip; step++) {
        const int i = sweep_column(sweep, step), at = i * STRIPS;
        float *centre = row + at, *high = up + at, *low = down + at;
        if (i == 0 || i == last)
            level_edge(up, row, down, share, i, edges[i != 0], levelling);
        else if (levelling.diagonal)
            level_lanes(centre, high - STRIPS, high + STRIPS, low - STRIPS, low + STRIPS, share + at,
                        levelling);
        else
            level_lanes(centre, centre - STRIPS, centre + STRIPS, high, low, share + at, levelling);
    }
    for (int x = STRIPS * strip; x < width; x++)
        level_one(pass, up, row, down, share, x, strip);
}

Status level_in_place(const Call *call, Levelling levelling, int iterations, Error *error) {
    Pass pass = { .levelling = levelling };
    Status status = field_create(&pass.heights, call->width, call->height, error);
    if (status == STATUS_OK)
        status = erodibility_create(&pass.erodibility, call, levelling.mask, true, error);
    if (status == STATUS_OK)
        status = weave(call->run, call->inputs[0].field, &pass.heights);
    for (int i = 0; status == STATUS_OK && i < iterations; i++) {
        status = run_advance(call->run, i, iterations);
        if (status == STATUS_OK)
            status = sweep_in_place(call->run, call->inputs[0].field, i, call->width * 1.0, level_row, &pass);
    }
    if (status == STATUS_OK)
        status = unweave(call->run, &pass.heights, &call->outputs[0].field);
    erodibility_free(&pass.erodibility);
    field_free(&pass.heights);
    return status;
}
