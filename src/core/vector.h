// Points and directions.

#ifndef ESKER_VECTOR_H
#define ESKER_VECTOR_H

#include <math.h>

typedef struct Vec2 {
    double x, y;
} Vec2;

static inline double vec2_distance(Vec2 a, Vec2 b) {
    const double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

typedef struct Vec3 {
    double x, y, z;
} Vec3;

static inline double squared_distance(Vec3 a, Vec3 b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

static inline Vec3 place_between(Vec3 a, Vec3 b, double share) {
    return (Vec3){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share };
}

#endif
