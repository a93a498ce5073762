// Texts for the terminal and for JSON, and their hashes: require "esker.texts".

#ifndef ESKER_TEXTS_H
#define ESKER_TEXTS_H

#include <lua.h>

void register_texts(lua_State *L);

#endif
