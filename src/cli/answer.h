// The return value of a function called in another process, and its way back to the caller: a file, which
// both processes have open.

#ifndef ESKER_ANSWER_H
#define ESKER_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

#include <lua.h>

// In the new process, with the limits at 1 and the function at 2: applies the limits, calls the function,
// and sends its value or error. serialize.h lists the values that can be sent.
void answer_send(lua_State *L, FILE *stream);

// Pushes the value, or the error if it returns false. The limits are at 1. The other process's counts are
// not trusted: the value takes at most the recipe's memory.
bool answer_receive(lua_State *L, FILE *stream);

#endif
