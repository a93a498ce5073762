#include "water/parted_flow.h"

#include "core/angle.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"
#include "water/downstream.h"
#include "water/even_choice.h"

#include <math.h>
#include <string.h>

enum { PIECE = 256 }; // cells of a row at a time

typedef struct Parting {
    const Drainage *drainage;
    uint16_t *share;
    uint8_t *second;
} Parting;

// A triangle of the cell, a neighbour that shares a side with it and a diagonal one beside that.
typedef struct Facet {
    int beside, diagonal;
} Facet;

static const Facet facets[NEIGHBOURS] = { { 0, 1 }, { 0, 7 }, { 2, 3 }, { 2, 1 },
                                          { 4, 5 }, { 4, 3 }, { 6, 7 }, { 6, 5 } };

// The steepest facets of some cells; `number` is -1 for level ground. `falls` and `sides` are the slopes
// along a facet's sides, from the cell and from there to the diagonal neighbour (s1 and s2 in the paper).
typedef struct Steepest {
    double slope[PIECE], falls[PIECE], sides[PIECE], number[PIECE];
    double tied[PIECE]; // whether another facet is as steep
} Steepest;

// Tarboton 1997, equations 1 to 6.
KERNEL_INLINE double facet_slope(double s1, double s2) {
    const double within = sqrt(s1 * s1 + s2 * s2), along = (s1 + s2) * 0.70710678118654752440;
    return s2 <= 0 ? s1 : s2 >= s1 ? along : within;
}

// Of the angle from the neighbour that shares a side.
KERNEL_INLINE double facet_tangent(double s1, double s2) {
    return s2 <= 0 ? 0 : s2 >= s1 ? 1 : s2 / s1;
}

// The facet between neighbours whose rows are given from the first cell's neighbour on.
KERNEL static void try_facet(const float *restrict row, const float *restrict beside,
                             const float *restrict diagonal, double number, Steepest *restrict steepest,
                             int count) {
    for (int x = 0; x < count; x++) {
        const double e0 = (double)row[x], e1 = (double)beside[x], e2 = (double)diagonal[x];
        const double s1 = e0 - e1, s2 = e1 - e2, slope = facet_slope(s1, s2);
        const bool more = slope > steepest->slope[x], same = slope == steepest->slope[x];
        steepest->tied[x] = more ? 0 : same ? 1 : steepest->tied[x];
        steepest->slope[x] = more ? slope : steepest->slope[x];
        steepest->falls[x] = more ? s1 : steepest->falls[x];
        steepest->sides[x] = more ? s2 : steepest->sides[x];
        steepest->number[x] = more ? number : steepest->number[x];
    }
}

// What of 65535 goes to the diagonal neighbour.
KERNEL static void find_shares(const Steepest *restrict steepest, float *restrict shares, int count) {
    for (int x = 0; x < count; x++) {
        const double tangent = facet_tangent(steepest->falls[x], steepest->sides[x]);
        shares[x] = angle_below_diagonal((float)tangent) * (4 / ANGLE_PI) * 65535 + 0.5f;
    }
}

static void part_cell(const Parting *parting, size_t cell, const Facet *facet, float exact) {
    const int share = whole_within(exact, 0, 65535);
    const bool all = share == 65535, parts = !all && share > 0;
    parting->drainage->direction[cell] = (uint8_t)(all ? facet->diagonal : facet->beside);
    parting->share[cell] = (uint16_t)(parts ? share : 0);
    parting->second[cell] = (uint8_t)(parts ? facet->diagonal : NO_SECOND);
}

// Of several facets that are equally steep: the one down which water runs most nearly where the ground falls.
static void choose_facet(const Parting *parting, size_t cell, Steepest *steepest, int at) {
    const Drainage *drainage = parting->drainage;
    const Field *filled = &drainage->filled;
    const int x = (int)(cell % (size_t)filled->width), y = (int)(cell / (size_t)filled->width);
    Towards towards = { { 0 }, { 0 } };
    double falls[NEIGHBOURS], sides[NEIGHBOURS];
    unsigned ways = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        const int b = facets[i].beside, d = facets[i].diagonal;
        const double level = (double)filled->cells[neighbour_of(filled, cell, b)];
        falls[i] = (double)filled->cells[cell] - level;
        sides[i] = level - (double)filled->cells[neighbour_of(filled, cell, d)];
        if (facet_slope(falls[i], sides[i]) != steepest->slope[at])
            continue;
        const double tangent = facet_tangent(falls[i], sides[i]), length = sqrt(1 + tangent * tangent);
        towards.x[i] = (neighbour_x[b] + tangent * (neighbour_x[d] - neighbour_x[b])) / length;
        towards.y[i] = (neighbour_y[b] + tangent * (neighbour_y[d] - neighbour_y[b])) / length;
        ways |= 1U << i;
    }
    ways = ways_of_the_fall(filled, (float)drainage->sea_level, x, y, &towards, ways);
    const int chosen = draw_way(ways, x, y);
    steepest->falls[at] = falls[chosen];
    steepest->sides[at] = sides[chosen];
    steepest->number[at] = chosen;
}

static void part_piece(const Parting *parting, size_t first, int count) {
    const Field *filled = &parting->drainage->filled;
    const float *row = filled->cells + first, sea = (float)parting->drainage->sea_level;
    Steepest steepest = { .slope = { 0 } };
    float shares[PIECE];
    for (int i = 0; i < NEIGHBOURS; i++)
        try_facet(row, filled->cells + neighbour_of(filled, first, facets[i].beside),
                  filled->cells + neighbour_of(filled, first, facets[i].diagonal), i, &steepest, count);
    for (int x = 0; x < count; x++)
        if (steepest.tied[x] > 0 && steepest.slope[x] > 0 && row[x] >= sea)
            choose_facet(parting, first + (size_t)x, &steepest, x);
    find_shares(&steepest, shares, count);
    for (int x = 0; x < count; x++)
        if (steepest.slope[x] > 0 && row[x] >= sea)
            part_cell(parting, first + (size_t)x, &facets[whole_int(steepest.number[x])], shares[x]);
}

static void part_rows(void *context, int first, int end) {
    const Parting *parting = context;
    const Field *filled = &parting->drainage->filled;
    for (int y = first; y < end; y++) {
        const size_t start = (size_t)y * (size_t)filled->width;
        memset(parting->second + start, NO_SECOND, (size_t)filled->width);
        if (y == 0 || y == filled->height - 1)
            continue;
        for (int x = 1; x < filled->width - 1; x += PIECE)
            part_piece(parting, start + (size_t)x, min(PIECE, filled->width - 1 - x));
    }
}

Status part_flow(const Run *run, const Drainage *drainage, uint16_t *share, uint8_t *second) {
    Parting parting = { .drainage = drainage };
    parting.share = share;
    parting.second = second;
    return parallel_rows(run, drainage->filled.height, drainage->filled.width * 20.0, part_rows, &parting);
}
