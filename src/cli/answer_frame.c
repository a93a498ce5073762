#define _GNU_SOURCE // open_memstream
#include "cli/answer_frame.h"

#include "cli/serialize.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_value(lua_State *L) {
    serialize(L, 2, MESSAGE_MAX, lua_touserdata(L, 1));
    return 0;
}

static int read_value(lua_State *L) {
    deserialize(L, lua_touserdata(L, 1));
    return 1;
}

Message message_of(lua_State *L, int index) {
    Message message = { 0 };
    index = lua_absindex(L, index);
    FILE *stream = open_memstream(&message.bytes, &message.size);
    if (!stream)
        luaL_error(L, "not enough memory");
    uint64_t size = 0;
    fwrite(&size, sizeof size, 1, stream);
    lua_pushcfunction(L, write_value);
    lua_pushlightuserdata(L, stream);
    lua_pushvalue(L, index);
    const int outcome = lua_pcall(L, 2, 0, 0);
    const bool well = fclose(stream) == 0;
    if (outcome != LUA_OK || !well) {
        free(message.bytes);
        message.bytes = NULL;
        if (outcome == LUA_OK)
            lua_pushliteral(L, "not enough memory");
        lua_error(L);
        return message;
    }
    size = message.size - sizeof size;
    memcpy(message.bytes, &size, sizeof size);
    return message;
}

bool message_push(lua_State *L, const char *bytes, size_t size) {
    const size_t head = sizeof(uint64_t);
    FILE *stream = size > head ? fmemopen((char *)bytes + head, size - head, "rb") : NULL;
    if (!stream) {
        lua_pushliteral(L, "a message cannot be read");
        return false;
    }
    lua_pushcfunction(L, read_value);
    lua_pushlightuserdata(L, stream);
    const int outcome = lua_pcall(L, 1, 1, 0);
    fclose(stream);
    return outcome == LUA_OK;
}

bool bytes_write(int socket, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t wrote = write(socket, bytes, size);
        if (wrote < 0 && errno != EINTR)
            return false;
        bytes += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

static bool bytes_read(int socket, char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t got = read(socket, bytes, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        bytes += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

bool message_read(int socket, Message *message) {
    uint64_t size;
    if (!bytes_read(socket, (char *)&size, sizeof size) || size > MESSAGE_MAX)
        return false;
    *message = (Message){ .bytes = malloc(sizeof size + size), .size = sizeof size + size };
    return message->bytes && bytes_read(socket, message->bytes + sizeof size, size);
}
