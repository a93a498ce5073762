// What a confined process sends is read by its parent, who trusts nothing of it.

#include "cli/serialize.h"
#include "core/memory.h"
#include "lua/binding.h"

#include <stdint.h>
#include <stdlib.h>

#include <lualib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_protected(lua_State *L) {
    deserialize(L, lua_touserdata(L, 1));
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lua_State *L;
    if (size == 0)
        return 0;
    if (!L) {
        L = new_state();
        luaL_openlibs(L);
        luaL_requiref(L, "esker", luaopen_esker, 1);
        lua_settop(L, 0);
        luaL_loadstring(L, "local v = ... if esker.type(v) == 'RiverNetwork' then v:reaches() v:ridges() "
                           "for i = 1, math.min(#v, 3) do for _ in v:walk(i) do end end if v.width * "
                           "v.height < 1e4 then pcall(v.draw, v) end end");
        lua_setfield(L, LUA_REGISTRYINDEX, "use");
        memory_set_limit((size_t)256 << 20); // what it draws may be large
    }
    FILE *stream = fmemopen((void *)data, size, "rb"); // only read
    lua_pushcfunction(L, read_protected);
    lua_pushlightuserdata(L, stream);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK) {
        lua_getfield(L, LUA_REGISTRYINDEX, "use");
        lua_insert(L, -2);
        lua_pcall(L, 1, 0, 0);
    }
    lua_settop(L, 0);
    fclose(stream);
    lua_gc(L, LUA_GCCOLLECT);
    if (memory_in_use() != 0)
        abort();
    return 0;
}
