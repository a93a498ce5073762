// Points as Lua tables.

#include "lua/binding.h"

#include "core/whole.h"
#include "places/points.h"

#include <math.h>

enum { POINTS_MAX = 1 << 24 };

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static const char *const coordinate_names[] = { "shares", "cells", "map", "degrees", NULL };

// Where a point lies, in coordinates that operations on places take.
static void locate(lua_State *L, const Points *points, const PlacePoint *point, Coordinates coordinates,
                   double place[2]) {
    Error error;
    place[0] = point->x;
    place[1] = point->y;
    if (coordinates == COORDINATES_SHARES) {
        place[0] /= points->width;
        place[1] /= points->height;
    } else if (coordinates > COORDINATES_CELLS)
        frame_locate(&points->frame, point->x, point->y, place);
    const double at[2] = { place[0], place[1] };
    if (coordinates == COORDINATES_DEGREES &&
        frame_degrees_of_place(&points->frame, at, place, &error) != STATUS_OK)
        luaL_error(L, "list: %s", error.text);
}

static int points_list(lua_State *L) {
    const Points *points = to_value(L, 1, &type_points);
    if (!points)
        return luaL_error(L, "list: points must be Points, got %s", push_got(L, 1));
    const Coordinates coordinates = (Coordinates)luaL_checkoption(L, 2, "cells", coordinate_names);
    if (coordinates > COORDINATES_CELLS && !frame_is_set(&points->frame))
        return luaL_error(L,
                          "list: coordinates \"%s\": the points have no frame: set that of the field with "
                          "georeference",
                          coordinate_names[coordinates]);
    lua_createtable(L, points->count, 0);
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        double place[2];
        locate(L, points, point, coordinates, place);
        lua_createtable(L, 0, 7);
        set_number(L, "x", place[0]);
        set_number(L, "y", place[1]);
        set_number(L, "altitude", (double)point->altitude);
        set_number(L, "radius", (double)point->radius);
        set_number(L, "variation", (double)point->variation);
        lua_pushinteger(L, point->species);
        lua_setfield(L, -2, "species");
        if (points->attributes) {
            push_attributes(L, points->attributes, i);
            lua_setfield(L, -2, "attributes");
        }
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

// --- esker.points ------------------------------------------------------------------------------------------

static double read_number(lua_State *L, int element, const char *name, int index, double otherwise) {
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) == LUA_TNIL && index > 0) {
        lua_pop(L, 1);
        lua_rawgeti(L, -1, index);
    }
    const double value = lua_isnil(L, -1) ? otherwise : lua_tonumber(L, -1);
    if (!(lua_isnil(L, -1) || lua_type(L, -1) == LUA_TNUMBER) || !(fabs(value) <= 1e30))
        luaL_error(L, "points: element %d: %s must be a number, got %s", element, name, push_shown(L, -1));
    lua_pop(L, 1);
    return value;
}

// Each is a table as in points:list(), or { x, y, altitude }.
static PlacePoint read_point(lua_State *L, Points *points, int element) {
    static const char *const names[] = { "x",         "y",       "altitude",   "radius",
                                         "variation", "species", "attributes", NULL };
    lua_rawgeti(L, -1, element);
    if (!lua_istable(L, -1))
        luaL_error(L, "points: element %d must be { x = 1, y = 2, altitude = 0.5 }, got %s", element,
                   push_got(L, -1));
    const char *unknown = unknown_name(L, -1, names);
    if (unknown)
        luaL_error(L, "points: element %d: unknown key %s", element, unknown);
    const double radius = read_number(L, element, "radius", 0, 0);
    const double species = read_number(L, element, "species", 0, 1);
    if (!(radius >= 0 && radius <= 1e9))
        luaL_error(L, "points: element %d: radius must be 0 to 1e9, got %s", element,
                   push_written(L, radius));
    if (!(species >= 1 && species <= 1e9 && species == floor(species)))
        luaL_error(L, "points: element %d: species must be a whole number from 1, got %s", element,
                   push_written(L, species));
    const PlacePoint point = { .x = read_number(L, element, "x", 1, NAN),
                               .y = read_number(L, element, "y", 2, NAN),
                               .altitude = (float)read_number(L, element, "altitude", 3, 0),
                               .radius = (float)radius,
                               .variation = (float)read_number(L, element, "variation", 0, 0),
                               .species = whole_int(species) };
    lua_pushliteral(L, "attributes");
    if (lua_rawget(L, -2) != LUA_TNIL) {
        Error error;
        if (!points_attributes(points, &error))
            luaL_error(L, "points: %s", error.text);
        read_attributes(L, "points", points->attributes, element - 1);
    }
    lua_pop(L, 2);
    return point;
}

int make_points(lua_State *L) {
    static const char *const names[] = { "list", "size", "width", "height", "wrap", NULL };
    if (!lua_istable(L, 1))
        return luaL_error(L,
                          "points: takes one table, as in { size = 64, list = { { 10, 20, 0.5 } } }; got %s",
                          push_got(L, 1));
    lua_settop(L, 1);
    refuse_unknown_names(L, "points", names);
    int width, height;
    read_window(L, "points", &width, &height);
    const bool wraps = read_table_flag(L, "points", "wrap");
    const int count = read_table_list(L, "points", "points, { x, y, altitude }", POINTS_MAX);
    Output output = { .type = &type_points };
    Error error;
    Points *points = points_new(count, &error);
    if (!points)
        return luaL_error(L, "points: %s", error.text);
    points->width = width;
    points->height = height;
    points->wraps = wraps;
    output.value = points;
    push_value(L, &output); // which frees it if an element is wrong
    lua_pushvalue(L, -2);
    for (int i = 0; i < count; i++)
        points->at[i] = read_point(L, points, i + 1);
    lua_pop(L, 1);
    return 1;
}

static int points_length(lua_State *L) {
    const Points *points = to_value(L, 1, &type_points);
    lua_pushinteger(L, points ? points->count : 0);
    return 1;
}

static const Method methods[] = {
    { "list", points_list, "coordinates: string?", "table[]",
      "the points as tables with x, y, altitude, radius, species, variation (see scatter) and attributes. x "
      "and y are in cells, or in the coordinates that are given: \"shares\", \"map\" or \"degrees\"" },
    { 0 },
};

static const luaL_Reg meta[] = { { "__len", points_length }, { NULL, NULL } };

const ValueMethods points_methods = { &type_points, methods, meta };
