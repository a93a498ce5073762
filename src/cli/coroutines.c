// resume, wrap and close as in lcorolib.c of Lua 5.4, except that the interrupt follows.

#include "cli/coroutines.h"

#include "cli/interrupt.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>

// Runs the thread with the last `count` values. The number of its values, or -1: an error, at the top.
static int run_thread(lua_State *L, lua_State *thread, int count) {
    if (!lua_checkstack(thread, count)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, thread, count);
    int results = 0;
    interrupt_follow(thread);
    const int status = lua_resume(thread, L, count, &results);
    interrupt_follow(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(thread, L, 1);
        return -1;
    }
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(thread, results);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(thread, L, results);
    return results;
}

static lua_State *thread_argument(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTHREAD);
    return lua_tothread(L, 1);
}

static int resume(lua_State *L) {
    lua_State *thread = thread_argument(L);
    const int results = run_thread(L, thread, lua_gettop(L) - 1);
    const int pushed = results < 0 ? 1 : results;
    lua_pushboolean(L, results >= 0);
    lua_insert(L, -(pushed + 1));
    return pushed + 1;
}

// Closes the variables of a thread that has ended or waits.
static int close_thread(lua_State *L, lua_State *thread) {
    interrupt_follow(thread);
    const int status = lua_resetthread(thread);
    interrupt_follow(L);
    return status;
}

static int resume_wrapped(lua_State *L) {
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    const int results = run_thread(L, thread, lua_gettop(L));
    if (results >= 0)
        return results;
    int status = lua_status(thread);
    if (status != LUA_OK && status != LUA_YIELD) {
        status = close_thread(L, thread);
        lua_xmove(thread, L, 1);
    }
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int wrap(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *thread = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}

static int close(lua_State *L) {
    lua_State *thread = thread_argument(L);
    lua_Debug activation;
    if (lua_status(thread) == LUA_OK && lua_getstack(thread, 0, &activation))
        return luaL_error(L, "cannot close a %s coroutine", thread == L ? "running" : "normal");
    const bool well = close_thread(L, thread) == LUA_OK;
    lua_pushboolean(L, well);
    if (!well)
        lua_xmove(thread, L, 1);
    return well ? 1 : 2;
}

void follow_coroutines(lua_State *L) {
    static const luaL_Reg functions[] = {
        { "resume", resume }, { "wrap", wrap }, { "close", close }, { NULL, NULL }
    };
    lua_getglobal(L, LUA_COLIBNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
