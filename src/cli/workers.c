#define _GNU_SOURCE // wait4
#include "cli/workers.h"

#include "cli/interrupt.h"
#include "cli/worker.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS_MAX = 1024 };

typedef struct Worker {
    pid_t process; // 0: free
    double started, deadline;
    bool timed_out;
} Worker;

static Worker workers[WORKERS_MAX];

// --- starting ----------------------------------------------------------------------------------------------

// What a run prints goes into a file, or there is no run; it reads nothing.
static void redirect(const char *path) {
    const int input = open("/dev/null", O_RDONLY),
              output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666);
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    if (output < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
}

// Limits at 1, function at 2; gives what the function gives.
static int confine_and_call(lua_State *L) {
    worker_confine(L, 1, -1);
    lua_settop(L, 2);
    lua_call(L, 0, 1);
    return 1;
}

// In the new process; function, output and limits are at 1, 2, 3. Its status is 0 if the function gave true.
static _Noreturn void work(lua_State *L) {
    signal(SIGINT, SIG_IGN); // the parent ends its workers
    redirect(lua_tostring(L, 2));
    binding_run.threads = binding_threads_most = 1;
    binding_run.progress = NULL;
    lua_pushcfunction(L, confine_and_call);
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 1);
    const bool well = lua_pcall(L, 2, 1, 0) == LUA_OK && lua_toboolean(L, -1);
    if (interrupt_is_late())
        _exit(EXIT_TIME);
    if (!well && lua_tostring(L, -1))
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    fflush(NULL);
    _exit(well ? EXIT_SUCCESS : EXIT_FAILURE);
}

// workers.start(function, output, limits): its number. The limits are those of worker.h.
static int start(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checkstring(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    int free_one = 0;
    while (free_one < WORKERS_MAX && workers[free_one].process)
        free_one++;
    if (free_one == WORKERS_MAX)
        return luaL_error(L, "at most %d workers", WORKERS_MAX);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL); // finish waits for it
    const double time_limit = worker_time_limit(L, 3);
    const pid_t process = worker_fork(L);
    if (process == 0)
        work(L);
    const double now = worker_seconds(), grace = GRACE_MILLISECONDS * 1e-3;
    workers[free_one] = (Worker){ process, now, time_limit > 0 ? now + time_limit + grace : 0, false };
    lua_pushinteger(L, free_one + 1);
    return 1;
}

// --- finishing ---------------------------------------------------------------------------------------------

// Kills what is past its deadline; gives the seconds until the next one, at most a quarter.
static double keep_deadlines(void) {
    const double now = worker_seconds();
    double next = 0.25;
    for (int i = 0; i < WORKERS_MAX; i++) {
        Worker *worker = &workers[i];
        if (!worker->process || worker->deadline == 0 || worker->timed_out)
            continue;
        if (now >= worker->deadline) {
            worker->timed_out = true;
            kill(worker->process, SIGKILL);
        } else if (worker->deadline - now < next) {
            next = worker->deadline - now;
        }
    }
    return next;
}

static int push_outcome(lua_State *L, int number, int status, const struct rusage *usage) {
    Worker *worker = &workers[number];
    lua_pushinteger(L, number + 1);
    if (worker->timed_out || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TIME))
        lua_pushliteral(L, "timeout");
    else if (WIFSIGNALED(status))
        lua_pushfstring(L, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        lua_pushstring(L, WEXITSTATUS(status) == 0 ? "done" : "failed");
    lua_pushnumber(L, worker_seconds() - worker->started);
    lua_pushinteger(L, (lua_Integer)usage->ru_maxrss * 1024);
    worker->process = 0;
    return 4;
}

// workers.finish(): waits until one ends, and gives its number, "done", "failed", "timeout" or the signal
// that killed it, its seconds and the most memory that it had; nothing when none is left or a stop was
// requested.
static int finish(lua_State *L) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    while (!run_stopped(&binding_run)) {
        bool any = false;
        for (int i = 0; i < WORKERS_MAX; i++) {
            int status;
            struct rusage usage;
            if (!workers[i].process)
                continue;
            any = true;
            if (wait4(workers[i].process, &status, WNOHANG, &usage) == workers[i].process)
                return push_outcome(L, i, status, &usage);
        }
        if (!any)
            return 0;
        const double patience = keep_deadlines();
        const struct timespec wait = { .tv_nsec = whole_64(patience * 1e9) };
        sigtimedwait(&children, NULL, &wait);
    }
    return 0;
}

// workers.stop(): ends all of them.
static int stop(lua_State *L) {
    (void)L;
    for (int i = 0; i < WORKERS_MAX; i++)
        if (workers[i].process) {
            kill(workers[i].process, SIGKILL);
            waitpid(workers[i].process, NULL, 0);
            workers[i].process = 0;
        }
    return 0;
}

// workers.peak(): the most memory that this process had, in bytes.
static int peak(lua_State *L) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    lua_pushinteger(L, (lua_Integer)usage.ru_maxrss * 1024);
    return 1;
}

static int stopped(lua_State *L) {
    lua_pushboolean(L, run_stopped(&binding_run));
    return 1;
}

static const luaL_Reg functions[] = {
    { "start", start },     { "finish", finish }, { "stop", stop },
    { "stopped", stopped }, { "peak", peak },     { NULL, NULL },
};

static int open_workers(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_workers(lua_State *L) {
    luaL_requiref(L, "esker.workers", open_workers, 0);
    lua_pop(L, 1);
}
