#include "cli/writer.h"

#include "file/whole_file.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>

static const char writer_type[] = "esker.writer";

typedef struct Writer {
    WholeFile file;
    bool open;
} Writer;

static Writer *to_writer(lua_State *L) {
    Writer *writer = luaL_checkudata(L, 1, writer_type);
    if (!writer->open)
        luaL_error(L, "the file is closed");
    return writer;
}

static int finish(lua_State *L, Writer *writer, Status status, Error *error) {
    writer->open = false;
    status = whole_file_close(&writer->file, status, error);
    return status == STATUS_OK ? 0 : luaL_error(L, "%s", error->text);
}

// Ends the writing with the error that the disk gave.
static int lose(lua_State *L, Writer *writer) {
    Error error;
    return finish(L, writer, STATUS_OK, &error); // which finds it
}

static int write_text(lua_State *L) {
    Writer *writer = to_writer(L);
    size_t length;
    const char *text = luaL_checklstring(L, 2, &length);
    return fwrite(text, 1, length, writer->file.stream) == length ? 0 : lose(L, writer);
}

static int seek(lua_State *L) {
    Writer *writer = to_writer(L);
    const lua_Integer place = luaL_checkinteger(L, 2);
    return fseeko(writer->file.stream, (off_t)place, SEEK_SET) == 0 ? 0 : lose(L, writer);
}

static int close_writer(lua_State *L) {
    Error error;
    return finish(L, to_writer(L), STATUS_OK, &error);
}

static int abandon(lua_State *L) {
    Writer *writer = luaL_checkudata(L, 1, writer_type);
    Error error;
    if (writer->open)
        whole_file_close(&writer->file, STATUS_FILE, &error);
    writer->open = false;
    return 0;
}

static const luaL_Reg methods[] = {
    { "write", write_text }, { "seek", seek }, { "close", close_writer }, { NULL, NULL }
};

int create_writer(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    Writer *writer = lua_newuserdatauv(L, sizeof *writer, 0);
    writer->open = false;
    if (luaL_newmetatable(L, writer_type)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, abandon);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__gc");
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    Error error;
    if (whole_file_open(&writer->file, path, &error) != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    writer->open = true;
    return 1;
}
