// What the interactive session's Lua needs of the program: require "esker.terminal".

#ifndef ESKER_SESSION_HOST_H
#define ESKER_SESSION_HOST_H

#include <lua.h>

void register_session_host(lua_State *L);

#endif
