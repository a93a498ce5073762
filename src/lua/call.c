// One C function runs every operation: inputs by position, then one table of named arguments.

#include "lua/binding.h"

#include "operations.h"
#include "values.h"

#include <string.h>

Run binding_run;
int binding_max_threads;
const char *binding_operation;

static bool takes_table(const Operation *operation) {
    return operation_param_at(operation, 0) != NULL;
}

// Pushes how it is written, as help shows it: "height:inpaint(mask, { name = value })".
static const char *push_form(lua_State *L, const Operation *operation) {
    const InputSpec *inputs = operation->inputs;
    const bool table = takes_table(operation);
    const bool method =
        inputs[0].name && !input_accepts(&inputs[0], &type_number) && !input_accepts(&inputs[0], &type_text);
    const int first = method ? 1 : 0;
    const bool bare = table && !inputs[first].name;
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, method ? inputs[0].name : "esker");
    luaL_addstring(&text, method ? ":" : ".");
    luaL_addstring(&text, operation->name);
    luaL_addstring(&text, bare ? "" : "(");
    for (int i = first; i < INPUTS_MAX && inputs[i].name; i++) {
        luaL_addstring(&text, i > first ? ", " : "");
        luaL_addstring(&text, inputs[i].name);
    }
    luaL_addstring(&text, !table ? "" : bare ? "{ name = value }" : ", { name = value }");
    luaL_addstring(&text, bare ? "" : ")");
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

// The results of the latest call, to recognize them, not to be read.
static struct {
    const void *at[OUTPUTS_MAX];
    int count;
} latest;

static void note_results(lua_State *L, int count) {
    latest.count = count;
    for (int i = 0; i < count; i++)
        latest.at[i] = lua_topointer(L, i - count);
}

// A value that is wrong here: if it is not the first result of the latest call, that call stands in the last
// place and passed on all that it gave, as in h:flatten(h:peaks{}).
static void refuse_results(lua_State *L, const Operation *operation, int index) {
    const void *value = lua_topointer(L, index);
    for (int i = 1; i < latest.count; i++)
        if (value && value == latest.at[i])
            luaL_error(L, "%s: the call in the last place gave %d values; put it in ( ) to pass on the first",
                       operation->name, latest.count);
}

// A value where the table of arguments goes, or after it.
static void refuse_more(lua_State *L, const Operation *operation, int index) {
    refuse_results(L, operation, index);
    const char *got = push_shown(L, index);
    if (takes_table(operation))
        luaL_error(L, "%s: takes its arguments in one table, %s; got %s", operation->name,
                   push_form(L, operation), got);
    luaL_error(L, "%s: takes no more values, %s; got %s as well", operation->name, push_form(L, operation),
               got);
}

// For min and max called as if they gave one number of a field, land:max(): where that number is; or NULL.
static const char *statistic_meant(const Operation *operation, bool nothing) {
    for (const OutputSpec *output = op_statistics.outputs; nothing && output->name; output++)
        if (strcmp(output->name, operation->name) == 0)
            return "; the number for all cells is height:statistics().";
    return NULL;
}

static void read_input(lua_State *L, const Operation *operation, int i, Input *input) {
    const InputSpec *spec = &operation->inputs[i];
    const int index = i + 1;
    const ValueType *type = type_of(L, index);
    const void *value = type && input_accepts(spec, type) ? to_value(L, index, type) : NULL;
    if (value) {
        input_set(input, type, value);
        return;
    }
    if (lua_type(L, index) == LUA_TSTRING && input_accepts(spec, &type_text)) {
        input->text = lua_tostring(L, index);
        if (strlen(input->text) < lua_rawlen(L, index))
            luaL_error(L, "%s: %s must have no byte 0", operation->name, spec->name);
        return;
    }
    if (lua_type(L, index) == LUA_TNUMBER && input_accepts(spec, &type_number)) {
        input->number = lua_tonumber(L, index);
        if (!(input->number - input->number == 0))
            luaL_error(L, "%s: %s must be finite, got %s", operation->name, spec->name,
                       push_written(L, input->number));
        return;
    }
    const bool is_table = lua_istable(L, index), is_none = lua_isnone(L, index); // before the stack grows
    const char *meant = statistic_meant(operation, i > 0 && is_none);
    const char *got = is_none ? "nothing" : is_table ? "table" : push_got(L, index);
    if (meant)
        luaL_error(L, "%s: %s must be %s, got %s%s%s", operation->name, spec->name, input_types(spec).text,
                   got, meant, operation->name);
    luaL_error(L, "%s: %s must be %s, got %s%s%s", operation->name, spec->name, input_types(spec).text, got,
               is_table ? "; it is written " : "", is_table ? push_form(L, operation) : "");
}

// Checks an input without reading a field or another value, which would compute a deferred one.
static void check_input(lua_State *L, const Operation *operation, int i, Input *input) {
    const ValueType *type = type_of(L, i + 1);
    if (!type || !input_accepts(&operation->inputs[i], type))
        read_input(L, operation, i, input);
}

// Whether the table of arguments, or nothing, stands where an optional input would.
static bool is_left_out(lua_State *L, const Operation *operation, int i) {
    return operation->inputs[i].optional && !type_of(L, i + 1);
}

static int read_inputs(lua_State *L, const Operation *operation, Call *call) {
    int count = 0;
    bool field = false;
    while (count < INPUTS_MAX && operation->inputs[count].name && !is_left_out(L, operation, count)) {
        read_input(L, operation, count, &call->inputs[count]);
        field = field || input_is_given(&call->inputs[count]);
        count++;
    }
    if (count > 0 && !field)
        luaL_error(L, "%s: %s must be a field, got a number", operation->name, operation->inputs[0].name);
    return count;
}

// A list of { key, value } in the registry.
const Labels *read_labels(lua_State *L) {
    enum { LABELS_MAX = 32 };
    if (lua_getfield(L, LUA_REGISTRYINDEX, BINDING_LABELS) != LUA_TTABLE)
        return NULL;
    Labels *labels = lua_newuserdatauv(L, sizeof *labels + LABELS_MAX * sizeof(Label), 0);
    labels->count = 0;
    labels->at = (Label *)(void *)(labels + 1);
    const lua_Integer count = luaL_len(L, -2);
    for (lua_Integer i = 1; i <= count && labels->count < LABELS_MAX; i++) {
        Label *label = &labels->at[labels->count++];
        lua_geti(L, -2, i);
        lua_geti(L, -1, 1);
        lua_geti(L, -2, 2);
        label->key = (char *)lua_tostring(L, -2); // kept alive by the table, and only read
        label->value = (char *)lua_tostring(L, -1);
        lua_pop(L, 3);
    }
    return labels;
}

static void push_numbers(lua_State *L, const Output *output) {
    lua_createtable(L, output->numbers.count, 0);
    for (int i = 0; i < output->numbers.count; i++) {
        lua_pushnumber(L, output->numbers.at[i]);
        lua_seti(L, -2, i + 1);
    }
}

static void push_labels(lua_State *L, const Labels *labels) {
    lua_newtable(L);
    for (int i = 0; i < labels->count; i++) {
        lua_pushstring(L, labels->at[i].value);
        lua_setfield(L, -2, labels->at[i].key);
    }
}

static void push_output(lua_State *L, Output *output) {
    if (output->type == &type_number)
        lua_pushnumber(L, output->number);
    else if (output->type == &type_numbers)
        push_numbers(L, output);
    else if (output->type == &type_labels)
        push_labels(L, &output->labels);
    else
        push_value(L, output);
}

static int push_results(lua_State *L, const Operation *operation, Output *outputs) {
    int count = 0;
    if (operation->record)
        lua_newtable(L);
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        if ((operation->one_output || operation->outputs[i].optional) && !output_value(&outputs[i]))
            continue;
        push_output(L, &outputs[i]);
        if (operation->record)
            lua_setfield(L, -2, operation->outputs[i].name);
        count++;
    }
    if (operation->record)
        return 1;
    note_results(L, count);
    return count;
}

static Status run(lua_State *L, const Operation *operation, int arguments, Call *call, void *params,
                  Locality *locality, Error *error) {
    read_arguments(L, operation, arguments, call, params);
    if (locality)
        return operation_locality(operation, call, params, locality, error);
    call->labels = operation->writes_labels ? read_labels(L) : NULL;
    binding_operation = operation->name;
    const Status status = operation_run(operation, call, params, error);
    binding_operation = NULL;
    return status;
}

void report_written(lua_State *L, const char *path) {
    if (lua_getfield(L, LUA_REGISTRYINDEX, BINDING_WRITTEN) == LUA_TFUNCTION) {
        lua_pushstring(L, path);
        lua_call(L, 1, 0);
    } else
        lua_pop(L, 1);
}

static void warn(lua_State *L, const Operation *operation, const char *text) {
    lua_pushfstring(L, "%s: %s", operation->name, text);
    lua_warning(L, lua_tostring(L, -1), 0);
    if (lua_getfield(L, LUA_REGISTRYINDEX, BINDING_WARNED) == LUA_TFUNCTION) {
        lua_insert(L, -2);
        lua_call(L, 1, 0);
    } else
        lua_pop(L, 2);
}

// Runs an operation with the arguments on the stack; with `locality`, only finds what it sees.
static int call_with(lua_State *L, const Operation *operation, Locality *locality) {
    Error notice = { "" };
    Call call = { .run = &binding_run, .notice = &notice };
    const int given = lua_gettop(L);
    luaL_checkstack(L, 24, operation->name);
    const int arguments = read_inputs(L, operation, &call) + 1;
    const bool unary_minus =
        arguments == 2 && given == 2 && lua_rawequal(L, 1, 2); // Lua passes its operand twice
    if (given >= arguments && !unary_minus && !lua_istable(L, arguments) && !lua_isnil(L, arguments))
        refuse_more(L, operation, arguments);
    if (given >= arguments && !unary_minus && lua_rawlen(L, arguments) > 0)
        refuse_results(L, operation, arguments); // a list of numbers
    if (given > arguments)
        refuse_more(L, operation, arguments + 1);
    lua_settop(L, arguments);

    // Moves values below the table of arguments, where they stay alive: reading the table clears everything
    // above it.
    void *params = lua_newuserdatauv(L, operation->params_size, 0);
    lua_insert(L, arguments);
    call.outputs = push_outputs(L);
    lua_insert(L, arguments);

    collect_if_grown(L);
    Error error;
    Status status = run(L, operation, arguments + 2, &call, params, locality, &error);
    if (status == STATUS_MEMORY) { // a garbage collection may free enough
        lua_gc(L, LUA_GCCOLLECT);
        notice.text[0] = '\0';
        status = run(L, operation, arguments + 2, &call, params, locality, &error);
    }
    if (status != STATUS_OK)
        return luaL_error(L, "%s: %s", operation->name, error.text);
    if (notice.text[0])
        warn(L, operation, notice.text);
    if (locality)
        return 0;
    if (operation->writes_labels)
        report_written(L, call.inputs[1].text);
    const int count = push_results(L, operation, call.outputs);
    reuse_outputs(L, arguments);
    return count;
}

int check_call(lua_State *L, const Operation *operation) {
    Call call = { .run = &binding_run };
    const int given = lua_gettop(L);
    luaL_checkstack(L, 24, operation->name);
    int count = 0;
    for (; count < INPUTS_MAX && operation->inputs[count].name && !is_left_out(L, operation, count); count++)
        check_input(L, operation, count, &call.inputs[count]);
    if (given <= count || !lua_istable(L, count + 1))
        return 0; // what else may be there is told when it runs
    lua_settop(L, count + 1);
    void *params = lua_newuserdatauv(L, operation->params_size, 0);
    lua_insert(L, count + 1);
    check_arguments(L, operation, count + 2, &call, params);
    return 0;
}

// Upvalue 1: the operation.
static int call_now(lua_State *L) {
    return call_with(L, lua_touserdata(L, lua_upvalueindex(1)), NULL);
}

Locality locality_of_call(lua_State *L, const Operation *operation) {
    Locality locality = { .cells = SEES_ALL };
    call_with(L, operation, &locality);
    return locality;
}

static int call_operation(lua_State *L) {
    if (!deferred_calls(L))
        return call_now(L);
    const Operation *operation = lua_touserdata(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_pushstring(L, operation->name);
    lua_insert(L, 2);
    lua_pushlightuserdata(L, (void *)operation);
    lua_pushcclosure(L, call_now, 1);
    lua_insert(L, 3);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

void push_operation(lua_State *L, const Operation *operation) {
    lua_pushlightuserdata(L, (void *)operation);
    lua_pushcclosure(L, call_operation, 1);
}
