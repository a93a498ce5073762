// The Lua modules of the program (docs/architecture.md): each register_… preloads the one of its name, so
// that `require "esker.NAME"` finds it.

#ifndef ESKER_MODULES_H
#define ESKER_MODULES_H

#include <lua.h>

void register_ahead(lua_State *L);  // land that is computed ahead
void register_canvas(lua_State *L); // contact sheets with captions, by cairo, optional at build time
void register_deferring(
    lua_State *L);                  // operations that are computed when their results are read (lua/values.c)
void register_files(lua_State *L);  // files and folders for the program's own Lua; recipes do not get them
void register_getopt(lua_State *L); // the C library's getopt_long
void register_host(lua_State *L);   // how the program runs recipes: threads, labels of files, errors
void register_http(
    lua_State *L); // the explorer's server, on 127.0.0.1 only, optional at build: libmicrohttpd
void register_packed(lua_State *L);     // bytes for the explorer's page; all numbers are little-endian
void register_process(lua_State *L);    // processes that run a recipe (process.h)
void register_shrunk(lua_State *L);     // small pictures of large ones
void register_sqlite(lua_State *L);     // SQLite databases: a sweep's table, tiles; optional at build
void register_terminal(lua_State *L);   // the terminal that the program runs in, its lines and Ctrl-C
void register_texts(lua_State *L);      // text functions for the terminal and JSON, and hashes of text
void register_tile_codec(lua_State *L); // tiles as bytes
void register_worker(lua_State *L);     // confined processes that stay

#endif
