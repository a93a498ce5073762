// Runs a recipe apart, in one process of its own: require "esker.apart".

#ifndef ESKER_APART_H
#define ESKER_APART_H

#include <lua.h>

void register_apart(lua_State *L);

#endif
