// cut_dry_edge (rules.h) for loops over vectors, in the units of tilings with positions in doubles: altitudes
// are whole numbers below 2^51, as doubles.

#ifndef ESKER_DRY_CUT_H
#define ESKER_DRY_CUT_H

#include "core/kernel.h"
#include "rivermap/rules.h"

typedef struct DryCut {
    float k1, k2;
    double lowest, highest; // altitudes, units
    double k3, k4;          // those between which a river begins; highest, lowest: none does
} DryCut;

static inline DryCut dry_cut(const Constants *constants) {
    const Scales scales = fixed_scales(constants, 1);
    return (DryCut){ .k1 = constants->k1,
                     .k2 = constants->k2,
                     .lowest = (double)scales.lowest,
                     .highest = (double)scales.highest,
                     .k3 = constants->rivers ? (double)scales.k3 : INFINITY,
                     .k4 = (double)scales.k4 };
}

// k1 |V1 - V2| in units, of an edge so long.
KERNEL_INLINE float dry_step(const DryCut *cut, double length) {
    const double reach = min(length, 1); // the first edges may be longer than the map
    return cut->k1 * (float)(reach * FIXED_UNITS);
}

// Of whole numbers below 2^51 and their halves, as vectors can: what is added and taken away leaves a whole
// number.
KERNEL_INLINE double whole_below(double value) {
    const double rounded = (value + 0x1.8p52) - 0x1.8p52;
    return rounded - (rounded > value ? 1 : 0);
}

KERNEL_INLINE double toward_zero(double value) {
    const double size = value < 0 ? -value : value, whole = whole_below(size);
    return value < 0 ? -whole : whole;
}

// The altitude at the cut of an edge between altitudes a and b; `weight`: that of a in their mean.
KERNEL_INLINE double dry_altitude(const DryCut *cut, float step, float weight, double a, double b,
                                  uint32_t seed) {
    const float difference = (float)(a - b);
    const double even = whole_below((a + b) * 0.5);
    const double uneven = b + toward_zero((double)(difference * weight));
    const double mean = weight == 0.5f ? even : uneven;
    const double altitude = mean + toward_zero((double)displacement(step, cut->k2, difference, seed));
    const double above = max(altitude, cut->lowest);
    return min(above, cut->highest);
}

// source_between, of the altitudes of a cut edge's ends, the vertex across, and the cut.
KERNEL_INLINE bool dry_source(const DryCut *cut, double a, double b, double across, double middle) {
    const double high = max(a, b), low = min(a, b);
    return (high > cut->k3) & (low < cut->k4) & (low < across) & (low < middle);
}

#endif
