// Lua's allocator, which counts against the same memory limit as fields.

#include "lua/binding.h"

#include "core/memory.h"

#include <stdlib.h>

static void *allocate(void *unused, void *block, size_t before, size_t wanted) {
    (void)unused;
    const size_t held = block ? before : 0; // without a block Lua passes the kind of the new object
    if (wanted == 0) {
        free(block);
        memory_discharge(held);
        return NULL;
    }
    if (wanted > held && !memory_charge(wanted - held))
        return NULL;
    void *larger = realloc(block, wanted);
    if (!larger && wanted > held)
        memory_discharge(wanted - held);
    if (larger && wanted < held)
        memory_discharge(held - wanted);
    return larger;
}

static int panic(lua_State *L) {
    (void)L;
    return 0; // Lua aborts: everything runs protected, so this is a bug in Esker
}

lua_State *new_state(void) {
    lua_State *L = lua_newstate(allocate, NULL);
    if (L)
        lua_atpanic(L, panic);
    return L;
}
