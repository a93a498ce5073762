// Lua values between two processes: their size in bytes, then the value as serialize.h writes it.

#ifndef ESKER_ANSWER_FRAME_H
#define ESKER_ANSWER_FRAME_H

#include <lua.h>

#include <stdbool.h>
#include <stddef.h>

#define MESSAGE_MAX ((size_t)256 << 20) // bytes

typedef struct Message {
    char *bytes; // its size first; to be freed
    size_t size, room;
} Message;

// The message of the value at `index`; raises an error if it cannot be sent.
Message message_of(lua_State *L, int index);

// Pushes the decoded value of a `size`-byte message; returns false and pushes the error if it carries one.
bool message_push(lua_State *L, const char *bytes, size_t size);

// Waits for the next message; false when the socket is closed.
bool message_read(int socket, Message *message);

bool bytes_write(int socket, const char *bytes, size_t size);

#endif
