// A Lua interpreter with Esker in it, for builds whose module no stock Lua loads (sanitizers): runs the chunk
// that is its argument.

#include "lua/binding.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

int main(int count, char **arguments) {
    lua_State *L = luaL_newstate();
    if (!L || count != 2)
        return 2;
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    lua_settop(L, 0);
    const int status = luaL_dostring(L, arguments[1]);
    if (status != LUA_OK)
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return status == LUA_OK ? 0 : 1;
}
