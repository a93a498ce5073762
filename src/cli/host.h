// What the program's own Lua modules may do and a recipe may not: require "esker.host".

#ifndef ESKER_HOST_H
#define ESKER_HOST_H

#include <lua.h>

void register_host(lua_State *L);

#endif
