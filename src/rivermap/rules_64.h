// The rules for altitudes of 64 bits, several times as fast: for lattices, and for tilings with positions in
// doubles. Names end in 64; the text is that of the rules for altitudes of any size.

#ifndef ESKER_RULES_64_H
#define ESKER_RULES_64_H

#include "rivermap/rules.h"

typedef int64_t Altitude64;

static inline float altitude_float64(Altitude64 altitude) {
    return (float)altitude;
}

static inline Altitude64 altitude_from64(float units) {
    return whole_64((double)units);
}

#define Altitude Altitude64
#define altitude_float altitude_float64
#define altitude_from altitude_from64
#define Crossing Crossing64
#define crossing_turned crossing_turned64
#define Vertex Vertex64
#define Scales Scales64
#define limited limited64
#define cut_dry_edge cut_dry_edge64
#define Cut Cut64
#define Triangle Triangle64
#define source_between source_between64
#define cut_long_edge cut_long_edge64
#define cross_short_edge cross_short_edge64
#define RULE static inline __attribute__((always_inline))

#include "rivermap/rules_types.h"

#include "rivermap/rules_text.h"

#undef Altitude
#undef altitude_float
#undef altitude_from
#undef Crossing
#undef crossing_turned
#undef Vertex
#undef Scales
#undef limited
#undef cut_dry_edge
#undef Cut
#undef Triangle
#undef source_between
#undef cut_long_edge
#undef cross_short_edge
#undef RULE

#endif
