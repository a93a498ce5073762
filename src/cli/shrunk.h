// Small pictures of large ones: require "esker.shrunk".

#ifndef ESKER_SHRUNK_H
#define ESKER_SHRUNK_H

#include <lua.h>

void register_shrunk(lua_State *L);

#endif
