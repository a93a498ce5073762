// The C library's getopt_long for Lua: require "esker.getopt".

#ifndef ESKER_GETOPT_H
#define ESKER_GETOPT_H

#include <lua.h>

void register_getopt(lua_State *L);

#endif
