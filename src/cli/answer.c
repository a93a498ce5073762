#include "cli/answer.h"

#include "cli/sandbox.h"
#include "cli/serialize.h"
#include "core/memory.h"
#include "lua/binding.h"

#include <errno.h>
#include <lauxlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t ANSWER_MAX = (size_t)4
                                 << 30; // bytes, the limit of a file that a recipe writes (sandbox.c)

// The maximum size of an answer: the recipe's memory limit, both for the bytes sent and for the values made
// from them.
static size_t max_answer(lua_State *L) {
    const size_t limit = limits_memory(L, 1);
    return limit < ANSWER_MAX ? limit : ANSWER_MAX;
}

// --- the file ----------------------------------------------------------------------------------------------

// Closed with the userdata that holds it.
static int close_stream(lua_State *L) {
    FILE **stream = lua_touserdata(L, 1);
    if (*stream)
        fclose(*stream);
    *stream = NULL;
    return 0;
}

FILE *answer_open(lua_State *L, int (*open_nameless)(void)) {
    FILE **stream = lua_newuserdatauv(L, sizeof(FILE *), 0);
    *stream = NULL;
    define_class(L, "esker.answer", NULL, close_stream);
    luaL_setmetatable(L, "esker.answer");
    const int descriptor = open_nameless();
    *stream = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (!*stream) {
        const int problem = errno;
        if (descriptor >= 0)
            close(descriptor);
        luaL_error(L, "not enough memory for what the recipe's process sends: %s", strerror(problem));
    }
    return *stream;
}

// --- sending -----------------------------------------------------------------------------------------------

// Limits at 1, function at 2, stream at 3. Sends true and the value, or false and the error.
static int work(lua_State *L) {
    FILE *stream = lua_touserdata(L, 3);
    limits_keep(L, 1, fileno(stream));
    lua_settop(L, 2);
    const bool well = lua_pcall(L, 0, 1, 0) == LUA_OK;
    const size_t most = max_answer(L);
    lua_pushboolean(L, well);
    serialize(L, -1, most, stream);
    serialize(L, -2, most, stream);
    return 0;
}

// If the result cannot be sent, or the process could not be confined: sends false and the reason, at the
// top of the stack.
static void send_failure(lua_State *L, FILE *stream) {
    if (lua_type(L, -1) != LUA_TSTRING)
        lua_pushliteral(L, "an error that is not a string");
    rewind(stream);
    lua_pushboolean(L, false);
    serialize(L, -1, ANSWER_MAX, stream);
    serialize(L, -2, ANSWER_MAX, stream);
}

void answer_send(lua_State *L, FILE *stream) {
    lua_pushcfunction(L, work);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushlightuserdata(L, stream);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK)
        send_failure(L, stream);
}

// --- receiving ---------------------------------------------------------------------------------------------

// The stream at 1 holds true or false and a value.
static int read_answer(lua_State *L) {
    FILE *stream = lua_touserdata(L, 1);
    rewind(stream);
    deserialize(L, stream);
    deserialize(L, stream);
    return 2;
}

bool answer_receive(lua_State *L, FILE *stream) {
    struct stat sent;
    const size_t before = memory_limit(), used = memory_in_use() + memory_charged(), most = max_answer(L);
    static const char too_large[] = "the results exceed the memory limit (--memory-limit)";
    if (fstat(fileno(stream), &sent) != 0 || (size_t)sent.st_size > most)
        luaL_error(L, too_large);
    memory_set_limit(before < used + most ? before : used + most);
    lua_pushcfunction(L, read_answer);
    lua_pushlightuserdata(L, stream);
    const int outcome = lua_pcall(L, 1, 2, 0);
    memory_set_limit(before);
    if (outcome == LUA_ERRMEM)
        lua_pushstring(L, too_large);
    return outcome == LUA_OK && lua_toboolean(L, -2);
}
