// An output folder and what lies below it, which no link leads out of: require "esker.folder". The folder
// itself may be reached through a link, since the user typed its path; nothing below it may. Every method
// takes a path relative to the folder and raises an error that names the file.

#ifndef ESKER_FOLDER_H
#define ESKER_FOLDER_H

#include <lua.h>

void register_folder(lua_State *L);

#endif
