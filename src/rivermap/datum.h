// Exact altitudes, from which those of relative windows count: windows whose altitudes count from different
// places can be compared.

#ifndef ESKER_DATUM_H
#define ESKER_DATUM_H

#include "core/math.h"
#include "rivermap/tiling.h"

#include <math.h>

// An altitude of the datum's, in units of the depth.
static inline Int128 datum_units(const Datum *datum, Int128 altitude, int depth) {
    const int finer = depth - datum->depth;
    return finer >= 0 ? altitude * ((Int128)1 << finer) : altitude >> -finer;
}

// That of the land.
static inline Int128 datum_at(const Datum *datum, int depth) {
    return datum_units(datum, datum->altitude, depth);
}

// How far it lies above another of the same map, in map units.
static inline double datum_above(const Datum *datum, const Datum *other) {
    const int depth = max(datum->depth, other->depth);
    const Int128 above = datum_units(datum, datum->altitude + datum->raised, depth) -
                         datum_units(other, other->altitude + other->raised, depth);
    return ldexp((double)above * datum->unit, -depth);
}

#endif
