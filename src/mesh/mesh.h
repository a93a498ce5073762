// A Mesh is a surface of triangles in space: x to the right (east), y up the map (north), z up, the map's
// lower left corner at (0, 0), half a cell from the outermost points. Seen from outside a triangle's corners
// run counterclockwise.

#ifndef ESKER_MESH_H
#define ESKER_MESH_H

#include "core/error.h"
#include "core/value.h"

#include <stddef.h>
#include <stdint.h>

typedef struct MeshPoint {
    float x, y, z;
} MeshPoint;

typedef struct MeshTriangle {
    uint32_t corners[3]; // of the points
} MeshTriangle;

typedef struct Mesh { // one block of memory
    size_t point_count, triangle_count;
    MeshPoint *points;
    MeshTriangle *triangles;
} Mesh;

// Room for these numbers, not set yet; NULL if memory runs out. Freed by memory_free.
Mesh *mesh_new(size_t points, size_t triangles, Error *error);

extern const ValueType type_mesh;

// Files: Wavefront OBJ, PLY and STL.
Status write_obj(FILE *stream, const Mesh *mesh, const Labels *labels);
Status write_ply(FILE *stream, const Mesh *mesh, const Labels *labels);
Status write_stl(FILE *stream, const Mesh *mesh, Error *error);

// A 64-bit hash of points and triangles, the same on every machine.
uint64_t mesh_hash(const Mesh *mesh);

#endif
