#include "mesh/mesh.h"

#include "core/memory.h"
#include "core/random.h"

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

uint64_t mesh_hash(const Mesh *mesh) {
    uint64_t hash = mix64(mesh->point_count) ^ mesh->triangle_count;
    for (size_t i = 0; i < mesh->point_count; i++) {
        const MeshPoint *point = &mesh->points[i];
        hash = mix_number(hash, (double)point->x);
        hash = mix_number(hash, (double)point->y);
        hash = mix_number(hash, (double)point->z);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            hash = mix64(hash ^ mesh->triangles[i].corners[c]);
    return hash;
}
