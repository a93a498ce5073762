// A sweep's table as an SQLite database: require "esker.sqlite". Optional at build.

#ifndef ESKER_SQLITE_H
#define ESKER_SQLITE_H

#include <lua.h>

void register_sqlite(lua_State *L);

#endif
