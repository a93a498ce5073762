// Ctrl-C: asks the engine and Lua to stop. What does neither, such as one long call inside Lua's own library,
// is ended with the process a moment later; files are written whole or not at all, so nothing is half done.

#ifndef ESKER_INTERRUPT_H
#define ESKER_INTERRUPT_H

#include "core/parallel.h"

#include <lua.h>

// Catches SIGINT from now on: sets run->stop, makes `L` raise "interrupted".
void interrupt_watch(lua_State *L, Run *run);

// In a session on a terminal Ctrl-C ends one attempt, and never the program unless it is pressed twice while
// one call of Lua's own library does not end: begins and ends what it ends. Between attempts it does nothing.
void interrupt_stay(void);
void interrupt_begin(void);
void interrupt_end(void);

// Back to the system's way, before `L` is closed.
void interrupt_forget(void);

#endif
