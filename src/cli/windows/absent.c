// What only the explorer calls, which is not there on Windows: it has no server (../http.c).

#include "cli/modules.h"

#ifdef _WIN32

#include <lauxlib.h>

static int start(lua_State *L) {
    return luaL_error(L,
                      "a page is not computed before on Windows: --site DIR writes one that computes in the "
                      "browser");
}

static int tell(lua_State *L) {
    (void)L; // there is nobody who waits
    return 0;
}

static const luaL_Reg worker_functions[] = { { "start", start }, { "tell", tell }, { NULL, NULL } };

static int open_worker(lua_State *L) {
    luaL_newlib(L, worker_functions);
    return 1;
}

static int open_packed(lua_State *L) {
    lua_newtable(L);
    return 1;
}

void register_worker(lua_State *L) {
    luaL_requiref(L, "esker.worker", open_worker, 0);
    lua_pop(L, 1);
}

void register_packed(lua_State *L) {
    luaL_requiref(L, "esker.packed", open_packed, 0);
    lua_pop(L, 1);
}

#endif
