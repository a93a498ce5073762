// Processes that run a recipe on Windows, where none can be forked: require "esker.process". Each is this
// program again, which reads the function to call, its limits and the command line from a file that it
// inherits (lua/esker/carried.lua), and writes its answer there. It is in a job, which ends with this
// process.

#include "cli/process.h"

#ifdef _WIN32

#include "cli/answer.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/modules.h"
#include "cli/progress.h"
#include "cli/sandbox.h"
#include "cli/serialize.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/platform.h"
#include "file/access.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <psapi.h>

enum { CHILDREN_MAX = 1024, LIMITS = 1, FUNCTION = 2 };

static const double grace = 0.7;                    // seconds after its time limit until a process is killed
static const DWORD patience = 100;                  // milliseconds until a wait looks again
static const size_t room_beside = (size_t)64 << 20; // memory of the C library, libpng and stacks

typedef struct Child {
    HANDLE process, job; // NULL: free
    double started, time_limit;
    bool timed_out;
} Child;

static Child children[CHILDREN_MAX];
static const char message_key[] = "esker.message";
static FILE *parent_stream; // in such a process: the file

// --- files that processes share ----------------------------------------------------------------------------

int process_open_shared(void) {
    return platform_open_nameless(-1, O_RDWR, 0600);
}

static HANDLE handle_of(FILE *stream) {
    return (HANDLE)_get_osfhandle(_fileno(stream));
}

// --- starting ----------------------------------------------------------------------------------------------

static int free_place(lua_State *L) {
    for (int i = 0; i < CHILDREN_MAX; i++)
        if (!children[i].process)
            return i;
    return luaL_error(L, "at most %d processes", CHILDREN_MAX);
}

// Writes { limits =, work =, words =, kind = } for the new process.
static void write_message(lua_State *L, const char *kind, FILE *stream) {
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, LIMITS);
    lua_setfield(L, -2, "limits");
    lua_getglobal(L, "require");
    lua_pushliteral(L, "esker.carried");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "pack");
    lua_pushvalue(L, FUNCTION);
    lua_call(L, 1, 1);
    lua_setfield(L, -3, "work");
    lua_pop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, PROCESS_WORDS);
    lua_setfield(L, -2, "words");
    lua_pushstring(L, kind);
    lua_setfield(L, -2, "kind");
    serialize(L, -1, MESSAGE_MAX, stream);
    lua_pop(L, 1);
    if (fflush(stream) != 0)
        luaL_error(L, "a process could not be started: %s", strerror(errno));
    rewind(stream);
}

// A job with the limits: its processes end with this one, or with too much memory. NULL if that fails.
static HANDLE make_job(lua_State *L) {
    lua_getfield(L, LIMITS, "trust");
    const bool trust = lua_toboolean(L, -1), limited = lua_getfield(L, LIMITS, "memory_limit") == LUA_TNUMBER;
    lua_pop(L, 2);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation = { .LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
                                                 JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
                                   .ActiveProcessLimit = 1 },
    };
    if (!trust)
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    if (limited || !trust) {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.ProcessMemoryLimit = limits_memory(L, LIMITS) + room_beside;
    }
    const HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job && SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
        return job;
    CloseHandle(job);
    return NULL;
}

static void inherit(HANDLE handle, bool yes) {
    SetHandleInformation(handle, HANDLE_FLAG_INHERIT, yes ? HANDLE_FLAG_INHERIT : 0);
}

// Starts the program again, suspended, with a file to inherit, and one for what it prints, or NULL.
static bool create(FILE *stream, HANDLE output, PROCESS_INFORMATION *made) {
    wchar_t path[MAX_PATH + 1], words[64];
    STARTUPINFOW start = { .cb = sizeof start };
    const DWORD length = GetModuleFileNameW(NULL, path, MAX_PATH + 1);
    if (length == 0 || length > MAX_PATH)
        return false;
    swprintf(words, 64, L"esker --carried %llu", (unsigned long long)(uintptr_t)handle_of(stream));
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = output ? INVALID_HANDLE_VALUE : GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = output ? output : GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = output ? output : GetStdHandle(STD_ERROR_HANDLE);
    inherit(handle_of(stream), true);
    if (output)
        inherit(output, true);
    const bool well =
        CreateProcessW(path, words, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, made);
    inherit(handle_of(stream), false);
    return well;
}

static int start(lua_State *L, const char *kind, FILE *stream, HANDLE output) {
    const int place = free_place(L);
    const double time_limit = limits_time(L, LIMITS);
    PROCESS_INFORMATION made;
    write_message(L, kind, stream);
    fflush(stdout);
    fflush(stderr);
    const HANDLE job = make_job(L);
    if (!job || !create(stream, output, &made)) {
        CloseHandle(job);
        return luaL_error(L, "a process could not be started: error %d of Windows", (int)GetLastError());
    }
    AssignProcessToJobObject(job, made.hProcess);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    children[place] = (Child){ made.hProcess, job, clock_seconds(), time_limit, false };
    return place + 1;
}

// A new file in the folder of this real path, for what a process prints; NULL if that fails.
static HANDLE make_output(const char *folder, const char *name, int *descriptor) {
    const int place = access_open_real(folder, NULL);
    *descriptor = place < 0 ? -1 : openat(place, name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (place >= 0)
        close(place);
    return *descriptor < 0 ? NULL : (HANDLE)_get_osfhandle(*descriptor);
}

int process_start_aside(lua_State *L, const char *output) {
    int descriptor = -1;
    HANDLE printed = NULL;
    FILE *stream = answer_open(L, process_open_shared);
    if (output) {
        lua_getfield(L, LIMITS, "write");
        printed = make_output(luaL_checkstring(L, -1), output, &descriptor);
        if (!printed)
            return luaL_error(L, "cannot write '%s': %s", output, strerror(errno));
    }
    const int number = start(L, output ? "aside" : "fork", stream, printed);
    if (descriptor >= 0)
        close(descriptor);
    return number;
}

int process_start_call(lua_State *L, FILE *stream) {
    return start(L, "call", stream, NULL);
}

// --- in the process ----------------------------------------------------------------------------------------

// As in ../sandbox.c, without the kernel's part.
void limits_keep(lua_State *L, int index, int kept) {
    (void)kept;
    index = lua_absindex(L, index);
    const int top = lua_gettop(L);
    luaL_checkstack(L, 8, "limits");
    lua_getfield(L, index, "trust");
    const bool trust = lua_toboolean(L, -1);
    const bool limited = lua_getfield(L, index, "memory_limit") == LUA_TNUMBER && lua_tonumber(L, -1) > 0;
    limits_begin(L, index);
    if (limited || !trust)
        memory_set_limit(memory_in_use() + memory_charged() + limits_memory(L, index));
    if (!trust) {
        limits_allow(L, index);
        access_confine();
        access_close_places();
    }
    const double time_limit = limits_time(L, index);
    if (time_limit > 0)
        interrupt_after(time_limit);
    lua_settop(L, top);
}

// process.carried(): does what this process was started for, and gives the status to end with.
static int carried(lua_State *L) {
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, message_key);
    lua_getfield(L, 1, "kind");
    const char *kind = lua_tostring(L, -1);
    const bool answers = strcmp(kind, "call") == 0, aside = strcmp(kind, "aside") == 0;
    interrupt_in_child();
    if (aside) {
        binding_run.threads = binding_max_threads = 1;
        binding_run.progress = NULL;
    }
    lua_getfield(L, 1, "limits");
    lua_replace(L, 2);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "esker.carried");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "unpack");
    lua_getfield(L, 1, "work");
    lua_call(L, 1, 1);
    lua_replace(L, 3);
    lua_settop(L, 3);
    lua_remove(L, 1);
    if (!answers) {
        limits_keep(L, LIMITS, -1);
        lua_call(L, 0, 1);
        return 1;
    }
    answer_send(L, parent_stream);
    progress_clear();
    const bool lost = output_is_lost();
    lua_pushinteger(L, fflush(parent_stream) != 0 ? EXIT_FAILURE : lost ? EXIT_LOST : EXIT_SUCCESS);
    return 1;
}

// Reads what the process is to do from the file that it has inherited, and empties that.
static void take_message(lua_State *L, const char *handle) {
    const int file = _open_osfhandle((intptr_t)strtoull(handle, NULL, 10), _O_BINARY);
    parent_stream = file >= 0 ? fdopen(file, "r+b") : NULL;
    if (!parent_stream)
        luaL_error(L, "there is nothing to read from that handle");
    deserialize(L, parent_stream);
    lua_getfield(L, -1, "words");
    lua_insert(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, message_key);
    rewind(parent_stream);
    if (_chsize_s(file, 0) != 0)
        luaL_error(L, "the file for the answer cannot be emptied");
}

bool process_take_words(lua_State *L, int count, char **words) {
    if (count != 2 || strcmp(words[0], "--carried") != 0)
        return false;
    take_message(L, words[1]);
    return true;
}

// --- ending ------------------------------------------------------------------------------------------------

static void forget(Child *child) {
    CloseHandle(child->job); // which ends what still runs
    CloseHandle(child->process);
    *child = (Child){ 0 };
}

static size_t peak_memory(HANDLE process) {
    PROCESS_MEMORY_COUNTERS counters = { .cb = sizeof counters };
    return GetProcessMemoryInfo(process, &counters, sizeof counters) ? counters.PeakWorkingSetSize : 0;
}

static void keep_deadlines(void) {
    const double now = clock_seconds();
    for (int i = 0; i < CHILDREN_MAX; i++) {
        Child *child = &children[i];
        if (!child->process || child->time_limit <= 0 || child->timed_out ||
            now < child->started + child->time_limit + grace)
            continue;
        child->timed_out = true;
        TerminateProcess(child->process, EXIT_TIME);
    }
}

static ProcessEnd end_of(int number) {
    const Child *child = &children[number - 1];
    DWORD status = EXIT_FAILURE;
    GetExitCodeProcess(child->process, &status);
    return (ProcessEnd){ .number = number,
                         .status = (int)status,
                         .late = child->timed_out || status == EXIT_TIME,
                         .started = child->started,
                         .time_limit = child->time_limit,
                         .memory = peak_memory(child->process) };
}

ProcessEnd process_kill(int number) {
    Child *child = &children[number - 1];
    if (!child->process)
        return (ProcessEnd){ .number = number };
    TerminateProcess(child->process, EXIT_FAILURE);
    WaitForSingleObject(child->process, INFINITE);
    const ProcessEnd end = end_of(number);
    forget(child);
    return end;
}

void process_end_all(void) {
    for (int i = 0; i < CHILDREN_MAX; i++)
        process_kill(i + 1);
    progress_clear_after();
}

// Whether one of these has ended, or none is left; else waits a moment for some of them.
static bool find_ended(int which, ProcessEnd *end) {
    HANDLE some[MAXIMUM_WAIT_OBJECTS];
    DWORD count = 0;
    *end = (ProcessEnd){ 0 };
    for (int i = 0; i < CHILDREN_MAX; i++) {
        Child *child = &children[i];
        if (!child->process || (which != ANY_PROCESS && which != i + 1))
            continue;
        if (WaitForSingleObject(child->process, 0) == WAIT_TIMEOUT) {
            if (count < MAXIMUM_WAIT_OBJECTS)
                some[count++] = child->process;
            continue;
        }
        *end = end_of(i + 1);
        forget(child);
        return true;
    }
    if (count > 0)
        WaitForMultipleObjects(count, some, FALSE, patience);
    return count == 0;
}

ProcessEnd process_await(lua_State *L, int which) {
    ProcessEnd end = { 0 };
    while (!run_stopped(&binding_run) && !find_ended(which, &end))
        keep_deadlines();
    if (run_stopped(&binding_run)) {
        process_end_all();
        luaL_error(L, "interrupted");
    }
    return end;
}

int process_push_problem(lua_State *L, const ProcessEnd *end) {
    enum { EXCEPTIONS = 0xC0 }; // the first byte of their numbers
    const unsigned status = (unsigned)end->status;
    char text[80];
    if (status >> 24 != EXCEPTIONS) {
        lua_pushnil(L);
        return end->status;
    }
    progress_clear_after();
    snprintf(text, sizeof text, "the recipe's process was ended by Windows (%08X)", status);
    lua_pushstring(L, text);
    return EXIT_FAILURE;
}

size_t process_memory(void) {
    return peak_memory(GetCurrentProcess());
}

const char *sandbox_lacks(void) {
    return "on Windows only Esker's own checks confine recipes, not the system";
}

void process_extend(lua_State *L) {
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "trusts_elsewhere"); // recipes of other folders have to be trusted
    if (parent_stream) {
        lua_pushcfunction(L, carried);
        lua_setfield(L, -2, "carried");
    }
}

#endif
