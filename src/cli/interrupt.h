// Ctrl-C asks the engine and Lua to stop. Code that does not respond, such as one long call inside Lua's own
// library, is ended with the process a moment later; files are written completely or not at all, so none is
// left incomplete.

#ifndef ESKER_INTERRUPT_H
#define ESKER_INTERRUPT_H

#include "core/parallel.h"

#include <lua.h>

// Catches SIGINT from now on: sets run->stop, makes `L` raise "interrupted".
void interrupt_watch(lua_State *L, Run *run);

// interrupt_watch for coroutines that are created from now on by the functions of Lua's library, which is
// open.
void interrupt_coroutines(lua_State *L);

// Interrupts after this time: running code stops, or the process ends with EXIT_TIME.
void interrupt_after(double seconds);

// In a process that does one task after another: a task begins, with a time limit of its own (0: none).
// SIGINT that came since the one before has ended stops it: it was sent to stop this one, before it was read.
void interrupt_begin_task(double seconds);
void interrupt_end_task(void);

// Whether the time limit was the reason.
bool interrupt_is_late(void);

// For code that waits with SIGINT blocked: SIGINT arrived, and the caller raises the error.
void interrupt_note(void);

// In a process forked to run a recipe: forgets its parent's interrupts and session mode.
void interrupt_in_child(void);

// In a session on a terminal, Ctrl-C aborts the current statement; a second Ctrl-C ends the program if the
// statement cannot be aborted. These functions mark the beginning and the end of a statement; between
// statements Ctrl-C does nothing.
void interrupt_stay(void);
void interrupt_begin(void);
void interrupt_end(void);

// Restores the default handling, before `L` is closed.
void interrupt_forget(void);

#endif
