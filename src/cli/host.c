// How the program runs recipes: threads, labels of files, errors: require "esker.host".

#include "cli/modules.h"

#include "core/whole.h"
#include "lua/binding.h"

#include <math.h>
#include <time.h>

// host.set_labels(list): the labels of files saved from now on, a list of { key, value }.
static int set_labels(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, BINDING_LABELS);
    return 0;
}

// The text at the top of the stack, truncated to the length of a message.
static void shorten(lua_State *L) {
    enum { LONGEST = 4000 }; // bytes
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (length <= LONGEST)
        return;
    lua_pushlstring(L, text, LONGEST);
    lua_pushliteral(L, " …");
    lua_concat(L, 2);
}

// host.call_recipe(function, path): calls the function and returns its value. Its error becomes one of the
// two forms that callers of recipes expect: a string, or { usage = string }. In C, since a late interrupt
// raises an error in the first line of Lua.
static int call_recipe(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    if (lua_pcall(L, 0, 1, 0) == LUA_OK)
        return 1;
    lua_pushliteral(L, "usage");
    if (lua_type(L, -2) == LUA_TSTRING) {
        lua_pop(L, 1);
        shorten(L);
    } else if (lua_type(L, -2) == LUA_TTABLE && lua_rawget(L, -2) == LUA_TSTRING) {
        shorten(L);
        lua_createtable(L, 0, 1);
        lua_insert(L, -2);
        lua_setfield(L, -2, "usage");
    } else {
        lua_pushfstring(L, "%s: the recipe raised an error that is not a string, but a %s",
                        lua_tostring(L, 2), type_name(L, 3));
    }
    return lua_error(L);
}

// host.limit_threads(count): sets the number of threads, and the maximum that a recipe may set.
static int limit_threads(lua_State *L) {
    binding_run.threads = binding_max_threads = (int)luaL_checkinteger(L, 1);
    return 0;
}

// host.pause(seconds).
static int pause_for(lua_State *L) {
    const double seconds = luaL_checknumber(L, 1);
    const struct timespec time = { .tv_sec = (time_t)whole_64(seconds),
                                   .tv_nsec = (long)whole_64((seconds - floor(seconds)) * 1e9) };
    nanosleep(&time, NULL);
    return 0;
}

static int set_function(lua_State *L, const char *key) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    return 0;
}

// host.show_by(function): sets the function that value:show() calls.
static int show_by(lua_State *L) {
    return set_function(L, BINDING_SHOW);
}

// host.on_written(function): sets the function that is called with the name of each file written.
static int on_written(lua_State *L) {
    return set_function(L, BINDING_WRITTEN);
}

// host.on_warning(function): sets the function that is called with the text of each operation's warning.
static int on_warning(lua_State *L) {
    return set_function(L, BINDING_WARNED);
}

static const luaL_Reg functions[] = {
    { "set_labels", set_labels },       { "show_by", show_by }, { "on_written", on_written },
    { "on_warning", on_warning },       { "pause", pause_for }, { "call_recipe", call_recipe },
    { "limit_threads", limit_threads }, { NULL, NULL }
};

static int open_host(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_host(lua_State *L) {
    luaL_requiref(L, "esker.host", open_host, 0);
    lua_pop(L, 1);
}
