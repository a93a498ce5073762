// What functions of the module `esker.planes` take and give: strips, notes, words of strings, joins.

#include "core/gaps.h"
#include "core/memory.h"
#include "large/large.h"
#include "lua/binding.h"
#include "lua/large_values.h"
#include "water/drainage.h"

#include <assert.h>
#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char notes_type[] = "esker.notes";

void check_done(lua_State *L, Status status, const Error *error) {
    binding_operation = NULL;
    if (status != STATUS_OK)
        luaL_error(L, "%s", error->text);
}

int to_size(lua_State *L, int index) {
    const lua_Integer value = luaL_checkinteger(L, index);
    luaL_argcheck(L, value >= 0 && value <= SIDE_MAX, index, "out of range");
    return (int)value;
}

Field *to_strip(lua_State *L, int index) {
    Field *field = to_field(L, index);
    luaL_argcheck(L, field && field->cells, index, "a field");
    assert(field);
    return field;
}

// The field at `index`, or a copy of it with `lowest` in cells without data, which takes its place.
Field *to_numbers(lua_State *L, int index, float lowest) {
    Field *field = to_strip(L, index);
    if (!field->gaps)
        return field;
    Field *numbers = push_sized_field(L, field->width, field->height, "large");
    for (size_t i = 0; i < field_count(field); i++)
        field_cells(numbers)[i] = field_has_data(field, i) ? field->cells[i] : lowest;
    numbers->frame = field->frame;
    numbers->whole = field->whole;
    lua_replace(L, index);
    return numbers;
}

// --- notes -------------------------------------------------------------------------------------------------

Notes *push_notes(lua_State *L) {
    Notes *notes = lua_newuserdatauv(L, sizeof *notes, 0);
    *notes = (Notes){ 0 };
    luaL_setmetatable(L, notes_type);
    return notes;
}

static int free_notes(lua_State *L) {
    Notes *notes = luaL_checkudata(L, 1, notes_type);
    memory_free(notes->at);
    *notes = (Notes){ 0 };
    return 0;
}

// Memory that a value on the stack holds.
void *push_memory(lua_State *L, size_t size) {
    Notes *held = push_notes(L);
    Error error;
    void *memory = memory_new(size, 1, &error);
    if (!memory)
        luaL_error(L, "%s", error.text);
    held->at = memory;
    return memory;
}

void push_words(lua_State *L, const Notes *notes) {
    lua_pushlstring(L, (const char *)notes->at, notes->count * sizeof *notes->at);
}

// Words of a string, aligned. `count`: how many.
const uint32_t *to_words(lua_State *L, int index, size_t *count) {
    size_t size;
    const char *bytes = luaL_checklstring(L, index, &size);
    *count = size / sizeof(uint32_t);
    void *words = lua_newuserdatauv(L, size + 1, 0);
    memcpy(words, bytes, size);
    return words;
}

// A join is a pointer in a userdata.
void *to_join(lua_State *L, const char *type) {
    void **held = luaL_checkudata(L, 1, type);
    luaL_argcheck(L, *held, 1, "it is closed");
    return *held;
}

void **push_join(lua_State *L, const char *type) {
    void **held = lua_newuserdatauv(L, sizeof *held, 0);
    *held = NULL;
    luaL_setmetatable(L, type);
    return held;
}

float below_all(lua_State *L, int index, float sea) {
    return nextafterf(min((float)luaL_checknumber(L, index), sea), -FLT_MAX);
}

// Directions at 1 of rows of a width; returns how many rows.
int to_directions(lua_State *L, int width, const uint8_t **direction) {
    size_t size;
    *direction = (const uint8_t *)luaL_checklstring(L, 1, &size);
    const size_t rows = width > 0 ? size / (size_t)width : 0;
    luaL_argcheck(L, rows > 0 && rows <= SIDE_MAX && rows * (size_t)width == size, 1, "whole rows");
    return (int)rows;
}

void add_note_class(lua_State *L) {
    static const luaL_Reg no_methods[] = { { NULL, NULL } };
    define_class(L, notes_type, no_methods, free_notes);
}
