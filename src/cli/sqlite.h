// SQLite databases: a sweep's table, tiles: require "esker.sqlite". Optional at build.

#ifndef ESKER_SQLITE_H
#define ESKER_SQLITE_H

#include <lua.h>

void register_sqlite(lua_State *L);

#endif
