// What the files of the module `esker.planes` share.

#ifndef ESKER_LARGE_VALUES_H
#define ESKER_LARGE_VALUES_H

#include "core/gaps.h"
#include "core/operation.h"
#include "large/large.h"

#include <lua.h>
#include <math.h>

// A cell, or NaN where it has no data.
static inline float cell_or_none(const Field *field, int x, int y) {
    return field_has_data(field, (size_t)y * (size_t)field->width + (size_t)x) ? field_row(field, y)[x] : NAN;
}

// Raises an error unless the value is a plane that is not closed.
Plane *to_plane(lua_State *L, int index);

// Raises an error unless the status is good; no operation runs any more.
void check_done(lua_State *L, Status status, const Error *error);

int to_size(lua_State *L, int index); // 0 … SIDE_MAX
Field *to_strip(lua_State *L, int index);

// The field at `index`, or a copy of it with `lowest` in cells without data, which takes its place.
Field *to_numbers(lua_State *L, int index, float lowest);

// Below the sea and the least of all heights, where cells without data let water out.
float below_all(lua_State *L, int index, float sea);

// Directions at 1 of rows of a width; returns how many rows.
int to_directions(lua_State *L, int width, const uint8_t **direction);

// Notes, and memory of any kind, that a value on the stack holds.
Notes *push_notes(lua_State *L);
void *push_memory(lua_State *L, size_t size);

// Notes as a string; and words of a string, aligned. `count`: how many.
void push_words(lua_State *L, const Notes *notes);
const uint32_t *to_words(lua_State *L, int index, size_t *count);

// The texts of the list at `index`, one after the other, which leave the list.
void *push_joined(lua_State *L, int index, size_t *size);

// The numbers that an operation with one output gives, as a list.
int push_numbers(lua_State *L, const Operation *operation, Call *call, int arguments, void *params);

// A call of a height field of which only the size and the frame are read: the arguments 1 to 3.
Call sized_call(lua_State *L, Field *height);

// A join is a pointer in a userdata.
void **push_join(lua_State *L, const char *type);
void *to_join(lua_State *L, const char *type);

// Add their parts of the module to it, which is on top of the stack.
void add_plane_functions(lua_State *L);
void add_file_functions(lua_State *L);
void add_change_functions(lua_State *L);
void add_note_class(lua_State *L);
void add_water_functions(lua_State *L);
void add_direction_functions(lua_State *L);
void add_river_functions(lua_State *L);
void add_breach_functions(lua_State *L);

#endif
