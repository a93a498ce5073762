// Engine values and the outputs of a running operation as Lua values, from the types' declarations.

#include "values.h"
#include "core/math.h"
#include "core/memory.h"
#include "lua/binding.h"

#include <math.h>
#include <string.h>

static const char outputs_type[] = "esker.outputs";

static void *push_zeros(lua_State *L, size_t size, const char *class) {
    void *held = lua_newuserdatauv(L, size, 0);
    memset(held, 0, size);
    luaL_setmetatable(L, class);
    return held;
}

void *push_empty(lua_State *L, const ValueType *type) {
    return push_zeros(L, value_held_size(type), type->name);
}

void push_value(lua_State *L, Output *output) {
    void *to = push_empty(L, output->type), *from = output_held(output);
    memcpy(to, from, value_held_size(output->type));
    memset(from, 0, value_held_size(output->type));
}

// The registry key of outputs that no call uses: what has a finalizer outlives a collection, and a call's
// outputs are larger than all else that it leaves.
static const char idle_outputs;

Output *push_outputs(lua_State *L) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &idle_outputs) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        return push_zeros(L, OUTPUTS_MAX * sizeof(Output), outputs_type);
    }
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &idle_outputs);
    return lua_touserdata(L, -1);
}

void reuse_outputs(lua_State *L, int index) {
    outputs_free(lua_touserdata(L, index));
    lua_pushvalue(L, index);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &idle_outputs);
}

static int collect_outputs(lua_State *L) {
    outputs_free(luaL_checkudata(L, 1, outputs_type));
    return 0;
}

void define_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction release) {
    if (luaL_newmetatable(L, name)) {
        if (methods) {
            lua_newtable(L);
            luaL_setfuncs(L, methods, 0);
            lua_setfield(L, -2, "__index");
        }
        const luaL_Reg ends[] = { { "__gc", release }, { "__close", release }, { NULL, NULL } };
        if (release)
            luaL_setfuncs(L, ends, 0);
    }
    lua_pop(L, 1);
}

void register_outputs(lua_State *L) {
    define_class(L, outputs_type, NULL, collect_outputs);
}

Field *push_field(lua_State *L) {
    return push_empty(L, &type_field);
}

// Fields hold far more memory than Lua knows of: collect when enough of it may be garbage. The cost of a
// collection grows with Lua's own memory, and is to be small beside that of filling as many fields; the less
// garbage, the sooner its memory is used again, while it is in the cache.
void collect_if_grown(lua_State *L) {
    static const size_t least = (size_t)8 << 20, most = (size_t)64 << 20;
    static size_t threshold = (size_t)8 << 20;
    if (memory_in_use() <= threshold)
        return;
    lua_gc(L, LUA_GCCOLLECT);
    const size_t lua = (size_t)lua_gc(L, LUA_GCCOUNT) << 10, live = memory_in_use();
    threshold = live + clamp(16 * lua, least, max(most, live));
}

Field *push_sized_field(lua_State *L, int width, int height, const char *maker) {
    collect_if_grown(L);
    Field *field = push_field(L);
    Error error;
    Status status = field_create(field, width, height, &error);
    if (status == STATUS_MEMORY) { // a garbage collection may free enough
        lua_gc(L, LUA_GCCOLLECT);
        status = field_create(field, width, height, &error);
    }
    if (status != STATUS_OK)
        luaL_error(L, "%s: %s", maker, error.text);
    return field;
}

Image *push_image(lua_State *L) {
    return push_empty(L, &type_image);
}

// A closed value counts as none.
void *to_value(lua_State *L, int index, const ValueType *type) {
    const void *held = luaL_testudata(L, index, type->name);
    const void *value = held ? value_of(type, held) : NULL;
    if (held && !value && deferred_force(L, index))
        value = value_of(type, held);
    return (void *)value;
}

Field *to_field(lua_State *L, int index) {
    return to_value(L, index, &type_field);
}

Image *to_image(lua_State *L, int index) {
    return to_value(L, index, &type_image);
}

const ValueType *type_of(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA)
        return NULL;
    for (const ValueType *const *type = all_value_types; *type; type++)
        if ((*type)->name && luaL_testudata(L, index, (*type)->name))
            return *type;
    return NULL;
}

bool is_list(lua_State *L, int index) {
    if (!lua_istable(L, index))
        return false;
    const int table = lua_absindex(L, index);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, table);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > count) {
            lua_pop(L, 2);
            return false;
        }
    return true;
}

const char *type_name(lua_State *L, int index) {
    const ValueType *type = type_of(L, index);
    if (!type)
        return luaL_typename(L, index);
    return deferred_is_pending(L, index) || to_value(L, index, type) ? type->name : "one that was closed";
}

const char *push_written(lua_State *L, double number) {
    return isnan(number) ? lua_pushliteral(L, "nan") : lua_pushfstring(L, "%f", number); // Lua's has a sign
}

const char *push_shown(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TNUMBER && !lua_isinteger(L, index))
        return push_written(L, lua_tonumber(L, index));
    if (lua_isstring(L, index))
        return luaL_tolstring(L, index, NULL);
    if (lua_istable(L, index) && is_list(L, index))
        return lua_pushfstring(L, "a list of %I", (lua_Integer)lua_rawlen(L, index));
    return lua_pushstring(L, type_name(L, index));
}

const char *push_got(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TSTRING)
        return lua_pushfstring(L, "the text \"%s\"", lua_tostring(L, index));
    if (lua_isboolean(L, index))
        return lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    return push_shown(L, index);
}

void set_text(lua_State *L, const char *key, const char *text) {
    if (!text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

void set_flag(lua_State *L, const char *key, bool flag) {
    if (!flag)
        return;
    lua_pushboolean(L, true);
    lua_setfield(L, -2, key);
}

// --- values that are computed when they are read -----------------------------------------------------------

// Operations that are computed when their results are needed. A host (the explorer) gives a function that is
// called instead of each operation; it may make results that are empty until something reads them, and then
// calls theirs.

static const char calls_key[] = "esker.calls", changes_key[] = "esker.changes";
static bool deferring;

bool deferred_calls(lua_State *L) {
    if (!deferring)
        return false;
    lua_getfield(L, LUA_REGISTRYINDEX, calls_key);
    return true;
}

bool deferred_force(lua_State *L, int index) {
    if (!deferring)
        return false;
    luaL_checkstack(L, 4, "deferred");
    index = lua_absindex(L, index);
    if (lua_getiuservalue(L, index, 1) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return false;
    }
    lua_call(L, 0, 0);
    return true;
}

bool deferred_is_pending(lua_State *L, int index) {
    const bool pending = deferring && lua_getiuservalue(L, index, 1) == LUA_TFUNCTION;
    if (deferring)
        lua_pop(L, 1);
    return pending;
}

void deferred_changing(lua_State *L, int index) {
    if (!deferring)
        return;
    index = lua_absindex(L, index);
    lua_getfield(L, LUA_REGISTRYINDEX, changes_key);
    lua_pushvalue(L, index);
    lua_call(L, 1, 0);
}

void deferred_begin(lua_State *L) {
    lua_setfield(L, LUA_REGISTRYINDEX, changes_key);
    lua_setfield(L, LUA_REGISTRYINDEX, calls_key);
    deferring = true;
}
