// Land that is computed ahead: require "esker.ahead".

#ifndef ESKER_AHEAD_H
#define ESKER_AHEAD_H

#include <lua.h>

void register_ahead(lua_State *L);

#endif
