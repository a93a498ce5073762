#include "cli/getopt.h"

#include "cli/visible.h"
#include "lua/binding.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

// The string at field `name` of the table at the top, or NULL; the table keeps it alive.
static const char *text_field(lua_State *L, const char *name) {
    lua_getfield(L, -1, name);
    const char *text = lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

// The option's index in the declared list, from what getopt_long returned.
static int find_option(const struct option *options, int returned, int index) {
    if (index >= 0)
        return index;
    for (int i = 0; options[i].name; i++)
        if (options[i].val == returned)
            return i;
    return -1;
}

// Reports the word at which getopt stopped: '?' for an unknown or ambiguous option, ':' for a missing
// value. getopt itself would print the word unescaped.
static void complain(int returned, const char *word) {
    static const char lacks[] = "esker: this option needs a value: ",
                      wrong[] = "esker: this is no option, or not spelled as one: ";
    fputs(returned == ':' ? lacks : wrong, stderr);
    if (word)
        print_visible(stderr, word, strlen(word));
    fputs("\nTry esker --help.\n", stderr);
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
                                      .val = letter ? *letter : 0 };
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
// = in options, value = } in the order typed, and the list of operands; nothing after printing an error.
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
    int returned, index = -1;
    for (lua_Integer count = 1;
         (returned = getopt_long(word_count + 1, words, letters, options, &index)) != -1;
         count++, index = -1) {
        if (returned == '?' || returned == ':') {
            complain(returned, words[optind - 1]);
            return 0;
        }
        lua_createtable(L, 0, 2);
        lua_pushinteger(L, find_option(options, returned, index) + 1);
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
