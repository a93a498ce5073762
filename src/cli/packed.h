// Bytes for the explorer's page: require "esker.packed". All numbers are little-endian.

#ifndef ESKER_PACKED_H
#define ESKER_PACKED_H

#include <lua.h>

void register_packed(lua_State *L);

#endif
