// RiverNetwork as Lua tables.

#include "lua/binding.h"

#include "rivers/network.h"

#include <math.h>

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

// A place as digits: 2^120 is 1.
static void push_digits(lua_State *L, NetworkPlace place) {
    enum { DIGITS = 40 };
    const NetworkPlace one = (NetworkPlace)1 << 120;
    char text[DIGITS + 3] = "0.";
    place = place < 0 ? 0 : place;
    if (place >= one) {
        lua_pushstring(L, "1");
        return;
    }
    for (int i = 0; i < DIGITS; i++) {
        place *= 10;
        text[2 + i] = (char)('0' + (int)(place / one));
        place %= one;
    }
    lua_pushstring(L, text);
}

static NetworkPlace place_of_cell(NetworkPlace origin, NetworkPlace cell, double at) {
    const double whole = floor(at);
    return origin + (NetworkPlace)whole * cell + (NetworkPlace)((at - whole) * 65536) * (cell / 65536);
}

int network_place(lua_State *L) {
    const RiverNetwork *network = to_network(L, 1);
    if (!network)
        return luaL_error(L, "place: network must be a RiverNetwork, got %s", type_name(L, 1));
    const double at[2] = { luaL_checknumber(L, 2), luaL_checknumber(L, 3) };
    for (int i = 0; i < 2; i++)
        if (!(at[i] >= -SIDE_MAX && at[i] <= SIDE_MAX))
            return luaL_error(L, "place: x and y must be %d to %d, got %f", -SIDE_MAX, SIDE_MAX, at[i]);
    if (network->exact_cell == 0)
        return luaL_error(L, "place: the network does not lie on a map");
    push_digits(L, place_of_cell(network->exact_left, network->exact_cell, at[0]));
    push_digits(L, place_of_cell(network->exact_top, network->exact_cell, at[1]));
    return 2;
}
