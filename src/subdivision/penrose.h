// Penrose tiles (Mogensen and Isenbecker 2025, section 5): Robinson triangles, isosceles with sides in the
// golden ratio. No two directions of a grid show, unlike with squares.

#ifndef ESKER_PENROSE_H
#define ESKER_PENROSE_H

#include "subdivision/river_map.h"

typedef struct Place2 { // in map units
    double x, y;
} Place2;

// Vertices A, B, C with the apex at B: 36° (acute) or 108°. Edges AB, BC, CA; `forwards`: out of the
// triangle. Altitudes are in units of 2^-FIXED_BITS.
typedef struct Robinson {
    bool acute;
    double length; // of the edge that is cut next, the longest: the first one by a power of the golden ratio
    Place2 places[3];
    Vertex vertices[3];
    Crossing edges[3];
} Robinson;

// The two triangles of the kite that holds the map's square.
void penrose_kite(const RiverMap *map, Robinson halves[2]);

void robinson_cut(const Constants *constants, const Robinson *triangle, Robinson halves[2]);

#endif
