// Parts of the module `esker.planes`.

#ifndef ESKER_LARGE_VALUES_H
#define ESKER_LARGE_VALUES_H

#include <lauxlib.h>

extern const luaL_Reg shrinking_functions[];

#endif
