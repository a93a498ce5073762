#include "cli/sqlite_table.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#ifdef ESKER_SQLITE

#include <sqlite3.h>

// "name", with its quotes doubled.
static void add_name(luaL_Buffer *text, const char *name) {
    luaL_addchar(text, '"');
    for (; *name; name++) {
        if (*name == '"')
            luaL_addchar(text, '"');
        luaL_addchar(text, *name);
    }
    luaL_addchar(text, '"');
}

// CREATE or INSERT for the names in the list at 2.
static const char *statement_for(lua_State *L, const char *begin, bool names, const char *end) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, begin);
    const lua_Integer count = luaL_len(L, 2);
    for (lua_Integer i = 1; i <= count; i++) {
        luaL_addstring(&text, i > 1 ? ", " : "");
        if (names) {
            lua_geti(L, 2, i);
            const char *name = lua_tostring(L, -1);
            lua_pop(L, 1); // the list keeps it alive
            add_name(&text, name);
        } else {
            luaL_addchar(&text, '?');
        }
    }
    luaL_addstring(&text, end);
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

static void bind_value(lua_State *L, sqlite3_stmt *statement, int column) {
    size_t length;
    if (lua_isinteger(L, -1))
        sqlite3_bind_int64(statement, column, lua_tointeger(L, -1));
    else if (lua_type(L, -1) == LUA_TNUMBER)
        sqlite3_bind_double(statement, column, lua_tonumber(L, -1));
    else if (lua_isboolean(L, -1))
        sqlite3_bind_int(statement, column, lua_toboolean(L, -1));
    else if (lua_type(L, -1) == LUA_TSTRING) {
        const char *text = lua_tolstring(L, -1, &length);
        sqlite3_bind_text(statement, column, text, (int)length, SQLITE_TRANSIENT);
    } else
        sqlite3_bind_null(statement, column);
}

// Rows are lists with holes: { [column] = value }.
static int insert_rows(lua_State *L, sqlite3_stmt *statement, int columns) {
    const lua_Integer count = luaL_len(L, 3);
    int problem = SQLITE_DONE;
    for (lua_Integer i = 1; i <= count && problem == SQLITE_DONE; i++) {
        lua_geti(L, 3, i);
        for (int column = 1; column <= columns; column++) {
            lua_geti(L, -1, column);
            bind_value(L, statement, column);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        problem = sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    return problem;
}

// sqlite.write(path, names, rows): a new database with the table runs; nil and why not. Whole: written
// beside, then renamed.
static int write_table(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    const char *create = statement_for(L, "CREATE TABLE runs (", true, ")");
    const char *insert = statement_for(L, "INSERT INTO runs VALUES (", false, ")");
    const char *beside = lua_pushfstring(L, "%s.esker-new", path);
    unlink(beside);
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    bool well = sqlite3_open(beside, &database) == SQLITE_OK &&
                sqlite3_exec(database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(database, create, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(database, insert, -1, &statement, NULL) == SQLITE_OK &&
                insert_rows(L, statement, (int)luaL_len(L, 2)) == SQLITE_DONE &&
                sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!well)
        lua_pushfstring(L, "%s: %s", path, database ? sqlite3_errmsg(database) : "not enough memory");
    sqlite3_finalize(statement);
    well = sqlite3_close(database) == SQLITE_OK && well;
    if (well && rename(beside, path) == 0) {
        lua_pushboolean(L, true);
        return 1;
    }
    unlink(beside);
    lua_pushnil(L);
    if (lua_type(L, -2) == LUA_TSTRING && !well)
        lua_pushvalue(L, -2);
    else
        lua_pushfstring(L, "%s cannot be written", path);
    return 2;
}

#else

static int write_table(lua_State *L) {
    lua_pushnil(L);
    lua_pushliteral(L, "this program was built without SQLite");
    return 2;
}

#endif

static const luaL_Reg functions[] = { { "write", write_table }, { NULL, NULL } };

static int open_sqlite(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_sqlite(lua_State *L) {
    luaL_requiref(L, "esker.sqlite", open_sqlite, 0);
    lua_pop(L, 1);
}
