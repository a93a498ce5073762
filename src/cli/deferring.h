// Operations that are computed when their results are read: require "esker.deferring". See
// src/lua/deferred.c.

#ifndef ESKER_DEFERRING_H
#define ESKER_DEFERRING_H

#include <lua.h>

void register_deferring(lua_State *L);

#endif
