// The return value of a function called in another process, and its way back to the caller.

#ifndef ESKER_ANSWER_H
#define ESKER_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

#include <lua.h>

// Opens a file in memory, which closes when the collector takes the value pushed.
FILE *answer_open(lua_State *L);

// In the new process, with the limits at 1 and the function at 2: keeps to the limits, calls the function,
// and sends what it gives or raises. serialize.h tells which values can be sent.
void answer_send(lua_State *L, FILE *stream);

// Pushes the value, or the error when it gives false. The limits are at 1. Believes nothing of what the other
// process counted: what is made here takes no more than the recipe may.
bool answer_receive(lua_State *L, FILE *stream);

#endif
