#include "cli/sqlite.h"

#include "core/math.h"
#include "core/optional.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>

// nil and why.
static int unavailable(lua_State *L, const char *why) {
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
}

#ifdef ESKER_SQLITE

#include <sqlite3.h>

#define SQLITE(function)                                                                                     \
    function(sqlite3_, bind_double) function(sqlite3_, bind_int) function(sqlite3_, bind_int64)              \
        function(sqlite3_, bind_null) function(sqlite3_, bind_text) function(sqlite3_, close)                \
            function(sqlite3_, errmsg) function(sqlite3_, exec) function(sqlite3_, finalize)                 \
                function(sqlite3_, free) function(sqlite3_, limit) function(sqlite3_, open)                  \
                    function(sqlite3_, prepare_v2) function(sqlite3_, reset) function(sqlite3_, serialize)   \
                        function(sqlite3_, step)
OPTIONAL_LIBRARY(sqlite, "libsqlite3.so.0", SQLITE)

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

// CREATE or INSERT for the names in the list at 1.
static const char *statement_for(lua_State *L, const char *begin, bool names, const char *end) {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    luaL_addstring(&text, begin);
    const lua_Integer count = luaL_len(L, 1);
    for (lua_Integer i = 1; i <= count; i++) {
        luaL_addstring(&text, i > 1 ? ", " : "");
        if (names) {
            lua_geti(L, 1, i);
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
        sqlite.bind_int64(statement, column, lua_tointeger(L, -1));
    else if (lua_type(L, -1) == LUA_TNUMBER)
        sqlite.bind_double(statement, column, lua_tonumber(L, -1));
    else if (lua_isboolean(L, -1))
        sqlite.bind_int(statement, column, lua_toboolean(L, -1));
    else if (lua_type(L, -1) == LUA_TSTRING) {
        const char *text = lua_tolstring(L, -1, &length);
        sqlite.bind_text(statement, column, text, (int)length, SQLITE_TRANSIENT);
    } else
        sqlite.bind_null(statement, column);
}

// Rows are lists with holes: { [column] = value }.
static int insert_rows(lua_State *L, sqlite3_stmt *statement, int columns) {
    const lua_Integer count = luaL_len(L, 2);
    int problem = SQLITE_DONE;
    for (lua_Integer i = 1; i <= count && problem == SQLITE_DONE; i++) {
        lua_geti(L, 2, i);
        for (int column = 1; column <= columns; column++) {
            lua_geti(L, -1, column);
            bind_value(L, statement, column);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        problem = sqlite.step(statement);
        sqlite.reset(statement);
    }
    return problem;
}

// Builds it in memory and returns the status. The bytes of the database, to be freed by sqlite3_free, go to
// `*bytes`.
static int build(lua_State *L, sqlite3 *database, const char *create, const char *insert,
                 unsigned char **bytes, sqlite3_int64 *size) {
    sqlite3_stmt *statement = NULL;
    int problem = sqlite.exec(database, create, NULL, NULL, NULL);
    if (problem == SQLITE_OK)
        problem = sqlite.exec(database, "BEGIN", NULL, NULL, NULL);
    if (problem == SQLITE_OK)
        problem = sqlite.prepare_v2(database, insert, -1, &statement, NULL);
    if (problem == SQLITE_OK) {
        problem = insert_rows(L, statement, (int)luaL_len(L, 1));
        problem = problem == SQLITE_DONE ? SQLITE_OK : problem;
    }
    sqlite.finalize(statement);
    if (problem == SQLITE_OK)
        problem = sqlite.exec(database, "COMMIT", NULL, NULL, NULL);
    if (problem == SQLITE_OK) {
        *bytes = sqlite.serialize(database, "main", size, 0);
        problem = *bytes ? SQLITE_OK : SQLITE_NOMEM;
    }
    return problem;
}

// The most columns of a table.
static int most_columns(sqlite3 *database) {
    const int columns = sqlite.limit(database, SQLITE_LIMIT_COLUMN, -1);
    const int values = sqlite.limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, -1);
    return min(columns, values);
}

static int push_bytes(lua_State *L) {
    const sqlite3_int64 *size = lua_touserdata(L, 2);
    lua_pushlstring(L, lua_touserdata(L, 1), (size_t)*size);
    return 1;
}

// sqlite.database(names, rows): a database with the table runs, as the bytes of its file; nil and why not.
static int make_database(lua_State *L) {
    if (!open_sqlite())
        return unavailable(L, "libsqlite3.so.0, which writes databases, is not installed");
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    const char *create = statement_for(L, "CREATE TABLE runs (", true, ")");
    const char *insert = statement_for(L, "INSERT INTO runs VALUES (", false, ")");
    luaL_checkstack(L, 8, "database");
    char message[400] = "";
    unsigned char *bytes = NULL;
    sqlite3_int64 size = 0;
    sqlite3 *database = NULL;
    const lua_Integer columns = luaL_len(L, 1);
    int problem = sqlite.open(":memory:", &database);
    if (problem == SQLITE_OK && columns > most_columns(database)) {
        problem = SQLITE_TOOBIG;
        snprintf(message, sizeof message,
                 "a table of SQLite has at most %d columns, this one has %lld; table.csv has them all",
                 most_columns(database), (long long)columns);
    }
    if (problem == SQLITE_OK)
        problem = build(L, database, create, insert, &bytes, &size);
    if (problem != SQLITE_OK && !*message)
        snprintf(message, sizeof message, "%s", database ? sqlite.errmsg(database) : "not enough memory");
    sqlite.close(database);
    int outcome = LUA_OK;
    if (problem == SQLITE_OK) {
        lua_pushcfunction(L, push_bytes);
        lua_pushlightuserdata(L, bytes);
        lua_pushlightuserdata(L, &size);
        outcome = lua_pcall(L, 2, 1, 0);
    }
    sqlite.free(bytes);
    if (outcome != LUA_OK)
        return lua_error(L);
    if (problem == SQLITE_OK)
        return 1;
    return unavailable(L, message);
}

#else

static int make_database(lua_State *L) {
    return unavailable(L, "this program was built without SQLite");
}

#endif

static const luaL_Reg functions[] = { { "database", make_database }, { NULL, NULL } };

static int open_module(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_sqlite(lua_State *L) {
    luaL_requiref(L, "esker.sqlite", open_module, 0);
    lua_pop(L, 1);
}
