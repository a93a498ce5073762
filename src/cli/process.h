// Processes that run a recipe: require "esker.process". Each is forked from this one, keeps to its limits
// (sandbox.h), and dies with its parent. Only this module starts processes and waits for them.

#ifndef ESKER_PROCESS_H
#define ESKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <lua.h>
#include <sys/types.h>

// Pushes the list of the command line's words; on Windows, in a process that was started for one function,
// those of the process that started it.
void process_push_words(lua_State *L, int count, char **words);

// Forks, with the limits at 1: returns the number of the new process; 0 in it, where nothing is confined
// yet. Not on Windows, as the next one.
int process_start(lua_State *L);

pid_t process_id(int number);

// Kills a process if it still runs, and waits for it; pushes how it ended, or nil.
const char *process_end(lua_State *L, int number);

// --- what each system has of its own (process_fork.c, windows/process.c) -----------------------------------

// Start one for the function at 2 under the limits at 1, and return its number. The first prints its error
// and ends with the status returned; with `output` it prints to a new file of this name in limits.write, in
// parallel with others. The second sends its value or error.
int process_start_aside(lua_State *L, const char *output);
int process_start_call(lua_State *L, FILE *stream);

typedef struct ProcessEnd {
    int number;                 // 0: none was left
    int status;                 // as the system gives it
    bool late;                  // whether its time limit was over
    double started, time_limit; // seconds; the former as clock_seconds
    size_t memory;              // its peak, bytes
} ProcessEnd;

enum { ANY_PROCESS = -1 };

// Waits until one has ended. An interrupt, or this process's own time limit, ends all and is raised as an
// error.
ProcessEnd process_await(lua_State *L, int which);

// Returns the exit status for it; pushes a description of how it ended, or nil, whether it was late or not.
int process_push_problem(lua_State *L, const ProcessEnd *end);

// Kills a process if it still runs, and waits for it.
ProcessEnd process_kill(int number);

void process_end_all(void);

// The peak memory of this process, bytes.
size_t process_memory(void);

// Opens a file without a name, which a new process has open too; -1 if that fails.
int process_open_shared(void);

// Pushes the words of the process that started this one, if the command line leads to them.
bool process_take_words(lua_State *L, int count, char **words);

// Adds to the module, on top of the stack, what only this system has.
void process_extend(lua_State *L);

#define PROCESS_WORDS "esker.words" // the words in the registry

#endif
