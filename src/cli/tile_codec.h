// Tiles as bytes: require "esker.tile_codec".

#ifndef ESKER_TILE_CODEC_H
#define ESKER_TILE_CODEC_H

#include <lua.h>

void register_tile_codec(lua_State *L);

#endif
