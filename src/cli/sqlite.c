// SQLite databases: a sweep's table, tiles: require "esker.sqlite". Optional at build.

#include "cli/modules.h"

#include "core/dynamic_library.h"
#include "core/math.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// nil and why.
static int unavailable(lua_State *L, const char *why) {
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
}

#ifdef ESKER_SQLITE

#include <sqlite3.h>

#define SQLITE(function)                                                                                     \
    function(sqlite3_, bind_blob) function(sqlite3_, bind_double) function(sqlite3_, bind_int)               \
        function(sqlite3_, bind_int64) function(sqlite3_, bind_null) function(sqlite3_, bind_text)           \
            function(sqlite3_, close) function(sqlite3_, column_count) function(sqlite3_, column_text)       \
                function(sqlite3_, errmsg) function(sqlite3_, exec) function(sqlite3_, finalize)             \
                    function(sqlite3_, free) function(sqlite3_, limit) function(sqlite3_, open)              \
                        function(sqlite3_, open_v2) function(sqlite3_, prepare_v2)                           \
                            function(sqlite3_, progress_handler) function(sqlite3_, reset)                   \
                                function(sqlite3_, serialize) function(sqlite3_, step)
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
static int max_columns(sqlite3 *database) {
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
    if (problem == SQLITE_OK && columns > max_columns(database)) {
        problem = SQLITE_TOOBIG;
        snprintf(message, sizeof message,
                 "a table of SQLite has at most %d columns, this one has %lld; table.csv has them all",
                 max_columns(database), (long long)columns);
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

// --- databases on disk -------------------------------------------------------------------------------------

static const char database_type[] = "esker.database";

// Written under a name of its own, and renamed when it is whole.
typedef struct Database {
    sqlite3 *open; // NULL: closed
    char path[4096], unfinished[4200];
} Database;

static Database *to_database(lua_State *L) {
    Database *database = luaL_checkudata(L, 1, database_type);
    if (!database->open)
        luaL_error(L, "the database is closed");
    return database;
}

static int abandon(lua_State *L) {
    Database *database = luaL_checkudata(L, 1, database_type);
    if (database->open) {
        sqlite.close(database->open);
        unlink(database->unfinished);
    }
    database->open = NULL;
    return 0;
}

static int cannot(lua_State *L, Database *database, const char *why) {
    lua_pushfstring(L, "cannot write '%s': %s", database->path, why);
    abandon(L);
    return lua_error(L);
}

// A list of one string is a blob.
static void bind_blob_or_value(lua_State *L, sqlite3_stmt *statement, int index) {
    size_t length;
    const char *bytes = NULL;
    if (lua_istable(L, 2 + index) && lua_rawgeti(L, 2 + index, 1) == LUA_TSTRING)
        bytes = lua_tolstring(L, -1, &length);
    else
        lua_pushvalue(L, 2 + index);
    if (bytes)
        sqlite.bind_blob(statement, index, bytes, (int)length, SQLITE_TRANSIENT);
    else
        bind_value(L, statement, index);
    lua_pop(L, 1);
}

// database:run(statement, …): a number, a text or { bytes } for each ? of the statement.
static int run_statement(lua_State *L) {
    Database *database = to_database(L);
    const char *text = luaL_checkstring(L, 2);
    const int values = lua_gettop(L) - 2;
    sqlite3_stmt *statement = NULL;
    int problem = sqlite.prepare_v2(database->open, text, -1, &statement, NULL);
    if (problem == SQLITE_OK) {
        for (int i = 1; i <= values; i++)
            bind_blob_or_value(L, statement, i);
        problem = sqlite.step(statement);
    }
    sqlite.finalize(statement);
    if (problem == SQLITE_DONE || problem == SQLITE_ROW)
        return 0;
    return cannot(L, database, sqlite.errmsg(database->open));
}

// database:close(): puts the database into place.
static int close_database(lua_State *L) {
    Database *database = to_database(L);
    if (sqlite.exec(database->open, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return cannot(L, database, sqlite.errmsg(database->open));
    sqlite.close(database->open);
    database->open = NULL;
    const int file = open(database->unfinished, O_RDONLY | O_CLOEXEC);
    const bool kept = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    if (kept && rename(database->unfinished, database->path) == 0)
        return 0;
    lua_pushfstring(L, "cannot write '%s': %s", database->path, strerror(errno));
    unlink(database->unfinished);
    return lua_error(L);
}

static const luaL_Reg methods[] = { { "run", run_statement }, { "close", close_database }, { NULL, NULL } };

// Makes an empty file for a database, in the place of what a killed process left or a stranger laid: SQLite
// would follow a link. SQLite itself removes a journal that lies beside an empty database.
static bool make_empty(const char *path) {
    unlink(path);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file >= 0 && close(file) == 0;
}

// sqlite.create(path): a new database; nil and why not. One that is not closed leaves nothing behind.
static int create_database(lua_State *L) {
    if (!open_sqlite())
        return unavailable(L, "libsqlite3.so.0, which writes databases, is not installed");
    const char *path = luaL_checkstring(L, 1);
    Database *database = lua_newuserdatauv(L, sizeof *database, 0);
    database->open = NULL;
    define_class(L, database_type, methods, abandon);
    luaL_setmetatable(L, database_type);
    luaL_argcheck(L, strlen(path) < sizeof database->path, 1, "the path is too long");
    snprintf(database->path, sizeof database->path, "%s", path);
    snprintf(database->unfinished, sizeof database->unfinished, "%s.unfinished", path);
    if (!make_empty(database->unfinished))
        return unavailable(L, strerror(errno));
    static const char settings[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN";
    int problem = sqlite.open(database->unfinished, &database->open);
    if (problem == SQLITE_OK)
        problem = sqlite.exec(database->open, settings, NULL, NULL, NULL);
    if (problem == SQLITE_OK)
        return 1;
    lua_pushnil(L);
    lua_pushstring(L, database->open ? sqlite.errmsg(database->open) : "not enough memory");
    return 2;
}

// --- reading -----------------------------------------------------------------------------------------------

// The rows of a statement's answer at the top of the stack; the status.
static int push_rows(lua_State *L, sqlite3_stmt *statement) {
    const int columns = sqlite.column_count(statement);
    int outcome;
    lua_newtable(L);
    for (lua_Integer i = 1; (outcome = sqlite.step(statement)) == SQLITE_ROW; i++) {
        lua_newtable(L);
        for (int column = 0; column < columns; column++) {
            lua_pushstring(L, (const char *)sqlite.column_text(statement, column));
            lua_seti(L, -2, column + 1);
        }
        lua_seti(L, -2, i);
    }
    return outcome;
}

enum { STEPS_AT_ONCE = 1000 };

static int count_steps(void *left) {
    return --*(lua_Integer *)left < 0;
}

// sqlite.ask(address, statement, steps): the rows of the answer, lists of texts, from a file that is only
// read; nil and why not, also if SQLite's machine takes more steps than that. The address is an URI. For
// processes that end soon: an error of Lua leaves the file open.
static int ask(lua_State *L) {
    if (!open_sqlite())
        return unavailable(L, "libsqlite3.so.0, which reads databases, is not installed");
    const char *address = luaL_checkstring(L, 1), *text = luaL_checkstring(L, 2);
    lua_Integer left = luaL_checkinteger(L, 3) / STEPS_AT_ONCE;
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    int outcome = sqlite.open_v2(address, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    if (outcome == SQLITE_OK) {
        sqlite.progress_handler(database, STEPS_AT_ONCE, count_steps, &left);
        outcome = sqlite.prepare_v2(database, text, -1, &statement, NULL);
    }
    if (outcome == SQLITE_OK)
        outcome = push_rows(L, statement);
    sqlite.finalize(statement);
    if (outcome == SQLITE_INTERRUPT)
        unavailable(L, "a view in it takes more steps than the tables of so small a file would");
    else if (outcome != SQLITE_DONE)
        unavailable(L, database ? sqlite.errmsg(database) : "not enough memory");
    sqlite.close(database);
    return outcome == SQLITE_DONE ? 1 : 2;
}

// sqlite.prepare(): opens the library, if it is there, before a process is confined.
static int prepare(lua_State *L) {
    (void)L;
    open_sqlite();
    return 0;
}

#else

static int ask(lua_State *L) {
    return unavailable(L, "this program was built without SQLite");
}

static int prepare(lua_State *L) {
    (void)L;
    return 0;
}

static int make_database(lua_State *L) {
    return unavailable(L, "this program was built without SQLite");
}

static int create_database(lua_State *L) {
    return make_database(L);
}

#endif

static const luaL_Reg functions[] = { { "database", make_database },
                                      { "create", create_database },
                                      { "ask", ask },
                                      { "prepare", prepare },
                                      { NULL, NULL } };

static int open_module(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_sqlite(lua_State *L) {
    luaL_requiref(L, "esker.sqlite", open_module, 0);
    lua_pop(L, 1);
}
