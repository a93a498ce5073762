// Ctrl-C: asks the engine and Lua to stop. What does neither, such as one long call inside Lua's own library,
// is ended with the process a moment later; files are written whole or not at all, so nothing is half done.

#ifndef ESKER_INTERRUPT_H
#define ESKER_INTERRUPT_H

#include "core/parallel.h"

#include <lua.h>

// Catches SIGINT from now on: sets run->stop, makes `L` raise "interrupted".
void interrupt_watch(lua_State *L, Run *run);

// Back to the system's way, before `L` is closed.
void interrupt_forget(void);

#endif
