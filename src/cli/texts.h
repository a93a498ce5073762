// Text functions for the terminal and JSON, and hashes of text: require "esker.texts".

#ifndef ESKER_TEXTS_H
#define ESKER_TEXTS_H

#include <lua.h>

void register_texts(lua_State *L);

#endif
