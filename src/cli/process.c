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

// --- answers -----------------------------------------------------------------------------------------------

// Closed with the userdata that holds it.
static int close_stream(lua_State *L) {
    FILE **stream = lua_touserdata(L, 1);
    if (*stream)
        fclose(*stream);
    *stream = NULL;
    return 0;
}

// Opens an in-memory file and pushes its owner: the file closes when that is collected.
static FILE *answer_open(lua_State *L) {
    FILE **stream = lua_newuserdatauv(L, sizeof(FILE *), 0);
    *stream = NULL;
    define_class(L, "esker.answer", NULL, close_stream);
    luaL_setmetatable(L, "esker.answer");
    const int memory = memfd_create("esker", MFD_CLOEXEC);
    *stream = memory >= 0 ? fdopen(memory, "w+b") : NULL;
    if (!*stream) {
        const int problem = errno;
        if (memory >= 0)
            close(memory);
        luaL_error(L, "not enough memory for what the recipe's process sends: %s", strerror(problem));
    }
    return *stream;
}

// --- process -----------------------------------------------------------------------------------------------

enum { CHILDREN_MAX = 1024, ANY = -1 };

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
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    interrupt_in_child();
}

int process_start(lua_State *L) {
    const int place = free_place(L);
    const double time_limit = limits_time(L, 1);
    fflush(NULL);
    const pid_t parent = getpid(), process = fork();
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

// process.fork(limits, function, output): starts a process that calls the function under the limits
// (sandbox.h), prints its error, and ends with the status returned; returns its number. With `output`, the
// name of a new file in limits.write, which is a real path, it runs in parallel with others.
static int fork_one(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    const char *output = luaL_optstring(L, 3, NULL);
    lua_settop(L, 3);
    const int number = process_start(L);
    if (number > 0) {
        lua_pushinteger(L, number);
        return 1;
    }
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

static void end_all(void) {
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
    end_all();
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

typedef struct Ended {
    int number; // 0: none was left
    int status; // as wait4 gives it
    Child child;
    struct rusage usage;
} Ended;

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

// Whether one of these has ended, or none is left: `which`, a number, or ANY.
static bool find_ended(int which, Ended *ended) {
    bool any = false;
    *ended = (Ended){ .status = EXIT_FAILURE << 8 };
    for (int i = 0; i < CHILDREN_MAX; i++) {
        if (!children[i].process || (which != ANY && which != i + 1))
            continue;
        any = true;
        if (wait4(children[i].process, &ended->status, WNOHANG, &ended->usage) != 0) {
            ended->number = i + 1;
            ended->child = children[i];
            children[i].process = 0;
            return true;
        }
    }
    return !any;
}

// Waits until one has ended. An interrupt, or this process's own time limit, ends all and is raised as an
// error.
static Ended await(lua_State *L, int which) {
    const sigset_t signals = heard();
    sigset_t before;
    Ended ended = { 0 };
    sigprocmask(SIG_BLOCK, &signals, &before);
    while (!run_stopped(&binding_run) && !find_ended(which, &ended)) {
        const struct timespec left = keep_deadlines();
        const int signal = sigtimedwait(&signals, NULL, &left);
        if (signal > 0 && signal != SIGCHLD)
            end_by(signal);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (run_stopped(&binding_run)) {
        end_all();
        luaL_error(L, "interrupted");
    }
    return ended;
}

static bool is_late(const Ended *ended) {
    return ended->child.timed_out || (WIFEXITED(ended->status) && WEXITSTATUS(ended->status) == EXIT_TIME);
}

// Returns the exit status for it; pushes a description of how it ended, or nil.
static int push_problem(lua_State *L, const Ended *ended) {
    const int signal = WIFSIGNALED(ended->status) ? WTERMSIG(ended->status) : 0;
    if (signal)
        progress_clear_after();
    if (is_late(ended)) {
        char limit[40];
        snprintf(limit, sizeof limit, "%g", ended->child.time_limit);
        lua_pushfstring(L, "the time limit of %s s is over (--time-limit)", limit);
        return EXIT_FAILURE;
    }
    if (signal && signal != SIGPIPE) // a reader that has gone needs no message
        lua_pushfstring(L, "the recipe's process was ended by signal %d (%s)%s", signal, strsignal(signal),
                        signal == SIGKILL ? ": the machine's memory may have run out (--memory-limit)" : "");
    else
        lua_pushnil(L);
    return signal ? EXIT_BY_SIGNAL + signal : WEXITSTATUS(ended->status);
}

// process.wait(): waits until a process has ended that fork started, and gives { number =, status =, problem
// =, late =, seconds =, memory = }: the status to end with, the message about its end or nil, whether its
// time limit was over, how long it ran, and its peak memory in bytes. Returns nothing when no process is
// left.
static int wait_for_one(lua_State *L) {
    const Ended ended = await(L, ANY);
    if (ended.number == 0)
        return 0;
    lua_createtable(L, 0, 6);
    const int status = push_problem(L, &ended);
    lua_setfield(L, -2, "problem");
    lua_pushinteger(L, status);
    lua_setfield(L, -2, "status");
    lua_pushinteger(L, ended.number);
    lua_setfield(L, -2, "number");
    lua_pushboolean(L, is_late(&ended));
    lua_setfield(L, -2, "late");
    lua_pushnumber(L, clock_seconds() - ended.child.started);
    lua_setfield(L, -2, "seconds");
    lua_pushinteger(L, (lua_Integer)ended.usage.ru_maxrss * 1024);
    lua_setfield(L, -2, "memory");
    return 1;
}

// process.call(limits, function): calls the function in another process under the limits (sandbox.h) and
// returns its value; its error is raised here, and one if what it printed was lost.
static int call(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    FILE *stream = answer_open(L); // stays on the stack, or the collector would close it
    const int number = process_start(L);
    if (number == 0) {
        answer_send(L, stream);
        progress_clear();
        const bool lost = output_is_lost();
        fflush(NULL);
        _exit(interrupt_is_late() ? EXIT_TIME : lost ? EXIT_LOST : EXIT_SUCCESS);
    }
    const Ended ended = await(L, number);
    const int status = push_problem(L, &ended);
    if (!lua_isnil(L, -1))
        return lua_error(L);
    if (!answer_receive(L, stream))
        return lua_error(L);
    if (status == EXIT_LOST) {
        lua_pushliteral(L, "esker: " OUTPUT_LOST);
        return lua_error(L);
    }
    return 1;
}

pid_t process_id(int number) {
    return children[number - 1].process;
}

const char *process_end(lua_State *L, int number) {
    Ended ended = { .number = number, .child = children[number - 1] };
    if (ended.child.process) {
        kill(ended.child.process, SIGKILL);
        wait4(ended.child.process, &ended.status, 0, &ended.usage);
        children[number - 1].process = 0;
    }
    push_problem(L, &ended);
    return lua_tostring(L, -1);
}

// process.stop(): ends all.
static int stop(lua_State *L) {
    (void)L;
    end_all();
    return 0;
}

// process.memory(): the peak memory of this process, bytes.
static int memory(lua_State *L) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    lua_pushinteger(L, (lua_Integer)usage.ru_maxrss * 1024);
    return 1;
}

// process.lacks(): a description of confinement that is missing here, or nil.
static int lacks(lua_State *L) {
    lua_pushstring(L, sandbox_lacks());
    return 1;
}

void process_push_words(lua_State *L, int count, char **words) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, words[i]);
        lua_seti(L, -2, i + 1);
    }
}

static const luaL_Reg functions[] = {
    { "fork", fork_one }, { "wait", wait_for_one }, { "call", call }, { "stop", stop },
    { "memory", memory }, { "lacks", lacks },       { NULL, NULL },
};

static int open_process(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_process(lua_State *L) {
    luaL_requiref(L, "esker.process", open_process, 0);
    lua_pop(L, 1);
}
