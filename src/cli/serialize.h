// Lua values as bytes, from a confined process to the one that started it. The reader trusts nothing: values
// are complete and valid for every operation, or an error is raised.

#ifndef ESKER_SERIALIZE_H
#define ESKER_SERIALIZE_H

#include <stdio.h>

#include <lua.h>

// Writes the value at `index`: nil, booleans, numbers, strings, values of types that can be sent
// (ValueType.write), and tables of these, at most 16 deep. Raises an error for others, and if more than
// `most` bytes are needed. A value reached in several ways is written each time.
void serialize(lua_State *L, int index, size_t most, FILE *stream);

// Reads one value and pushes it.
void deserialize(lua_State *L, FILE *stream);

#endif
