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

#endif
