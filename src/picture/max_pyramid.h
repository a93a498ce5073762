// Ray casting on a heightfield: a pyramid of maximum heights lets a ray skip whole squares.

#ifndef ESKER_MAX_PYRAMID_H
#define ESKER_MAX_PYRAMID_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel.h"

#include <stdbool.h>

typedef struct Vector {
    double x, y, z; // cells: x to the right, y down the field, z up
} Vector;

static inline Vector vector_plus(Vector a, Vector b, double times) {
    return (Vector){ a.x + b.x * times, a.y + b.y * times, a.z + b.z * times };
}

static inline double vector_dot(Vector a, Vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vector vector_unit(Vector a); // of length 1, or 0 if it has none

enum { LEVELS_MAX = 17 };

typedef struct MaxPyramid {
    const Field *height; // points of the ground; between four of them it is bilinear
    double base, rise;   // the height at z = 0, and z per unit of height
    bool sea;            // whose surface lies at z = 0
    double lowest;       // z of the bottom of the block that the field stands on
    int levels;          // level k: the maximum of squares of 2^k cells a side; level 0 is not stored
    int columns[LEVELS_MAX], rows[LEVELS_MAX];
    float *highest[LEVELS_MAX];
} MaxPyramid;

// Freed by max_pyramid_free, also after a failure.
Status max_pyramid_create(MaxPyramid *pyramid, const Run *run, const Field *height, double base, double rise,
                          Error *error);

void max_pyramid_free(MaxPyramid *pyramid);

// z of the ground; beyond the field, of its edge.
double max_pyramid_ground(const MaxPyramid *pyramid, double x, double y);

// The highest z of the ground.
double max_pyramid_highest(const MaxPyramid *pyramid);

typedef enum SeenKind { SEEN_NOTHING, SEEN_GROUND, SEEN_WALL } SeenKind; // a wall: the cut through the ground

typedef struct Seen {
    SeenKind kind;
    double distance;
} Seen;

// The first hit on the ray from `from` in the direction `along`, of length 1, up to `farthest`.
Seen max_pyramid_cast(const MaxPyramid *pyramid, Vector from, Vector along, double farthest);

#endif
