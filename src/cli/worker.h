// Processes that run a recipe. Each is forked from this one, dies with it, and keeps to its limits.

#ifndef ESKER_WORKER_H
#define ESKER_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include <lua.h>

enum {
    EXIT_TIME = 124,          // of a process whose time limit was over
    GRACE_MILLISECONDS = 700, // after it until the process is killed
};

double worker_seconds(void); // a clock that only goes forward

// Forks. In the new process (0) nothing is confined yet. Raises an error where there can be none.
pid_t worker_fork(lua_State *L);

// In the new process: keeps to the table at `index`, with
//   time_limit    seconds, 0 or nil: none
//   memory_limit  bytes of fields and Lua together; nil: nine tenths of the machine's
//   trust         true: no confinement beyond these
//   read          a list of files, and of folders with what is below them
//   write         a folder, with what is below it
// Unless it is trusted it keeps no file that its parent has open but the standard streams and `kept` (-1:
// none). Raises an error where it cannot.
void worker_confine(lua_State *L, int index, int kept);

// The limits in the table at `index`: seconds, 0 for none; bytes.
double worker_time_limit(lua_State *L, int index);
size_t worker_memory_limit(lua_State *L, int index);

#endif
