// A Mesh is a surface of triangles in space: x to the right (east), y up the map (north), z up, the lower
// left corner of the map's rectangle at (0, 0), half a cell from the outermost points. Seen from outside a
// triangle's corners run counterclockwise.

#ifndef ESKER_MESH_H
#define ESKER_MESH_H

#include "core/error.h"
#include "core/image.h"
#include "core/parallel.h"
#include "core/value.h"

#include <stddef.h>
#include <stdint.h>

typedef struct MeshPoint {
    float x, y, z;
} MeshPoint;

typedef struct MeshTriangle {
    uint32_t corners[3]; // of the points
} MeshTriangle;

typedef struct MeshInstance { // a tree, or what else stands on the ground; only .glb has it
    MeshPoint at;
    float radius, height;
    int32_t kind; // from 1: each has a colour of its own
} MeshInstance;

// Where the field lies in that rectangle: its lower left corner as rows and columns have it, and from there
// its lower and its left side. South may be up there, and a turned field stands on a corner.
typedef struct MeshGround {
    float x, y, right_x, right_y, up_x, up_y;
} MeshGround;

typedef struct Mesh { // one block of memory
    size_t point_count, triangle_count, instance_count;
    int texture_width, texture_height; // 0: no texture
    float width, height;               // of the map
    MeshGround ground;                 // which the texture covers
    float low, rise;                   // a height h of the map is at z = (h - low) rise
    MeshPoint *points;
    MeshTriangle *triangles;
    MeshInstance *instances;
    Pixel *texture;
} Mesh;

// Room for these numbers, not set yet; NULL if memory runs out. Freed by memory_free.
Mesh *mesh_new(size_t points, size_t triangles, Error *error);

// A copy with room for these instances, or with this texture, instead of its own; NULL leaves a texture as it
// is. NULL where it fails.
Status mesh_copy(const Run *run, const Mesh *mesh, size_t instances, const Image *texture, Mesh **copy,
                 Error *error);

// The place of a point on the ground, as shares of its sides: 0, 0 at the lower left.
void mesh_locate(const Mesh *mesh, MeshPoint point, float place[2]);

extern const ValueType type_mesh;

#endif
