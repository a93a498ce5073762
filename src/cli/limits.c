// What the limits of a recipe's process say that all systems keep in the same way (sandbox.h).

#include "cli/sandbox.h"

#include "core/memory.h"
#include "core/platform.h"
#include "core/scratch.h"
#include "core/whole.h"
#include "file/access.h"
#include "file/formats.h"
#include "file/gdal.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void check(lua_State *L, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s", error->text);
}

static void allow_reading(lua_State *L, int index, const char *list, AccessPath kind) {
    Error error;
    const int top = lua_gettop(L);
    if (lua_getfield(L, index, list) == LUA_TTABLE)
        for (lua_Integer i = 1; lua_geti(L, -1, i) == LUA_TSTRING; i++) {
            check(L, access_allow_reading(lua_tostring(L, -1), kind, &error), &error);
            lua_pop(L, 1);
        }
    lua_settop(L, top);
}

// The folder is opened once, also by a trusted process: whatever its path leads to later, all is written
// below what was found here.
static void allow_writing(lua_State *L, int index) {
    Error error;
    lua_getfield(L, index, "write_is_real");
    const bool real = lua_toboolean(L, -1);
    if (lua_getfield(L, index, "write") == LUA_TSTRING) {
        const char *path = lua_tostring(L, -1);
        check(L, access_allow_writing(path, real ? ACCESS_REAL : ACCESS_TYPED, &error), &error);
        scratch_open(access_writable()); // it cannot be opened later
        const int folder = platform_open_place(access_writable(), ".", O_DIRECTORY);
        if (folder < 0)
            luaL_error(L, "cannot open '%s': %s", path, strerror(errno));
        if (strcmp(path, ".") != 0)
            whole_file_write_below(folder, path);
        else
            close(folder);
    }
    lua_pop(L, 2);
}

double limits_time(lua_State *L, int index) {
    lua_getfield(L, index, "time_limit");
    const double limit = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return limit;
}

size_t limits_memory(lua_State *L, int index) {
    const bool given = lua_getfield(L, index, "memory_limit") == LUA_TNUMBER;
    const double bytes = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return given && bytes > 0 ? (size_t)whole_64(bytes) : memory_limit();
}

static bool is_set(lua_State *L, int index, const char *name) {
    const bool set = lua_getfield(L, index, name) == LUA_TBOOLEAN && lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

void limits_begin(lua_State *L, int index) {
    if (is_set(L, index, "rasters"))
        gdal_prepare();
    if (is_set(L, index, "exr"))
        exr_prepare();
    allow_writing(L, index);
    const int top = lua_gettop(L);
    if (is_set(L, index, "trust") && lua_getfield(L, index, "read") == LUA_TTABLE &&
        lua_geti(L, -1, 1) == LUA_TSTRING)
        access_note_folder(lua_tostring(L, -1)); // the first is the recipe's
    lua_settop(L, top);
}

void limits_allow(lua_State *L, int index) {
    allow_reading(L, index, "read", ACCESS_TYPED);
    allow_reading(L, index, "real", ACCESS_REAL);
}
