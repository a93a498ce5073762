// Confines a process that runs an untrusted recipe, permanently: it may compute, and open the files that
// src/file/access.h allows. The kernel enforces this (Landlock for files, seccomp for everything else) in
// addition to Esker's own checks.

#ifndef ESKER_SANDBOX_H
#define ESKER_SANDBOX_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

// Limits the further memory of this process: bytes of fields and of Lua together. Enforced by the kernel
// too.
void sandbox_limit_memory(size_t bytes);

// Confines this process. Files allowed to access.h stay allowed; other files, processes, programs, sockets
// and environment variables are not. Fails only if the kernel supports a mechanism but refuses it.
Status sandbox_enter(Error *error);

// The parts of confinement that this kernel, or this build, lacks: one line, or NULL.
const char *sandbox_lacks(void);

// --- files -------------------------------------------------------------------------------------------------

// Landlock, the kernel's file access control: files that access.h does not allow are unreachable for any
// code of the process.

// The version that this kernel supports; 0: none.
int landlock_version(void);

// Confines this process and its threads to the files allowed to access.h, as far as `version` (at most the
// kernel's) supports; 0 does nothing. Version 4 also forbids the network, version 6 signals and sockets to
// other processes.
Status landlock_keep(int version, Error *error);

// --- limits of a recipe's process --------------------------------------------------------------------------

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

// The limits in the table at `index`: seconds, 0 for none; bytes.
double limits_time(lua_State *L, int index);
size_t limits_memory(lua_State *L, int index);

// Parts of limits_keep, with the limits at the absolute `index`: opens the libraries that are needed, and the
// folder to write in; allows the files to be read (access.h).
void limits_begin(lua_State *L, int index);
void limits_allow(lua_State *L, int index);

// In the recipe's process: applies the limits in the table at `index`. An untrusted process keeps none of
// its parent's open files except the standard streams and `kept` (-1: none). Raises an error if that fails.
void limits_keep(lua_State *L, int index, int kept);

#endif
