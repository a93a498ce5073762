// The rules of zoomable maps (Mogensen and Isenbecker 2025, sections 2 to 4), for one triangle: V0 V1 V2
// with the long edge e0 = V1V2, e1 = V0V2 and e2 = V0V1. The long edge is cut at V3 into e4 = V1V3 and e5 =
// V3V2; the new edge e3 = V0V3 separates the halves. A river crosses an edge at some altitude and position.
//
// Altitudes are integers in units of 1/4096 of the side of a cell of the current lattice, measured from any
// base: sums and differences are exact, and displacements depend on differences only. A vertex therefore
// gets the same bits for any base, window and zoom, and precision does not run out with depth.

#ifndef ESKER_RULES_H
#define ESKER_RULES_H

#include "core/kernel.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// --- the guide ---------------------------------------------------------------------------------------------

// A sketch that a zoomable map follows: down to the sketch's resolution vertices take its altitudes, below
// that the map is refined at random. The sketch's outermost cells are on the map's border.

typedef struct Guide {
    int width, height;
    int depth;          // vertices of squares up to this depth follow the sketch
    const float *cells; // altitudes, -1 … 1
} Guide;

// The altitude, in units of `units` to 1, at x / 2^depth, y / 2^depth of the map's side.
static inline int64_t guide_altitude(const Guide *guide, uint64_t x, uint64_t y, int depth, double units) {
    const double size = (double)(UINT64_C(1) << depth);
    const double at_x = (double)x / size * (guide->width - 1), at_y = (double)y / size * (guide->height - 1);
    const int column = index_within(at_x, guide->width - 1);
    const int row = index_within(at_y, guide->height - 1);
    const double right = at_x - column, down = at_y - row;
    const float *upper = guide->cells + (int64_t)row * guide->width + column, *lower = upper + guide->width;
    const double above = (double)upper[0] + ((double)upper[1] - (double)upper[0]) * right;
    const double below = (double)lower[0] + ((double)lower[1] - (double)lower[0]) * right;
    return whole_64((above + (below - above) * down) * units);
}

// --- constants and units -----------------------------------------------------------------------------------

enum { UNITS_PER_CELL = 4096 };

// The constants k1 … k8 of the paper, and further options.
typedef struct Constants {
    float k1, k2; // displacement by the distance and by the altitude difference of two vertices
    float k3, k4; // a river begins above k3 and ends below k4
    float k5,
        k6; // probabilities that a river is extended upstream, and, per unit of length, that it branches
    float k7, k8; // islands: below k7 an edge's river crosses both halves with probability k8
    float width;  // of a wide river that drains a map's square; 0: all rivers are lines
    bool rivers, islands;
    const Guide *guide; // may be NULL
    bool paper;         // the rules as printed, even where they let rivers split
} Constants;

// --- pseudorandom numbers ----------------------------------------------------------------------------------

// μ: a hash of the unordered pair (constants: Ettinger's lowbias32).
KERNEL_INLINE uint32_t mix_seeds(uint32_t a, uint32_t b) {
    uint32_t bits = (a + b) * UINT32_C(0x9e3779b1) + (a ^ b) * UINT32_C(0x85ebca6b) + UINT32_C(0x27d4eb2f);
    bits = (bits ^ (bits >> 16)) * UINT32_C(0x7feb352d);
    bits = (bits ^ (bits >> 15)) * UINT32_C(0x846ca68b);
    return bits ^ (bits >> 16);
}

// A seed as a number, -1 … 1.
KERNEL_INLINE float seed_value(uint32_t seed) {
    return (float)(int32_t)seed * 0x1p-31f;
}

// Independent draws for one edge or vertex, one for each use: |draw| < p with probability p.
typedef enum DrawUse { DRAW_EXTEND = 1, DRAW_BRANCH, DRAW_HEIGHT, DRAW_ISLAND } DrawUse;

static inline uint32_t draw_seed(uint32_t seed, DrawUse use) {
    return mix_seeds(seed, (uint32_t)use * UINT32_C(0x9e3779b9) + 1);
}

static inline bool draw_happens(uint32_t seed, float probability) {
    return fabsf(seed_value(seed)) < probability;
}

// --- what they are about -----------------------------------------------------------------------------------

// δ V3.s with δ = k1 |V1 - V2| + k2 |V1.h - V2.h|, in units. `step`: k1 |V1 - V2|.
KERNEL_INLINE float displacement(float step, float k2, float difference, uint32_t seed) {
    return (step + k2 * fabsf(difference)) * seed_value(seed);
}

// At depth 50 an altitude of 1 has 2^62 units, and a cliff may keep its height at any depth.
typedef Int128 Altitude;

// By way of a double, as cliffs in vectors do (cliff.c). Nearly all are small.
static inline float altitude_float(Altitude altitude) {
    const int64_t small = (int64_t)altitude;
    return (float)(small == altitude ? (double)small : (double)altitude);
}

static inline Altitude altitude_from(float units) {
    const float most = 4611686018427387904.0f; // 2^62
    return units < most && units > -most ? whole_64((double)units) : whole_128((double)units);
}

#include "rivermap/rules_types.h"

// For tilings with positions in doubles, one unit serves all depths: 2^-FIXED_BITS.
enum { FIXED_BITS = 48 };
#define FIXED_UNITS 0x1p48

// `length`: of e0.
Scales fixed_scales(const Constants *constants, double length);

// --- what the rules give -----------------------------------------------------------------------------------

// `step` is k1 |V1 - V2| in units, `weight` that of V1 in the mean of altitudes where no river crosses.
Cut cut_long_edge(const Constants *constants, const Scales *scales, float step, float weight, Vertex v1,
                  Vertex v2, Crossing e0);

// The river, if any, on e3; `forwards` means from V1's half into V2's.
Crossing cross_short_edge(const Constants *constants, const Scales *scales, const Triangle *triangle);

#endif
