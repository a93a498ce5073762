#define _GNU_SOURCE
#include "cli/limits.h"

#include "cli/interrupt.h"
#include "cli/sandbox.h"
#include "core/memory.h"
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
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS_REPLACED = 1024 }; // the usual limit

// If the machine runs out of memory, the kernel should end this process, not its parent.
static void offer_to_the_kernel(void) {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    const ssize_t wrote = write(file, "1000", 4);
    (void)wrote; // ignored if not permitted
    close(file);
}

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
        const int folder = fcntl(access_writable(), F_DUPFD_CLOEXEC, 0);
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

// Connections of a server, which would stay open as long as this process, and take numbers that it may need.
static void close_sockets(int kept) {
    for (int file = STDERR_FILENO + 1; file < DESCRIPTORS_REPLACED; file++) {
        struct stat about;
        if (file != kept && fstat(file, &about) == 0 && S_ISSOCK(about.st_mode))
            close(file);
    }
}

// Puts an empty file in the place of every descriptor that the parent has open, such as its journal's. They
// are not closed: the parent's Lua objects are here, too, and when they are collected they close their
// numbers, which would by then belong to other files.
static void replace_files(int kept) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int file = STDIN_FILENO; file < DESCRIPTORS_REPLACED && nothing >= 0; file++)
        if (file != kept && file != STDOUT_FILENO && file != STDERR_FILENO && fcntl(file, F_GETFD) >= 0)
            dup2(nothing, file);
    if (kept < DESCRIPTORS_REPLACED) {
        close_range(DESCRIPTORS_REPLACED, ~0u, 0);
        return;
    }
    if (kept > DESCRIPTORS_REPLACED)
        close_range(DESCRIPTORS_REPLACED, (unsigned)kept - 1, 0);
    close_range((unsigned)kept + 1, ~0u, 0);
}

void limits_keep(lua_State *L, int index, int kept) {
    index = lua_absindex(L, index);
    const int top = lua_gettop(L);
    luaL_checkstack(L, 8, "limits");
    lua_getfield(L, index, "trust");
    const bool trust = lua_toboolean(L, -1);
    const bool limited = lua_getfield(L, index, "memory_limit") == LUA_TNUMBER && lua_tonumber(L, -1) > 0;
    offer_to_the_kernel();
    close_sockets(kept);
    if (!trust) {
        access_forget();     // of a trusted recipe whose process this one is
        replace_files(kept); // before a library opens some
    }
    if (lua_getfield(L, index, "rasters") == LUA_TBOOLEAN && lua_toboolean(L, -1))
        gdal_prepare();
    if (lua_getfield(L, index, "exr") == LUA_TBOOLEAN && lua_toboolean(L, -1))
        exr_prepare();
    allow_writing(L, index);
    if (limited || !trust)
        sandbox_limit_memory(limits_memory(L, index));
    if (!trust) {
        Error error;
        allow_reading(L, index, "read", ACCESS_TYPED);
        allow_reading(L, index, "real", ACCESS_REAL);
        check(L, sandbox_enter(&error), &error);
    }
    const double time_limit = limits_time(L, index);
    if (time_limit > 0)
        interrupt_after(time_limit);
    lua_settop(L, top);
}
