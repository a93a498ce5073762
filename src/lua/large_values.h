// What the files of the module `esker.planes` share.

#ifndef ESKER_LARGE_VALUES_H
#define ESKER_LARGE_VALUES_H

#include "large/large.h"

#include <lua.h>

// Raises an error unless the value is a plane that is not closed.
Plane *to_plane(lua_State *L, int index);

#endif
