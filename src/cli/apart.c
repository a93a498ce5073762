#define _GNU_SOURCE // memfd_create
#include "cli/apart.h"

#include "cli/interrupt.h"
#include "cli/parcel.h"
#include "cli/sandbox.h"
#include "cli/worker.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_INTERRUPTED = 130, EXIT_BY_SIGNAL = 128 };

static struct timespec for_milliseconds(long milliseconds) {
    return (struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000 };
}

// What a process is told of another that ended; the status the first ends with.
static int read_status(int status, bool timed_out, double time_limit, char *text, size_t size) {
    *text = '\0';
    if (timed_out || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TIME)) {
        snprintf(text, size, "the time limit of %g s is over (--time-limit)", time_limit);
        return EXIT_FAILURE;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    const int signal = WTERMSIG(status);
    if (signal != SIGPIPE) // who does not read any more need not be told
        snprintf(text, size, "the recipe's process was ended by signal %d (%s)%s", signal, strsignal(signal),
                 signal == SIGKILL ? ": the machine's memory may have run out (--memory-limit)" : "");
    return EXIT_BY_SIGNAL + signal;
}

// --- a whole run -------------------------------------------------------------------------------------------

static sigset_t heard(void) {
    static const int list[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        sigaddset(&signals, list[i]);
    return signals;
}

// Passes Ctrl-C on; other signals end both.
static void pass_on(pid_t process, int signal) {
    if (signal == SIGINT) {
        kill(process, SIGINT);
        return;
    }
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigaction(signal, &usual, NULL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

// Waits until the process ends, at most until its deadline (0: for ever). True when that was over.
static bool wait_for(pid_t process, double deadline, int *status) {
    const sigset_t signals = heard();
    bool timed_out = false;
    while (waitpid(process, status, WNOHANG) == 0) {
        const double left = deadline > 0 ? deadline - worker_seconds() : 1;
        if (left <= 0) {
            timed_out = true;
            kill(process, SIGKILL);
        }
        const struct timespec patience =
            for_milliseconds(left > 0 && left < 0.25 ? whole_64(left * 1000) + 1 : 250);
        const int signal = sigtimedwait(&signals, NULL, &patience);
        if (signal > 0 && signal != SIGCHLD)
            pass_on(process, signal);
    }
    return timed_out;
}

// apart.divide(limits): from here on there are two processes. Gives true in the one that is confined by
// `limits` (worker.h); in the other false, once the first has ended, with the status to end with and, where
// it did not tell itself, what happened.
static int divide(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const double time_limit = worker_time_limit(L, 1);
    const sigset_t signals = heard();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t process = worker_fork(L);
    if (process == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        worker_confine(L, 1, -1);
        lua_pushboolean(L, true);
        return 1;
    }
    int status = 0;
    const double grace = GRACE_MILLISECONDS * 1e-3;
    const bool timed_out =
        wait_for(process, time_limit > 0 ? worker_seconds() + time_limit + grace : 0, &status);
    sigprocmask(SIG_SETMASK, &before, NULL);
    char text[200];
    lua_pushboolean(L, false);
    lua_pushinteger(L, read_status(status, timed_out, time_limit, text, sizeof text));
    lua_pushstring(L, *text ? text : NULL);
    return 3;
}

// --- one function ------------------------------------------------------------------------------------------

// In the new process: limits at 1, function at 2. Sends true and the value, or false and the message.
static int work(lua_State *L) {
    FILE *stream = lua_touserdata(L, 3);
    worker_confine(L, 1, fileno(stream));
    lua_settop(L, 2);
    bool well = lua_pcall(L, 0, 1, 0) == LUA_OK;
    lua_pushboolean(L, well);
    parcel_write(L, -1, stream);
    lua_pop(L, 1);
    parcel_write(L, -1, stream);
    return 0;
}

static _Noreturn void work_and_end(lua_State *L, FILE *stream) {
    lua_pushcfunction(L, work);
    lua_insert(L, 1);
    lua_settop(L, 3);
    lua_pushlightuserdata(L, stream);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) { // what came back cannot be sent, or nothing could be confined
        const char *message = lua_tostring(L, -1);
        rewind(stream);
        lua_pushboolean(L, false);
        parcel_write(L, -1, stream);
        lua_pushstring(L, message ? message : "an error that is no text");
        parcel_write(L, -1, stream);
    }
    fflush(NULL);
    _exit(interrupt_is_late() ? EXIT_TIME : EXIT_SUCCESS);
}

// Closed with the userdata that holds it.
static int close_stream(lua_State *L) {
    FILE **stream = lua_touserdata(L, 1);
    if (*stream)
        fclose(*stream);
    *stream = NULL;
    return 0;
}

static FILE *open_stream(lua_State *L) {
    FILE **stream = lua_newuserdatauv(L, sizeof(FILE *), 0);
    *stream = NULL;
    if (luaL_newmetatable(L, "esker.stream")) {
        lua_pushcfunction(L, close_stream);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    const int memory = memfd_create("esker", MFD_CLOEXEC);
    *stream = memory >= 0 ? fdopen(memory, "w+b") : NULL;
    if (!*stream) {
        const int problem = errno;
        if (memory >= 0)
            close(memory);
        luaL_error(L, "no memory to hear what the recipe's process says: %s", strerror(problem));
    }
    return *stream;
}

// Ctrl-C ends the process at once: nobody waits for what it would say.
static int wait_or_stop(pid_t process, double deadline, bool *timed_out) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        *timed_out = deadline > 0 && worker_seconds() >= deadline;
        if (*timed_out || run_stopped(&binding_run))
            kill(process, SIGKILL);
        const struct timespec patience = for_milliseconds(50);
        sigtimedwait(&child, NULL, &patience);
    }
    return status;
}

// apart.ask(limits, function): what the function gives, called in a process that is confined by `limits`; its
// error is raised here. Parcels tell which values can be given (parcel.h).
static int ask(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    const double time_limit = worker_time_limit(L, 1);
    FILE *stream = open_stream(L);
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    const pid_t process = worker_fork(L);
    if (process == 0) {
        lua_settop(L, 2);
        work_and_end(L, stream);
    }
    bool timed_out = false;
    const double grace = GRACE_MILLISECONDS * 1e-3;
    const int status =
        wait_or_stop(process, time_limit > 0 ? worker_seconds() + time_limit + grace : 0, &timed_out);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (run_stopped(&binding_run))
        return luaL_error(L, "interrupted");
    char text[200];
    read_status(status, timed_out, time_limit, text, sizeof text);
    if (*text)
        return luaL_error(L, "%s", text);
    rewind(stream);
    parcel_read(L, stream);
    const bool well = lua_toboolean(L, -1);
    parcel_read(L, stream);
    return well ? 1 : lua_error(L);
}

// apart.lacks(): what confines less than it should here, or nil.
static int lacks(lua_State *L) {
    lua_pushstring(L, sandbox_lacks());
    return 1;
}

static const luaL_Reg functions[] = {
    { "divide", divide }, { "ask", ask }, { "lacks", lacks }, { NULL, NULL }
};

static int open_apart(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_apart(lua_State *L) {
    luaL_requiref(L, "esker.apart", open_apart, 0);
    lua_pop(L, 1);
}
