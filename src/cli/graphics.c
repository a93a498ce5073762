#include "cli/graphics.h"

#include "core/dynamic_library.h"
#include "core/whole.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

const char *const graphics_names[] = { "none", "blocks", "sixel", "kitty", "iterm2", NULL };

void graphics_size(int *columns, int *rows) {
    struct winsize size = { 0 };
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}

#ifdef ESKER_CHAFA

#include <chafa.h>

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

Graphics graphics_detect(void) {
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

char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length) {
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

Graphics graphics_detect(void) {
    return GRAPHICS_NONE;
}

char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length) {
    (void)image, (void)graphics, (void)columns, (void)rows, (void)length;
    return NULL;
}

#endif
