// How the program runs recipes: threads, labels of files, errors: require "esker.host".

#ifndef ESKER_HOST_H
#define ESKER_HOST_H

#include <lua.h>

void register_host(lua_State *L);

#endif
