// Frames as Lua tables, with the names of the arguments of georeference.

#include "lua/binding.h"

#include "file/coordinate_systems.h"

#include <string.h>

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

// --- read-only ---------------------------------------------------------------------------------------------

// A value's frame is a copy: setting one of its names would change nothing of the value, in silence.
static int refuse_change(lua_State *L) {
    return luaL_error(L,
                      "a frame is a copy: assign a whole one, as in field.frame = { x = 0, y = 0, cell = 30, "
                      "unit = \"m\" }, or use field:georeference{ unit = \"m\" }");
}

// In the order in which push_frame sets them: Lua's own differs from run to run.
static int next_name(lua_State *L) {
    static const char *const names[] = { "x",      "y",    "cell_width", "cell_height", "turn_x", "turn_y",
                                         "system", "unit", "sea",        "top",         "heights" };
    const int count = sizeof names / sizeof *names;
    lua_settop(L, 2);
    int i = 0;
    if (!lua_isnil(L, 2)) {
        const char *last = luaL_checkstring(L, 2);
        while (i < count && strcmp(names[i], last) != 0)
            i++;
        i++;
    }
    for (; i < count; i++)
        if (lua_getfield(L, 1, names[i]) != LUA_TNIL) {
            lua_pushstring(L, names[i]);
            lua_insert(L, -2);
            return 2;
        } else {
            lua_pop(L, 1);
        }
    return 0;
}

static int names_of_frame(lua_State *L) {
    lua_pushcfunction(L, next_name);
    luaL_getmetafield(L, 1, "__index");
    lua_pushnil(L);
    return 3;
}

// Replaces the table on top by one that shows it and cannot be changed.
static void make_read_only(lua_State *L) {
    lua_newtable(L);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse_change);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, names_of_frame);
    lua_setfield(L, -2, "__pairs");
    lua_pushstring(L, "frame"); // it cannot be taken off, and tells frames from other tables
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

// Pushes the table of a frame that push_frame made, or what is there.
static void push_names(lua_State *L, int index) {
    lua_pushvalue(L, index);
    if (!luaL_getmetafield(L, -1, "__newindex"))
        return;
    const bool is_frame = lua_tocfunction(L, -1) == refuse_change;
    lua_pop(L, 1);
    if (is_frame) {
        luaL_getmetafield(L, -1, "__index");
        lua_remove(L, -2);
    }
}

// -----------------------------------------------------------------------------------------------------------

void push_frame(lua_State *L, const Frame *frame) {
    if (!frame || !frame_is_set(frame)) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 8);
    set_number(L, "x", frame->x);
    set_number(L, "y", frame->y);
    set_number(L, "cell_width", frame->right_x);
    set_number(L, "cell_height", 0 - frame->down_y);
    if (frame->down_x != 0 || frame->right_y != 0) {
        set_number(L, "turn_x", frame->down_x);
        set_number(L, "turn_y", frame->right_y);
    }
    set_text(L, "system", frame->system);
    set_text(L, "unit", frame->unit);
    if (frame->sea != 0 ||
        (frame->system && !frame->sealess && !frame->no_heights && !frame_is_of_map(frame)))
        set_number(L, "sea", frame->sea); // 0, too, where none would be assumed
    if (frame->top != 0)
        set_number(L, "top", frame->top);
    if (frame->no_heights) {
        lua_pushboolean(L, false);
        lua_setfield(L, -2, "heights");
    }
    make_read_only(L);
}

Frame read_frame(lua_State *L, int index) {
    Frame frame = { 0 };
    if (lua_isnil(L, index))
        return frame;
    if (!lua_istable(L, index))
        luaL_error(L, "frame must be a table, as in { x = 0, y = 0, cell = 30 }, got %s", push_got(L, index));
    push_names(L, index);
    Georeference given;
    Call call = { 0 };
    read_arguments(L, &op_georeference, lua_gettop(L), &call, &given);
    Error error;
    if (georeference_frame(&given, NULL, &frame, &error) != STATUS_OK)
        luaL_error(L, "frame: %s", error.text);
    lua_pop(L, 1);
    return frame;
}
