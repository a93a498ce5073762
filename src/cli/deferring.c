// Operations that are computed when their results are read: require "esker.deferring". See
// src/lua/values.c.

#include "cli/modules.h"

#include "core/gaps.h"
#include "lua/binding.h"
#include "operations.h"
#include "values.h"

#include <string.h>

// deferring.begin(calls, changes): from now on `calls` is called with an operation's name, the function that
// runs it and its arguments, instead of the operation; and `changes` with each field that is about to be
// changed or closed.
static int begin(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    deferred_begin(L);
    return 0;
}

// deferring.value(kind, make): an empty value of a type; `make` is called when it is first read, and fills
// it.
static int make_value(lua_State *L) {
    const char *kind = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    const ValueType *const *type = all_value_types;
    while (*type && !((*type)->name && strcmp((*type)->kind, kind) == 0))
        type++;
    if (!*type)
        return luaL_error(L, "there is no type of the kind '%s'", kind);
    void *held = lua_newuserdatauv(L, value_held_size(*type), 1);
    memset(held, 0, value_held_size(*type));
    luaL_setmetatable(L, (*type)->name);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

// deferring.fill(deferred, value): moves a value there, which leaves the other empty.
static int fill(lua_State *L) {
    const ValueType *type = type_of(L, 1);
    if (!type || type_of(L, 2) != type || !to_value(L, 2, type))
        return luaL_error(L, "deferring.fill: takes two values of one type, got %s and %s", type_name(L, 1),
                          type_name(L, 2));
    void *to = lua_touserdata(L, 1), *from = lua_touserdata(L, 2);
    memcpy(to, from, value_held_size(type));
    memset(from, 0, value_held_size(type));
    lua_pushnil(L);
    lua_setiuservalue(L, 1, 1);
    return 0;
}

// deferring.copied(field): another field of the same cells.
static int copied(lua_State *L) {
    const Field *field = to_field(L, 1);
    Error error;
    if (!field)
        return luaL_error(L, "deferring.copied: takes a field");
    Field *copy = push_field(L);
    Status status = field_create(copy, field->width, field->height, &error);
    if (status == STATUS_MEMORY) {
        lua_gc(L, LUA_GCCOLLECT);
        status = field_create(copy, field->width, field->height, &error);
    }
    if (status != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    memcpy(field_cells(copy), field_cells(field), field_count(field) * sizeof(float));
    copy->wraps = field->wraps;
    copy->frame = field->frame;
    copy->gaps = gaps_keep(field->gaps);
    return 1;
}

// The operation that the first argument names.
static const Operation *check_name(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    const Operation *const *operation = all_operations;
    while (*operation && strcmp((*operation)->name, name) != 0)
        operation++;
    if (!*operation)
        luaL_error(L, "there is no operation '%s'", name);
    return *operation;
}

// deferring.check(name, ...): raises the error that the operation would for these inputs and arguments, as
// far as it needs no value that is deferred.
static int check_deferred(lua_State *L) {
    const Operation *operation = check_name(L);
    lua_remove(L, 1);
    return check_call(L, operation);
}

// deferring.declaration(name): one of esker.operations(), which takes milliseconds to list them all.
static int declaration(lua_State *L) {
    push_declaration(L, check_name(L));
    return 1;
}

static const luaL_Reg functions[] = {
    { "begin", begin },          { "value", make_value },        { "fill", fill }, { "copied", copied },
    { "check", check_deferred }, { "declaration", declaration }, { NULL, NULL },
};

static int open_deferring(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_deferring(lua_State *L) {
    luaL_requiref(L, "esker.deferring", open_deferring, 0);
    lua_pop(L, 1);
}
