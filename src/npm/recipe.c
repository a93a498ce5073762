#include "npm/recipe.h"

#include "cli/modules.h"
#include "core/clock.h"
#include "core/math.h"
#include "core/memory.h"
#include "library/handle.h"
#include "lua/binding.h"

#include <lualib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Recipe {
    const char *path, *text, *parameters;
    size_t size, bytes;
    double seconds;
} Recipe;

typedef struct Returned {
    EskerValue *value; // NULL once it was asked for
} Returned;

static char *said; // results or why there are none, from malloc
static Returned *returned;
static size_t returned_count;

// --- time --------------------------------------------------------------------------------------------------

// There are no signals here: Lua and operations look at the clock themselves.
static double deadline;
static atomic_bool late;
enum { SELDOM = 100 }; // instructions between looks

static void look_at_clock(void *context, double share) {
    (void)context;
    (void)share;
    if (clock_seconds() > deadline)
        atomic_store(&late, true);
}

// Each coroutine counts its own instructions. Where a few of them took long, as collections of nearly full
// memory do, each one is looked at for a while. Once it is late each fails, so that no pcall of the recipe
// keeps it running.
static void heed(lua_State *L, lua_Debug *activation) {
    static double last;
    static int slow;
    (void)activation;
    const double now = clock_seconds(), long_time = 0.05; // seconds
    slow = now - last > long_time ? SELDOM : max(slow - 1, 0);
    last = now;
    look_at_clock(NULL, 0);
    const bool is_over = atomic_load(&late);
    const int wanted = is_over || slow > 0 ? 1 : SELDOM;
    if (lua_gethookcount(L) != wanted) // it takes long where calls are deep
        lua_sethook(L, heed, LUA_MASKCOUNT, wanted);
    if (is_over) {
        luaL_where(L, 0); // in a hook that is the function which runs
        lua_pushliteral(L, "interrupted");
        lua_concat(L, 2);
        lua_error(L);
    }
}

// --- what Lua calls ----------------------------------------------------------------------------------------

// npm.read(name): the text of a recipe or a module; nil if there is none.
static int read_text(lua_State *L) {
    const int size = npm_find(luaL_checkstring(L, 1));
    if (size < 0)
        return 0;
    luaL_Buffer buffer;
    npm_copy(luaL_buffinitsize(L, &buffer, (size_t)size));
    luaL_pushresultsize(&buffer, (size_t)size);
    return 1;
}

// npm.check_time(): raises an error once it is late.
static int check_time(lua_State *L) {
    return atomic_load(&late) ? luaL_error(L, "interrupted") : 0;
}

// npm.print(line)
static int print_line(lua_State *L) {
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    npm_print(text, size);
    return 0;
}

static const luaL_Reg functions[] = {
    { "read", read_text }, { "print", print_line }, { "check_time", check_time }, { NULL, NULL }
};

static int open_npm(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

// --- running -----------------------------------------------------------------------------------------------

// Pushes a function of lua/esker/npm/recipe.lua.
static void push_function(lua_State *L, const char *name) {
    lua_getglobal(L, "require");
    lua_pushliteral(L, "esker.npm.recipe");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

// Moves the value at `index` out of Lua's hands.
static void take_over(lua_State *L, int index, EskerValue **to) {
    Error error;
    const ValueType *type = type_of(L, index);
    if (!type || !to_value(L, index, type))
        luaL_error(L, "a result is a value that is closed");
    else if (!(*to = handle_new(type, &error)))
        luaL_error(L, "%s", error.text);
    else {
        void *held = lua_touserdata(L, index);
        memcpy(output_held(&(*to)->content), held, value_held_size(type));
        memset(held, 0, value_held_size(type));
    }
}

// Leaves the results as JSON.
static int run(lua_State *L) {
    const Recipe *recipe = lua_touserdata(L, 1);
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    register_texts(L);
    register_host(L);
    luaL_requiref(L, "esker.npm", open_npm, 0);
    push_function(L, "run");
    lua_pushstring(L, recipe->path);
    lua_pushlstring(L, recipe->text, recipe->size);
    lua_pushstring(L, recipe->parameters);
    lua_call(L, 3, 2);
    const int list = lua_gettop(L);
    Error error;
    const size_t count = lua_rawlen(L, list);
    returned = memory_new_zeroed(count + 1, sizeof *returned, &error);
    if (!returned)
        return luaL_error(L, "%s", error.text);
    returned_count = count;
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        take_over(L, lua_gettop(L), &returned[i].value);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

// The error at index 2 as a line for a person.
static int explain(lua_State *L) {
    const Recipe *recipe = lua_touserdata(L, 1);
    push_function(L, "explain");
    lua_pushvalue(L, 2);
    lua_pushstring(L, recipe->path);
    lua_pushnumber(L, recipe->seconds);
    lua_pushinteger(L, (lua_Integer)(recipe->bytes >> 20));
    lua_pushboolean(L, atomic_load(&late));
    lua_call(L, 5, 1);
    return 1;
}

static EskerStatus failure_of(const char *text) {
    if (atomic_load(&late))
        return ESKER_STOPPED;
    return text && strstr(text, "not enough memory") ? ESKER_MEMORY : ESKER_INVALID;
}

EskerStatus recipe_run(const char *path, const char *text, size_t size, const char *parameters,
                       double seconds, size_t bytes) {
    recipe_end();
    Recipe recipe = { path, text, parameters, size, bytes, seconds };
    const size_t before = memory_limit();
    lua_State *L = new_state();
    if (!L)
        return ESKER_MEMORY;
    memory_set_limit(min(before, memory_sum(memory_in_use(), bytes)));
    atomic_store(&late, false);
    deadline = clock_seconds() + seconds;
    binding_run = (Run){ .threads = 1, .stop = &late, .progress = look_at_clock };
    binding_max_threads = 1;
    if (isfinite(seconds)) // a hook makes Lua slower
        lua_sethook(L, heed, LUA_MASKCOUNT, SELDOM);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, &recipe);
    const int outcome = lua_pcall(L, 1, 1, 0);
    lua_sethook(L, NULL, 0, 0);
    memory_set_limit(before);
    if (outcome != LUA_OK) {
        lua_pushcfunction(L, explain);
        lua_insert(L, 1);
        lua_pushlightuserdata(L, &recipe);
        lua_insert(L, 2);
        lua_pcall(L, 2, 1, 0); // leaves a text in any case
    }
    const char *result = lua_tostring(L, -1);
    const EskerStatus status = outcome == LUA_OK ? ESKER_OK : failure_of(result);
    said = result ? strdup(result) : NULL;
    lua_close(L);
    return status == ESKER_OK && !said ? ESKER_MEMORY : status;
}

const char *recipe_text(void) {
    return said ? said : "not enough memory";
}

EskerValue *recipe_value(size_t number) {
    if (number < 1 || number > returned_count)
        return NULL;
    EskerValue *value = returned[number - 1].value;
    returned[number - 1].value = NULL;
    return value;
}

void recipe_end(void) {
    for (size_t i = 0; i < returned_count; i++)
        esker_free(returned[i].value);
    memory_free(returned);
    free(said);
    returned = NULL, said = NULL, returned_count = 0;
}
