// esker.operations(), esker.values() and esker.formats(): every declaration as a Lua table, for help, manual,
// completion and annotations.

#include "lua/binding.h"

#include "core/whole.h"
#include "exchange/format_list.h"

#include "operations.h"
#include "values.h"

#include <assert.h>
#include <string.h>

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
    set_text(L, "doc", param_doc(operation, param).text);
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
        set_text(L, "unit",
                 dimension_name(operation->outputs[i].heights ? DIMENSION_HEIGHT
                                                              : operation->outputs[i].dimension));
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

void push_declaration(lua_State *L, const Operation *operation) {
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
        set_text(L, "kind",
                 property->length    ? "number?"
                 : !property->get    ? "table?"
                 : property->boolean ? "boolean"
                                     : "integer");
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

// Appends those of the words but one, which may be NULL, to the list on the stack.
static void append_words(lua_State *L, const char *words, const char *without) {
    for (const char *at = words; at && *at;) {
        const size_t length = strcspn(at, " ");
        lua_pushlstring(L, at, length);
        if (without && strcmp(lua_tostring(L, -1), without) == 0)
            lua_pop(L, 1);
        else
            append(L);
        at += length + strspn(at + length, " ");
    }
}

static void set_words(lua_State *L, const char *key, const char *words) {
    lua_newtable(L);
    append_words(L, words, NULL);
    lua_setfield(L, -2, key);
}

// The endings of the files of a type, the usual one first.
static void push_endings(lua_State *L, const ValueType *type) {
    lua_newtable(L);
    append_words(L, type->ending, NULL);
    for (const FileFormat *const *each = all_formats; *each && type->ending; each++)
        if (written_as(*each, type) >= 0)
            append_words(L, (*each)->endings, type->ending);
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
        push_endings(L, *each);
        lua_setfield(L, -2, "formats");
        append(L);
    }
    return 1;
}

// --- file formats ------------------------------------------------------------------------------------------

static void set_held(lua_State *L, const FileFormat *format) {
    bool writes = false;
    lua_newtable(L);
    for (int i = 0; format->holds[i].type; i++) {
        lua_pushstring(L, format->holds[i].type->kind);
        append(L);
        writes = writes || format->holds[i].write;
    }
    lua_setfield(L, -2, "holds");
    set_flag(L, "reads", format->read != NULL);
    set_flag(L, "writes", writes);
}

static void set_kept(lua_State *L, unsigned keeps) {
    static const struct {
        unsigned bit;
        const char *name;
    } all[] = { { KEEPS_PLACE, "place" },   { KEEPS_TURN, "turn" },      { KEEPS_EPSG, "epsg" },
                { KEEPS_SYSTEM, "system" }, { KEEPS_UNIT, "unit" },      { KEEPS_GAPS, "gaps" },
                { KEEPS_BESIDE, "beside" }, { KEEPS_PROJECT, "project" } };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        set_flag(L, all[i].name, keeps & all[i].bit);
    lua_setfield(L, -2, "keeps");
}

int list_formats(lua_State *L) {
    lua_newtable(L);
    for (const FileFormat *const *each = all_formats; *each; each++) {
        lua_newtable(L);
        set_text(L, "name", (*each)->name);
        set_text(L, "media_type", (*each)->media_type);
        set_text(L, "library", (*each)->library);
        set_text(L, "numbers", (*each)->numbers);
        set_text(L, "gaps", (*each)->gaps);
        set_text(L, "doc", (*each)->doc);
        set_flag(L, "raw", (*each)->raw_type != NULL);
        set_flag(L, "larger_than_memory", (*each)->rows != ROWS_NONE);
        if ((*each)->bits > 0) {
            lua_pushinteger(L, (*each)->bits);
            lua_setfield(L, -2, "bits");
        }
        set_words(L, "endings", (*each)->endings);
        set_words(L, "load_takes", (*each)->load_takes);
        set_words(L, "save_takes", (*each)->save_takes);
        set_held(L, *each);
        set_kept(L, (*each)->keeps);
        append(L);
    }
    return 1;
}
