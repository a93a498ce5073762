#define _GNU_SOURCE // wait4, memfd_create

#include "cli/process.h"

#include "cli/answer.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/modules.h"
#include "cli/progress.h"
#include "cli/sandbox.h"
#include "core/clock.h"
#include "core/whole.h"
#include "file/access.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// --- process -----------------------------------------------------------------------------------------------

enum { CHILDREN_MAX = 1024 };

static const double grace = 0.7;     // seconds after its time limit until a process is killed
static const double patience = 0.25; // seconds until a wait checks again without a signal

typedef struct Child {
    pid_t process; // 0: free
    double started, time_limit;
    bool timed_out;
} Child;

static Child children[CHILDREN_MAX];

// --- starting ----------------------------------------------------------------------------------------------

static int free_place(lua_State *L) {
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (!children[i].process)
            return i;
    return luaL_error(L, "at most %d processes", CHILDREN_MAX);
}

// Sets up a new process: it dies with its parent and has no children.
static void be_a_child(pid_t parent) {
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    memset(children, 0, sizeof children);
    interrupt_in_child();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int process_start(lua_State *L) {
    const int place = free_place(L);
    const double time_limit = limits_time(L, 1);
    fflush(NULL);
    sigset_t interrupt, before; // SIGINT to the new process waits until it has forgotten its parent's
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    const pid_t parent = getpid(), process = fork();
    if (process != 0)
        sigprocmask(SIG_SETMASK, &before, NULL);
    if (process < 0)
        return luaL_error(L, "a process could not be started: %s", strerror(errno));
    if (process == 0) {
        be_a_child(parent);
        return 0;
    }
    children[place] = (Child){ process, clock_seconds(), time_limit, false };
    return place + 1;
}

// Makes a file in the folder of this real path, unless a link is in it by now; -1 if that fails.
static int make_output(const char *folder, const char *name) {
    const int place = access_open_real(folder, NULL);
    const int output =
        place < 0 ? -1 : openat(place, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0666);
    if (place >= 0)
        close(place);
    return output;
}

// The output of a process that runs in parallel goes to a new file, or the run fails; it reads nothing, has
// one thread, and on Ctrl-C is ended by its parent.
static void stand_aside(const char *folder, const char *name) {
    const int input = open("/dev/null", O_RDONLY), output = make_output(folder, name);
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    if (output < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    signal(SIGINT, SIG_IGN);
    binding_run.threads = binding_max_threads = 1;
    binding_run.progress = NULL;
}

static int keep_and_call(lua_State *L) {
    limits_keep(L, 1, -1);
    lua_settop(L, 2);
    lua_call(L, 0, 1);
    return 1;
}

int process_start_aside(lua_State *L, const char *output) {
    const int number = process_start(L);
    if (number > 0)
        return number;
    if (output) {
        lua_getfield(L, 1, "write");
        stand_aside(luaL_checkstring(L, -1), output);
        lua_pop(L, 1);
    }
    lua_pushcfunction(L, keep_and_call);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    const int status = exit_status(L, lua_pcall(L, 2, 1, 0));
    fflush(NULL);
    _exit(status);
}

// --- ending ------------------------------------------------------------------------------------------------

void process_end_all(void) {
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (children[i].process) {
            kill(children[i].process, SIGKILL);
            waitpid(children[i].process, NULL, 0);
            children[i].process = 0;
        }
    progress_clear_after();
}

// The signals that a wait handles, except those that the program was started to ignore, as by nohup.
static sigset_t heard(void) {
    static const int list[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct sigaction now;
        if (sigaction(list[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&signals, list[i]);
    }
    return signals;
}

// A signal other than SIGCHLD ends all processes. Ctrl-C is then raised as an error; the others end this
// process too.
static void end_by(int signal) {
    process_end_all();
    if (signal == SIGINT) {
        interrupt_note();
        return;
    }
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigset_t one;
    sigaction(signal, &usual, NULL);
    sigemptyset(&one);
    sigaddset(&one, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

// --- waiting -----------------------------------------------------------------------------------------------

// Kills processes past their deadline; returns the seconds until the next deadline.
static struct timespec keep_deadlines(void) {
    const double now = clock_seconds();
    double next = patience;
    for (int i = 0; i < CHILDREN_MAX; i++) {
        Child *child = &children[i];
        if (!child->process || child->time_limit <= 0 || child->timed_out)
            continue;
        const double left = child->started + child->time_limit + grace - now;
        if (left <= 0) {
            child->timed_out = true;
            kill(child->process, SIGKILL);
        } else if (left < next) {
            next = left;
        }
    }
    return (struct timespec){ .tv_nsec = whole_64(next * 1e9) };
}

// As wait4 gives it.
static ProcessEnd end_of(int number, int status, const struct rusage *usage) {
    const Child *child = &children[number - 1];
    return (ProcessEnd){ .number = number,
                         .status = status,
                         .late = child->timed_out || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TIME),
                         .started = child->started,
                         .time_limit = child->time_limit,
                         .memory = (size_t)usage->ru_maxrss * 1024 };
}

// Whether one of these has ended, or none is left: `which`, a number, or ANY_PROCESS.
static bool find_ended(int which, ProcessEnd *end) {
    bool any = false;
    *end = (ProcessEnd){ 0 };
    for (int i = 0; i < CHILDREN_MAX; i++) {
        struct rusage usage = { 0 };
        int status = EXIT_FAILURE << 8;
        if (!children[i].process || (which != ANY_PROCESS && which != i + 1))
            continue;
        any = true;
        if (wait4(children[i].process, &status, WNOHANG, &usage) != 0) {
            *end = end_of(i + 1, status, &usage);
            children[i].process = 0;
            return true;
        }
    }
    return !any;
}

ProcessEnd process_await(lua_State *L, int which) {
    const sigset_t signals = heard();
    sigset_t before;
    ProcessEnd end = { 0 };
    sigprocmask(SIG_BLOCK, &signals, &before);
    while (!run_stopped(&binding_run) && !find_ended(which, &end)) {
        const struct timespec left = keep_deadlines();
        const int signal = sigtimedwait(&signals, NULL, &left);
        if (signal > 0 && signal != SIGCHLD)
            end_by(signal);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (run_stopped(&binding_run)) {
        process_end_all();
        luaL_error(L, "interrupted");
    }
    return end;
}

int process_push_problem(lua_State *L, const ProcessEnd *end) {
    const int signal = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
    if (signal)
        progress_clear_after();
    if (signal && signal != SIGPIPE) // a reader that has gone needs no message
        lua_pushfstring(L, "the recipe's process was ended by signal %d (%s)%s", signal, strsignal(signal),
                        signal == SIGKILL ? ": the machine's memory may have run out (--memory-limit)" : "");
    else
        lua_pushnil(L);
    return signal ? EXIT_BY_SIGNAL + signal : WEXITSTATUS(end->status);
}

int process_start_call(lua_State *L, FILE *stream) {
    const int number = process_start(L);
    if (number > 0)
        return number;
    answer_send(L, stream);
    progress_clear();
    const bool lost = output_is_lost();
    fflush(NULL);
    _exit(interrupt_is_late() ? EXIT_TIME : lost ? EXIT_LOST : EXIT_SUCCESS);
}

pid_t process_id(int number) {
    return children[number - 1].process;
}

ProcessEnd process_kill(int number) {
    Child *child = &children[number - 1];
    struct rusage usage = { 0 };
    int status = 0;
    if (child->process) {
        kill(child->process, SIGKILL);
        wait4(child->process, &status, 0, &usage);
        child->process = 0;
    }
    return end_of(number, status, &usage);
}

int process_open_shared(void) {
    return memfd_create("esker", MFD_CLOEXEC);
}

size_t process_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

bool process_take_words(lua_State *L, int count, char **words) {
    (void)L, (void)count, (void)words;
    return false;
}

void process_extend(lua_State *L) {
    (void)L;
}
