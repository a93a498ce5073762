#include "core/mesh.h"

#include "core/memory.h"

Mesh *mesh_new(size_t points, size_t triangles, Error *error) {
    const size_t size = sizeof(Mesh) + points * sizeof(MeshPoint) + triangles * sizeof(MeshTriangle);
    Mesh *mesh = memory_new(size, 1, error);
    if (!mesh)
        return NULL;
    mesh->point_count = points;
    mesh->triangle_count = triangles;
    mesh->points = (MeshPoint *)(void *)(mesh + 1);
    mesh->triangles = (MeshTriangle *)(void *)(mesh->points + points);
    return mesh;
}
