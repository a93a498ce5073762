// Limits of a recipe's process, which cannot be lifted again. The table has
//   time_limit    seconds, 0 or nil: none
//   memory_limit  bytes of fields and Lua together; nil: nine tenths of the machine's
//   trust         true: no confinement beyond these
//   read          a list of files and folders that may be read, folders with their contents
//   real          likewise, by real paths that the parent found: an error if a link is in one by now
//   rasters       true: GDAL is opened before the process is confined
//   exr           true: likewise OpenEXR
//   write         a folder that may be written, with its contents
//   write_is_real true: `write` is such a real path

#ifndef ESKER_LIMITS_H
#define ESKER_LIMITS_H

#include <stddef.h>

#include <lua.h>

// The limits in the table at `index`: seconds, 0 for none; bytes.
double limits_time(lua_State *L, int index);
size_t limits_memory(lua_State *L, int index);

// In the recipe's process: applies the limits in the table at `index`. An untrusted process keeps none of
// its parent's open files except the standard streams and `kept` (-1: none). Raises an error if that fails.
void limits_keep(lua_State *L, int index, int kept);

#endif
