// The table `esker`: the operations, a few functions of the binding, and the modules written in Lua.

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "esker.h"
#include "lua/binding.h"
#include "lua/embedded.h"
#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// esker.threads([count]): sets the number of threads, 0 for one per processor, at most the user's limit;
// returns the number in use.
static int threads(lua_State *L) {
    if (!lua_isnoneornil(L, 1)) {
        const lua_Integer count = luaL_checkinteger(L, 1);
        if (count < 0 || count > 256)
            return luaL_error(L, "threads: count must be 0 to 256, got %I", count);
        const int wanted = count > 0 ? (int)count : processor_count(), most = binding_max_threads;
        binding_run.threads = most > 0 && wanted > most ? most : (int)count;
    }
    lua_pushinteger(L, binding_run.threads ? binding_run.threads : processor_count());
    return 1;
}

// esker.memory(): bytes in use by fields and images, and their peak; with true, resets the peak.
static int memory(lua_State *L) {
    if (lua_toboolean(L, 1))
        memory_reset_peak();
    lua_pushinteger(L, (lua_Integer)memory_in_use());
    lua_pushinteger(L, (lua_Integer)memory_peak());
    return 2;
}

// esker.progress(done, total): reports the progress of a loop in the recipe. Raises an error once a stop
// was requested.
static int progress(lua_State *L) {
    const double done = luaL_checknumber(L, 1), total = luaL_optnumber(L, 2, 1);
    if (run_advance(&binding_run, done, total) == STATUS_STOPPED)
        return luaL_error(L, "interrupted");
    return 0;
}

// esker.seconds(): a monotonic clock.
static int seconds(lua_State *L) {
    lua_pushnumber(L, clock_seconds());
    return 1;
}

// esker.nearest(name, names): the name in the list that is closest, or nil.
static int nearest(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    const char **names = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof *names, 0);
    for (lua_Integer i = 0; i < count; i++) {
        if (lua_rawgeti(L, 2, i + 1) != LUA_TSTRING)
            return luaL_error(L, "nearest: names must be strings");
        names[i] = lua_tostring(L, -1); // kept alive by the table
        lua_pop(L, 1);
    }
    names[count] = NULL;
    lua_pushstring(L, nearest_name(name, names));
    return 1;
}

// esker.known_as(word): the name of the operation that others know by it, or nil.
static int known_as(lua_State *L) {
    const Operation *operation = operation_known_as(luaL_checkstring(L, 1), NULL);
    lua_pushstring(L, operation ? operation->name : NULL);
    return 1;
}

// esker.type(value): "Field", "Image", or Lua's own name.
static int type(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushstring(L, type_name(L, 1));
    return 1;
}

// esker.operations_json(): every declaration as text, for programs (esker.h).
static int operations_json(lua_State *L) {
    lua_pushstring(L, esker_operations_json());
    return 1;
}

static void require_module(lua_State *L, const char *name) {
    lua_getglobal(L, "require");
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

// Calls the function on top of the stack with the arguments that lie below it.
static int call_with_all(lua_State *L) {
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

// esker.large{…}: a field larger than memory.
static int large(lua_State *L) {
    require_module(L, "esker.large.field");
    return call_with_all(L);
}

// esker.mosaic{…}: a field of several files or fields.
static int mosaic(lua_State *L) {
    require_module(L, "esker.large.mosaic");
    lua_getfield(L, -1, "of");
    lua_remove(L, -2);
    return call_with_all(L);
}

static const luaL_Reg functions[] = {
    { "field", make_field },
    { "large", large },
    { "mosaic", mosaic },
    { "points", make_points },
    { "lines", make_lines },
    { "polygons", make_polygons },
    { "operations", list_operations },
    { "values", list_values },
    { "formats", list_formats },
    { "threads", threads },
    { "memory", memory },
    { "nearest", nearest },
    { "known_as", known_as },
    { "type", type },
    { "progress", progress },
    { "seconds", seconds },
    { "operations_json", operations_json },
    { NULL, NULL },
};

static int load_embedded(lua_State *L) {
    const EmbeddedModule *module = lua_touserdata(L, lua_upvalueindex(1));
    const char *path = luaL_gsub(L, module->name, ".", "/");
    const char *name = lua_pushfstring(L, "@lua/%s.lua", path); // of text; code has its own
    if (luaL_loadbuffer(L, (const char *)module->code, module->size, name) != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, module->name);
    lua_call(L, 1, 1);
    return 1;
}

// Lets require find the embedded modules, such as "esker.screen".
static void preload_modules(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (const EmbeddedModule *module = embedded_modules; module->name; module++) {
        lua_pushlightuserdata(L, (void *)module);
        lua_pushcclosure(L, load_embedded, 1);
        lua_setfield(L, -2, module->name);
    }
    lua_pushcfunction(L, open_planes);
    lua_setfield(L, -2, "esker.planes");
    lua_pop(L, 1);
}

// esker.palettes: by name, lists of { height, "#rrggbb" }.
static void push_palettes(lua_State *L) {
    lua_newtable(L);
    for (const NamedPalette *each = named_palettes; each->name; each++) {
        lua_createtable(L, each->palette.count, 0);
        for (int i = 0; i < each->palette.count; i++) {
            const struct PaletteStop *stop = &each->palette.stops[i];
            char colour[8];
            snprintf(colour, sizeof colour, "#%02x%02x%02x", stop->colour.red, stop->colour.green,
                     stop->colour.blue);
            lua_createtable(L, 2, 0);
            lua_pushnumber(L, stop->height);
            lua_rawseti(L, -2, 1);
            lua_pushstring(L, colour);
            lua_rawseti(L, -2, 2);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, each->name);
    }
}

int luaopen_esker(lua_State *L) {
    luaL_checkversion(L);
    luaL_newlib(L, functions);
    for (const Operation *const *each = all_operations; *each; each++) {
        push_operation(L, *each);
        lua_setfield(L, -2, (*each)->name);
    }
    lua_pushliteral(L, ESKER_VERSION);
    lua_setfield(L, -2, "version");
    register_values(L);
    preload_modules(L);
    push_palettes(L);
    lua_setfield(L, -2, "palettes");
    return 1;
}

// --- memory ------------------------------------------------------------------------------------------------

// Lua's allocator, which counts against the same memory limit as fields.

static void *allocate(void *unused, void *block, size_t before, size_t wanted) {
    (void)unused;
    const size_t held = block ? before : 0; // without a block Lua passes the kind of the new object
    if (wanted == 0) {
        free(block);
        memory_discharge(held);
        return NULL;
    }
    if (wanted > held && !memory_charge(wanted - held))
        return NULL;
    void *larger = realloc(block, wanted);
    if (!larger && wanted > held)
        memory_discharge(wanted - held);
    if (larger && wanted < held)
        memory_discharge(held - wanted);
    return larger;
}

static int panic(lua_State *L) {
    (void)L;
    return 0; // Lua aborts: everything runs protected, so this is a bug in Esker
}

lua_State *new_state(void) {
    lua_State *L = lua_newstate(allocate, NULL);
    if (L)
        lua_atpanic(L, panic);
    return L;
}
