// Bytes for the explorer's page: require "esker.packed". All numbers are little-endian.

#define _GNU_SOURCE // fopencookie

#include "cli/modules.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/whole_file.h"
#include "lua/binding.h"
#include "mesh/mesh.h"
#include "places/points.h"
#include "rivers/network.h"

#include <lua.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- little-endian numbers ---------------------------------------------------------------------------------

// Little-endian numbers, one after another: each function gives the place after its own.

static inline unsigned char *put_name(unsigned char *to, const char name[4]) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)name[i];
    return to + 4;
}

static inline unsigned char *put_u16(unsigned char *to, unsigned value) {
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    return to + 2;
}

static inline unsigned char *put_u32(unsigned char *to, uint32_t value) {
    return put_u16(put_u16(to, value & 0xffff), value >> 16);
}

static inline unsigned char *put_f32(unsigned char *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(to, bits);
}

static inline unsigned char *put_f64(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(put_u32(to, (uint32_t)bits), (uint32_t)(bits >> 32));
}

// --- lines, points and meshes ------------------------------------------------------------------------------

// Lines, points and meshes for the explorer's page (docs/explorer.md).

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
static int pack_lines(lua_State *L) {
    const RiverNetwork *network = to_value(L, 1, &type_network);
    if (network)
        return pack_network(L, network);
    const Points *points = to_value(L, 1, &type_points);
    return points ? pack_points(L, points) : luaL_error(L, "that has no lines");
}

// --- meshes ------------------------------------------------------------------------------------------------

// packed.mesh(mesh): ESKM.
static int pack_mesh(lua_State *L) {
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

// --- fields and pictures -----------------------------------------------------------------------------------

static const Field *check_field(lua_State *L, int index) {
    const Field *field = to_field(L, index);
    if (!field) {
        luaL_argerror(L, index, "must be a field");
        abort();
    }
    return field;
}

typedef struct Range {
    float low, high;
} Range;

static Range range_of(const Field *field) {
    Range range = { field->cells[0], field->cells[0] };
    for (size_t i = 1; i < field_count(field); i++) {
        range.low = min(range.low, field->cells[i]);
        range.high = max(range.high, field->cells[i]);
    }
    return range;
}

// --- tiles -------------------------------------------------------------------------------------------------

// A tile has `border` cells on each side; where the map ends its last cells are repeated.
typedef struct Tile {
    const Field *altitude, *water;
    int size, border, left, top; // cells that the fields have before the inner part
} Tile;

static size_t cell_at(const Tile *tile, int x, int y) {
    const int column = clamp(x - tile->border + tile->left, 0, tile->altitude->width - 1);
    const int row = clamp(y - tile->border + tile->top, 0, tile->altitude->height - 1);
    return (size_t)row * (size_t)tile->altitude->width + (size_t)column;
}

static void put_cells(const Tile *tile, Range range, unsigned char *to) {
    const int side = tile->size + 2 * tile->border;
    const double scale = range.high > range.low ? 65535 / ((double)range.high - (double)range.low) : 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const double above = (double)tile->altitude->cells[cell_at(tile, x, y)] - (double)range.low;
            to = put_u16(to, (unsigned)whole_64(clamp(above * scale + 0.5, 0, 65535)));
        }
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const float cover = tile->water->cells[cell_at(tile, x, y)];
            *to++ = (unsigned char)whole_64((double)clamp(cover, 0.0f, 1.0f) * 255 + 0.5);
        }
}

// packed.tile(altitude, water, size, border, left, top, centre, rise): a tile of a map; the last two are the
// altitude from which the others are measured, and how far it lies above the parent tile's. ESKT:
// docs/explorer.md.
static int pack_tile(lua_State *L) {
    const Tile tile = { check_field(L, 1),
                        check_field(L, 2),
                        (int)luaL_checkinteger(L, 3),
                        (int)luaL_checkinteger(L, 4),
                        (int)luaL_checkinteger(L, 5),
                        (int)luaL_checkinteger(L, 6) };
    const double centre = luaL_checknumber(L, 7), rise = luaL_checknumber(L, 8);
    if (tile.size < 1 || tile.size > 4096 || tile.border < 0 || tile.border > 64 ||
        tile.water->width != tile.altitude->width || tile.water->height != tile.altitude->height)
        return luaL_error(L, "packed.tile: fields that do not fit");
    const size_t side = (size_t)tile.size + 2 * (size_t)tile.border, head = 56, size = head + 3 * side * side;
    const Range range = range_of(tile.altitude);
    luaL_Buffer buffer;
    unsigned char *bytes = (unsigned char *)luaL_buffinitsize(L, &buffer, size), *to = bytes;
    to = put_u32(put_u32(put_name(to, "ESKT"), 1), (uint32_t)tile.size);
    to = put_u32(put_u32(put_u32(to, (uint32_t)tile.border), 1), 0);
    to = put_f64(put_f64(to, (double)range.low), (double)range.high);
    put_cells(&tile, range, put_f64(put_f64(to, centre), rise));
    luaL_pushresultsize(&buffer, size);
    return 1;
}

// --- fields ------------------------------------------------------------------------------------------------

// packed.cells(field, side): a field reduced by a whole factor to at most `side` cells; each is the mean of
// those it covers. ESKF: docs/explorer.md.
static int pack_cells(lua_State *L) {
    const Field *field = check_field(L, 1);
    const int side = (int)clamp(luaL_checkinteger(L, 2), 1, SIDE_MAX);
    const int factor = (max(field->width, field->height) + side - 1) / side;
    const int width = (field->width + factor - 1) / factor, height = (field->height + factor - 1) / factor;
    const Range range = range_of(field);
    const size_t size = 20 + 4 * (size_t)width * (size_t)height;
    luaL_Buffer buffer;
    unsigned char *to = (unsigned char *)luaL_buffinitsize(L, &buffer, size);
    to = put_u32(put_u32(put_name(to, "ESKF"), (uint32_t)width), (uint32_t)height);
    to = put_f32(put_f32(to, range.low), range.high);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int right = min((x + 1) * factor, field->width), end = min((y + 1) * factor, field->height);
            double sum = 0;
            for (int row = y * factor; row < end; row++)
                for (int column = x * factor; column < right; column++)
                    sum += (double)field_row(field, row)[column];
            to = put_f32(to, (float)(sum / ((double)(right - x * factor) * (double)(end - y * factor))));
        }
    luaL_pushresultsize(&buffer, size);
    return 1;
}

// --- files -------------------------------------------------------------------------------------------------

static ssize_t discard(void *context, const char *bytes, size_t size) {
    (void)context, (void)bytes;
    return (ssize_t)size;
}

static FILE *open_unread(void) {
    return fopencookie(NULL, "w", (cookie_io_functions_t){ .write = discard });
}

// packed.file(value, name, beside): the bytes of the file that value:save(name) would write; with `beside`,
// of the .json beside it.
static int pack_file(lua_State *L) {
    char *bytes = NULL;
    size_t size = 0;
    luaL_checkstring(L, 2);
    const bool wants_beside = lua_toboolean(L, 3);
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__index") == LUA_TNIL)
        return luaL_error(L, "packed.file: there is no file of %s", type_name(L, 1));
    lua_pop(L, 1);
    if (!to_image(L, 1))
        memory_leave_room(); // for a long text
    lua_getfield(L, 1, "save");
    lua_insert(L, 1);
    FILE *stream = open_memstream(&bytes, &size), *unread = wants_beside ? open_unread() : NULL;
    if (!stream || (wants_beside && !unread)) {
        if (stream)
            fclose(stream);
        free(bytes);
        return luaL_error(L, "not enough memory");
    }
    whole_file_write_to(unread ? unread : stream, unread ? stream : NULL);
    const int outcome = lua_pcall(L, 2, 0, 0);
    whole_file_write_to(NULL, NULL);
    fclose(stream);
    if (unread)
        fclose(unread);
    luaL_Buffer buffer;
    if (outcome != LUA_OK) {
        free(bytes);
        return lua_error(L);
    }
    // A Lua error here would leak the bytes, once, when memory runs out.
    memcpy(luaL_buffinitsize(L, &buffer, size), bytes, size);
    free(bytes);
    luaL_pushresultsize(&buffer, size);
    return 1;
}

static const luaL_Reg functions[] = { { "tile", pack_tile }, { "cells", pack_cells }, { "lines", pack_lines },
                                      { "mesh", pack_mesh }, { "file", pack_file },   { NULL, NULL } };

static int open_packed(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_packed(lua_State *L) {
    luaL_requiref(L, "esker.packed", open_packed, 0);
    lua_pop(L, 1);
}
