#include "cli/session_host.h"

#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char completer_key[] = "esker.completer";

// --- lines -------------------------------------------------------------------------------------------------

// Calls the session's completer: (text before the cursor) gives bytes to replace, text to insert, text to
// show.
static Completion complete(void *context, const char *before) {
    lua_State *L = context;
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, completer_key);
    lua_pushstring(L, before);
    if (lua_pcall(L, 1, 3, 0) != LUA_OK)
        return (Completion){ 0 };
    return (Completion){ (int)lua_tointeger(L, 1), lua_tostring(L, 2), lua_tostring(L, 3) };
}

// A thread of its own keeps what it gives alive and leaves the session's stack alone.
static int set_completer(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, completer_key);
    lua_State *own = lua_newthread(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "esker.completer.thread");
    line_editor_complete_by(complete, own);
    return 0;
}

// terminal.read_line(prompt): the line; false when it was cleared by Ctrl-C; nil at the end.
static int read_line(lua_State *L) {
    const char *line = NULL;
    switch (line_editor_read(luaL_checkstring(L, 1), &line)) {
    case LINE_READ:
        lua_pushstring(L, line);
        return 1;
    case LINE_CLEARED:
        lua_pushboolean(L, false);
        return 1;
    case LINE_END:
    default:
        lua_pushnil(L);
        return 1;
    }
}

static int remember(lua_State *L) {
    line_editor_remember(luaL_checkstring(L, 1));
    return 0;
}

// terminal.begin(): what a session needs. On a terminal Ctrl-C ends what runs, not the program.
static int begin(lua_State *L) {
    (void)L;
    setlocale(LC_CTYPE, ""); // for what is typed; numbers keep their points
    if (isatty(STDIN_FILENO))
        interrupt_stay();
    return 0;
}

// terminal.show_progress(): of what takes long, from now on.
static int show_progress(lua_State *L) {
    (void)L;
    progress_show(&binding_run);
    return 0;
}

// terminal.attempt(function, …): as pcall; Ctrl-C ends the function, and nothing else.
static int attempt(lua_State *L) {
    interrupt_begin();
    const int outcome = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    interrupt_end();
    progress_clear();
    if (outcome != LUA_OK && run_stopped(&binding_run)) // of a session that does not stay
        return lua_error(L);
    lua_pushboolean(L, outcome == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

// --- the terminal ------------------------------------------------------------------------------------------

// terminal.size(): columns and rows.
static int size(lua_State *L) {
    int columns, rows;
    terminal_size(&columns, &rows);
    lua_pushinteger(L, columns);
    lua_pushinteger(L, rows);
    return 2;
}

// terminal.is_terminal(): standard input, and output.
static int is_terminal(lua_State *L) {
    lua_pushboolean(L, isatty(STDIN_FILENO));
    lua_pushboolean(L, isatty(STDOUT_FILENO));
    return 2;
}

static int detect(lua_State *L) {
    lua_pushstring(L, graphics_names[terminal_detect()]);
    return 1;
}

// terminal.picture(image, graphics, columns, rows): text, or nil.
static int picture(lua_State *L) {
    const Image *image = to_image(L, 1);
    if (!image)
        return luaL_error(L, "picture: image must be an image, got %s", type_name(L, 1));
    const Graphics graphics = (Graphics)luaL_checkoption(L, 2, NULL, graphics_names);
    size_t length = 0;
    char *text = terminal_picture(image, graphics, (int)luaL_checkinteger(L, 3), (int)luaL_checkinteger(L, 4),
                                  &length);
    if (text)
        lua_pushlstring(L, text, length);
    else
        lua_pushnil(L);
    free(text);
    return 1;
}

// --- files -------------------------------------------------------------------------------------------------

// terminal.names_in(folder): what is in it, folders with a / at the end; empty when it cannot be read.
static int names_in(lua_State *L) {
    const char *folder = luaL_checkstring(L, 1);
    lua_newtable(L);
    DIR *open = opendir(*folder ? folder : ".");
    if (!open)
        return 1;
    lua_Integer count = 0;
    for (struct dirent *entry; (entry = readdir(open));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        struct stat there;
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", entry->d_name);
        const bool is_folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
        lua_pushfstring(L, "%s%s", entry->d_name, is_folder ? "/" : "");
        lua_seti(L, 1 + 1, ++count);
    }
    closedir(open);
    return 1;
}

// terminal.changed(path): when a file was last changed and its size, as a text that sorts by time; nil when
// it is not there.
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

// terminal.append(path, line): to a file that only its owner reads; nil and why not.
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

static int pause_for(lua_State *L) {
    const double seconds = luaL_checknumber(L, 1);
    const struct timespec time = { .tv_sec = whole_64(seconds),
                                   .tv_nsec = whole_64((seconds - floor(seconds)) * 1e9) };
    nanosleep(&time, NULL);
    return 0;
}

// terminal.show_by(function): what value:show() calls.
static int show_by(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, BINDING_SHOW);
    return 0;
}

static const luaL_Reg functions[] = {
    { "begin", begin },
    { "show_progress", show_progress },
    { "set_completer", set_completer },
    { "read_line", read_line },
    { "remember", remember },
    { "attempt", attempt },
    { "size", size },
    { "is_terminal", is_terminal },
    { "detect", detect },
    { "picture", picture },
    { "names_in", names_in },
    { "changed", changed },
    { "append", append },
    { "pause", pause_for },
    { "show_by", show_by },
    { NULL, NULL },
};

static int open_session_host(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_session_host(lua_State *L) {
    luaL_requiref(L, "esker.terminal", open_session_host, 0);
    lua_pop(L, 1);
}
