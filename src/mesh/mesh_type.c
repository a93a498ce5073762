// The value type of meshes.

#include "mesh/mesh.h"

#include "core/finite.h"

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
    enum { NUMBERS = sizeof(MeshPoint) / sizeof(float) };
    const Mesh *mesh = value;
    const size_t count = NUMBERS * mesh->point_count;
    size_t first = count;
    const Status status =
        mesh->points ? find_first_not_finite(run, &mesh->points->x, count, &first) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (first < count)
        return fail(error, STATUS_INVALID, "point %zu is not finite", first / NUMBERS + 1);
    for (size_t i = 0; i < mesh->instance_count; i++) {
        const MeshInstance *each = &mesh->instances[i];
        const float sum =
            each->at.x * 0 + each->at.y * 0 + each->at.z * 0 + each->radius * 0 + each->height * 0;
        if (sum != 0)
            return fail(error, STATUS_INVALID, "tree %zu is not finite", i + 1);
    }
    return STATUS_OK;
}

static void write(const void *value, ByteWriter *to) {
    const Mesh *mesh = value;
    const void *arrays[4] = { mesh->points, mesh->triangles, mesh->instances, mesh->texture };
    size_t sizes[4];
    mesh_arrays(mesh, sizes);
    bytes_put(to, mesh, sizeof *mesh);
    for (int i = 0; i < 4; i++)
        bytes_put(to, arrays[i], sizes[i]);
}

static bool is_finite_point(MeshPoint point) {
    return isfinite(point.x) && isfinite(point.y) && isfinite(point.z);
}

static bool is_sound(const Mesh *mesh) {
    const MeshGround *ground = &mesh->ground;
    const float sides[] = {
        ground->x, ground->y, ground->right_x, ground->right_y, ground->up_x, ground->up_y
    };
    bool sound =
        isfinite(mesh->width) && isfinite(mesh->height) && isfinite(mesh->low) && isfinite(mesh->rise) &&
        mesh->width > 0 && mesh->height > 0 &&
        (double)ground->right_x * (double)ground->up_y != (double)ground->right_y * (double)ground->up_x;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        sound = sound && isfinite(sides[i]);
    for (size_t i = 0; i < mesh->point_count; i++)
        sound = sound && is_finite_point(mesh->points[i]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int c = 0; c < 3; c++)
            sound = sound && mesh->triangles[i].corners[c] < mesh->point_count;
    for (size_t i = 0; i < mesh->instance_count; i++) {
        const MeshInstance *each = &mesh->instances[i];
        sound = sound && is_finite_point(each->at) && isfinite(each->radius) && isfinite(each->height) &&
                each->kind >= 1;
    }
    return sound;
}

// Whether the arrays of these sizes are what is left.
static bool sizes_fit(const Mesh *sizes, size_t left) {
    size_t bytes[4];
    if (sizes->point_count > left / sizeof(MeshPoint) ||
        sizes->triangle_count > left / sizeof(MeshTriangle) ||
        sizes->instance_count > left / sizeof(MeshInstance) || sizes->texture_width < 0 ||
        sizes->texture_width > SIDE_MAX || sizes->texture_height < 0 || sizes->texture_height > SIDE_MAX ||
        (sizes->texture_width > 0) != (sizes->texture_height > 0))
        return false;
    mesh_arrays(sizes, bytes);
    return bytes[0] + bytes[1] + bytes[2] + bytes[3] <= left;
}

static Status read(void *held, FILE *from, Error *error) {
    Mesh sizes;
    Status status = bytes_get(from, &sizes, sizeof sizes, error);
    if (status != STATUS_OK)
        return status;
    if (!sizes_fit(&sizes, bytes_left(from)))
        return bytes_damaged(error);
    Mesh *mesh = mesh_of_sizes(&sizes, error);
    if (!mesh)
        return STATUS_MEMORY;
    *(Mesh **)held = mesh;
    void *arrays[4] = { mesh->points, mesh->triangles, mesh->instances, mesh->texture };
    size_t bytes[4];
    mesh_arrays(mesh, bytes);
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        status = bytes_get(from, arrays[i], bytes[i], error);
    return status != STATUS_OK || is_sound(mesh) ? status : bytes_damaged(error);
}

// --- the type ----------------------------------------------------------------------------------------------

static const ValueProperty properties[] = {
    { "points", .get = points, .doc = "number of points" },
    { "triangles", .get = triangles, .doc = "number of triangles" },
    { 0 },
};

const ValueType type_mesh = {
    .name = "Mesh",
    .kind = "mesh",
    .singular = "a Mesh",
    .plural = "meshes",
    .number = 256,
    .doc = "a surface of triangles",
    .properties = properties,
    .ending = "obj",
    .hash = hash,
    .describe = describe,
    .check = check,
    .write = write,
    .read = read,
};
