#include "rivermap/tile/plane.h"

#include "core/whole.h"

Vec3 plane_place(double x, double y) {
    const double sine = 0.29237170472273677, cosine = 0.95630475596303544;
    return (Vec3){ 0.5 + x * cosine - y * sine, 0.5 + x * sine + y * cosine, 0 };
}

Vertex plane_vertex(const RiverMap *map, int i) {
    return (Vertex){ whole_64(map->corners[i] * FIXED_UNITS), map->seeds[i] };
}
