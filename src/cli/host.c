#include "cli/host.h"

#include "core/random.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// host.make_folder(path): with all folders above it.
static int make_folder(lua_State *L) {
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s", luaL_checkstring(L, 1));
    if (length >= (int)sizeof path)
        return luaL_error(L, "the path of the output folder is too long");
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777); // the last one's error tells
            *at = '/';
        }
    struct stat there;
    if (mkdir(path, 0777) != 0 && !(errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode))) {
        const char *why = errno == EEXIST ? "a file of that name is in the way" : strerror(errno);
        return luaL_error(L, "cannot make the folder '%s': %s", path, why);
    }
    return 0;
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

// host.program(): the file that runs.
static int program(lua_State *L) {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length < 0 || length == (ssize_t)sizeof path)
        return luaL_error(L, "the program's own file is not known");
    lua_pushlstring(L, path, (size_t)length);
    return 1;
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

static const luaL_Reg functions[] = { { "make_folder", make_folder }, { "set_labels", set_labels },
                                      { "write_file", write_file },   { "hash", hash },
                                      { "program", program },         { NULL, NULL } };

static int open_host(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_host(lua_State *L) {
    luaL_requiref(L, "esker.host", open_host, 0);
    lua_pop(L, 1);
}
