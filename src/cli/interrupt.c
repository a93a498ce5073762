#include "cli/interrupt.h"

#include "cli/exit_status.h"
#include "cli/signals.h"
#include "core/math.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "lua/binding.h"

#include <lauxlib.h>
#include <lualib.h>
#include <unistd.h>

static const double patience = 0.15; // seconds until the process ends anyway

static lua_State *watched;
static atomic_bool stop_requested;
static atomic_bool staying, attempting; // in the session
static atomic_bool late;                // the time limit is exceeded
static bool forked;                     // the parent process reports an interrupt

// The hook stays, so that a pcall in the recipe does not swallow the interrupt.
static void raise_interrupt(lua_State *L, lua_Debug *activation) {
    (void)activation;
    luaL_error(L, "interrupted");
}

enum { EVERYTHING = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT };

static void ask_to_stop(void) {
    lua_sethook(watched, raise_interrupt, EVERYTHING, 1);
    signals_alarm_after(patience);
}

static void on_interrupt(void) {
    if (atomic_load(&staying) && !atomic_load(&attempting))
        return;
    if (atomic_exchange(&stop_requested, true) && atomic_load(&staying))
        _exit(EXIT_INTERRUPTED); // pressed twice
    ask_to_stop();
}

// Called at the time limit; called again a moment later, or a moment after Ctrl-C, it ends the process.
static void on_alarm(void) {
    if (!atomic_exchange(&stop_requested, true)) {
        atomic_store(&late, true);
        ask_to_stop();
        return;
    }
    if (atomic_load(&late))
        _exit(EXIT_TIME); // the waiting process reports it
    if (atomic_load(&staying)) {
        static const char busy[] = "\nesker: busy in one call; Ctrl-C again ends the program\n";
        platform_write(STDERR_FILENO, busy, sizeof busy - 1);
        return;
    }
    static const char text[] = "\nesker: interrupted\n";
    if (!forked)
        platform_write(STDERR_FILENO, text, sizeof text - 1);
    _exit(EXIT_INTERRUPTED);
}

void interrupt_watch(lua_State *L, Run *run) {
    watched = L;
    run->stop = &stop_requested;
    signals_catch(on_interrupt, on_alarm);
}

// --- coroutines --------------------------------------------------------------------------------------------

// Lua hooks are per thread, and a signal handler cannot know which thread runs. So each coroutine gets its
// own hook, which checks for a stop request every SELDOM instructions.
enum { SELDOM = 10000 };

static void heed(lua_State *L, lua_Debug *activation) {
    const bool asked = atomic_load(&stop_requested);
    lua_sethook(L, heed, asked ? EVERYTHING : LUA_MASKCOUNT, asked ? 1 : SELDOM);
    if (asked)
        raise_interrupt(L, activation);
}

// Calls the library's function, of which a new thread inherits the hook.
static int create_heedful(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    const lua_Hook hook = lua_gethook(L);
    const int mask = lua_gethookmask(L), count = lua_gethookcount(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_sethook(L, heed, LUA_MASKCOUNT, SELDOM);
    const int status = lua_pcall(L, lua_gettop(L) - 1, 1, 0);
    lua_sethook(L, hook, mask, count);
    if (atomic_load(&stop_requested)) // since the hook was read
        lua_sethook(L, raise_interrupt, EVERYTHING, 1);
    return status == LUA_OK ? 1 : lua_error(L);
}

void interrupt_coroutines(lua_State *L) {
    static const char *const names[] = { "create", "wrap" };
    lua_getglobal(L, LUA_COLIBNAME);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lua_getfield(L, -1, names[i]);
        lua_pushcclosure(L, create_heedful, 1);
        lua_setfield(L, -2, names[i]);
    }
    lua_pop(L, 1);
}

// -----------------------------------------------------------------------------------------------------------

static void forget_request(void) {
    signals_alarm_after(0);
    lua_sethook(watched, NULL, 0, 0);
    atomic_store(&stop_requested, false);
}

void interrupt_after(double seconds) {
    const double most = 1e9;
    signals_alarm_after(min(seconds, most));
}

void interrupt_begin_task(double seconds) {
    if (seconds > 0)
        interrupt_after(seconds);
    if (atomic_load(&stop_requested)) // the time limit has taken the place of its alarm
        ask_to_stop();
}

void interrupt_end_task(void) {
    forget_request();
    atomic_store(&late, false);
}

bool interrupt_is_late(void) {
    return atomic_load(&late);
}

void interrupt_note(void) {
    atomic_store(&stop_requested, true);
}

void interrupt_in_child(void) {
    forked = true;
    atomic_store(&staying, false);
    atomic_store(&attempting, false);
    forget_request();
}

void interrupt_stay(void) {
    atomic_store(&staying, true);
}

void interrupt_begin(void) {
    if (!atomic_load(&staying))
        return;
    forget_request();
    atomic_store(&attempting, true);
}

void interrupt_end(void) {
    if (!atomic_load(&staying))
        return;
    atomic_store(&attempting, false);
    forget_request();
}

void interrupt_forget(void) {
    signals_forget();
}
