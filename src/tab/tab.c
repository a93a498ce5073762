// Esker in a worker of a browser's tab: one Lua state, whose functions JavaScript calls and which tells it
// things, bytes both ways: require "esker.tab". There are no files, processes or terminal (lua/esker/tab).

#include "cli/modules.h"
#include "cli/progress_note.h"
#include "cli/serialize.h"
#include "core/gaps.h"
#include "core/memory.h"
#include "file/sidecar.h"
#include "lua/binding.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>

// Called by src/web/tab/engine.js; the texts are NULL where all is well, else why not, until the next call.
// Starts Lua, and takes the functions of a module for tab_call.
__attribute__((visibility("default"))) const char *tab_start(const char *module);
// Calls one of them with a number, a text and bytes.
__attribute__((visibility("default"))) const char *tab_call(const char *function, int number,
                                                            const char *text, const char *bytes, size_t size);

// Calls onTell of the module in JavaScript (imports.js).
void tab_tell(const char *kind, int number, const char *text, const char *bytes, size_t size);

// Copies the first `count` cells of a dropped file, which JavaScript has; false if it has no such file.
bool tab_cells(const char *name, float *cells, size_t count);

static lua_State *L;

// --- what Lua calls ----------------------------------------------------------------------------------------

// tab.tell(kind, number, text, bytes)
static int tell_page(lua_State *S) {
    size_t size;
    const char *bytes = luaL_optlstring(S, 4, "", &size);
    tab_tell(luaL_checkstring(S, 1), (int)luaL_optinteger(S, 2, 0), luaL_optstring(S, 3, ""), bytes, size);
    return 0;
}

// tab.pack(value): its bytes. tab.unpack(bytes): the value.
static int pack(lua_State *S) {
    const Message message = message_of(S, 1);
    luaL_Buffer buffer;
    // A Lua error here would leak the bytes, once, when memory runs out.
    memcpy(luaL_buffinitsize(S, &buffer, message.size), message.bytes, message.size);
    free(message.bytes);
    luaL_pushresultsize(&buffer, message.size);
    return 1;
}

static int unpack(lua_State *S) {
    size_t size;
    const char *bytes = luaL_checklstring(S, 1, &size);
    return message_push(S, bytes, size) ? 1 : lua_error(S);
}

// tab.limit(bytes): of fields and Lua together.
static int limit(lua_State *S) {
    memory_set_limit((size_t)luaL_checkinteger(S, 1));
    return 0;
}

// tab.dropped(name, width, height, place, system, unit): the field of a dropped file; the last three as in a
// file beside raw numbers, or nil. Nothing if it is no longer there.
static int dropped(lua_State *S) {
    const char *name = luaL_checkstring(S, 1);
    const int width = (int)luaL_checkinteger(S, 2), height = (int)luaL_checkinteger(S, 3);
    Field *field = push_sized_field(S, width, height, "load");
    if (!tab_cells(name, field_cells(field), field_count(field)))
        return 0;
    Error error;
    if (gaps_find(field, &error) != STATUS_OK)
        return luaL_error(S, "load: %s", error.text);
    frame_from_texts(luaL_optstring(S, 4, NULL), luaL_optstring(S, 5, NULL), luaL_optstring(S, 6, NULL),
                     &field->frame);
    return 1;
}

static const luaL_Reg functions[] = { { "dropped", dropped }, { "limit", limit },   { "tell", tell_page },
                                      { "pack", pack },       { "unpack", unpack }, { NULL, NULL } };

static int open_tab(lua_State *S) {
    luaL_newlib(S, functions);
    return 1;
}

// --- what JavaScript calls ---------------------------------------------------------------------------------

static void tell_progress(const char *text, size_t size) {
    tab_tell("note", 0, "progress", text, size);
}

// Leaves the module's table.
static int start(lua_State *S) {
    luaL_openlibs(S);
    luaL_requiref(S, "esker", luaopen_esker, 0);
    register_texts(S);
    register_host(S);
    register_deferring(S);
    register_ahead(S);
    register_packed(S);
    luaL_requiref(S, "esker.tab", open_tab, 0);
    lua_getglobal(S, "require");
    lua_pushvalue(S, 1);
    lua_call(S, 1, 1);
    return 1;
}

static int trace(lua_State *S) {
    luaL_traceback(S, S, luaL_tolstring(S, 1, NULL), 1);
    return 1;
}

enum { MODULE = 1, FAILURE = 2 }; // on the stack

const char *tab_start(const char *module) {
    L = new_state();
    if (!L)
        return "not enough memory";
    progress_note_send(&binding_run, tell_progress);
    binding_max_threads = 1;
    lua_pushcfunction(L, trace);
    lua_pushcfunction(L, start);
    lua_pushstring(L, module);
    const int outcome = lua_pcall(L, 1, 1, 1);
    lua_remove(L, 1);
    return outcome == LUA_OK ? NULL : lua_tostring(L, MODULE);
}

const char *tab_call(const char *function, int number, const char *text, const char *bytes, size_t size) {
    progress_note_begin();
    lua_settop(L, MODULE);
    lua_pushcfunction(L, trace);
    lua_getfield(L, MODULE, function);
    lua_pushinteger(L, number);
    lua_pushstring(L, text);
    lua_pushlstring(L, bytes, size);
    const int outcome = lua_pcall(L, 3, 0, FAILURE);
    lua_remove(L, FAILURE);
    return outcome == LUA_OK ? NULL : lua_tostring(L, FAILURE);
}
