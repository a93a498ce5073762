// Files and folders for the program's own Lua; recipes do not get them: require "esker.files".

#define _GNU_SOURCE // O_PATH
#include "cli/modules.h"
#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/platform.h"
#include "file/access.h"
#include "file/whole_file.h"
#include "lua/binding.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// --- folders -----------------------------------------------------------------------------------------------

// A folder and its contents, which no link can leave: esker.files.folder. The folder itself may be a link,
// since the user typed its path; nothing below it may, since whoever made the folder may have put it there.
// Every method takes a path relative to the folder and raises an error that names the file.

static const char folder_type[] = "esker.folder";

typedef struct Folder {
    int descriptor; // -1: closed
    char path[4096];
} Folder;

static const Folder *to_folder(lua_State *L) {
    return luaL_checkudata(L, 1, folder_type);
}

static const char *why(int problem) {
    if (problem == ELOOP)
        return "it is a link, and links in an output folder are not followed";
    if (problem == EINVAL)
        return "no part of its name may be empty or '..'";
    if (problem == ENOTDIR)
        return "it is not a folder, or a link to one, and links in an output folder are not followed";
    return strerror(problem);
}

// Pushes the path of `name`, for messages.
static const char *shown(lua_State *L, const char *name) {
    const Folder *folder = to_folder(L);
    if (strcmp(name, ".") == 0)
        return lua_pushstring(L, folder->path);
    const bool current = strcmp(folder->path, ".") == 0, root = strcmp(folder->path, "/") == 0;
    return lua_pushfstring(L, "%s%s%s", current ? "" : folder->path, current || root ? "" : "/", name);
}

static int cannot(lua_State *L, const char *what, const char *name) {
    const int problem = errno;
    return luaL_error(L, "cannot %s '%s': %s", what, shown(L, name), why(problem));
}

// A descriptor, or -1 if `name` does not exist; any other failure is an error.
static int open_if_there(lua_State *L, const char *what, const char *name, int flags) {
    const int file = below_open(to_folder(L)->descriptor, name, flags);
    if (file < 0 && errno != ENOENT)
        cannot(L, what, name);
    return file;
}

// Closes the file and raises an error unless it is a regular one. A file to be written in place must have
// no other name, which could be elsewhere.
static void check_regular(lua_State *L, int file, const char *name, bool written) {
    struct stat there;
    if (fstat(file, &there) == 0 && S_ISREG(there.st_mode) && (!written || there.st_nlink <= 1))
        return;
    close(file);
    luaL_error(L, "'%s' is not a plain file%s", shown(L, name), written ? " with one name" : "");
}

// --- opening -----------------------------------------------------------------------------------------------

static int close_folder(lua_State *L) {
    Folder *folder = luaL_checkudata(L, 1, folder_type);
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    folder->descriptor = -1;
    return 0;
}

static Folder *push_folder(lua_State *L);

// files.folder(path): the folder; nil and why not.
static int open_folder(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    Folder *folder = push_folder(L);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    errno = ENAMETOOLONG;
    if (length < sizeof folder->path) {
        memcpy(folder->path, path, length);
        folder->path[length] = '\0';
        folder->descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    if (folder->descriptor >= 0)
        return 1;
    const int problem = errno;
    lua_pushnil(L);
    lua_pushfstring(L, "cannot open the folder '%s': %s", path, strerror(problem));
    return 2;
}

// folder:folder(name): a folder below it; nil if it does not exist.
static int open_inner(lua_State *L) {
    const char *name = luaL_checkstring(L, 2), *path = shown(L, name);
    Folder *inner = push_folder(L);
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof inner->path)
        return cannot(L, "open", name);
    snprintf(inner->path, sizeof inner->path, "%s", path);
    inner->descriptor = open_if_there(L, "open", name, O_PATH | O_DIRECTORY);
    return inner->descriptor >= 0;
}

// Which kind of file `name` is, without following a link; 0 if it does not exist or a link leads there.
static mode_t kind_of(lua_State *L, const char *name) {
    const char *last;
    struct stat there;
    const int parent = below_open_parent(to_folder(L)->descriptor, name, &last);
    const bool found = parent >= 0 && fstatat(parent, last, &there, AT_SYMLINK_NOFOLLOW) == 0;
    if (parent >= 0)
        close(parent);
    return found ? there.st_mode & S_IFMT : 0;
}

// folder:has(name): whether there is a regular file, not a link to one.
static int has(lua_State *L) {
    lua_pushboolean(L, kind_of(L, luaL_checkstring(L, 2)) == S_IFREG);
    return 1;
}

// folder:is_link(name).
static int is_link(lua_State *L) {
    lua_pushboolean(L, kind_of(L, luaL_checkstring(L, 2)) == S_IFLNK);
    return 1;
}

// folder:is_taken(name): whether there is anything of that name, be it a link that leads nowhere.
static int is_taken(lua_State *L) {
    lua_pushboolean(L, kind_of(L, luaL_checkstring(L, 2)) != 0);
    return 1;
}

// folder:path(name): the path for messages.
static int path_of(lua_State *L) {
    shown(L, luaL_optstring(L, 2, "."));
    return 1;
}

// folder:real_path(name): the absolute path, without links, of a folder below it.
static int real_path(lua_State *L) {
    const char *name = luaL_checkstring(L, 2);
    const int inner = below_open(to_folder(L)->descriptor, name, O_PATH | O_DIRECTORY);
    if (inner < 0)
        return cannot(L, "open", name);
    char place[4096];
    const bool known = platform_path_of(inner, place, sizeof place);
    close(inner);
    if (!known)
        return luaL_error(L, "the path of '%s' is unknown", shown(L, name));
    lua_pushstring(L, place);
    return 1;
}

// --- reading -----------------------------------------------------------------------------------------------

static int close_stream(lua_State *L) {
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

// Pushes a closed Lua file, to be given its stream, which it then closes.
static luaL_Stream *push_stream(lua_State *L) {
    luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
    *stream = (luaL_Stream){ .closef = close_stream };
    luaL_setmetatable(L, LUA_FILEHANDLE);
    return stream;
}

static FILE *stream_of(lua_State *L, int file, const char *name) {
    check_regular(L, file, name, false);
    FILE *stream = fdopen(file, "rb");
    if (!stream) {
        const int problem = errno;
        close(file);
        errno = problem;
        cannot(L, "read", name);
    }
    return stream;
}

// folder:open(name): a Lua file to read from; nil if it does not exist.
static int open_in_folder(lua_State *L) {
    const char *name = luaL_checkstring(L, 2);
    luaL_Stream *stream = push_stream(L);
    const int file = open_if_there(L, "read", name, O_RDONLY | O_NONBLOCK);
    if (file < 0)
        return 0;
    stream->f = stream_of(L, file, name);
    return 1;
}

// Whether to list a name: of a file or folder, or with `all` of anything.
static bool is_listed(int folder, const char *name, int flags, bool all, bool *is_folder) {
    struct stat there;
    if (name[0] == '.' || fstatat(folder, name, &there, flags) != 0)
        return false;
    *is_folder = S_ISDIR(there.st_mode);
    return *is_folder || S_ISREG(there.st_mode) || all;
}

// Light userdata at 1: the list to read; a table at 2; flags at 3; at 4 whether anything is listed.
static int list_names(lua_State *L) {
    DIR *list = lua_touserdata(L, 1);
    const int flags = (int)lua_tointeger(L, 3);
    const bool all = lua_toboolean(L, 4);
    lua_Integer count = 0;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(list)); errno = 0) {
        bool is_folder;
        if (is_listed(dirfd(list), entry->d_name, flags, all, &is_folder)) {
            lua_pushfstring(L, "%s%s", entry->d_name, is_folder ? "/" : "");
            lua_seti(L, 2, ++count);
        }
    }
    lua_pushinteger(L, errno);
    return 1;
}

// Pushes a list of the files and, with a / at the end, folders in an open folder, which it closes; with `all`
// also of links, pipes and devices. False with errno if it cannot be read completely. `flags` are those of
// fstatat.
static bool push_names(lua_State *L, int folder, int flags, bool all) {
    lua_newtable(L);
    DIR *list = fdopendir(folder);
    if (!list) {
        const int problem = errno;
        close(folder);
        errno = problem;
        return false;
    }
    lua_pushcfunction(L, list_names);
    lua_pushlightuserdata(L, list);
    lua_pushvalue(L, -3);
    lua_pushinteger(L, flags);
    lua_pushboolean(L, all);
    const int outcome = lua_pcall(L, 4, 1, 0);
    closedir(list);
    if (outcome != LUA_OK)
        lua_error(L);
    errno = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return errno == 0;
}

// folder:names(name, all): the files and, with a / at the end, folders in it; with `all` also links and
// whatever else is there. Empty if it does not exist.
static int names_in_folder(lua_State *L) {
    const char *name = luaL_optstring(L, 2, ".");
    const int inner = open_if_there(L, "read", name, O_RDONLY | O_DIRECTORY);
    if (inner < 0)
        lua_newtable(L);
    else if (!push_names(L, inner, AT_SYMLINK_NOFOLLOW, lua_toboolean(L, 3)))
        return cannot(L, "read", name);
    return 1;
}

// --- writing -----------------------------------------------------------------------------------------------

static int open_parent(lua_State *L, const char *name, const char **last) {
    const int parent = below_open_parent(to_folder(L)->descriptor, name, last);
    return parent >= 0 ? parent : cannot(L, "write", name);
}

// folder:write(name, text): writes it completely or not at all.
static int write_in_folder(lua_State *L) {
    const char *name = luaL_checkstring(L, 2), *last;
    size_t length;
    const char *text = luaL_checklstring(L, 3, &length), *path = shown(L, name);
    WholeFile file;
    Error error;
    Status status = whole_file_open_in(&file, open_parent(L, name, &last), path, &error);
    if (status == STATUS_OK) {
        fwrite(text, 1, length, file.stream);
        status = whole_file_close(&file, STATUS_OK, &error);
    }
    return status == STATUS_OK ? 0 : luaL_error(L, "%s", error.text);
}

// Opens a file to change it in place.
static int open_to_change(lua_State *L, const char *name, int flags) {
    const int file = below_open(to_folder(L)->descriptor, name, O_WRONLY | O_NONBLOCK | flags);
    if (file < 0)
        return cannot(L, "write", name);
    check_regular(L, file, name, true);
    return file;
}

static int finish_change(lua_State *L, int file, const char *name, bool well) {
    const int problem = errno;
    if (close(file) == 0 && well)
        return 0;
    errno = well ? errno : problem;
    return cannot(L, "write", name);
}

// folder:append_in_folder(name, text).
static int append_in_folder(lua_State *L) {
    const char *name = luaL_checkstring(L, 2);
    size_t length;
    const char *text = luaL_checklstring(L, 3, &length);
    const int file = open_to_change(L, name, O_CREAT | O_APPEND);
    ssize_t wrote = 0;
    while (length > 0 && (wrote = platform_write(file, text, length)) > 0) {
        text += wrote;
        length -= (size_t)wrote;
    }
    return finish_change(L, file, name, length == 0);
}

// folder:shorten(name, size): keeps a file's first bytes.
static int shorten(lua_State *L) {
    const char *name = luaL_checkstring(L, 2);
    const off_t size = (off_t)luaL_checkinteger(L, 3);
    const int file = open_to_change(L, name, 0);
    return finish_change(L, file, name, ftruncate(file, size) == 0);
}

// folder:make(name): creates a folder, unless it exists.
static int make(lua_State *L) {
    const char *name = luaL_checkstring(L, 2), *last;
    const int parent = open_parent(L, name, &last);
    const bool made = mkdirat(parent, last, 0777) == 0 || errno == EEXIST;
    const int there = made ? openat(parent, last, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const int problem = errno;
    close(parent);
    errno = problem;
    if (there < 0)
        return cannot(L, "write", name);
    close(there);
    return 0;
}

// folder:rename(from, to): true; false if there is such a folder already.
static int rename_one(lua_State *L) {
    const char *from = luaL_checkstring(L, 2), *to = luaL_checkstring(L, 3), *from_last, *to_last;
    const int descriptor = to_folder(L)->descriptor;
    const int old = below_open_parent(descriptor, from, &from_last);
    const int new = old < 0 ? -1 : below_open_parent(descriptor, to, &to_last);
    const bool well = new >= 0 && renameat(old, from_last, new, to_last) == 0;
    const int problem = errno;
    close(old); // where they are open
    close(new);
    errno = problem;
    if (!well && problem != ENOTEMPTY && problem != EEXIST)
        return cannot(L, "write", to);
    lua_pushboolean(L, well);
    return 1;
}

// Removes a file, a link, or a folder with its contents; returns 0 or the error.
static int remove_tree(int parent, const char *name) { // NOLINT(misc-no-recursion)
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    int problem = list ? 0 : errno;
    for (struct dirent *entry; list && problem == 0 && (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            problem = remove_tree(folder, entry->d_name);
    if (list)
        closedir(list);
    else if (folder >= 0)
        close(folder);
    if (problem == 0 && unlinkat(parent, name, AT_REMOVEDIR) != 0)
        problem = errno;
    return problem;
}

// folder:remove(name).
static int remove_one(lua_State *L) {
    const char *name = luaL_checkstring(L, 2), *last;
    const int parent = open_parent(L, name, &last);
    const int problem = remove_tree(parent, last);
    close(parent);
    errno = problem;
    return problem == 0 ? 0 : cannot(L, "remove", name);
}

// folder:remove_empty(name): removes a folder; false if something is in it.
static int remove_empty(lua_State *L) {
    const char *name = luaL_checkstring(L, 2), *last;
    const int parent = open_parent(L, name, &last);
    const bool well = unlinkat(parent, last, AT_REMOVEDIR) == 0 || errno == ENOENT;
    const int problem = errno;
    close(parent);
    errno = problem;
    if (!well && problem != ENOTEMPTY && problem != EEXIST)
        return cannot(L, "remove", name);
    lua_pushboolean(L, well);
    return 1;
}

// folder:lock(name): true; false if another process holds the lock. Held until this process and its workers
// end; workers of a killed process end a moment after it.
static int lock(lua_State *L) {
    const char *name = luaL_checkstring(L, 2);
    const int file = open_to_change(L, name, O_CREAT);
    const struct timespec moment = { .tv_nsec = 20 * 1000 * 1000 };
    int taken = -1;
    for (int tries = 0; tries < 50; tries++) {
        taken = flock(file, LOCK_EX | LOCK_NB);
        if (taken == 0 || errno != EWOULDBLOCK)
            break;
        nanosleep(&moment, NULL);
    }
    lua_pushboolean(
        L, taken == 0 ||
               errno != EWOULDBLOCK); // a file system without locks is assumed to be used by one sweep only
    return 1;
}

static const luaL_Reg folder_methods[] = {
    { "path", path_of },
    { "real_path", real_path },
    { "folder", open_inner },
    { "has", has },
    { "is_link", is_link },
    { "is_taken", is_taken },
    { "open", open_in_folder },
    { "names", names_in_folder },
    { "write", write_in_folder },
    { "append", append_in_folder },
    { "shorten", shorten },
    { "make", make },
    { "rename", rename_one },
    { "remove", remove_one },
    { "lock", lock },
    { "remove_empty", remove_empty },
    { NULL, NULL },
};

// Pushes a folder that is not open yet.
static Folder *push_folder(lua_State *L) {
    Folder *folder = lua_newuserdatauv(L, sizeof *folder, 0);
    folder->descriptor = -1;
    define_class(L, folder_type, folder_methods, close_folder);
    luaL_setmetatable(L, folder_type);
    return folder;
}

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
    define_class(L, writer_type, methods, abandon);
    luaL_setmetatable(L, writer_type);
    Error error;
    if (whole_file_open(&writer->file, path, &error) != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    writer->open = true;
    return 1;
}

// --- folders by their paths --------------------------------------------------------------------------------

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

// --- the functions of the module ---------------------------------------------------------------------------

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

// The bytes of a string, or the cells of a field, all of which have data.
static const char *bytes_at(lua_State *L, int index, size_t *length) {
    const Field *field = lua_isuserdata(L, index) ? to_field(L, index) : NULL;
    if (!field)
        return luaL_checklstring(L, index, length);
    luaL_argcheck(L, !field->gaps, index, "without gaps");
    *length = field_count(field) * sizeof *field->cells;
    return (const char *)field->cells;
}

// files.write(path, text, …): writes all texts, completely or not at all; a field is the bytes of its cells.
static int write_file(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    const int texts = lua_gettop(L);
    size_t length;
    for (int i = 2; i <= max(texts, 2); i++)
        bytes_at(L, i, &length);
    WholeFile file;
    Error error;
    Status status = whole_file_open(&file, path, &error);
    if (status == STATUS_OK) {
        for (int i = 2; i <= texts; i++) {
            const char *bytes = bytes_at(L, i, &length);
            fwrite(bytes, 1, length, file.stream);
        }
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
    const struct timespec time = platform_changed(there);
    snprintf(text, sizeof text, "%012lld.%09ld %lld", (long long)time.tv_sec, time.tv_nsec,
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
