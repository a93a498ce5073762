// Ctrl-C asks the engine and Lua to stop. Code that does not respond, such as one long call inside Lua's own
// library, is ended with the process a moment later; files are written completely or not at all, so none is
// left incomplete.

#ifndef ESKER_INTERRUPT_H
#define ESKER_INTERRUPT_H

#include "core/parallel.h"

#include <lua.h>

// Catches SIGINT from now on: sets run->stop, makes `L` raise "interrupted".
void interrupt_watch(lua_State *L, Run *run);

// Likewise after so many seconds: what then runs stops, or the process ends with EXIT_TIME.
void interrupt_after(double seconds);

// Whether that was the reason.
bool interrupt_is_late(void);

// For who waits with SIGINT blocked: it came, and what waits raises the error.
void interrupt_note(void);

// In a process that was forked to run a recipe: forgets what its parent was asked, and that it stays.
void interrupt_in_child(void);

// In a session on a terminal Ctrl-C ends one attempt, and never the program unless it is pressed twice while
// one call of Lua's own library does not end: begins and ends what it ends. Between attempts it does nothing.
void interrupt_stay(void);
void interrupt_begin(void);
void interrupt_end(void);

// Back to the system's way, before `L` is closed.
void interrupt_forget(void);

#endif
