// Lines, points and meshes for the explorer's page (docs/explorer.md).

#include "cli/packed_bytes.h"

#include "core/math.h"
#include "core/whole.h"
#include "lua/binding.h"
#include "mesh/mesh.h"
#include "places/points.h"
#include "rivers/network.h"

enum { SHAPE_BYTES_MAX = 64 << 20 };

static unsigned char *begin(lua_State *L, luaL_Buffer *buffer, double size) {
    if (size > SHAPE_BYTES_MAX)
        luaL_error(L, "that is too large for the page: %f MiB of at most %d", size / (1 << 20),
                   SHAPE_BYTES_MAX >> 20);
    return (unsigned char *)luaL_buffinitsize(L, buffer, (size_t)whole_within(size, 0, SHAPE_BYTES_MAX));
}

static int finish(luaL_Buffer *buffer, const unsigned char *first, const unsigned char *end) {
    luaL_pushresultsize(buffer, (size_t)(end - first));
    return 1;
}

// --- lines -------------------------------------------------------------------------------------------------

enum { MESH_HEAD = 60, LINES_HEAD = 24, LINE_BYTES = 16, POINT_BYTES = 20 };

static unsigned char *put_lines_head(unsigned char *to, int width, int height, int lines, int points) {
    to = put_u32(put_u32(put_u32(put_name(to, "ESKL"), 1), (uint32_t)width), (uint32_t)height);
    return put_u32(put_u32(to, (uint32_t)lines), (uint32_t)points);
}

static unsigned char *put_point(unsigned char *to, double x, double y, float altitude, float width,
                                double discharge) {
    to = put_f32(put_f32(to, (float)x), (float)y);
    return put_f32(put_f32(put_f32(to, altitude), width), (float)discharge);
}

static int pack_network(lua_State *L, const RiverNetwork *network) {
    luaL_Buffer buffer;
    unsigned char *const first = begin(L, &buffer,
                                       LINES_HEAD + (double)LINE_BYTES * network->reach_count +
                                           (double)POINT_BYTES * network->point_count);
    unsigned char *to =
        put_lines_head(first, network->width, network->height, network->reach_count, network->point_count);
    for (int i = 0; i < network->reach_count; i++) {
        const Reach *reach = &network->reaches[i];
        to = put_u32(put_u32(to, (uint32_t)reach->first), (uint32_t)reach->count);
        to = put_u32(put_u32(to, (uint32_t)reach->order), reach->mouth ? 1 : 0);
    }
    const double cells = 1 / (network->cell * network->cell); // in a unit of area
    for (int i = 0; i < network->point_count; i++) {
        const RiverPoint *point = &network->points[i];
        to = put_point(to, point->x, point->y, point->altitude, point->width, point->area * cells);
    }
    return finish(&buffer, first, to);
}

static int pack_points(lua_State *L, const Points *points) {
    luaL_Buffer buffer;
    unsigned char *const first = begin(L, &buffer, LINES_HEAD + (double)POINT_BYTES * points->count);
    unsigned char *to = put_lines_head(first, points->width, points->height, 0, points->count);
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        to = put_point(to, point->x, point->y, point->altitude, point->radius, point->species);
    }
    return finish(&buffer, first, to);
}

// packed.lines(network or points): ESKL.
int pack_lines(lua_State *L) {
    const RiverNetwork *network = to_value(L, 1, &type_network);
    if (network)
        return pack_network(L, network);
    const Points *points = to_value(L, 1, &type_points);
    return points ? pack_points(L, points) : luaL_error(L, "that has no lines");
}

// --- meshes ------------------------------------------------------------------------------------------------

// packed.mesh(mesh): ESKM.
int pack_mesh(lua_State *L) {
    const Mesh *mesh = to_value(L, 1, &type_mesh);
    if (!mesh)
        return luaL_error(L, "that is no mesh");
    const size_t pixels = (size_t)mesh->texture_width * (size_t)mesh->texture_height;
    luaL_Buffer buffer;
    unsigned char *const first =
        begin(L, &buffer,
              MESH_HEAD + 12 * (double)mesh->point_count + 12 * (double)mesh->triangle_count +
                  24 * (double)mesh->instance_count + 4 * (double)pixels);
    unsigned char *to = put_u32(put_name(first, "ESKM"), 1);
    to = put_u32(put_u32(to, (uint32_t)mesh->point_count), (uint32_t)mesh->triangle_count);
    to = put_u32(put_u32(to, (uint32_t)mesh->instance_count), (uint32_t)mesh->texture_width);
    to = put_f32(put_f32(put_u32(to, (uint32_t)mesh->texture_height), mesh->width), mesh->height);
    const MeshGround *ground = &mesh->ground;
    to = put_f32(put_f32(to, ground->x), ground->y);
    to = put_f32(put_f32(to, ground->right_x), ground->right_y);
    to = put_f32(put_f32(to, ground->up_x), ground->up_y);
    for (size_t i = 0; i < mesh->point_count; i++)
        to = put_f32(put_f32(put_f32(to, mesh->points[i].x), mesh->points[i].y), mesh->points[i].z);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int corner = 0; corner < 3; corner++)
            to = put_u32(to, mesh->triangles[i].corners[corner]);
    for (size_t i = 0; i < mesh->instance_count; i++) {
        const MeshInstance *each = &mesh->instances[i];
        to = put_f32(put_f32(put_f32(to, each->at.x), each->at.y), each->at.z);
        to = put_f32(put_f32(put_f32(to, each->radius), each->height), (float)each->kind);
    }
    if (pixels > 0)
        memcpy(to, mesh->texture, 4 * pixels);
    return finish(&buffer, first, to + 4 * pixels);
}
