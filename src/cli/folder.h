// A folder and its contents, which no link can leave: esker.files.folder. The folder itself may be a link,
// since the user typed its path; nothing below it may, since whoever made the folder may have put it there.
// Every method takes a path relative to the folder and raises an error that names the file.

#ifndef ESKER_FOLDER_H
#define ESKER_FOLDER_H

#include <stdbool.h>

#include <lauxlib.h>
#include <lua.h>

// files.folder(path): the folder; nil and why not.
int open_folder(lua_State *L);

// Pushes a closed Lua file, to be given its stream, which it then closes.
luaL_Stream *push_stream(lua_State *L);

// Pushes a list of the files and, with a / at the end, folders in an open folder, which it closes; with `all`
// also of links, pipes and devices. False with errno if it cannot be read completely. `flags` are those of
// fstatat.
bool push_names(lua_State *L, int folder, int flags, bool all);

#endif
