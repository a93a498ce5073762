// Points as Lua tables.

#include "lua/binding.h"

#include "places/points.h"

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static int points_list(lua_State *L) {
    const Points *points = to_value(L, 1, &type_points);
    if (!points)
        return luaL_error(L, "list: points must be Points, got %s", type_name(L, 1));
    lua_createtable(L, points->count, 0);
    for (int i = 0; i < points->count; i++) {
        const PlacePoint *point = &points->at[i];
        lua_createtable(L, 0, 6);
        set_number(L, "x", point->x);
        set_number(L, "y", point->y);
        set_number(L, "altitude", (double)point->altitude);
        set_number(L, "radius", (double)point->radius);
        set_number(L, "variation", (double)point->variation);
        lua_pushinteger(L, point->species);
        lua_setfield(L, -2, "species");
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

static int points_length(lua_State *L) {
    const Points *points = to_value(L, 1, &type_points);
    lua_pushinteger(L, points ? points->count : 0);
    return 1;
}

static const Method methods[] = {
    { "list", points_list, "", "table[]",
      "the points as tables with x, y, altitude, radius, species and variation (see scatter)" },
    { 0 },
};

static const luaL_Reg meta[] = { { "__len", points_length }, { NULL, NULL } };

const ValueMethods points_methods = { &type_points, methods, meta };
