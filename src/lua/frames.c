// Frames as Lua tables, with the names of the arguments of georeference.

#include "lua/binding.h"

#include "file/georeference.h"

static void set_number(lua_State *L, const char *key, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

void push_frame(lua_State *L, const Frame *frame) {
    if (!frame || !frame_is_set(frame)) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 6);
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
}

Frame read_frame(lua_State *L, int index) {
    Frame frame = { 0 };
    if (lua_isnil(L, index))
        return frame;
    if (!lua_istable(L, index))
        luaL_error(L, "frame must be a table, as in { x = 0, y = 0, cell = 30 }, got %s",
                   type_name(L, index));
    lua_pushvalue(L, index);
    Georeference given;
    Call call = { 0 };
    read_arguments(L, &op_georeference, lua_gettop(L), &call, &given);
    Error error;
    if (georeference_frame(&given, &frame, &error) != STATUS_OK)
        luaL_error(L, "frame: %s", error.text);
    lua_pop(L, 1);
    return frame;
}
