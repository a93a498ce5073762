// Access to a field's cells from Lua: esker.field{…}, the methods get and set, and the properties that can be
// set.

#include "lua/binding.h"

#include "core/error.h"
#include "core/gaps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float check_height(lua_State *L, int index, const char *where, int x, int y) {
    if (lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "%s: cell (%d, %d) must be a number, got %s", where, x, y, push_got(L, index));
    const float height = (float)lua_tonumber(L, index);
    if (!isfinite(height))
        luaL_error(L, "%s: cell (%d, %d) must be finite, got %s", where, x, y, push_shown(L, index));
    return height;
}

static lua_Integer check_coordinate(lua_State *L, int index, const char *method, const char *name, int side) {
    int whole = 0;
    const lua_Integer at = lua_tointegerx(L, index, &whole);
    if (!whole || lua_type(L, index) != LUA_TNUMBER)
        luaL_error(L, "%s: %s must be a whole number, 0 to %d, got %s", method, name, side - 1,
                   lua_isnoneornil(L, index) ? "nothing" : push_shown(L, index));
    return at;
}

// `names`: of all arguments, `count` with the field.
static void check_cell(lua_State *L, const Field *field, const char *method, const char *names, int count,
                       int *x, int *y) {
    if (lua_gettop(L) > count)
        luaL_error(L, "%s: takes %s, got %d arguments", method, names, lua_gettop(L) - 1);
    const lua_Integer column = check_coordinate(L, 2, method, "x", field->width);
    const lua_Integer row = check_coordinate(L, 3, method, "y", field->height);
    if (column < 0 || column >= field->width || row < 0 || row >= field->height)
        luaL_error(L, "%s: there is no cell (%I, %I), x is 0 to %d, y is 0 to %d", method, column, row,
                   field->width - 1, field->height - 1);
    *x = (int)column;
    *y = (int)row;
}

static Field *check_field(lua_State *L) {
    Field *field = to_field(L, 1);
    if (!field)
        luaL_error(L, "a method of fields was called on %s", type_name(L, 1));
    return field;
}

// The cell that holds a place of the coordinates at 4, which are those of operations on places.
static void check_place(lua_State *L, const Field *field, int *x, int *y) {
    static const char *const kinds[] = { "shares", "cells", "map", "degrees", NULL };
    const Coordinates coordinates = (Coordinates)luaL_checkoption(L, 4, NULL, kinds);
    double place[2] = { luaL_checknumber(L, 2), luaL_checknumber(L, 3) }, cell[2] = { place[0], place[1] };
    Error error;
    if (coordinates == COORDINATES_SHARES) {
        cell[0] *= field->width;
        cell[1] *= field->height;
    }
    if (coordinates > COORDINATES_CELLS && !frame_is_set(&field->frame))
        luaL_error(L, "get: coordinates \"%s\": the field has no frame: set one with georeference",
                   kinds[coordinates]);
    if (coordinates == COORDINATES_DEGREES &&
        frame_place_of_degrees(&field->frame, lua_tonumber(L, 2), lua_tonumber(L, 3), place, &error) !=
            STATUS_OK)
        luaL_error(L, "get: %s", error.text);
    if (coordinates > COORDINATES_CELLS && !frame_cell_at(&field->frame, place, cell))
        cell[0] = -1;
    if (!(cell[0] >= 0 && cell[0] <= field->width && cell[1] >= 0 && cell[1] <= field->height)) {
        char where[280];
        frame_describe_field(&field->frame, field->width, field->height, coordinates == COORDINATES_DEGREES,
                             where, sizeof where);
        luaL_error(L, "get: %f, %f lies outside of the field: %s", lua_tonumber(L, 2), lua_tonumber(L, 3),
                   where);
    }
    *x = index_within(cell[0], field->width);
    *y = index_within(cell[1], field->height);
}

static int field_get(lua_State *L) {
    const Field *field = check_field(L);
    int x, y;
    if (lua_gettop(L) == 4 && lua_type(L, 4) == LUA_TSTRING)
        check_place(L, field, &x, &y);
    else
        check_cell(L, field, "get", "x and y", 3, &x, &y);
    if (field_has_data(field, (size_t)y * (size_t)field->width + (size_t)x))
        lua_pushnumber(L, (lua_Number)field_row(field, y)[x]);
    else
        lua_pushnil(L);
    return 1;
}

// field:height_unit(): what slopes take the heights in.
static int field_height_unit(lua_State *L) {
    static const char *const names[] = { "m", "ft", "us-ft", "km", "yd" };
    const Field *field = check_field(L);
    const double metres = frame_height_metres(&field->frame);
    lua_pushnil(L);
    if (frame_is_of_map(&field->frame) || metres == 0)
        return 1;
    lua_pushfstring(L, "%f m", metres);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fabs(length_unit_metres(names[i]) / metres - 1) < 1e-9)
            lua_pushstring(L, names[i]);
    return 1;
}

// field:bytes(): row by row, 4 bytes a cell, the lowest first on every machine.
static int field_bytes(lua_State *L) {
    const Field *field = check_field(L);
    const size_t count = field_count(field);
    luaL_Buffer buffer;
    unsigned char *bytes = (unsigned char *)luaL_buffinitsize(L, &buffer, 4 * count);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &field->cells[i], sizeof bits);
        for (size_t byte = 0; byte < 4; byte++)
            bytes[4 * i + byte] = (unsigned char)(bits >> 8 * byte);
    }
    luaL_pushresultsize(&buffer, 4 * count);
    return 1;
}

// A cell that is set has data from now on; other fields with these gaps keep theirs.
static void fill_gap(lua_State *L, Field *field, size_t cell) {
    if (!field->gaps)
        return;
    Error error;
    Gaps *gaps = gaps_new(field_count(field), &error);
    if (!gaps) {
        luaL_error(L, "set: %s", error.text);
        return; // which it does not
    }
    memcpy(gaps->at, field->gaps->at, field_count(field));
    gaps->at[cell] = 0;
    field_set_gaps(field, gaps);
}

static int field_set(lua_State *L) {
    Field *field = check_field(L);
    int x, y;
    check_cell(L, field, "set", "x, y and a height", 4, &x, &y);
    deferred_changing(L, 1);
    const float height = check_height(L, 4, "set", x, y);
    fill_gap(L, field, (size_t)y * (size_t)field->width + (size_t)x);
    field_row(field, y)[x] = height;
    return 0;
}

// field.wraps = …, field.frame = …: the properties that can be set.
static int field_assign(lua_State *L) {
    Field *field = check_field(L);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return luaL_error(
            L, "a field has no cells in brackets: land:set(x, y, height) changes the height in column "
               "x and row y, counted from 0");
    const char *key = luaL_checkstring(L, 2);
    deferred_changing(L, 1);
    if (strcmp(key, "frame") == 0) {
        field->frame = read_frame(L, 3);
        return 0;
    }
    if (strcmp(key, "wraps") != 0)
        return luaL_error(L, "Field has no property '%s' that can be set, only 'frame' and 'wraps'", key);
    if (!lua_isboolean(L, 3))
        return luaL_error(L, "wraps must be true or false, got %s", push_got(L, 3));
    field->wraps = lua_toboolean(L, 3);
    return 0;
}

int read_table_side(lua_State *L, const char *function, const char *name, int otherwise) {
    if (lua_getfield(L, 1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return otherwise;
    }
    int whole = 0;
    const lua_Integer side = lua_tointegerx(L, -1, &whole);
    if (!whole || side < 1 || side > SIDE_MAX)
        luaL_error(L, "%s: %s must be 1 to %d, got %s", function, name, SIDE_MAX, push_shown(L, -1));
    lua_pop(L, 1);
    return (int)side;
}

bool read_table_flag(lua_State *L, const char *function, const char *name) {
    const int type = lua_getfield(L, 1, name);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "%s: %s must be true or false, got %s", function, name, push_got(L, -1));
    const bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

// Leaves `values` at index 2; takes the sides from a list of rows.
static void read_shape(lua_State *L, int *width, int *height) {
    const int size = read_table_side(L, "field", "size", 0);
    *width = read_table_side(L, "field", "width", size);
    *height = read_table_side(L, "field", "height", size);
    const int type = lua_getfield(L, 1, "values");
    if (type == LUA_TTABLE && *width == 0 && *height == 0) {
        const lua_Integer rows = luaL_len(L, -1);
        const lua_Integer columns = lua_geti(L, -1, 1) == LUA_TTABLE ? luaL_len(L, -1) : 0;
        lua_pop(L, 1);
        if (rows < 1 || columns < 1 || rows > SIDE_MAX || columns > SIDE_MAX)
            luaL_error(L, "field: values must be a list of rows, each a list of numbers");
        *width = (int)columns;
        *height = (int)rows;
    }
    if (*width < 1 || *height < 1)
        luaL_error(L, "field: give size, or width and height");
}

static void fill_from_function(lua_State *L, Field *field) {
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            lua_pushvalue(L, 2);
            lua_pushinteger(L, x);
            lua_pushinteger(L, y);
            lua_call(L, 2, 1);
            field_row(field, y)[x] = check_height(L, -1, "field", x, y);
            lua_pop(L, 1);
        }
}

static void fill_from_rows(lua_State *L, Field *field) {
    if (!is_list(L, 2))
        luaL_error(L, "field: values must be a list of rows, without names");
    if (luaL_len(L, 2) != field->height)
        luaL_error(L, "field: values must have %d rows, got %I", field->height, luaL_len(L, 2));
    for (int y = 0; y < field->height; y++) {
        lua_geti(L, 2, y + 1);
        if (!is_list(L, -1) || luaL_len(L, -1) != field->width)
            luaL_error(L, "field: row %d of values must be a list of %d numbers", y + 1, field->width);
        for (int x = 0; x < field->width; x++) {
            lua_geti(L, -1, x + 1);
            field_row(field, y)[x] = check_height(L, -1, "field", x, y);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

const char *unknown_name(lua_State *L, int table, const char *const *names) {
    const char *unknown = NULL;
    lua_pushvalue(L, table);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (name && !is_one_of(name, names) && (!unknown || strcmp(name, unknown) < 0))
            unknown = name;
    }
    lua_pop(L, 1);
    if (!unknown)
        return NULL;
    const char *nearest = nearest_name(unknown, names);
    return nearest ? lua_pushfstring(L, "'%s', did you mean '%s'?", unknown, nearest)
                   : lua_pushfstring(L, "'%s'", unknown);
}

void refuse_unknown_names(lua_State *L, const char *function, const char *const *names) {
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "%s: arguments have names, as in { size = 64, %s = … }", function, names[0]);
    const char *unknown = unknown_name(L, 1, names);
    if (unknown)
        luaL_error(L, "%s: unknown argument %s", function, unknown);
}

int make_field(lua_State *L) {
    static const char *const names[] = { "values", "size", "width", "height", "wrap", "frame", NULL };
    if (!lua_istable(L, 1))
        return luaL_error(L, "field: takes one table, as in { size = 64, values = 0 }; got %s",
                          push_got(L, 1));
    lua_settop(L, 1);
    refuse_unknown_names(L, "field", names);
    const bool wraps = read_table_flag(L, "field", "wrap");
    lua_getfield(L, 1, "frame");
    const Frame frame = read_frame(L, 2);
    lua_settop(L, 1);
    int width, height;
    read_shape(L, &width, &height);
    Field *field = push_sized_field(L, width, height, "field");
    field->wraps = wraps;
    field->frame = frame;
    // Not set yet, and a function that is called while it is filled cannot see it.
    if (lua_isfunction(L, 2)) {
        fill_from_function(L, field);
    } else if (lua_istable(L, 2)) {
        fill_from_rows(L, field);
    } else if (lua_type(L, 2) == LUA_TNUMBER) {
        const float value = check_height(L, 2, "field", 0, 0);
        for (size_t i = 0; i < field_count(field); i++)
            field_cells(field)[i] = value;
    } else {
        return luaL_error(L, "field: values must be a number, a function of (x, y) or a list of rows, got %s",
                          push_got(L, 2));
    }
    return 1;
}

static bool gaps_equal(const Field *a, const Field *b) {
    return a->gaps == b->gaps ||
           (a->gaps && b->gaps && memcmp(a->gaps->at, b->gaps->at, field_count(a)) == 0);
}

static int fields_equal(lua_State *L) {
    const Field *a = to_field(L, 1), *b = to_field(L, 2);
    lua_pushboolean(L, a && b && a->width == b->width && a->height == b->height && gaps_equal(a, b) &&
                           memcmp(a->cells, b->cells, field_count(a) * sizeof(float)) == 0);
    return 1;
}

static const Method methods[] = {
    { "get", field_get, "x: number, y: number, coordinates: string?", "number?",
      "the height of one cell, nil if it has no data; (0, 0) is at the top left. With coordinates (\"map\", "
      "\"degrees\", \"shares\" or \"cells\") of the cell that holds that place" },
    { "bytes", field_bytes, "", "string", "all heights row by row as 32-bit floats, little-endian" },
    { "height_unit", field_height_unit, "", "string?",
      "the unit in which slopes take the heights: that of the frame or, where it has none, of its "
      "coordinates, in "
      "degrees metres; nil: none" },
    { "set", field_set, "x: integer, y: integer, height: number", NULL, "changes the height of one cell" },
    { 0 },
};

static const luaL_Reg meta[] = { { "__eq", fields_equal }, { "__newindex", field_assign }, { NULL, NULL } };

const ValueMethods field_methods = { &type_field, methods, meta };
