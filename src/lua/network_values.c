// RiverNetwork as Lua tables.

#include "lua/binding.h"

#include "core/whole.h"

#include "rivers/network.h"

#include <math.h>

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

static void push_point(lua_State *L, const RiverNetwork *network, const RiverPoint *point) {
    lua_createtable(L, 0, 8);
    set_number(L, "x", point->x);
    set_number(L, "y", point->y);
    set_number(L, "altitude", (double)point->altitude);
    set_number(L, "width", (double)point->width);
    set_number(L, "area", point->area);
    set_number(L, "discharge", point->area / (network->cell * network->cell));
    set_number(L, "distance", (double)point->distance);
    if (network->watered)
        set_number(L, "water", (double)point->water);
}

static void push_reach(lua_State *L, const RiverNetwork *network, const Reach *reach) {
    lua_createtable(L, reach->count, 4);
    for (int i = 0; i < reach->count; i++) {
        push_point(L, network, &network->points[reach->first + i]);
        lua_seti(L, -2, i + 1);
    }
    lua_pushinteger(L, reach->order);
    lua_setfield(L, -2, "order");
    if (reach->downstream >= 0) {
        lua_pushinteger(L, reach->downstream + 1);
        lua_setfield(L, -2, "downstream");
    }
    set_flag(L, "mouth", reach->mouth);
    if (network->watered)
        set_flag(L, "wadi", reach->wadi);
    if (reach->salt)
        set_flag(L, "salt", true);
}

static const RiverNetwork *own_network(lua_State *L, const char *method) {
    const RiverNetwork *network = to_value(L, 1, &type_network);
    if (!network)
        luaL_error(L, "%s: network must be a RiverNetwork, got %s", method, push_got(L, 1));
    return network;
}

static int network_reaches(lua_State *L) {
    const RiverNetwork *network = own_network(L, "reaches");
    lua_createtable(L, network->reach_count, 0);
    for (int i = 0; i < network->reach_count; i++) {
        push_reach(L, network, &network->reaches[i]);
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

// The next point downstream. Upvalues: the network, the reach, the point in it.
static int next_point(lua_State *L) {
    const RiverNetwork *network = to_value(L, lua_upvalueindex(1), &type_network);
    const lua_Integer at = lua_tointeger(L, lua_upvalueindex(2)),
                      next = lua_tointeger(L, lua_upvalueindex(3));
    if (!network || at < 0)
        return 0;
    const Reach *reach = &network->reaches[at];
    const RiverPoint *point = &network->points[reach->first + next];
    const bool last = next + 1 == reach->count;
    lua_pushinteger(L, last ? reach->downstream : at);
    lua_replace(L, lua_upvalueindex(2));
    lua_pushinteger(L, last ? 1 : next + 1); // the next reach's first point is this one's last
    lua_replace(L, lua_upvalueindex(3));
    push_point(L, network, point);
    return 1;
}

static int network_walk(lua_State *L) {
    const RiverNetwork *network = own_network(L, "walk");
    const lua_Integer reach = luaL_checkinteger(L, 2);
    if (reach < 1 || reach > network->reach_count)
        return luaL_error(L, "walk: reach must be 1 to %d, got %I", network->reach_count, reach);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, reach - 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_point, 3);
    return 1;
}

static int network_ridges(lua_State *L) {
    const RiverNetwork *network = own_network(L, "ridges");
    lua_createtable(L, network->ridge_count, 0);
    for (int i = 0; i < network->ridge_count; i++) {
        const Ridge *ridge = &network->ridges[i];
        lua_createtable(L, ridge->count, 0);
        for (int k = 0; k < ridge->count; k++) {
            lua_createtable(L, 0, 2);
            set_number(L, "x", network->ridge_points[ridge->first + k].x / network->cell);
            set_number(L, "y", network->ridge_points[ridge->first + k].y / network->cell);
            lua_seti(L, -2, k + 1);
        }
        lua_seti(L, -2, i + 1);
    }
    return 1;
}

static int network_length(lua_State *L) {
    const RiverNetwork *network = to_value(L, 1, &type_network);
    lua_pushinteger(L, network ? network->reach_count : 0);
    return 1;
}

// A position as digits: 2^120 is 1.
static void push_digits(lua_State *L, Int128 place) {
    enum { DIGITS = 40 };
    const Int128 one = (Int128)1 << 120;
    char text[DIGITS + 3] = "0.";
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

typedef enum Extent { SIDE, LATITUDES, LONGITUDES } Extent;

// The position on the map of a coordinate in cells. The map's sides are 0 and 1 or, for a planet's
// latitudes, 1/4 and 3/4; its longitudes go on around. A position outside, beyond rounding, is an error.
static void push_place(lua_State *L, const char *name, Int128 origin, Int128 cell, Extent extent, double at) {
    static const double hair = 1e-6; // cells
    const Int128 one = (Int128)1 << 120, least = extent == LATITUDES ? one / 4 : 0, most = one - least,
                 turn = extent == LONGITUDES ? one : 0;
    const double first = (double)(least - turn - origin) / (double)cell,
                 last = (double)(most + turn - origin) / (double)cell;
    if (!(at >= first - hair && at <= last + hair))
        luaL_error(L, "place: %s must be %f to %f, the map's extent, got %s", name, first, last,
                   push_written(L, at));
    const double whole = floor(at);
    Int128 place = origin + whole_128(whole) * cell + whole_128((at - whole) * 65536) * (cell / 65536);
    place += place < 0 ? turn : place > one ? -turn : 0;
    push_digits(L, place < least ? least : place > most ? most : place);
}

static int network_place(lua_State *L) {
    const RiverNetwork *network = own_network(L, "place");
    for (int i = 2; i <= 3; i++)
        if (lua_type(L, i) != LUA_TNUMBER)
            return luaL_error(L, "place: %s must be a number, got %s", i == 2 ? "x" : "y", push_got(L, i));
    if (network->exact_cell == 0)
        return luaL_error(L, "place: the network is not part of a map");
    const double x = lua_tonumber(L, 2), y = lua_tonumber(L, 3);
    push_place(L, "x", network->exact_left, network->exact_cell, network->planet ? LONGITUDES : SIDE, x);
    push_place(L, "y", network->exact_top, network->exact_cell, network->planet ? LATITUDES : SIDE, y);
    return 2;
}

static const Method methods[] = {
    { "reaches", network_reaches, "", "table[]",
      "the reaches: lists of points in downstream order, with order, downstream and mouth "
      "(see rivers)" },
    { "walk", network_walk, "reach: integer", "(fun(): table?)",
      "iterates over the points from a reach's first down to where the river ends" },
    { "ridges", network_ridges, "", "table[]", "the ridges as lists of points" },
    { "place", network_place, "x: number, y: number", "string, string",
      "the map coordinates of a point of the window, as x and y of render" },
    { 0 },
};

static const luaL_Reg meta[] = { { "__len", network_length }, { NULL, NULL } };

const ValueMethods network_methods = { &type_network, methods, meta };
