// Coroutines that an interrupt ends: a hook of Lua's belongs to one thread, so it must be known which one
// runs.

#ifndef ESKER_COROUTINES_H
#define ESKER_COROUTINES_H

#include <lua.h>

// Replaces the functions of Lua's coroutine library that run another thread.
void follow_coroutines(lua_State *L);

#endif
