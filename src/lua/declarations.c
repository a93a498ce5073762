// esker.operations() and esker.values(): every declaration as a Lua table, for help, manual, completion and
// annotations.

#include "lua/binding.h"

#include "core/whole.h"

#include "operations.h"
#include "values.h"

#include <assert.h>

static void push_number(lua_State *L, double value) {
    if (value == (double)whole_64(value))
        lua_pushinteger(L, whole_64(value));
    else
        lua_pushnumber(L, value);
}

static void push_default(lua_State *L, const Param *param) {
    if (param->optional && param->initial_numbers.count == 0) {
        lua_pushnil(L);
        return;
    }
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_NUMBER:
    case PARAM_DECIMAL:
        push_number(L, param->initial);
        return;
    case PARAM_BOOLEAN:
        lua_pushboolean(L, param->initial != 0);
        return;
    case PARAM_CHOICE:
        assert(param->choices);
        lua_pushstring(L, param->choices[whole_int(param->initial)]);
        return;
    case PARAM_TEXT:
    case PARAM_PALETTE:
    case PARAM_COLOURS:
        lua_pushstring(L, param->initial_text);
        return;
    case PARAM_NUMBERS:
        lua_newtable(L);
        for (int i = 0; i < param->initial_numbers.count; i++) {
            push_number(L, param->initial_numbers.at[i]);
            lua_seti(L, -2, i + 1);
        }
        return;
    case PARAM_FIELD:
    case PARAM_FIELDS:
    case PARAM_IMAGE:
        lua_pushnil(L);
        return;
    }
}

static void push_param(lua_State *L, const Operation *operation, const Param *param) {
    lua_newtable(L);
    set_text(L, "name", param->name);
    set_text(L, "kind", param_kind_name(param));
    set_text(L, "unit", param_unit_name(param));
    set_text(L, "doc", param->doc);
    char allowed[200];
    operation_param_allowed(operation, param, allowed, sizeof allowed);
    set_text(L, "allowed", allowed);
    if (param->columns > 1) {
        lua_pushinteger(L, param->columns);
        lua_setfield(L, -2, "columns");
    }
    if (param_kind(param) == PARAM_NUMBERS) {
        lua_pushinteger(L, param->optional ? 0 : param->rows_min);
        lua_setfield(L, -2, "rows_min");
        lua_pushinteger(L, param_rows_max(param));
        lua_setfield(L, -2, "rows_max");
    }
    if (param_bounded(param)) {
        push_number(L, param->min);
        lua_setfield(L, -2, "min");
        push_number(L, param->max);
        lua_setfield(L, -2, "max");
    }
    if (param->choices) {
        lua_newtable(L);
        for (int i = 0; param->choices[i]; i++) {
            lua_pushstring(L, param->choices[i]);
            lua_seti(L, -2, i + 1);
        }
        lua_setfield(L, -2, "choices");
    }
    if (param != &wrap_param) {
        push_default(L, param);
        lua_setfield(L, -2, "default");
    }
}

static void append(lua_State *L) {
    lua_seti(L, -2, luaL_len(L, -2) + 1);
}

// Several kinds are joined by "|". Of `input` or `output`.
static void set_kind(lua_State *L, const InputSpec *input, const OutputSpec *output) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    bool first = true;
    for (const ValueType *const *type = all_value_types; *type; type++)
        if (input ? input_accepts(input, *type) : output && output_type(output) == *type) {
            if (!first)
                luaL_addchar(&text, '|');
            luaL_addstring(&text, (*type)->kind);
            first = false;
        }
    luaL_pushresult(&text);
    lua_setfield(L, -2, "kind");
}

static void push_accepted(lua_State *L, const Operation *operation) {
    lua_newtable(L);
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        lua_newtable(L);
        set_text(L, "name", operation->inputs[i].name);
        set_text(L, "doc", input_doc(&operation->inputs[i]).text);
        set_kind(L, &operation->inputs[i], NULL);
        append(L);
    }
}

static void push_results(lua_State *L, const Operation *operation) {
    lua_newtable(L);
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        lua_newtable(L);
        set_text(L, "name", operation->outputs[i].name);
        set_text(L, "doc", operation->outputs[i].doc);
        set_kind(L, NULL, &operation->outputs[i]);
        set_flag(L, "optional", operation->outputs[i].optional);
        set_flag(L, "heights", operation->outputs[i].heights);
        append(L);
    }
}

static void push_params(lua_State *L, const Operation *operation) {
    const Param *param;
    lua_newtable(L);
    for (int i = 0; (param = operation_param_at(operation, i)); i++) {
        push_param(L, operation, param);
        append(L);
    }
}

static void push_declaration(lua_State *L, const Operation *operation) {
    lua_newtable(L);
    set_text(L, "name", operation->name);
    set_text(L, "category", operation->category);
    set_text(L, "keywords", operation->keywords);
    set_text(L, "summary", operation->summary);
    set_text(L, "description", operation->description);
    set_text(L, "source", operation->source);
    set_text(L, "example", operation->example);
    set_text(L, "picture", operation->picture);
    set_text(L, "see_also", operation->see_also);
    set_flag(L, "sized", operation->sized);
    set_flag(L, "seeded", operation->seeded);
    set_flag(L, "record", operation->record);
    set_flag(L, "one_output", operation->one_output);

    push_accepted(L, operation);
    lua_setfield(L, -2, "inputs");
    push_results(L, operation);
    lua_setfield(L, -2, "outputs");
    push_params(L, operation);
    lua_setfield(L, -2, "params");
}

int list_operations(lua_State *L) {
    lua_newtable(L);
    for (const Operation *const *each = all_operations; *each; each++) {
        push_declaration(L, *each);
        append(L);
    }
    return 1;
}

// --- value types -------------------------------------------------------------------------------------------

static void push_method(lua_State *L, const Method *method) {
    lua_newtable(L);
    set_text(L, "name", method->name);
    set_text(L, "arguments", method->arguments);
    set_text(L, "gives", method->gives);
    set_text(L, "doc", method->doc);
}

static void push_properties(lua_State *L, const ValueType *type) {
    lua_newtable(L);
    for (const ValueProperty *property = type->properties; property && property->name; property++) {
        lua_newtable(L);
        set_text(L, "name", property->name);
        set_text(L, "kind", !property->get ? "table?" : property->boolean ? "boolean" : "integer");
        set_text(L, "doc", property->doc);
        append(L);
    }
}

static void push_methods(lua_State *L, const ValueType *type) {
    const ValueMethods *own = methods_of(type);
    lua_newtable(L);
    for (const Method *method = own ? own->methods : NULL; method && method->name; method++) {
        push_method(L, method);
        append(L);
    }
    if (type->hash) {
        push_method(L, &hash_method);
        append(L);
    }
    if (type->picture) {
        push_method(L, &show_method);
        append(L);
    }
}

static void push_formats(lua_State *L, const ValueType *type) {
    lua_newtable(L);
    for (const FileFormat *format = type->formats; format && format->ending; format++) {
        lua_pushstring(L, format->ending + 1);
        append(L);
    }
}

int list_values(lua_State *L) {
    lua_newtable(L);
    for (const ValueType *const *each = all_value_types; *each; each++) {
        if (!(*each)->name)
            continue;
        lua_newtable(L);
        set_text(L, "name", (*each)->name);
        set_text(L, "kind", (*each)->kind);
        set_text(L, "singular", (*each)->singular);
        set_text(L, "plural", (*each)->plural);
        set_text(L, "doc", (*each)->doc);
        set_text(L, "picture", (*each)->picture);
        push_properties(L, *each);
        lua_setfield(L, -2, "properties");
        push_methods(L, *each);
        lua_setfield(L, -2, "methods");
        push_formats(L, *each);
        lua_setfield(L, -2, "formats");
        append(L);
    }
    return 1;
}
