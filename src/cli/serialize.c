// One byte encodes the type of a value; numbers are in the machine's own format, since both processes run on
// it.

#include "cli/serialize.h"

#include "core/bytes.h"
#include "lua/binding.h"
#include "values.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

typedef enum Tag {
    TAG_NIL = 'n',
    TAG_FALSE = 'f',
    TAG_TRUE = 't',
    TAG_INTEGER = 'i',
    TAG_NUMBER = 'd',
    TAG_STRING = 's',
    TAG_TABLE = '{',
    TAG_END = '}',
    TAG_VALUE = 128, // and the type's place in the list of all
} Tag;

// --- writing -----------------------------------------------------------------------------------------------

typedef struct Writer {
    lua_State *L;
    ByteWriter bytes;
} Writer;

static void check_room(Writer *to) {
    if (to->bytes.full)
        luaL_error(to->L, "the results exceed the memory limit (--memory-limit)");
}

static void put(Writer *to, const void *bytes, size_t size) {
    bytes_put(&to->bytes, bytes, size);
    check_room(to);
}

static void put_tag(Writer *to, int tag) {
    const unsigned char byte = (unsigned char)tag;
    put(to, &byte, 1);
}

// False if it is not an engine value, or one that cannot be sent.
static bool put_value_of_engine(lua_State *L, int index, Writer *to) {
    const ValueType *type = type_of(L, index);
    const void *value = type && type->write ? to_value(L, index, type) : NULL;
    if (!value)
        return false;
    int place = 0;
    while (all_value_types[place] != type)
        place++;
    put_tag(to, TAG_VALUE + place);
    type->write(value, &to->bytes);
    check_room(to);
    return true;
}

static void put_value(lua_State *L, int index, Writer *to, int depth);

static void put_table(lua_State *L, int index, Writer *to, int depth) {
    if (depth == DEPTH_MAX)
        luaL_error(L, "results may be nested at most %d deep", DEPTH_MAX);
    luaL_checkstack(L, 4, "results");
    put_tag(to, TAG_TABLE);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        put_value(L, lua_gettop(L) - 1, to, depth + 1);
        put_value(L, lua_gettop(L), to, depth + 1);
    }
    put_tag(to, TAG_END);
}

static void put_value(lua_State *L, int index, Writer *to, int depth) {
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        put_tag(to, TAG_NIL);
        return;
    case LUA_TBOOLEAN:
        put_tag(to, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        return;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            const lua_Integer whole = lua_tointeger(L, index);
            put_tag(to, TAG_INTEGER);
            put(to, &whole, sizeof whole);
        } else {
            const lua_Number number = lua_tonumber(L, index);
            put_tag(to, TAG_NUMBER);
            put(to, &number, sizeof number);
        }
        return;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        put_tag(to, TAG_STRING);
        put(to, &length, sizeof length);
        put(to, text, length);
        return;
    }
    case LUA_TTABLE:
        put_table(L, index, to, depth);
        return;
    default:
        if (!put_value_of_engine(L, index, to))
            luaL_error(L, "a %s cannot be passed between processes", type_name(L, index));
    }
}

void serialize(lua_State *L, int index, size_t most, FILE *stream) {
    Writer to = { L, { .stream = stream, .left = most } };
    put_value(L, lua_absindex(L, index), &to, 0);
}

// --- reading -----------------------------------------------------------------------------------------------

static int damaged(lua_State *L) {
    return luaL_error(L, "the recipe's process sent something that cannot be read");
}

static void get(lua_State *L, FILE *stream, void *bytes, size_t size) {
    Error error;
    if (bytes_get(stream, bytes, size, &error) != STATUS_OK)
        damaged(L);
}

static void get_string(lua_State *L, FILE *stream) {
    size_t length;
    get(L, stream, &length, sizeof length);
    if (length > bytes_left(stream))
        damaged(L);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(L, &buffer, length);
    get(L, stream, text, length);
    luaL_pushresultsize(&buffer, length);
}

// `place` is the type's in the list of all.
static void get_value_of_engine(lua_State *L, FILE *stream, int place) {
    int count = 0;
    while (all_value_types[count])
        count++;
    const ValueType *type = place >= 0 && place < count ? all_value_types[place] : NULL;
    if (!type || !type->read)
        damaged(L);
    else {
        Error error;
        void *held = push_empty(L, type); // before there is a value, since Lua's memory may run out here
        const Status status = type->read(held, stream, &error);
        if (status == STATUS_INVALID)
            damaged(L);
        if (status != STATUS_OK)
            luaL_error(L, "%s", error.text);
    }
}

static bool get_value(lua_State *L, FILE *stream, int depth);

static void get_table(lua_State *L, FILE *stream, int depth) {
    if (depth == DEPTH_MAX)
        damaged(L);
    luaL_checkstack(L, 4, "results");
    lua_newtable(L);
    while (get_value(L, stream, depth + 1)) {
        const int type = lua_type(L, -1);
        if (type == LUA_TNIL || (type == LUA_TNUMBER && isnan(lua_tonumber(L, -1))) ||
            !get_value(L, stream, depth + 1))
            damaged(L);
        lua_rawset(L, -3);
    }
}

// Pushes a value; false, and nothing, at the end of a table.
static bool get_value(lua_State *L, FILE *stream, int depth) {
    lua_Integer whole;
    lua_Number number;
    const int tag = getc(stream);
    switch (tag) {
    case TAG_NIL:
        lua_pushnil(L);
        break;
    case TAG_FALSE:
        lua_pushboolean(L, false);
        break;
    case TAG_TRUE:
        lua_pushboolean(L, true);
        break;
    case TAG_INTEGER:
        get(L, stream, &whole, sizeof whole);
        lua_pushinteger(L, whole);
        break;
    case TAG_NUMBER:
        get(L, stream, &number, sizeof number);
        lua_pushnumber(L, number);
        break;
    case TAG_STRING:
        get_string(L, stream);
        break;
    case TAG_TABLE:
        get_table(L, stream, depth);
        break;
    case TAG_END:
        return false;
    default:
        get_value_of_engine(L, stream, tag - TAG_VALUE);
    }
    return true;
}

void deserialize(lua_State *L, FILE *stream) {
    if (!get_value(L, stream, 0))
        damaged(L);
}

// --- messages ----------------------------------------------------------------------------------------------

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
