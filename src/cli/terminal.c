#include "cli/terminal.h"

#include "cli/graphics.h"
#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/progress.h"
#include "lua/binding.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char completer_key[] = "esker.completer";

// --- lines -------------------------------------------------------------------------------------------------

// Calls the session's completer: (text before the cursor) returns bytes to replace, text to insert, text to
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

// A separate Lua thread keeps its results alive and leaves the session's stack alone.
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

// terminal.begin(): starts a session. On a terminal Ctrl-C then aborts statements, not the program.
static int begin(lua_State *L) {
    (void)L;
    setlocale(LC_CTYPE, ""); // the locale for input; numbers keep their decimal points
    if (isatty(STDIN_FILENO))
        interrupt_stay();
    return 0;
}

// terminal.show_progress(): shows the progress of long operations from now on.
static int show_progress(lua_State *L) {
    (void)L;
    progress_show(&binding_run);
    return 0;
}

// terminal.attempt(function, …): like pcall; Ctrl-C ends only the function.
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
    graphics_size(&columns, &rows);
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
    lua_pushstring(L, graphics_names[graphics_detect()]);
    return 1;
}

// terminal.picture(image, graphics, columns, rows): text, or nil.
static int picture(lua_State *L) {
    const Image *image = to_image(L, 1);
    if (!image)
        return luaL_error(L, "picture: image must be an image, got %s", type_name(L, 1));
    const Graphics graphics = (Graphics)luaL_checkoption(L, 2, NULL, graphics_names);
    size_t length = 0;
    char *text = graphics_picture(image, graphics, (int)luaL_checkinteger(L, 3), (int)luaL_checkinteger(L, 4),
                                  &length);
    if (text)
        lua_pushlstring(L, text, length);
    else
        lua_pushnil(L);
    free(text);
    return 1;
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
    { NULL, NULL },
};

static int open_terminal(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_terminal(lua_State *L) {
    luaL_requiref(L, "esker.terminal", open_terminal, 0);
    lua_pop(L, 1);
}
