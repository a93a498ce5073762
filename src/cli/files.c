// Files and folders for the program's own Lua; recipes do not get them: require "esker.files".

#include "cli/folder.h"
#include "cli/modules.h"
#include "core/error.h"
#include "file/access.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- writer ------------------------------------------------------------------------------------------------

// A file that is written piece by piece, completely or not at all: esker.files.create.

static const char writer_type[] = "esker.writer";

typedef struct Writer {
    WholeFile file;
    bool open;
} Writer;

static Writer *to_writer(lua_State *L) {
    Writer *writer = luaL_checkudata(L, 1, writer_type);
    if (!writer->open)
        luaL_error(L, "the file is closed");
    return writer;
}

static int finish(lua_State *L, Writer *writer, Status status, Error *error) {
    writer->open = false;
    status = whole_file_close(&writer->file, status, error);
    return status == STATUS_OK ? 0 : luaL_error(L, "%s", error->text);
}

// Ends the writing with the error that the disk gave.
static int lose(lua_State *L, Writer *writer) {
    Error error;
    return finish(L, writer, STATUS_OK, &error); // which finds it
}

static int write_text(lua_State *L) {
    Writer *writer = to_writer(L);
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    return fwrite(text, 1, length, writer->file.stream) == length ? 0 : lose(L, writer);
}

static int seek(lua_State *L) {
    Writer *writer = to_writer(L);
    const lua_Integer place = luaL_checkinteger(L, 2);
    return fseeko(writer->file.stream, (off_t)place, SEEK_SET) == 0 ? 0 : lose(L, writer);
}

static int close_writer(lua_State *L) {
    Error error;
    return finish(L, to_writer(L), STATUS_OK, &error);
}

static int abandon(lua_State *L) {
    Writer *writer = luaL_checkudata(L, 1, writer_type);
    Error error;
    if (writer->open)
        whole_file_close(&writer->file, STATUS_FILE, &error);
    writer->open = false;
    return 0;
}

static const luaL_Reg methods[] = {
    { "write", write_text }, { "seek", seek }, { "close", close_writer }, { NULL, NULL }
};

// files.create(path): a writer with the methods write(text), seek(place), and close(), which puts the file
// into place. A writer that is not closed leaves nothing behind.
static int create_writer(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    Writer *writer = lua_newuserdatauv(L, sizeof *writer, 0);
    writer->open = false;
    if (luaL_newmetatable(L, writer_type)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, abandon);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__gc");
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    Error error;
    if (whole_file_open(&writer->file, path, &error) != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    writer->open = true;
    return 1;
}

// --- folders -----------------------------------------------------------------------------------------------

static void check_path(lua_State *L, char path[4096]) {
    if (snprintf(path, 4096, "%s", luaL_checkstring(L, 1)) >= 4096)
        luaL_error(L, "the path of the output folder is too long");
}

// files.make_folder(path): creates it and all missing folders above it; returns how many were created.
static int make_folder(lua_State *L) {
    char path[4096];
    check_path(L, path);
    lua_Integer made = 0;
    for (char *at = path + 1; *at; at++)
        if (*at == '/' && at[1] != '/' && at[1]) {
            *at = '\0';
            made += mkdir(path, 0777) == 0; // the last one's error counts
            *at = '/';
        }
    struct stat there;
    if (mkdir(path, 0777) == 0) {
        made++;
    } else if (!(errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode))) {
        const char *why = errno == EEXIST ? "a file with that name exists" : strerror(errno);
        return luaL_error(L, "cannot make the folder '%s': %s", path, why);
    }
    lua_pushinteger(L, made);
    return 1;
}

// files.remove_folders(path, count): removes the folder and those above it, `count` in all, as far as they
// are empty.
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

// files.is_file(path): whether there is a regular file.
static int is_file(lua_State *L) {
    struct stat there;
    lua_pushboolean(L, stat(luaL_checkstring(L, 1), &there) == 0 && S_ISREG(there.st_mode));
    return 1;
}

// files.beside(path, name): the real path of the regular file `name`, which lies beside the file `path`; nil
// if there is none, false if it is a link that leads elsewhere (access_find_beside).
static int find_beside(lua_State *L) {
    const char *path = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
    char real[4096];
    struct stat there;
    if (stat(name, &there) != 0 || !S_ISREG(there.st_mode))
        return 0;
    if (access_find_beside(path, name, real, sizeof real))
        lua_pushstring(L, real);
    else
        lua_pushboolean(L, false);
    return 1;
}

// --- files -------------------------------------------------------------------------------------------------

// files.open(path, folder): a regular file as a Lua file to read from, or nil and the reason; in a confined
// process only files that it may read. With `folder` only files below it: false for others, wherever links
// lead.
static int open_file(lua_State *L) {
    Error error;
    const char *path = luaL_checkstring(L, 1), *folder = luaL_optstring(L, 2, NULL);
    luaL_Stream *stream = push_stream(L);
    stream->f = access_open(path, &error);
    if (stream->f && folder && !access_is_below(stream->f, folder))
        lua_pushboolean(L, false);
    if (stream->f)
        return 1;
    lua_pushnil(L);
    lua_pushstring(L, error.text);
    return 2;
}

// files.write(path, text): writes it completely or not at all.
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

// files.names(path): the files and, with a / at the end, folders in it; empty when it cannot be read.
static int names_in(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    const int folder = open(*path ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        lua_newtable(L);
    else
        push_names(L, folder, 0, false); // up to the first error
    return 1;
}

// files.changed(path): modification time and size of a file, as a text that sorts by time; nil if it does
// not exist.
static int changed(lua_State *L) {
    struct stat there;
    if (stat(luaL_checkstring(L, 1), &there) != 0)
        return 0;
    char text[80];
    snprintf(text, sizeof text, "%012lld.%09ld %lld", (long long)there.st_mtim.tv_sec, there.st_mtim.tv_nsec,
             (long long)there.st_size);
    lua_pushstring(L, text);
    return 1;
}

// files.append(path, line): appends to a file that only its owner can read; nil and the reason on failure.
static int append(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    size_t length;
    const char *line = luaL_checklstring(L, 2, &length);
    const mode_t before = umask(077);
    FILE *file = fopen(path, "ae");
    umask(before);
    const bool well = file && fwrite(line, 1, length, file) == length && fputc('\n', file) != EOF;
    const int problem = errno;
    if ((file && fclose(file) != 0) || !well) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: %s", path, strerror(problem));
        return 2;
    }
    lua_pushboolean(L, true);
    return 1;
}

static const luaL_Reg functions[] = {
    { "make_folder", make_folder }, { "remove_folders", remove_folders },
    { "names", names_in },          { "is_file", is_file },
    { "beside", find_beside },      { "changed", changed },
    { "open", open_file },          { "write", write_file },
    { "create", create_writer },    { "append", append },
    { "folder", open_folder },      { NULL, NULL },
};

static int open_files(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_files(lua_State *L) {
    luaL_requiref(L, "esker.files", open_files, 0);
    lua_pop(L, 1);
}
