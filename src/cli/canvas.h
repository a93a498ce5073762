// Pictures with captions on one sheet: require "esker.canvas". By cairo, optional at build.

#ifndef ESKER_CANVAS_H
#define ESKER_CANVAS_H

#include <lua.h>

void register_canvas(lua_State *L);

#endif
