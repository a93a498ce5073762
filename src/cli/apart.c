#define _GNU_SOURCE // memfd_create
#include "cli/apart.h"

#include "cli/interrupt.h"
#include "cli/parcel.h"
#include "cli/sandbox.h"
#include "cli/worker.h"
#include "core/memory.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_BY_SIGNAL = 128 };

static const size_t ANSWER_MOST = (size_t)4 << 30; // bytes, as of a file that a recipe writes (sandbox.c)

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

// The bytes that an answer may take, by the limits at 1: as many as the recipe may. So many may be sent, and
// what is made of them here takes no more.
static size_t answer_most(lua_State *L) {
    const size_t limit = worker_memory_limit(L, 1);
    return limit < ANSWER_MOST ? limit : ANSWER_MOST;
}

// In the new process: limits at 1, function at 2. Sends true and the value, or false and the error.
static int work(lua_State *L) {
    FILE *stream = lua_touserdata(L, 3);
    worker_confine(L, 1, fileno(stream));
    lua_settop(L, 2);
    const bool well = lua_pcall(L, 0, 1, 0) == LUA_OK;
    const size_t most = answer_most(L);
    lua_pushboolean(L, well);
    parcel_write(L, -1, most, stream);
    parcel_write(L, -2, most, stream);
    return 0;
}

// What came back cannot be sent, or nothing could be confined: sends false and why, at the top of the stack.
static void send_failure(lua_State *L, FILE *stream) {
    if (lua_type(L, -1) != LUA_TSTRING)
        lua_pushliteral(L, "an error that is not a string");
    rewind(stream);
    lua_pushboolean(L, false);
    parcel_write(L, -1, ANSWER_MOST, stream);
    parcel_write(L, -2, ANSWER_MOST, stream);
}

// The stream's userdata, where ask left it, stays on the stack: the collector would close the stream.
static _Noreturn void work_and_end(lua_State *L, FILE *stream) {
    lua_pushcfunction(L, work);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushlightuserdata(L, stream);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK)
        send_failure(L, stream);
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

// The stream at 1 holds true or false and a value.
static int read_answer(lua_State *L) {
    FILE *stream = lua_touserdata(L, 1);
    rewind(stream);
    parcel_read(L, stream);
    parcel_read(L, stream);
    return 2;
}

// Pushes the value, or the error when it gives false. Believes nothing of what the other process counted.
static bool receive(lua_State *L, FILE *stream, size_t most) {
    struct stat sent;
    const size_t before = memory_limit(), used = memory_in_use() + memory_charged();
    static const char too_large[] = "the results do not fit into the memory limit (--memory-limit)";
    if (fstat(fileno(stream), &sent) != 0 || (size_t)sent.st_size > most)
        luaL_error(L, too_large);
    memory_set_limit(before < used + most ? before : used + most);
    lua_pushcfunction(L, read_answer);
    lua_pushlightuserdata(L, stream);
    const int outcome = lua_pcall(L, 1, 2, 0);
    memory_set_limit(before);
    if (outcome == LUA_ERRMEM)
        lua_pushstring(L, too_large);
    return outcome == LUA_OK && lua_toboolean(L, -2);
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
    if (process == 0)
        work_and_end(L, stream);
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
    return receive(L, stream, answer_most(L)) ? 1 : lua_error(L);
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
