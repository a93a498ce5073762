// Text functions for the terminal and JSON, and hashes of text: require "esker.texts".

#include "cli/modules.h"

#include "cli/terminal_escape.h"
#include "core/random.h"
#include "lua/binding.h"

#include <stdio.h>
#include <string.h>

// texts.hash(text): 64 bits as 16 hex digits.
static int hash(lua_State *L) {
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    uint64_t bits = mix64(size);
    for (size_t i = 0; i < size; i++)
        bits = mix64(bits ^ (unsigned char)text[i]);
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)bits);
    lua_pushstring(L, digits);
    return 1;
}

// texts.visible(text): replaces characters that are unsafe on a terminal by '?' (terminal_escape.h).
static int visible(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    luaL_Buffer shown;
    char *to = luaL_buffinitsize(L, &shown, length + 1);
    size_t count = 0;
    for (size_t at = 0; at < length;) {
        const Character next = next_character(text + at, length - at);
        if (next.visible)
            memcpy(to + count, text + at, next.length);
        else
            to[count] = '?';
        count += next.visible ? next.length : 1;
        at += next.length;
    }
    luaL_pushresultsize(&shown, count);
    return 1;
}

static void add_escape(luaL_Buffer *json, int32_t code) {
    char escape[16];
    if (code > 0xffff) // two surrogates
        snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xd7c0 + ((unsigned)code >> 10),
                 0xdc00 + ((unsigned)code & 0x3ff));
    else
        snprintf(escape, sizeof escape, "\\u%04x", code < 0 ? 0xfffdu : (unsigned)code);
    luaL_addstring(json, escape);
}

// texts.json(text): a string of JSON in visible characters; bytes that are not UTF-8 become U+FFFD.
static int json(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    luaL_Buffer json;
    luaL_buffinit(L, &json);
    luaL_addchar(&json, '"');
    for (size_t at = 0; at < length;) {
        const Character next = next_character(text + at, length - at);
        const char *named = next.code == '\n' ? "\\n" : next.code == '\t' ? "\\t" : NULL;
        if (next.code == '"' || next.code == '\\')
            luaL_addchar(&json, '\\');
        if (named)
            luaL_addstring(&json, named);
        else if (next.visible)
            luaL_addlstring(&json, text + at, next.length);
        else
            add_escape(&json, next.code);
        at += next.length;
    }
    luaL_addchar(&json, '"');
    luaL_pushresult(&json);
    return 1;
}

static const luaL_Reg functions[] = {
    { "hash", hash }, { "visible", visible }, { "json", json }, { NULL, NULL }
};

static int open_texts(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_texts(lua_State *L) {
    luaL_requiref(L, "esker.texts", open_texts, 0);
    lua_pop(L, 1);
}
