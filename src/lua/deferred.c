// Operations that are computed when their results are needed. A host (the explorer) gives a function that is
// called instead of each operation; it may make results that are empty until something reads them, and then
// calls theirs.

#include "lua/binding.h"

static const char calls_key[] = "esker.calls", changes_key[] = "esker.changes";
static bool deferring;

bool deferred_calls(lua_State *L) {
    if (!deferring)
        return false;
    lua_getfield(L, LUA_REGISTRYINDEX, calls_key);
    return true;
}

bool deferred_force(lua_State *L, int index) {
    if (!deferring)
        return false;
    luaL_checkstack(L, 4, "deferred");
    index = lua_absindex(L, index);
    if (lua_getiuservalue(L, index, 1) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return false;
    }
    lua_call(L, 0, 0);
    return true;
}

bool deferred_is_pending(lua_State *L, int index) {
    const bool pending = deferring && lua_getiuservalue(L, index, 1) == LUA_TFUNCTION;
    if (deferring)
        lua_pop(L, 1);
    return pending;
}

void deferred_changing(lua_State *L, int index) {
    if (!deferring)
        return;
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, changes_key);
    lua_pushvalue(L, index);
    lua_call(L, 1, 0);
}

void deferred_begin(lua_State *L) {
    lua_setfield(L, LUA_REGISTRYINDEX, changes_key);
    lua_setfield(L, LUA_REGISTRYINDEX, calls_key);
    deferring = true;
}
