// Midpoint displacement of a square of triangles, all of whose diagonals run from the upper left to the lower
// right (Fournier, Fussell and Carpenter 1982, as in Prusinkiewicz and Hammel 1993).

#ifndef ESKER_MIDPOINTS_H
#define ESKER_MIDPOINTS_H

#include "core/field.h"
#include "core/parallel.h"
#include "core/random.h"

enum { MIDPOINT_LEVELS_MAX = 18 };

typedef struct Midpoints {
    Field *field; // 2^levels + 1 a side
    RandomKey key;
    float limit;      // of displacements, either way
    float smoothness; // 0: a middle is the mean of its edge's ends; 1: Loop's weights, see midpoints.c
    void (*beside)(void *context); // what needs none of the rows: one thread does it beside them; or NULL
    void *beside_context;
    int stride, shift; // set by midpoints_displace
} Midpoints;

// Places the midpoints of all edges between the vertices of level `level` - 1. The same positions of the
// square get the same displacements for any `levels`.
Status midpoints_displace(const Run *run, Midpoints middles, int level, int levels);

#endif
