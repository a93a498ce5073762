// The part of the module `esker.planes` for pits of large fields that are opened by channels.

#include "large/large_breach.h"
#include "lua/binding.h"
#include "lua/large_values.h"

#include <lauxlib.h>
#include <string.h>

// planes.breach_limits(width, height, frame, arguments): the numbers of limits_of_breach.
static int breach_limits(lua_State *L) {
    lua_settop(L, 4);
    Field size;
    Call call = sized_call(L, &size);
    void *params = push_memory(L, limits_of_breach.params_size);
    lua_insert(L, 4);
    return push_numbers(L, &limits_of_breach, &call, 5, params);
}

// planes.breach_pits(window, first, filled, row, sea, least): the pits of a strip that begins with the
// field's `row`, as bytes. The window has the strip's heights from row `first` on, and one row more on each
// side.
static int breach_pits_of(lua_State *L) {
    lua_settop(L, 6);
    const int first = to_size(L, 2), row = to_size(L, 4);
    const float lowest = below_all(L, 6, (float)luaL_checknumber(L, 5));
    const Field *height = to_numbers(L, 1, lowest), *filled = to_numbers(L, 3, lowest);
    luaL_argcheck(L, filled->width == height->width && first + filled->height <= height->height, 3,
                  "rows of the window");
    Waiting *pits = push_memory(L, field_count(filled) * sizeof *pits);
    const size_t count = large_breach_pits(height, first, filled, row, pits);
    lua_pushlstring(L, (const char *)pits, count * sizeof *pits);
    return 1;
}

// Planes at the index and after it: of given heights, which may be nil, of ground and of marks.
static BreachPlanes to_breach_planes(lua_State *L, int index) {
    BreachPlanes planes = { { NULL } };
    for (int i = BREACH_GIVEN; i <= BREACH_MARKS; i++)
        if (i > BREACH_GIVEN || !lua_isnil(L, index + i))
            planes.layers[i] = to_plane(L, index + i);
    return planes;
}

// planes.breach_rows(rows, first, sea, least, given, ground, marks): sets rows from `first` on.
static int breach_rows(lua_State *L) {
    lua_settop(L, 7);
    const int first = to_size(L, 2);
    const float sea = (float)luaL_checknumber(L, 3), lowest = below_all(L, 4, sea);
    const BreachPlanes planes = to_breach_planes(L, 5);
    Error error;
    check_done(L, large_breach_rows(&planes, to_numbers(L, 1, lowest), first, sea, &error), &error);
    return 0;
}

// planes.breach(limits, frame, strips, given, ground, marks): digs channels from the pits in a list of texts;
// whether some pits are left.
static int breach(lua_State *L) {
    lua_settop(L, 6);
    double limits[4];
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, 1, i + 1);
        limits[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    const Breach params = {
        .slope = limits[0], .depth = limits[1], .length = limits[2], .sea_level = limits[3]
    };
    const BreachPlanes planes = to_breach_planes(L, 4);
    const Plane *ground = planes.layers[BREACH_GROUND];
    Field place = { .width = ground->width, .height = ground->height };
    place.frame = read_frame(L, 2);
    size_t size;
    Waiting *pits = push_joined(L, 3, &size);
    const size_t count = size / sizeof *pits;
    for (size_t i = 0; i < count; i++)
        luaL_argcheck(L,
                      !on_border(&place, waiting_x(pits[i]), waiting_y(pits[i])) &&
                          within_field(&place, waiting_x(pits[i]), waiting_y(pits[i])),
                      3, "cells inside the field");
    bool left;
    Error error;
    binding_operation = "breach";
    check_done(L, large_breach(&binding_run, &params, &place, &planes, pits, count, &left, &error), &error);
    lua_pushboolean(L, left);
    return 1;
}

static const luaL_Reg functions[] = { { "breach_limits", breach_limits },
                                      { "breach_pits", breach_pits_of },
                                      { "breach_rows", breach_rows },
                                      { "breach", breach },
                                      { NULL, NULL } };

void add_breach_functions(lua_State *L) {
    luaL_setfuncs(L, functions, 0);
}
