// Lua values as bytes, from a confined process to the one that started it. The reader trusts nothing: values
// are complete and valid for every operation, or an error is raised.

#ifndef ESKER_SERIALIZE_H
#define ESKER_SERIALIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <lua.h>

// Writes the value at `index`: nil, booleans, numbers, strings, values of types that can be sent
// (ValueType.write), and tables of these, at most 16 deep. Raises an error for others, and if more than
// `most` bytes are needed. A value reached in several ways is written each time.
void serialize(lua_State *L, int index, size_t most, FILE *stream);

// Reads one value and pushes it.
void deserialize(lua_State *L, FILE *stream);

// --- messages ----------------------------------------------------------------------------------------------

#define MESSAGE_MAX ((size_t)256 << 20) // bytes

// A value as bytes for another process: their number as 64 bits, then what serialize writes.
typedef struct Message {
    char *bytes; // to be freed
    size_t size, room;
} Message;

// The message of the value at `index`; raises an error if it cannot be sent.
Message message_of(lua_State *L, int index);

// Pushes the decoded value of a `size`-byte message; returns false and pushes the error if it carries one.
bool message_push(lua_State *L, const char *bytes, size_t size);

#endif
