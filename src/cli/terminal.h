// The terminal that the program runs in, its lines and Ctrl-C: require "esker.terminal".

#ifndef ESKER_TERMINAL_H
#define ESKER_TERMINAL_H

#include <lua.h>

void register_terminal(lua_State *L);

#endif
