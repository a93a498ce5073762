// The classes of values: metatables, and methods from the types' declarations, their Lua functions and the
// operations.

#include "lua/binding.h"

#include "core/error.h"
#include "operations.h"
#include "rivermap/tiling.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

// The types with Lua functions, one line each.
static const ValueMethods *const all_value_methods[] = { &field_methods, &network_methods,  &points_methods,
                                                         &lines_methods, &polygons_methods, NULL };

const ValueMethods *methods_of(const ValueType *type) {
    const ValueMethods *const *each = all_value_methods;
    while (*each && (*each)->type != type)
        each++;
    return *each;
}

// --- methods that all types have ---------------------------------------------------------------------------

// Upvalue 1 of each: the type.
static const ValueType *own_type(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

static int collect(lua_State *L) {
    const ValueType *type = own_type(L);
    value_free(type, luaL_checkudata(L, 1, type->name));
    return 0;
}

static int close_value(lua_State *L) {
    deferred_changing(L, 1);
    lua_pushvalue(L, 1);
    return collect(L);
}

static int describe(lua_State *L) {
    const ValueType *type = own_type(L);
    const void *value = to_value(L, 1, type);
    char text[80] = "";
    if (value && type->describe)
        type->describe(value, text, sizeof text);
    lua_pushfstring(L, "%s%s", type_name(L, 1), text);
    return 1;
}

// The names of a type's properties and methods (upvalue 2), NULL at the end; on the stack.
static const char **push_key_names(lua_State *L, const ValueType *type) {
    size_t count = 1;
    for (lua_pushnil(L); lua_next(L, lua_upvalueindex(2)); lua_pop(L, 1))
        count++;
    for (const ValueProperty *property = type->properties; property && property->name; property++)
        count++;
    const char **names = lua_newuserdatauv(L, count * sizeof *names, 0), **end = names;
    for (const ValueProperty *property = type->properties; property && property->name; property++)
        *end++ = property->name;
    for (lua_pushnil(L); lua_next(L, lua_upvalueindex(2)); lua_pop(L, 1))
        *end++ = lua_tostring(L, -2); // kept alive by the table
    *end = NULL;
    return names;
}

static const Operation *find_operation(const char *name) {
    const Operation *const *each = all_operations;
    while (*each && strcmp((*each)->name, name) != 0)
        each++;
    return *each;
}

static bool has_method(const ValueType *type, const char *key) {
    const ValueMethods *methods = methods_of(type);
    for (const Method *method = methods ? methods->methods : NULL; method && method->name; method++)
        if (strcmp(method->name, key) == 0)
            return true;
    const Operation *operation = find_operation(key);
    return value_property(type, key) || (type->name && operation && operation->inputs[0].name &&
                                         input_accepts(&operation->inputs[0], type));
}

// An error that says what else has a method of this name, if something has.
static void refuse_method_of_others(lua_State *L, const char *key) {
    for (const ValueType *const *type = all_value_types; *type; type++)
        if (has_method(*type, key))
            luaL_error(L, "%s has no method '%s'; %s have it%s", type_name(L, 1), key, (*type)->plural,
                       own_type(L) == &type_map && *type == &type_field ? ", as map:render{} gives one" : "");
    if (find_operation(key))
        luaL_error(L, "%s has no method '%s'; it is a function, esker.%s", type_name(L, 1), key, key);
}

static int refuse_key(lua_State *L, const ValueType *type, const char *key) {
    if (value_property(type, "width") && (strcmp(key, "size") == 0 || strcmp(key, "shape") == 0))
        return luaL_error(L, "%s has no property '%s': .width and .height are the sizes of its sides",
                          type_name(L, 1), key);
    refuse_method_of_others(L, key);
    const Operation *synonym = operation_known_as(key, type);
    const Operation *function = synonym ? NULL : operation_known_as(key, NULL);
    if (function && !function->inputs[0].name)
        return luaL_error(L, "%s has no method '%s', did you mean the function 'esker.%s'?", type_name(L, 1),
                          key, function->name);
    const char *nearest = synonym ? synonym->name : nearest_name(key, push_key_names(L, type));
    if (nearest)
        return luaL_error(L, "%s has no method '%s', did you mean '%s'?", type_name(L, 1), key, nearest);
    return luaL_error(L, "%s has no method '%s'", type_name(L, 1), key);
}

// Errors for operators that Lua has for tables, numbers and functions but values lack: they say what to write
// instead.

static int refuse_comparison(lua_State *L) {
    const ValueType *type = own_type(L);
    if (type == &type_field)
        return luaL_error(
            L, "< and > do not compare fields: land:select{ height = { 0.5 } } makes a mask of the "
               "cells above 0.5, land:statistics().max is the highest height");
    return luaL_error(L, "< and > do not compare %s", type->plural);
}

static int refuse_length(lua_State *L) {
    const ValueType *type = own_type(L);
    if (value_property(type, "width"))
        return luaL_error(L, "%s has no length: .width and .height are the sizes of its sides", type->name);
    return luaL_error(L, "%s has no length", type->name);
}

static int refuse_call(lua_State *L) {
    const ValueType *type = own_type(L);
    if (type == &type_field)
        return luaL_error(
            L, "a field is no function: land:get(x, y) gives the height of a cell, counted from 0");
    return luaL_error(L, "%s is no function: its methods are called with a colon, as in value:hash()",
                      type->name);
}

static int refuse_concatenation(lua_State *L) {
    return luaL_error(L, "%s is no text: tostring(value) describes it, .. joins texts", own_type(L)->name);
}

// Of all but fields, which have operators.
static int refuse_arithmetic(lua_State *L) {
    const ValueType *type = own_type(L);
    return luaL_error(L, "%s has no arithmetic, fields have it%s", type->name,
                      type == &type_image ? "; a:blend(b) mixes two images"
                      : type == &type_map ? ", as map:render{} gives one"
                                          : "");
}

static int refuse_remainder(lua_State *L) {
    if (own_type(L) != &type_field)
        return refuse_arithmetic(L);
    return luaL_error(L, "%s has no %% and no //: + - * / and ^ work cell by cell", own_type(L)->name);
}

static int refuse_bits(lua_State *L) {
    if (own_type(L) != &type_field)
        return refuse_arithmetic(L);
    return luaL_error(
        L, "%s has no & | ~: a * b is a mask where both hold, a:max(b) where one does, 1 - a where not",
        own_type(L)->name);
}

static void push_length(lua_State *L, double length) {
    if (length > 0)
        lua_pushnumber(L, length);
    else
        lua_pushnil(L);
}

// Upvalue 2: the methods. A misspelt one is an error here, not a nil that is called later.
static int index_value(lua_State *L) {
    const ValueType *type = own_type(L);
    if (lua_type(L, 2) == LUA_TNUMBER)
        return type == &type_field
                   ? luaL_error(
                         L, "a field has no cells in brackets: land:get(x, y) gives the height in column x "
                            "and row y, counted from 0")
                   : luaL_error(L, "%s has no elements in brackets", type->name);
    const char *key = luaL_checkstring(L, 2);
    const void *value = to_value(L, 1, type);
    const ValueProperty *property = value ? value_property(type, key) : NULL;
    if (property && property->length)
        push_length(L, property->length(value));
    else if (property && !property->get)
        push_frame(L, value_frame(type, value));
    else if (property && property->boolean)
        lua_pushboolean(L, property->get(value) != 0);
    else if (property)
        lua_pushinteger(L, (lua_Integer)property->get(value));
    else if (lua_getfield(L, lua_upvalueindex(2), key) == LUA_TNIL)
        return refuse_key(L, type, key);
    return 1;
}

// value:show(): a picture in the terminal, by the function that the program has put into the registry.
static int show_value(lua_State *L) {
    lua_settop(L, 1);
    if (lua_getfield(L, LUA_REGISTRYINDEX, BINDING_SHOW) != LUA_TFUNCTION)
        return luaL_error(L, "show: only the program esker shows pictures; save them instead");
    lua_insert(L, 1);
    lua_call(L, 1, 0);
    return 0;
}

// "fields, images, …": the types with a hash.
static const char *takers_of_hash(lua_State *L) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    const char *joint = "";
    for (const ValueType *const *type = all_value_types; *type; type++)
        if ((*type)->hash) {
            luaL_addstring(&text, joint);
            luaL_addstring(&text, (*type)->plural);
            joint = ", ";
        }
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

// value:hash(): 16 digits, equal for equal bits.
static int hash_value(lua_State *L) {
    const ValueType *type = type_of(L, 1);
    const void *value = type && type->hash ? to_value(L, 1, type) : NULL;
    if (!value)
        return luaL_error(L, "hash: takes %s, got %s", takers_of_hash(L), push_got(L, 1));
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)type->hash(value));
    lua_pushstring(L, text);
    return 1;
}

const Method hash_method = { "hash", hash_value, "", "string",
                             "a 64-bit hash as 16 hex digits, the same on every machine" };
const Method show_method = { "show", show_value, "", NULL, "shows the value in the terminal" };

// --- classes -----------------------------------------------------------------------------------------------

// Operators on fields are the operations of the same meaning.
static const char *const operators[][2] = {
    { "__add", "add" },    { "__sub", "subtract" }, { "__mul", "multiply" },
    { "__div", "divide" }, { "__pow", "power" },    { "__unm", "negate" },
};

static void set_method(lua_State *L, const Method *method) {
    lua_pushcfunction(L, method->call);
    lua_setfield(L, -2, method->name);
}

// Leaves a table of methods on the stack: the type's own, and the operations that take it first. Module: at
// `module`.
static void push_methods(lua_State *L, int module, const ValueType *type) {
    const ValueMethods *methods = methods_of(type);
    lua_newtable(L);
    for (const Method *method = methods ? methods->methods : NULL; method && method->name; method++)
        set_method(L, method);
    if (type->hash)
        set_method(L, &hash_method);
    if (type->picture)
        set_method(L, &show_method);
    for (const Operation *const *each = all_operations; *each; each++)
        if ((*each)->inputs[0].name && input_accepts(&(*each)->inputs[0], type)) {
            lua_getfield(L, module, (*each)->name);
            lua_setfield(L, -2, (*each)->name);
        }
}

// Leaves the metatable on the stack. Module: at `module`.
static void register_type(lua_State *L, int module, const ValueType *type) {
    static const luaL_Reg meta[] = {
        { "__gc", collect }, { "__close", close_value }, { "__tostring", describe }, { NULL, NULL }
    };
    static const luaL_Reg refused[] = { { "__lt", refuse_comparison },
                                        { "__le", refuse_comparison },
                                        { "__len", refuse_length },
                                        { "__call", refuse_call },
                                        { "__concat", refuse_concatenation },
                                        { "__mod", refuse_remainder },
                                        { "__idiv", refuse_remainder },
                                        { "__band", refuse_bits },
                                        { "__bor", refuse_bits },
                                        { "__bxor", refuse_bits },
                                        { "__bnot", refuse_bits },
                                        { "__add", refuse_arithmetic },
                                        { "__sub", refuse_arithmetic },
                                        { "__mul", refuse_arithmetic },
                                        { "__div", refuse_arithmetic },
                                        { "__pow", refuse_arithmetic },
                                        { "__unm", refuse_arithmetic },
                                        { NULL, NULL } };
    const ValueMethods *methods = methods_of(type);
    luaL_newmetatable(L, type->name);
    lua_pushlightuserdata(L, (void *)type);
    luaL_setfuncs(L, refused, 1);
    if (methods)
        luaL_setfuncs(L, methods->meta, 0);
    lua_pushlightuserdata(L, (void *)type);
    luaL_setfuncs(L, meta, 1);
    lua_pushstring(L,
                   type->name); // hides the metatable: a recipe that could call __gc would free memory in use
    lua_setfield(L, -2, "__metatable");
    lua_pushlightuserdata(L, (void *)type);
    push_methods(L, module, type);
    lua_pushcclosure(L, index_value, 2);
    lua_setfield(L, -2, "__index");
}

void register_values(lua_State *L) {
    const int module = lua_absindex(L, -1);
    for (const ValueType *const *type = all_value_types; *type; type++)
        if ((*type)->name) {
            register_type(L, module, *type);
            lua_pop(L, 1);
        }
    luaL_getmetatable(L, type_field.name);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        lua_getfield(L, module, operators[i][1]);
        lua_setfield(L, -2, operators[i][0]);
    }
    register_outputs(L);
    lua_settop(L, module);
}
