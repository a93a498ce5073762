// The value type of meshes.

#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>

static int64_t points(const void *value) {
    return (int64_t)((const Mesh *)value)->point_count;
}

static int64_t triangles(const void *value) {
    return (int64_t)((const Mesh *)value)->triangle_count;
}

static uint64_t hash(const void *value) {
    return mesh_hash(value);
}

static void describe(const void *value, char *text, size_t size) {
    snprintf(text, size, " of %zu triangles", ((const Mesh *)value)->triangle_count);
}

static Status check(const Run *run, const void *value, Error *error) {
    (void)run;
    const Mesh *mesh = value;
    for (size_t i = 0; i < mesh->point_count; i++) {
        const MeshPoint point = mesh->points[i];
        const float sum = point.x * 0 + point.y * 0 + point.z * 0; // 0, unless one of them is not finite
        if (sum != 0)
            return fail(error, STATUS_INVALID, "point %zu is not finite", i + 1);
    }
    return STATUS_OK;
}

static void write(const void *value, ByteWriter *to) {
    const Mesh *mesh = value;
    const size_t counts[2] = { mesh->point_count, mesh->triangle_count };
    bytes_put(to, counts, sizeof counts);
    bytes_put(to, mesh->points, counts[0] * sizeof *mesh->points);
    bytes_put(to, mesh->triangles, counts[1] * sizeof *mesh->triangles);
}

static bool is_sound(const Mesh *mesh) {
    for (size_t i = 0; i < mesh->point_count; i++)
        if (!isfinite(mesh->points[i].x) || !isfinite(mesh->points[i].y) || !isfinite(mesh->points[i].z))
            return false;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            if (mesh->triangles[i].corners[c] >= mesh->point_count)
                return false;
    return true;
}

static Status read(void *held, FILE *from, Error *error) {
    size_t counts[2] = { 0 };
    Status status = bytes_get(from, counts, sizeof counts, error);
    if (status != STATUS_OK)
        return status;
    const size_t left = bytes_left(from);
    if (counts[0] > left / sizeof(MeshPoint) || counts[1] > left / sizeof(MeshTriangle))
        return bytes_damaged(error);
    Mesh *mesh = mesh_new(counts[0], counts[1], error);
    if (!mesh)
        return STATUS_MEMORY;
    *(Mesh **)held = mesh;
    status = bytes_get(from, mesh->points, counts[0] * sizeof *mesh->points, error);
    if (status == STATUS_OK)
        status = bytes_get(from, mesh->triangles, counts[1] * sizeof *mesh->triangles, error);
    return status != STATUS_OK || is_sound(mesh) ? status : bytes_damaged(error);
}

// --- the type ----------------------------------------------------------------------------------------------

static Status obj(FILE *stream, const void *value, const Labels *labels, Error *error) {
    (void)error;
    return write_obj(stream, value, labels);
}

static Status ply(FILE *stream, const void *value, const Labels *labels, Error *error) {
    (void)error;
    return write_ply(stream, value, labels);
}

static Status stl(FILE *stream, const void *value, const Labels *labels, Error *error) {
    (void)labels;
    return write_stl(stream, value, error);
}

static const ValueProperty properties[] = {
    { "points", .get = points, .doc = "number of points" },
    { "triangles", .get = triangles, .doc = "number of triangles" },
    { 0 },
};

static const FileFormat formats[] = { { ".obj", obj }, { ".ply", ply }, { ".stl", stl }, { 0 } };

const ValueType type_mesh = {
    .name = "Mesh",
    .kind = "mesh",
    .singular = "a Mesh",
    .plural = "meshes",
    .number = 256,
    .doc = "a surface of triangles",
    .properties = properties,
    .formats = formats,
    .hash = hash,
    .describe = describe,
    .check = check,
    .write = write,
    .read = read,
};
