// The value type of meshes.

#include "core/finite.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- meshes ------------------------------------------------------------------------------------------------

// The bytes of arrays behind the struct, in the order of its pointers.
static void mesh_arrays(const Mesh *mesh, size_t sizes[4]) {
    sizes[0] = memory_count((int64_t)mesh->point_count, sizeof(MeshPoint));
    sizes[1] = memory_count((int64_t)mesh->triangle_count, sizeof(MeshTriangle));
    sizes[2] = memory_count((int64_t)mesh->instance_count, sizeof(MeshInstance));
    sizes[3] = memory_count(mesh->texture_width, mesh->texture_height) * sizeof(Pixel);
}

static size_t size_of_all(const size_t sizes[4]) {
    return memory_sum(memory_sum(sizes[0], sizes[1]), memory_sum(sizes[2], sizes[3]));
}

static Mesh *mesh_of_sizes(const Mesh *sizes, Error *error) {
    size_t bytes[4];
    mesh_arrays(sizes, bytes);
    Mesh *mesh = memory_new(sizeof *mesh + size_of_all(bytes), 1, error);
    if (!mesh)
        return NULL;
    *mesh = *sizes;
    char *at = (char *)(mesh + 1);
    mesh->points = (MeshPoint *)(void *)at;
    mesh->triangles = (MeshTriangle *)(void *)(at += bytes[0]);
    mesh->instances = (MeshInstance *)(void *)(at += bytes[1]);
    mesh->texture = (Pixel *)(void *)(at + bytes[2]);
    return mesh;
}

Mesh *mesh_new(size_t points, size_t triangles, Error *error) {
    return mesh_of_sizes(&(Mesh){ .point_count = points,
                                  .triangle_count = triangles,
                                  .width = 1,
                                  .height = 1,
                                  .ground = { .right_x = 1, .up_y = 1 } },
                         error);
}

typedef struct Copying {
    char *to;
    const char *from;
    size_t size;
} Copying;

enum { PART = 1 << 18 }; // bytes

static void copy_parts(void *context, int first, int end) {
    const Copying *copying = context;
    const size_t from = (size_t)first * PART, stop = min((size_t)end * PART, copying->size);
    memcpy(copying->to + from, copying->from + from, stop - from);
}

static Status copy_array(const Run *run, void *to, const void *from, size_t size) {
    Copying copying = { to, from, size };
    return parallel_rows(run, (int)((size + PART - 1) / PART), PART * 0.1, copy_parts, &copying);
}

Status mesh_copy(const Run *run, const Mesh *mesh, size_t instances, const Image *texture, Mesh **copy,
                 Error *error) {
    Mesh sizes = *mesh;
    size_t bytes[4];
    sizes.instance_count = instances;
    if (texture) {
        sizes.texture_width = texture->width;
        sizes.texture_height = texture->height;
    }
    Mesh *made = *copy = mesh_of_sizes(&sizes, error);
    if (!made)
        return STATUS_MEMORY;
    mesh_arrays(made, bytes);
    Status status = copy_array(run, made->points, mesh->points, bytes[0]);
    if (status == STATUS_OK)
        status = copy_array(run, made->triangles, mesh->triangles, bytes[1]);
    if (status == STATUS_OK && instances == mesh->instance_count)
        status = copy_array(run, made->instances, mesh->instances, bytes[2]);
    if (status == STATUS_OK)
        status = copy_array(run, made->texture, texture ? texture->pixels : mesh->texture, bytes[3]);
    if (status == STATUS_OK)
        return STATUS_OK;
    memory_free(made);
    *copy = NULL;
    return status;
}

// A 64-bit hash of points and triangles, the same on every machine.
static uint64_t mesh_hash(const Mesh *mesh) {
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
    for (size_t i = 0; i < mesh->instance_count; i++) {
        const MeshInstance *each = &mesh->instances[i];
        const double numbers[] = { (double)each->at.x,   (double)each->at.y,   (double)each->at.z,
                                   (double)each->radius, (double)each->height, (double)each->kind };
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            hash = mix_number(hash, numbers[k]);
    }
    if (mesh->texture_width > 0)
        hash = mix64(hash ^ image_hash(&(Image){ .width = mesh->texture_width,
                                                 .height = mesh->texture_height,
                                                 .pixels = mesh->texture }));
    return hash;
}

void mesh_locate(const Mesh *mesh, MeshPoint point, float place[2]) {
    const MeshGround *ground = &mesh->ground;
    const float x = point.x - ground->x, y = point.y - ground->y;
    if (ground->right_y == 0 && ground->up_x == 0) {
        place[0] = x / ground->right_x;
        place[1] = y / ground->up_y;
        return;
    }
    const double area =
        (double)ground->right_x * (double)ground->up_y - (double)ground->right_y * (double)ground->up_x;
    place[0] = (float)(((double)x * (double)ground->up_y - (double)y * (double)ground->up_x) / area);
    place[1] = (float)(((double)y * (double)ground->right_x - (double)x * (double)ground->right_y) / area);
}

// --- the type ----------------------------------------------------------------------------------------------

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
    return size_of_all(bytes) <= left;
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
