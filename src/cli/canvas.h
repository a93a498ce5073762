// Contact sheets with captions: require "esker.canvas". Uses cairo, optional at build time.

#ifndef ESKER_CANVAS_H
#define ESKER_CANVAS_H

#include <lua.h>

void register_canvas(lua_State *L);

#endif
