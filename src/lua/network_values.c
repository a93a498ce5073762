// RiverNetwork as Lua tables.

#include "lua/binding.h"

#include "rivers/network.h"

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static void push_point(lua_State *L, const RiverPoint *point) {
    lua_createtable(L, 0, 5);
    set_number(L, "x", point->x);
    set_number(L, "y", point->y);
    set_number(L, "altitude", (double)point->altitude);
    set_number(L, "width", (double)point->width);
    set_number(L, "area", point->area);
}

static void push_reach(lua_State *L, const RiverNetwork *network, const Reach *reach) {
    lua_createtable(L, reach->count, 3);
    for (int i = 0; i < reach->count; i++) {
        push_point(L, &network->points[reach->first + i]);
        lua_seti(L, -2, i + 1);
    }
    lua_pushinteger(L, reach->order);
    lua_setfield(L, -2, "order");
    if (reach->downstream >= 0) {
        lua_pushinteger(L, reach->downstream + 1);
        lua_setfield(L, -2, "downstream");
    }
    set_flag(L, "mouth", reach->mouth);
}

int network_reaches(lua_State *L) {
    const RiverNetwork *network = to_network(L, 1);
    if (!network)
        return luaL_error(L, "reaches: network must be a RiverNetwork, got %s", type_name(L, 1));
    lua_createtable(L, network->reach_count, 0);
    for (int i = 0; i < network->reach_count; i++) {
        push_reach(L, network, &network->reaches[i]);
        lua_seti(L, -2, i + 1);
    }
    return 1;
}
