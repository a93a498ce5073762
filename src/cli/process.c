// What Lua gets of processes, whatever the system: require "esker.process".

#include "cli/process.h"

#include "cli/answer.h"
#include "cli/exit_status.h"
#include "cli/modules.h"
#include "cli/sandbox.h"
#include "core/clock.h"
#include "lua/binding.h"

#include <lauxlib.h>
#include <stdlib.h>

void process_push_words(lua_State *L, int count, char **words) {
    if (!process_take_words(L, count, words)) {
        lua_createtable(L, count, 0);
        for (int i = 0; i < count; i++) {
            lua_pushstring(L, words[i]);
            lua_seti(L, -2, i + 1);
        }
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, PROCESS_WORDS);
}

// --- the module --------------------------------------------------------------------------------------------

static void check_given(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
}

// process.fork(limits, function, output): starts a process that calls the function under the limits
// (sandbox.h), prints its error, and ends with the status returned; returns its number. With `output`, the
// name of a new file in limits.write, which is a real path, it runs in parallel with others.
static int fork_one(lua_State *L) {
    check_given(L);
    const char *output = luaL_optstring(L, 3, NULL);
    lua_settop(L, 3);
    lua_pushinteger(L, process_start_aside(L, output));
    return 1;
}

// Returns the exit status; pushes a description of how it ended, or nil.
static int push_problem(lua_State *L, const ProcessEnd *end) {
    char limit[40];
    const int status = process_push_problem(L, end);
    if (!end->late)
        return status;
    lua_pop(L, 1);
    snprintf(limit, sizeof limit, "%g", end->time_limit);
    lua_pushfstring(L, "the time limit of %s s is over (--time-limit)", limit);
    return EXIT_FAILURE;
}

const char *process_end(lua_State *L, int number) {
    const ProcessEnd end = process_kill(number);
    push_problem(L, &end);
    return lua_tostring(L, -1);
}

// process.wait(): waits until a process has ended that fork started, and gives { number =, status =, problem
// =, late =, seconds =, memory = }: the status to end with, the message about its end or nil, whether its
// time limit was over, how long it ran, and its peak memory in bytes. Returns nothing when no process is
// left.
static int wait_for_one(lua_State *L) {
    const ProcessEnd end = process_await(L, ANY_PROCESS);
    if (end.number == 0)
        return 0;
    lua_createtable(L, 0, 6);
    const int status = push_problem(L, &end);
    lua_setfield(L, -2, "problem");
    lua_pushinteger(L, status);
    lua_setfield(L, -2, "status");
    lua_pushinteger(L, end.number);
    lua_setfield(L, -2, "number");
    lua_pushboolean(L, end.late);
    lua_setfield(L, -2, "late");
    lua_pushnumber(L, clock_seconds() - end.started);
    lua_setfield(L, -2, "seconds");
    lua_pushinteger(L, (lua_Integer)end.memory);
    lua_setfield(L, -2, "memory");
    return 1;
}

// process.call(limits, function): calls the function in another process under the limits (sandbox.h) and
// returns its value; its error is raised here, and one if what it printed was lost.
static int call(lua_State *L) {
    check_given(L);
    lua_settop(L, 2);
    FILE *stream = answer_open(L, process_open_shared); // stays on the stack, or the collector would close it
    const ProcessEnd end = process_await(L, process_start_call(L, stream));
    const int status = push_problem(L, &end);
    if (!lua_isnil(L, -1))
        return lua_error(L);
    if (status != EXIT_SUCCESS && status != EXIT_LOST)
        return luaL_error(L, "the recipe's process ended with status %d", status);
    if (!answer_receive(L, stream))
        return lua_error(L);
    if (status == EXIT_LOST) {
        lua_pushliteral(L, "esker: " OUTPUT_LOST);
        return lua_error(L);
    }
    return 1;
}

// process.stop(): ends all.
static int stop(lua_State *L) {
    (void)L;
    process_end_all();
    return 0;
}

// process.memory(): the peak memory of this process, bytes.
static int memory(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)process_memory());
    return 1;
}

// process.lacks(): a description of confinement that is missing here, or nil.
static int lacks(lua_State *L) {
    lua_pushstring(L, sandbox_lacks());
    return 1;
}

static const luaL_Reg functions[] = {
    { "fork", fork_one }, { "wait", wait_for_one }, { "call", call }, { "stop", stop },
    { "memory", memory }, { "lacks", lacks },       { NULL, NULL },
};

static int open_process(lua_State *L) {
    luaL_newlib(L, functions);
    process_extend(L);
    return 1;
}

void register_process(lua_State *L) {
    luaL_requiref(L, "esker.process", open_process, 0);
    lua_pop(L, 1);
}
