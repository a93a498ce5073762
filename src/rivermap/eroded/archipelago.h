// The first heights of `landscape = "islands"`, in place of the raw map's.

#ifndef ESKER_ARCHIPELAGO_H
#define ESKER_ARCHIPELAGO_H

#include "core/vector.h"

#include <stdbool.h>
#include <stdint.h>

enum { ISLAND_ARCS = 4 };

// A chain of islands on a part of a circle.
typedef struct IslandArc {
    Vec3 centre, middle; // the latter: the direction from there to the middle of the arc
    double radius, ends; // cosine of the angle between the middle and an end
} IslandArc;

typedef struct Archipelago {
    uint32_t seed;
    bool planet;
    double sea_level; // as the map's
    IslandArc arcs[ISLAND_ARCS];
} Archipelago;

Archipelago archipelago_of(uint32_t seed, bool planet, double sea_level);

// Above the sea, as the raw map's altitudes: -1 … 1. Places are shares of a flat map's side (z is 0), or on a
// planet of radius 1.
double archipelago_altitude(const Archipelago *islands, Vec3 at);

#endif
