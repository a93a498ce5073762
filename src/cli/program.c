#include "cli/program.h"

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/modules.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "lua/binding.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lualib.h>

// The command line's words after the program's name.
typedef struct Words {
    int count;
    char **at;
} Words;

// The program's own modules are inside it: one that this build lacks is not looked for in the current folder,
// which may be a stranger's.
static int search_own(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    if (strncmp(name, "esker.", 6) == 0)
        return luaL_error(L, "module '%s' not found: this build of Esker has none", name);
    return 0;
}

// Has `require` ask search_own after the modules inside the program.
static void search_own_first(lua_State *L) {
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchers");
    for (lua_Integer i = luaL_len(L, -1); i >= 2; i--) {
        lua_geti(L, -1, i);
        lua_seti(L, -2, i + 1);
    }
    lua_pushcfunction(L, search_own);
    lua_seti(L, -2, 2);
    lua_pop(L, 2);
}

// Code that may raise errors: runs protected. Argument 1: the Words.
static int run_command(lua_State *L) {
    const Words *words = lua_touserdata(L, 1);
    luaL_openlibs(L);
    search_own_first(L);
    interrupt_coroutines(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    lua_settop(L, 1);
    process_push_words(L, words->count, words->at);
    register_getopt(L);
    register_files(L);
    register_texts(L);
    register_host(L);
    register_terminal(L);
    register_process(L);
    register_worker(L);
    register_sqlite(L);
    register_http(L);
    register_deferring(L);
    register_ahead(L);
    register_packed(L);
    register_shrunk(L);
    register_canvas(L);
    register_tile_codec(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "esker.main");
    lua_call(L, 1, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    return 1;
}

// Prints warnings of operations and of trusted recipes, one line each, without immediate repetition. @on
// and @off as in Lua.
static void print_warning(void *context, const char *text, int goes_on) {
    static char line[1024], last[sizeof line];
    static bool off;
    (void)context;
    if (!goes_on && !line[0] && text[0] == '@') {
        off = strcmp(text, "@off") == 0 || (off && strcmp(text, "@on") != 0);
        return;
    }
    const size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, "%s", text);
    if (goes_on)
        return;
    if (!off && strcmp(line, last) != 0) {
        progress_clear();
        print_error("esker: warning: ", line);
    }
    memcpy(last, line, sizeof last);
    line[0] = '\0';
}

int run_program(int count, char **words) {
    lua_State *L = new_state();
    if (!L) {
        fputs("esker: not enough memory to start\n", stderr);
        return EXIT_FAILURE;
    }
    lua_setwarnf(L, print_warning, NULL);
    interrupt_watch(L, &binding_run);
    binding_max_threads = processor_count(); // unless -j says otherwise
    lua_pushcfunction(L, run_command);
    lua_pushlightuserdata(L, &(Words){ count - 1, words + 1 });
    const int outcome = lua_pcall(L, 1, 1, 0);
    const int status = exit_status(L, outcome);
    if (status == EXIT_INTERRUPTED && run_stopped(&binding_run))
        fputs("esker: interrupted\n", stderr);
    return status;
}

int run_on_thread(void *(*start)(void *), void *context) {
    static const size_t stack = (size_t)8 << 20;
    pthread_attr_t attributes;
    pthread_t thread;
    const bool well = pthread_attr_init(&attributes) == 0 &&
                      pthread_attr_setstacksize(&attributes, stack) == 0 &&
                      pthread_create(&thread, &attributes, start, context) == 0;
    if (!well) {
        fputs("esker: no thread could be started\n", stderr);
        return EXIT_FAILURE;
    }
    return pthread_join(thread, NULL) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
