// The C library's getopt_long for Lua: require "esker.getopt".

#include "cli/modules.h"

#include "lua/binding.h"

#include <getopt.h>

#include <lauxlib.h>

// Options without a letter are told apart by values beyond all letters: getopt takes the beginning of two
// options for one of them where their values are equal.
enum { WITHOUT_LETTER = 256 };

// The string at field `name` of the table at the top, or NULL; the table keeps it alive.
static const char *text_field(lua_State *L, const char *name) {
    lua_getfield(L, -1, name);
    const char *text = lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

// The option's index in the declared list, from what getopt_long returned.
static int find_option(const struct option *options, int returned) {
    int i = 0;
    while (options[i].name && options[i].val != returned)
        i++;
    return i;
}

// The list at index 1 in getopt's form, after the program's name; in a userdata, which it pushes.
static char **read_words(lua_State *L, int count) {
    char **words = lua_newuserdatauv(L, ((size_t)count + 2) * sizeof *words, 0);
    words[0] = "esker";
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, 1, i + 1);
        words[i + 1] = (char *)lua_tostring(L, -1); // getopt reorders the pointers, not the texts
        lua_pop(L, 1);
    }
    words[count + 1] = NULL;
    return words;
}

// The list at index 2 in the same way, and above it the text of short options.
static struct option *read_options(lua_State *L, int count) {
    struct option *options = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *options, 0);
    luaL_Buffer letters;
    luaL_buffinit(L, &letters);
    luaL_addchar(&letters, ':'); // distinguishes a missing value from an unknown option
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        const char *letter = text_field(L, "short"), *value = text_field(L, "value");
        options[i] = (struct option){ .name = text_field(L, "name"),
                                      .has_arg = value ? required_argument : no_argument,
                                      .val = letter ? *letter : WITHOUT_LETTER + i };
        lua_pop(L, 1);
        if (letter)
            luaL_addchar(&letters, *letter);
        if (letter && value)
            luaL_addchar(&letters, ':');
    }
    options[count] = (struct option){ 0 };
    luaL_pushresult(&letters);
    return options;
}

// getopt.read(words, options): options is a list of { name =, short =, value = }. Returns a list of { index
// = in options, value = } in the order typed, and the list of operands; or nil, the word that is
// wrong, and whether it lacks a value.
static int read(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    const int word_count = (int)lua_rawlen(L, 1);
    char **words = read_words(L, word_count);
    struct option *options = read_options(L, (int)lua_rawlen(L, 2));
    const char *letters = lua_tostring(L, -1);
    lua_newtable(L);
    optind = 1;
    opterr = 0;
    int returned;
    for (lua_Integer count = 1; (returned = getopt_long(word_count + 1, words, letters, options, NULL)) != -1;
         count++) {
        if (returned == '?' || returned == ':') {
            lua_pushnil(L);
            lua_pushstring(L, words[optind - 1]);
            lua_pushboolean(L, returned == ':');
            return 3;
        }
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, find_option(options, returned) + 1);
        lua_setfield(L, -2, "index");
        set_text(L, "value", optarg);
        lua_rawseti(L, -2, count);
    }
    lua_createtable(L, word_count + 1 - optind, 0);
    for (int i = optind; i <= word_count; i++) {
        lua_pushstring(L, words[i]);
        lua_rawseti(L, -2, i - optind + 1);
    }
    return 2;
}

static const luaL_Reg functions[] = { { "read", read }, { NULL, NULL } };

static int open_getopt(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_getopt(lua_State *L) {
    luaL_requiref(L, "esker.getopt", open_getopt, 0);
    lua_pop(L, 1);
}
