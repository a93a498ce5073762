// Rivers as data: collects the flow through the triangles of a window into a network.

#ifndef ESKER_TRIANGLE_RIVERS_H
#define ESKER_TRIANGLE_RIVERS_H

#include "rivers/network.h"

typedef struct TriangleRivers {
    int count;
    uint64_t keys[3]; // of the crossed edges, the same from both sides
    RiverPoint points[3];
    bool out[3]; // of the triangle
    RiverPoint middle;
} TriangleRivers;

void triangle_rivers_add(NetworkBuilder *builder, const TriangleRivers *triangle);

#endif
