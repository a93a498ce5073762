// Points and directions.

#ifndef ESKER_VECTOR_H
#define ESKER_VECTOR_H

#include "core/kernel.h"

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

// Written so that a compiler makes vectors of loops over them.
KERNEL_INLINE Vec3 vec3_minus(Vec3 a, Vec3 b) {
    return (Vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

KERNEL_INLINE double vec3_dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL_INLINE Vec3 vec3_cross(Vec3 a, Vec3 b) {
    return (Vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double squared_distance(Vec3 a, Vec3 b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

static inline Vec3 place_between(Vec3 a, Vec3 b, double share) {
    return (Vec3){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share };
}

#endif
