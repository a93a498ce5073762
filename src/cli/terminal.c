// The terminal that the program runs in, its lines and Ctrl-C: require "esker.terminal".

#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/modules.h"
#include "cli/progress.h"
#include "core/dynamic_library.h"
#include "core/image.h"
#include "core/platform.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --- graphics ----------------------------------------------------------------------------------------------

// Pictures in a terminal: its size, and the graphics protocols that it supports.

typedef enum Graphics {
    GRAPHICS_NONE,
    GRAPHICS_BLOCKS, // Unicode characters
    GRAPHICS_SIXEL,
    GRAPHICS_KITTY,
    GRAPHICS_ITERM2,
} Graphics;

// The names for --graphics, NULL-ended, in the order of the enumeration.
static const char *const graphics_names[] = { "none", "blocks", "sixel", "kitty", "iterm2", NULL };

#ifdef ESKER_CHAFA

#include <chafa.h>
#include <poll.h>
#include <termios.h>

#define CHAFA(function)                                                                                      \
    function(chafa_, canvas_config_new) function(chafa_, canvas_config_set_canvas_mode)                      \
        function(chafa_, canvas_config_set_cell_geometry) function(chafa_, canvas_config_set_geometry)       \
            function(chafa_, canvas_config_set_pixel_mode) function(chafa_, canvas_config_set_symbol_map)    \
                function(chafa_, canvas_config_unref) function(chafa_, canvas_draw_all_pixels)               \
                    function(chafa_, canvas_new) function(chafa_, canvas_print)                              \
                        function(chafa_, canvas_unref) function(chafa_, symbol_map_add_by_tags)              \
                            function(chafa_, symbol_map_new) function(chafa_, symbol_map_unref)              \
                                function(chafa_, term_db_detect) function(chafa_, term_db_get_default)       \
                                    function(chafa_, term_info_have_seq) function(chafa_, term_info_unref)   \
                                        function(g_, string_free)
OPTIONAL_LIBRARY(chafa, "libchafa.so.0", CHAFA)

// --- what it can show --------------------------------------------------------------------------------------

// Asks whether the terminal supports Kitty's graphics, and for its attributes, which every terminal
// answers: they mark the end.
static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";

enum { PATIENCE = 200 }; // milliseconds

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The answer to `question`, as much as arrives in time.
static void ask(char *answer, size_t room) {
    struct termios before, raw;
    answer[0] = '\0';
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    const long end = milliseconds() + PATIENCE;
    size_t length = 0;
    bool whole = write(STDOUT_FILENO, question, sizeof question - 1) < 0;
    while (!whole && length + 1 < room) {
        struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
        const long left = end - milliseconds();
        if (left <= 0 || poll(&input, 1, (int)left) <= 0)
            break;
        const ssize_t got = read(STDIN_FILENO, answer + length, room - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        answer[length] = '\0';
        const char *attributes = strstr(answer, "\033[?");
        whole = attributes && strchr(attributes, 'c');
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

// Attribute 4 is sixel graphics.
static bool has_sixel(const char *answer) {
    const char *at = strstr(answer, "\033[?");
    for (at = at ? at + 3 : ""; *at && *at != 'c'; at++)
        if (*at == '4' && (at[-1] == ';' || at[-1] == '?') && (at[1] == ';' || at[1] == 'c'))
            return true;
    return false;
}

static Graphics detect_by_asking(void) {
    char answer[256];
    ask(answer, sizeof answer);
    if (strstr(answer, "_Gi=31;OK"))
        return GRAPHICS_KITTY;
    return has_sixel(answer) ? GRAPHICS_SIXEL : GRAPHICS_BLOCKS;
}

// The graphics that the terminal supports: from the environment, otherwise by querying it for at most 0.2
// s. None if standard output is not a terminal.
static Graphics graphics_detect(void) {
    const char *term = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !term || strcmp(term, "dumb") == 0 || !open_chafa())
        return GRAPHICS_NONE;
    extern char **environ;
    ChafaTermInfo *info = chafa.term_db_detect(chafa.term_db_get_default(), environ);
    Graphics graphics = GRAPHICS_BLOCKS;
    if (chafa.term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1))
        graphics = GRAPHICS_KITTY;
    else if (chafa.term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE))
        graphics = GRAPHICS_ITERM2;
    else if (chafa.term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS))
        graphics = GRAPHICS_SIXEL;
    chafa.term_info_unref(info);
    return graphics == GRAPHICS_BLOCKS ? detect_by_asking() : graphics;
}

// --- pictures ----------------------------------------------------------------------------------------------

// The control sequences of a terminal that supports them.
static ChafaTermInfo *info_for(Graphics graphics) {
    static char *const terminals[][3] = {
        [GRAPHICS_BLOCKS] = { "TERM=xterm-256color", "COLORTERM=truecolor", NULL },
        [GRAPHICS_SIXEL] = { "TERM=mlterm", NULL },
        [GRAPHICS_KITTY] = { "TERM=xterm-kitty", "KITTY_PID=1", NULL },
        [GRAPHICS_ITERM2] = { "TERM=xterm-256color", "TERM_PROGRAM=iTerm.app", NULL },
    };
    return chafa.term_db_detect(chafa.term_db_get_default(), (char **)terminals[graphics]);
}

static ChafaCanvasConfig *config_for(Graphics graphics, int columns, int rows) {
    static const ChafaPixelMode modes[] = { [GRAPHICS_BLOCKS] = CHAFA_PIXEL_MODE_SYMBOLS,
                                            [GRAPHICS_SIXEL] = CHAFA_PIXEL_MODE_SIXELS,
                                            [GRAPHICS_KITTY] = CHAFA_PIXEL_MODE_KITTY,
                                            [GRAPHICS_ITERM2] = CHAFA_PIXEL_MODE_ITERM2 };
    const char *depth = getenv("COLORTERM");
    const bool exact = depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0);
    ChafaSymbolMap *symbols = chafa.symbol_map_new();
    chafa.symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_SPACE);
    ChafaCanvasConfig *config = chafa.canvas_config_new();
    chafa.canvas_config_set_geometry(config, columns, rows);
    chafa.canvas_config_set_cell_geometry(config, 8, 16);
    chafa.canvas_config_set_symbol_map(config, symbols);
    chafa.canvas_config_set_pixel_mode(config, modes[graphics]);
    if (graphics == GRAPHICS_BLOCKS && !exact)
        chafa.canvas_config_set_canvas_mode(config, CHAFA_CANVAS_MODE_INDEXED_240);
    chafa.symbol_map_unref(symbols);
    return config;
}

// The picture as text for the terminal, at most this many columns and rows large; freed by free. NULL if it
// cannot be shown.
static char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length) {
    if (graphics == GRAPHICS_NONE || !open_chafa())
        return NULL;
    // A character is twice as high as wide.
    const double tall = 0.5 * columns * image->height / image->width;
    const int high = tall < rows ? (tall < 1 ? 1 : whole_int(tall + 0.5)) : rows;
    const int wide = tall <= rows ? columns : whole_int(2.0 * rows * image->width / image->height + 0.5);
    ChafaTermInfo *info = info_for(graphics);
    ChafaCanvasConfig *config = config_for(graphics, wide > 0 ? wide : 1, high > 0 ? high : 1);
    ChafaCanvas *canvas = chafa.canvas_new(config);
    chafa.canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, (const guint8 *)image->pixels,
                                 image->width, image->height, image->width * 4);
    GString *text = chafa.canvas_print(canvas, info);
    char *copy = malloc(text->len + 1);
    if (copy) {
        memcpy(copy, text->str, text->len + 1);
        *length = text->len;
    }
    chafa.string_free(text, TRUE);
    chafa.canvas_unref(canvas);
    chafa.canvas_config_unref(config);
    chafa.term_info_unref(info);
    return copy;
}

#else

static Graphics graphics_detect(void) {
    return GRAPHICS_NONE;
}

static char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length) {
    (void)image, (void)graphics, (void)columns, (void)rows, (void)length;
    return NULL;
}

#endif

// --- terminal ----------------------------------------------------------------------------------------------

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
    platform_terminal_size(&columns, &rows);
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
