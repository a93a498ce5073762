// Texts made safe for the terminal and for JSON, and hashes of texts: require "esker.texts".

#include "cli/texts.h"

#include "cli/modules.h"
#include "core/random.h"
#include "lua/binding.h"

#include <stdio.h>
#include <string.h>

// --- characters of a terminal ------------------------------------------------------------------------------

typedef struct Character {
    size_t length; // bytes, at least 1
    int32_t code;  // its code point; -1 for a byte that is not UTF-8
    bool visible;  // neither a control character (except newline and tab) nor one that reorders or hides text
} Character;

typedef struct Range {
    int32_t first, last;
} Range;

// Control characters; those that change the direction or the order of what follows (Unicode Standard Annex
// 9); separators of lines; fillers, joiners, selectors of variants and tags, which do not show.
static const Range hidden[] = {
    { 0, 0x1f },        { 0x7f, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },   { 0x61c, 0x61c },
    { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200f }, { 0x2028, 0x202e },
    { 0x2060, 0x206f }, { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
    { 0xfff9, 0xfffb }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_visible(int32_t code) {
    if (code == '\n' || code == '\t')
        return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return false;
    return true;
}

// By the first byte: the number of bytes that follow, its bits of the code point, the smallest code point
// of this length.
static int following(unsigned char first, int32_t *code, int32_t *least) {
    const int count = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    *code = first & (0x3f >> count);
    *least = count == 3 ? 0x10000 : count == 2 ? 0x800 : 0x80;
    return count;
}

// Decodes the first character of a text of `left` bytes, at least one.
static Character next_character(const char *text, size_t left) {
    const unsigned char *at = (const unsigned char *)text;
    const Character invalid = { 1, -1, false };
    if (*at < 0x80)
        return (Character){ 1, *at, is_visible(*at) };
    if (*at < 0xc0 || *at >= 0xf8)
        return invalid;
    int32_t code, least;
    const int more = following(*at, &code, &least);
    if ((size_t)more >= left)
        return invalid;
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return invalid;
        code = code << 6 | (at[i] & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least || code > 0x10ffff || surrogate)
        return invalid;
    return (Character){ (size_t)more + 1, code, is_visible(code) };
}

void print_visible(FILE *stream, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const Character next = next_character(text + at, length - at);
        if (next.visible)
            fwrite(text + at, 1, next.length, stream);
        else
            putc('?', stream);
        at += next.length;
    }
}

// --- esker.texts -------------------------------------------------------------------------------------------

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

// texts.visible(text): replaces characters that are unsafe on a terminal by '?' (texts.h).
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
