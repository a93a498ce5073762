// Processes that run a recipe: require "esker.process". Each is forked from this one, keeps to its limits
// (sandbox.h), and dies with its parent. Only this module starts processes and waits for them.

#ifndef ESKER_PROCESS_H
#define ESKER_PROCESS_H

#include <lua.h>
#include <sys/types.h>

// Pushes the list of the command line's words; on Windows, in a process that was started for one function,
// those of the process that started it.
void process_push_words(lua_State *L, int count, char **words);

// Forks, with the limits at 1: returns the number of the new process; 0 in it, where nothing is confined
// yet.
int process_start(lua_State *L);

pid_t process_id(int number);

// Kills a process if it still runs, and waits for it; pushes how it ended, or nil.
const char *process_end(lua_State *L, int number);

#endif
