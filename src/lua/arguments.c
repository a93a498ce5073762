// The table of named arguments of one call: each declared parameter is looked up, converted and checked;
// other names are errors.

#include "lua/binding.h"

#include "core/operation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Raw access, here and below: values from a metatable are not kept alive by the table and may change
// between calls, and its functions could close a field that the call is about to use.
static int get(lua_State *L, int table, const char *name) {
    lua_pushstring(L, name);
    return lua_rawget(L, table);
}

static void check(lua_State *L, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s", error->text);
}

// Raises an error with the operation's name before the engine's message.
static void check_param(lua_State *L, const Operation *operation, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s: %s", operation->name, error->text);
}

static void wrong_type(lua_State *L, const Operation *operation, const Param *param) {
    Error error;
    check(L, argument_wrong(operation, param, push_got(L, -1), &error), &error);
}

static void check_list(lua_State *L, const Operation *operation, const Param *param) {
    if (!is_list(L, -1))
        luaL_error(L, "%s: %s must be a list, { %s }, without names", operation->name, param->name,
                   param->elements ? param->elements : "1, 2, 3");
}

// Appends the list at the top of the stack to `numbers`, which has room.
static void append_numbers(lua_State *L, const Operation *operation, const Param *param, Numbers *numbers) {
    const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -1, i) != LUA_TNUMBER)
            luaL_error(L, "%s: %s: element %I must be a number, got %s", operation->name, param->name, i,
                       push_got(L, -1));
        numbers->at[numbers->count++] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

// The row at the top of the stack: a list of as many numbers as the parameter has columns. A short one gets
// the rest.
static void append_row(lua_State *L, const Operation *operation, const Param *param, lua_Integer row,
                       Numbers *numbers) {
    if (lua_istable(L, -1))
        check_list(L, operation, param);
    const size_t columns = (size_t)param->columns, count = lua_istable(L, -1) ? (size_t)lua_rawlen(L, -1) : 0;
    const size_t least = param->columns_min > 0 ? (size_t)param->columns_min : columns;
    if (count < least || count > columns) {
        const char *got = push_shown(L, -1);
        if (least < columns)
            luaL_error(L, "%s: %s: row %I must be a list of %I to %I numbers, got %s", operation->name,
                       param->name, row, (lua_Integer)least, (lua_Integer)columns, got);
        luaL_error(L, "%s: %s: row %I must be a list of %I numbers, got %s", operation->name, param->name,
                   row, (lua_Integer)columns, got);
    }
    append_numbers(L, operation, param, numbers);
    for (size_t i = count; i < columns; i++)
        numbers->at[numbers->count++] = param->rest;
}

// The list at the top of the stack; of a parameter with columns a list of rows, or a single row.
static void read_numbers(lua_State *L, const Operation *operation, const Param *param, Numbers *numbers) {
    if (!lua_istable(L, -1))
        wrong_type(L, operation, param);
    check_list(L, operation, param);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    const bool rows = param->columns > 1, single = rows && param->rows_min <= 1;
    const bool one = single && lua_rawgeti(L, -1, 1) == LUA_TNUMBER;
    lua_pop(L, single ? 1 : 0);
    Error error;
    check_param(L, operation, param_check_rows(param, one ? 1 : count, &error), &error);
    if (!rows)
        append_numbers(L, operation, param, numbers);
    else if (one)
        append_row(L, operation, param, 1, numbers);
    for (lua_Integer i = 1; rows && !one && i <= count; i++) {
        lua_rawgeti(L, -1, i);
        append_row(L, operation, param, i, numbers);
        lua_pop(L, 1);
    }
}

// The stop is at the top of the stack.
static void wrong_stop(lua_State *L, const Operation *operation, const Param *param, int stop) {
    const char *got = push_shown(L, -1);
    if (lua_istable(L, -2) && lua_rawlen(L, -2) == 2) {
        lua_rawgeti(L, -2, 1);
        lua_rawgeti(L, -3, 2);
        const char *height = push_shown(L, -2), *colour = push_shown(L, -2);
        got = lua_pushfstring(L, "{ %s, %s }", height, colour);
    }
    luaL_error(L, "%s: %s: stop %d must be { height, \"#rrggbb\" }, got %s", operation->name, param->name,
               stop, got);
}

static void read_palette(lua_State *L, const Operation *operation, const Param *param, Palette *palette) {
    const int top = lua_gettop(L);
    if (!lua_istable(L, -1))
        wrong_type(L, operation, param);
    if (!is_list(L, -1))
        luaL_error(L, "%s: %s must be a list, { stop, stop }, without names", operation->name, param->name);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    for (int i = 0; i < count && i < PALETTE_MAX; i++) {
        struct PaletteStop *stop = &palette->stops[i];
        lua_rawgeti(L, -1, i + 1);
        bool whole = is_list(L, -1) && lua_rawlen(L, -1) == 2;
        if (whole) {
            whole = lua_rawgeti(L, -1, 1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
            stop->height = lua_tonumber(L, -1);
            whole = lua_rawgeti(L, -2, 2) == LUA_TSTRING && whole &&
                    colour_read(lua_tostring(L, -1), &stop->colour);
            lua_pop(L, 2);
        }
        if (!whole)
            wrong_stop(L, operation, param, i + 1);
        if (i > 0 && !(stop->height > palette->stops[i - 1].height))
            luaL_error(L, "%s: %s: stop %d must be above the one before", operation->name, param->name,
                       i + 1);
        lua_pop(L, 1);
    }
    if (count < 2 || count > PALETTE_MAX)
        luaL_error(L, "%s: %s must have 2 to %d stops, got %I", operation->name, param->name, PALETTE_MAX,
                   count);
    palette->count = (int)count;
    lua_settop(L, top);
}

static void read_colours(lua_State *L, const Operation *operation, const Param *param, Colours *colours) {
    if (!lua_istable(L, -1))
        wrong_type(L, operation, param);
    const size_t count = (size_t)lua_rawlen(L, -1);
    if (!is_list(L, -1) || count < 1 || count > COLOURS_MAX)
        luaL_error(L, "%s: %s must be \"#rrggbb\", or a list of 1 to %d of them", operation->name,
                   param->name, COLOURS_MAX);
    for (colours->count = 0; colours->count < (int)count; colours->count++) {
        const int type = lua_rawgeti(L, -1, colours->count + 1);
        if (type != LUA_TSTRING || !colour_read(lua_tostring(L, -1), &colours->at[colours->count]))
            luaL_error(L, "%s: %s: element %d must be \"#rrggbb\", got %s", operation->name, param->name,
                       colours->count + 1, push_shown(L, -1));
        lua_pop(L, 1);
    }
}

// One field, or a list of them. They are in the arguments' table, which outlives the call.
static void read_fields(lua_State *L, const Operation *operation, const Param *param, Fields *fields) {
    fields->count = 1;
    if ((fields->at[0] = to_field(L, -1)))
        return;
    if (!lua_istable(L, -1))
        wrong_type(L, operation, param);
    const size_t count = (size_t)lua_rawlen(L, -1);
    if (!is_list(L, -1) || count < 1 || count > FIELDS_MAX)
        luaL_error(L, "%s: %s must be a field, or a list of 1 to %d of them", operation->name, param->name,
                   FIELDS_MAX);
    for (fields->count = 0; fields->count < (int)count; fields->count++) {
        lua_rawgeti(L, -1, fields->count + 1);
        if (!(fields->at[fields->count] = to_field(L, -1)))
            luaL_error(L, "%s: %s: element %d must be a field, got %s", operation->name, param->name,
                       fields->count + 1, push_got(L, -1));
        lua_pop(L, 1);
    }
}

static bool is_number_for(const Param *param, int type) {
    const ParamKind kind = param_kind(param);
    return type == LUA_TNUMBER && (kind == PARAM_INTEGER || kind == PARAM_NUMBER || kind == PARAM_DECIMAL);
}

// The digits of a decimal, too, the name of a palette, and a colour. The string is in the arguments' table,
// which outlives the call.
static bool is_text_for(const Param *param, int type) {
    const ParamKind kind = param_kind(param);
    return type == LUA_TSTRING && (kind == PARAM_TEXT || kind == PARAM_CHOICE || kind == PARAM_DECIMAL ||
                                   kind == PARAM_PALETTE || kind == PARAM_COLOURS);
}

// Fields and images are not read, which would compute those that are deferred.
static bool checks_only;

// Whether the value on top of the stack can be what the parameter takes, once it is computed.
static bool is_value_for(lua_State *L, ParamKind kind) {
    const ValueType *type = type_of(L, -1);
    return (kind == PARAM_FIELD && type == &type_field) || (kind == PARAM_IMAGE && type == &type_image) ||
           (kind == PARAM_FIELDS && (type == &type_field || lua_istable(L, -1)));
}

// Stores the value on top of the stack.
static void read_value(lua_State *L, const Operation *operation, const Param *param, void *params) {
    void *member = (char *)params + param->offset;
    const int type = lua_type(L, -1);
    const ParamKind kind = param_kind(param);
    Numbers numbers = { 0 };
    Error error;
    if (is_number_for(param, type)) {
        check_param(L, operation, param_set_number(param, params, lua_tonumber(L, -1), &error), &error);
    } else if (is_text_for(param, type)) {
        size_t length;
        const char *text = lua_tolstring(L, -1, &length);
        if (strlen(text) < length)
            luaL_error(L, "%s: %s must have no byte 0", operation->name, param->name);
        check_param(L, operation, param_set_text(param, params, text, &error), &error);
    } else if (kind == PARAM_NUMBERS) {
        read_numbers(L, operation, param, &numbers);
        check_param(L, operation, param_set_numbers(param, params, &numbers, &error), &error);
    } else if (kind == PARAM_PALETTE) {
        read_palette(L, operation, param, member);
    } else if (kind == PARAM_COLOURS) {
        read_colours(L, operation, param, member);
    } else if (kind == PARAM_BOOLEAN && type == LUA_TBOOLEAN) {
        *(bool *)member = lua_toboolean(L, -1);
    } else if (checks_only && is_value_for(L, kind)) {
        return;
    } else if (kind == PARAM_FIELD && to_field(L, -1)) {
        *(const Field **)member = to_field(L, -1);
    } else if (kind == PARAM_FIELDS) {
        read_fields(L, operation, param, member);
    } else if (kind == PARAM_IMAGE && to_image(L, -1)) {
        *(const Image **)member = to_image(L, -1);
    } else {
        wrong_type(L, operation, param);
    }
}

// size, or width and height. `arguments` may be nil.
static void read_size(lua_State *L, const Operation *operation, int arguments, Call *call) {
    int sides[3] = { 0 }; // size, width, height
    for (int i = 0; i < 3; i++) {
        Param param = size_params[i];
        param.offset = 0;
        if (lua_istable(L, arguments) && get(L, arguments, param.name) != LUA_TNIL)
            read_value(L, operation, &param, &sides[i]);
    }
    lua_settop(L, arguments);
    Error error;
    check(L, argument_sides(operation, sides, call, &error), &error);
}

static void read_seed(lua_State *L, const Operation *operation, int arguments, Call *call) {
    if (!lua_istable(L, arguments) || get(L, arguments, "seed") == LUA_TNIL)
        return;
    int whole = 0;
    call->seed = (uint64_t)lua_tointegerx(L, -1, &whole);
    if (!whole || lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "%s: seed must be a whole number, -2^63 to 2^63 - 1, got %s", operation->name,
                   push_got(L, -1));
}

static void read_wrap(lua_State *L, const Operation *operation, int arguments, Call *call) {
    if (!lua_istable(L, arguments) || get(L, arguments, wrap_param.name) == LUA_TNIL)
        return;
    if (!lua_isboolean(L, -1))
        wrong_type(L, operation, operation_wrap_param(operation));
    call->wrap = lua_toboolean(L, -1) ? WRAP_ON : WRAP_OFF;
}

static void read_coordinates(lua_State *L, const Operation *operation, int arguments, Call *call) {
    if (!lua_istable(L, arguments) || get(L, arguments, coordinates_param.name) == LUA_TNIL)
        return;
    read_value(L, operation, &coordinates_param, &call->coordinates);
}

// Raises an error for the first name, in alphabetical order, that no parameter has.
static void refuse_unknown(lua_State *L, const Operation *operation, int arguments) {
    if (lua_getmetatable(L, arguments))
        luaL_error(L, "%s: arguments must be a plain table, without a metatable", operation->name);
    const char *unknown = NULL;
    for (lua_pushnil(L); lua_next(L, arguments); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "%s: arguments have names, as in { size = 64 }; got one without", operation->name);
        const char *name = lua_tostring(L, -2);
        if (!operation_param(operation, name) && (!unknown || strcmp(name, unknown) < 0))
            unknown = name;
    }
    Error error;
    if (unknown)
        check(L, argument_unknown(operation, unknown, false, &error), &error);
}

static void read_all(lua_State *L, const Operation *operation, int arguments, Call *call, void *params) {
    const bool given = lua_istable(L, arguments);
    if (given)
        refuse_unknown(L, operation, arguments);
    params_initialise(operation, params);
    for (const Param *param = operation->params; param && param->name; param++) {
        if (given && get(L, arguments, param->name) != LUA_TNIL)
            read_value(L, operation, param, params);
        lua_settop(L, arguments);
    }
    if (operation->sized)
        read_size(L, operation, arguments, call);
    if (operation->seeded)
        read_seed(L, operation, arguments, call);
    lua_settop(L, arguments);
    if (operation_wrap_param(operation))
        read_wrap(L, operation, arguments, call);
    lua_settop(L, arguments);
    if (operation_takes_places(operation))
        read_coordinates(L, operation, arguments, call);
    lua_settop(L, arguments);
}

void read_arguments(lua_State *L, const Operation *operation, int arguments, Call *call, void *params) {
    checks_only = false; // an error may have left it true
    read_all(L, operation, arguments, call, params);
}

void check_arguments(lua_State *L, const Operation *operation, int arguments, Call *call, void *params) {
    checks_only = true;
    read_all(L, operation, arguments, call, params);
    checks_only = false;
}
