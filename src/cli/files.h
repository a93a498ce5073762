// Files and folders for the program's own Lua; recipes do not get them: require "esker.files".

#ifndef ESKER_FILES_H
#define ESKER_FILES_H

#include <lua.h>

void register_files(lua_State *L);

#endif
