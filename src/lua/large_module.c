// The module `esker.planes`, for lua/esker/large: its files each add their part.

#include "lua/binding.h"
#include "lua/large_values.h"

#include <lauxlib.h>

int open_planes(lua_State *L) {
    lua_newtable(L);
    add_plane_functions(L);
    add_file_functions(L);
    add_change_functions(L);
    add_note_class(L);
    add_water_functions(L);
    add_direction_functions(L);
    add_river_functions(L);
    add_breach_functions(L);
    return 1;
}
