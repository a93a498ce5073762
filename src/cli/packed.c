#define _GNU_SOURCE // fopencookie
#include "cli/packed.h"

#include "cli/packed_bytes.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
