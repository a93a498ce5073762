#include "cli/host.h"

#include "cli/visible.h"
#include "core/random.h"
#include "file/access.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_path(lua_State *L, char path[4096]) {
    if (snprintf(path, 4096, "%s", luaL_checkstring(L, 1)) >= 4096)
        luaL_error(L, "the path of the output folder is too long");
}

// host.make_folder(path): with all folders above it. Gives how many were made.
static int make_folder(lua_State *L) {
    char path[4096];
    check_path(L, path);
    lua_Integer made = 0;
    for (char *at = path + 1; *at; at++)
        if (*at == '/' && at[1] != '/' && at[1]) {
            *at = '\0';
            made += mkdir(path, 0777) == 0; // the last one's error tells
            *at = '/';
        }
    struct stat there;
    if (mkdir(path, 0777) == 0) {
        made++;
    } else if (!(errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode))) {
        const char *why = errno == EEXIST ? "a file of that name is in the way" : strerror(errno);
        return luaL_error(L, "cannot make the folder '%s': %s", path, why);
    }
    lua_pushinteger(L, made);
    return 1;
}

// host.remove_folders(path, count): the folder, and so many in all with those above it, as far as they are
// empty.
static int remove_folders(lua_State *L) {
    char path[4096];
    check_path(L, path);
    for (lua_Integer left = luaL_checkinteger(L, 2); left > 0 && rmdir(path) == 0; left--) {
        char *slash = strrchr(path, '/');
        while (slash && slash > path && !slash[1]) { // at the end
            *slash = '\0';
            slash = strrchr(path, '/');
        }
        if (!slash || slash == path)
            break;
        *slash = '\0';
    }
    return 0;
}

// host.is_file(path): whether there is a regular file.
static int is_file(lua_State *L) {
    struct stat there;
    lua_pushboolean(L, stat(luaL_checkstring(L, 1), &there) == 0 && S_ISREG(there.st_mode));
    return 1;
}

static int close_file(lua_State *L) {
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

// host.open(path): a file of Lua's to read from, as io.open gives, or nil and why not; of a confined process
// what it may read.
static int open_file(lua_State *L) {
    Error error;
    const char *path = luaL_checkstring(L, 1);
    luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
    *stream = (luaL_Stream){ 0 };
    luaL_setmetatable(L, LUA_FILEHANDLE);
    stream->f = access_open(path, &error);
    if (stream->f) {
        stream->closef = close_file;
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

// host.set_labels(list): what made the files that are saved from now on, a list of { key, value }.
static int set_labels(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, BINDING_LABELS);
    return 0;
}

// host.write_file(path, text): whole or not at all.
static int write_file(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    WholeFile file;
    Error error;
    Status status = whole_file_open(&file, path, &error);
    if (status == STATUS_OK) {
        fwrite(text, 1, length, file.stream);
        status = whole_file_close(&file, STATUS_OK, &error);
    }
    return status == STATUS_OK ? 0 : luaL_error(L, "%s", error.text);
}

// host.write_below(folder): relative paths of files that are written begin there.
static int write_below(lua_State *L) {
    char path[4096];
    check_path(L, path);
    whole_file_write_below(path);
    return 0;
}

// host.hash(text): 64 bits as 16 hex digits.
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

// host.visible(text): with '?' for each character that a terminal would not just show (visible.h).
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

// host.json(text): a string of JSON in visible characters; bytes that are not UTF-8 become U+FFFD.
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

// The text at the top of the stack, cut where it is longer than a message may be.
static void shorten(lua_State *L) {
    enum { LONGEST = 4000 }; // bytes
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (length <= LONGEST)
        return;
    lua_pushlstring(L, text, LONGEST);
    lua_pushliteral(L, " …");
    lua_concat(L, 2);
}

// host.call_recipe(function, path): what the function gives. Its error becomes one of the two that the
// callers of recipes know: a string, or { usage = string }. In C, since an interrupt that it did not hear
// raises the next error in the first line of Lua.
static int call_recipe(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    if (lua_pcall(L, 0, 1, 0) == LUA_OK)
        return 1;
    lua_pushliteral(L, "usage");
    if (lua_type(L, -2) == LUA_TSTRING) {
        lua_pop(L, 1);
        shorten(L);
    } else if (lua_type(L, -2) == LUA_TTABLE && lua_rawget(L, -2) == LUA_TSTRING) {
        shorten(L);
        lua_createtable(L, 0, 1);
        lua_insert(L, -2);
        lua_setfield(L, -2, "usage");
    } else {
        lua_pushfstring(L, "%s: the recipe raised an error that is not a string, but a %s",
                        lua_tostring(L, 2), type_name(L, 3));
    }
    return lua_error(L);
}

// host.limit_threads(count): the number of threads, and the most that a recipe may ask for.
static int limit_threads(lua_State *L) {
    binding_run.threads = binding_threads_most = (int)luaL_checkinteger(L, 1);
    return 0;
}

static const luaL_Reg functions[] = { { "make_folder", make_folder },
                                      { "remove_folders", remove_folders },
                                      { "is_file", is_file },
                                      { "open", open_file },
                                      { "set_labels", set_labels },
                                      { "write_file", write_file },
                                      { "write_below", write_below },
                                      { "hash", hash },
                                      { "visible", visible },
                                      { "json", json },
                                      { "call_recipe", call_recipe },
                                      { "limit_threads", limit_threads },
                                      { NULL, NULL } };

static int open_host(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_host(lua_State *L) {
    luaL_requiref(L, "esker.host", open_host, 0);
    lua_pop(L, 1);
}
