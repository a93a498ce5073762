// Land that is computed ahead: require "esker.ahead".

#include "cli/modules.h"

#include "lua/binding.h"
#include "rivermap/view.h"

#include <stdlib.h>

static Decimal decimal_at(lua_State *L, int index) {
    return (Decimal){ .number = luaL_checknumber(L, index),
                      .text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL };
}

// ahead.land(map, x, y, zoom, width, height, border): computes a window's land, and keeps it, so that windows
// in it and finer ones are drawn from it. They are the same without. A window that does not fit the memory is
// left to them.
static int compute_land(lua_State *L) {
    RiverMap *map = to_value(L, 1, &type_map);
    luaL_argcheck(L, map, 1, "a map");
    const WindowRequest asked = { .x = decimal_at(L, 2),
                                  .y = decimal_at(L, 3),
                                  .zoom = luaL_checknumber(L, 4),
                                  .border = (int)luaL_checkinteger(L, 7) };
    const Call call = { .run = &binding_run,
                        .width = (int)luaL_checkinteger(L, 5),
                        .height = (int)luaL_checkinteger(L, 6),
                        .inputs = { { .value = map } } };
    View view = { .projection = PROJECTION_EQUIRECTANGULAR };
    Error error;
    if (map->land->prepare && view_set(&view, &call, &asked, &error) == STATUS_OK)
        (void)map->land->prepare(&view, &error);
    return 0;
}

static const luaL_Reg functions[] = { { "land", compute_land }, { NULL, NULL } };

static int open_ahead(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_ahead(lua_State *L) {
    luaL_requiref(L, "esker.ahead", open_ahead, 0);
    lua_pop(L, 1);
}
