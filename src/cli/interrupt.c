#define _GNU_SOURCE // ppoll
#include "cli/interrupt.h"

#include "cli/exit_status.h"
#include "core/math.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 150 * 1000 }; // microseconds until the process ends anyway

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
    const struct itimerval patience = { .it_value = { .tv_usec = PATIENCE } };
    setitimer(ITIMER_REAL, &patience, NULL);
}

static void on_interrupt(int signal) {
    (void)signal;
    if (atomic_load(&staying) && !atomic_load(&attempting))
        return;
    if (atomic_exchange(&stop_requested, true) && atomic_load(&staying))
        _exit(EXIT_INTERRUPTED); // pressed twice
    ask_to_stop();
}

// Called at the time limit; called again a moment later, or a moment after Ctrl-C, it ends the process.
static void on_alarm(int signal) {
    (void)signal;
    if (!atomic_exchange(&stop_requested, true)) {
        atomic_store(&late, true);
        ask_to_stop();
        return;
    }
    if (atomic_load(&late))
        _exit(EXIT_TIME); // the waiting process reports it
    if (atomic_load(&staying)) {
        static const char busy[] = "\nesker: busy in one call; Ctrl-C again ends the program\n";
        const ssize_t told = write(STDERR_FILENO, busy, sizeof busy - 1);
        (void)told;
        return;
    }
    static const char text[] = "\nesker: interrupted\n";
    const ssize_t wrote = forked ? 0 : write(STDERR_FILENO, text, sizeof text - 1);
    (void)wrote;
    _exit(EXIT_INTERRUPTED);
}

static void handle(int signal, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, NULL);
}

void interrupt_watch(lua_State *L, Run *run) {
    watched = L;
    run->stop = &stop_requested;
    handle(SIGINT, on_interrupt);
    handle(SIGALRM, on_alarm);
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
    const struct itimerval never = { 0 };
    setitimer(ITIMER_REAL, &never, NULL);
    lua_sethook(watched, NULL, 0, 0);
    atomic_store(&stop_requested, false);
}

void interrupt_after(double seconds) {
    const double most = 1e9;
    const double limited = min(seconds, most), whole = floor(limited);
    const struct itimerval wait = {
        .it_value = { .tv_sec = whole_64(whole), .tv_usec = whole_64((limited - whole) * 1e6) + 1 },
    };
    setitimer(ITIMER_REAL, &wait, NULL);
}

void interrupt_renew(double seconds) {
    forget_request();
    atomic_store(&late, false);
    if (seconds > 0)
        interrupt_after(seconds);
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
    handle(SIGINT, SIG_DFL);
}

// --- waiting -----------------------------------------------------------------------------------------------

int read_descriptors(lua_State *L, int index, struct pollfd *descriptors) {
    luaL_checktype(L, index, LUA_TTABLE);
    const int count = (int)clamp(luaL_len(L, index), 0, DESCRIPTORS_MAX);
    for (int i = 0; i < count; i++) {
        lua_geti(L, index, i + 1);
        descriptors[i] = (struct pollfd){ .fd = (int)lua_tointeger(L, -1), .events = POLLIN };
        lua_pop(L, 1);
    }
    return count;
}

void wait_for(struct pollfd *descriptors, int count, int milliseconds) {
    const struct timespec time = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    if (run_stopped(&binding_run) || ppoll(descriptors, (nfds_t)count, &time, &before) < 0)
        for (int i = 0; i < count; i++)
            descriptors[i].revents = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void push_ready(lua_State *L, const struct pollfd *descriptors, int count) {
    lua_newtable(L);
    for (int i = 0; i < count; i++)
        if (descriptors[i].revents) {
            lua_pushboolean(L, true);
            lua_seti(L, -2, descriptors[i].fd);
        }
}
