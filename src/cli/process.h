// Processes that run a recipe: require "esker.process". Each is forked from this one, keeps to its limits
// (limits.h), and dies with its parent. Only this module starts processes and waits for them.

#ifndef ESKER_PROCESS_H
#define ESKER_PROCESS_H

#include <lua.h>

void register_process(lua_State *L);

#endif
