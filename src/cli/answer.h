// The return value of a function called in another process, and its way back to the caller: a file, which
// both processes have open.

#ifndef ESKER_ANSWER_H
#define ESKER_ANSWER_H

#include <stdbool.h>
#include <stdio.h>

#include <lua.h>

// Opens a file without a name (-1: there is none, which is an error) and pushes its owner: it closes when
// that is collected.
FILE *answer_open(lua_State *L, int (*open_nameless)(void));

// In the new process, with the limits at 1 and the function at 2: applies the limits, calls the function,
// and sends its value or error. serialize.h lists the values that can be sent.
void answer_send(lua_State *L, FILE *stream);

// Pushes the value, or the error if it returns false. The limits are at 1. The other process's counts are
// not trusted: the value takes at most the recipe's memory.
bool answer_receive(lua_State *L, FILE *stream);

#endif
