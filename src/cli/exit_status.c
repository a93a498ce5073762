#include "cli/exit_status.h"

#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/progress.h"
#include "cli/texts.h"
#include "core/memory.h"
#include "lua/binding.h"

#include <stdlib.h>
#include <string.h>

void print_error(const char *prefix, const char *text) {
    fputs(prefix, stderr);
    print_visible(stderr, text, strlen(text));
    putc('\n', stderr);
}

// Prints what was raised and returns the exit status.
static int report(lua_State *L, int outcome) {
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (outcome == LUA_ERRMEM || (text && strcmp(text, "not enough memory") == 0)) {
        fprintf(stderr, "esker: not enough memory: fields and Lua may take %.0f MiB (--memory-limit)\n",
                (double)memory_limit() * 0x1p-20);
        return EXIT_FAILURE;
    }
    lua_pushliteral(L, "usage");
    if (lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TSTRING) { // raw access: errors are not caught here
        print_error("esker: ", lua_tostring(L, -1));
        return EXIT_USAGE;
    }
    lua_pop(L, 1);
    if (!text)
        text = "esker: an error that is not a string";
    // Removes positions in the program's own Lua, which are of no use to a user.
    static const char own[] = "lua/esker/";
    const char *rest = strncmp(text, own, sizeof own - 1) == 0 ? strstr(text, ": ") : NULL;
    print_error(rest ? "esker" : "", rest ? rest : text);
    return EXIT_FAILURE;
}

#ifndef ESKER_PLAIN_KERNELS // sanitizers report what is not freed as leaks
static lua_Alloc allocate;

// Lua's allocator, except that nothing is freed.
static void *allocate_only(void *context, void *block, size_t before, size_t wanted) {
    return wanted == 0 ? NULL : allocate(context, block, before, wanted);
}
#endif

// Calls all finalizers. The rest of what Lua holds ends with the process: freeing it object by object writes
// to pages that a forked process shares with its parent, and takes a fifth of the time of a short run.
static void finalize(lua_State *L) {
#ifndef ESKER_PLAIN_KERNELS
    void *context;
    allocate = lua_getallocf(L, &context);
    lua_setallocf(L, allocate_only, context);
#endif
    lua_close(L);
}

bool output_is_lost(void) {
    return fflush(stdout) != 0 || ferror(stdout); // now, or when the buffer was full before
}

int exit_status(lua_State *L, int outcome) {
    progress_clear();
    line_editor_end();
    if (interrupt_is_late()) { // its parent reports the limit, this process the position
        if (outcome != LUA_OK && lua_tostring(L, -1))
            print_error("", lua_tostring(L, -1));
        return EXIT_TIME;
    }
    if (run_stopped(&binding_run))
        return EXIT_INTERRUPTED;
    const int status = outcome == LUA_OK ? (int)lua_tointeger(L, -1) : report(L, outcome);
    interrupt_forget(); // freeing a last field is not work to interrupt
    finalize(L);
    const bool lost = output_is_lost();
    if (!lost || status != EXIT_SUCCESS)
        return status;
    fputs("esker: " OUTPUT_LOST "\n", stderr);
    return EXIT_FAILURE;
}
