// Files of fields larger than memory in `esker.planes`: parts that processes share, with hashes of their
// pieces, and texts.

#include "core/bytes.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "file/access.h"
#include "lua/binding.h"
#include "lua/large_values.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

// planes.pack(field): its cells as a string, those without data as NaN.
static int pack(lua_State *L) {
    const Field *field = to_strip(L, 1);
    luaL_Buffer buffer;
    const size_t size = field_count(field) * sizeof(float);
    float *cells = (float *)(void *)luaL_buffinitsize(L, &buffer, size);
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++)
            *cells++ = cell_or_none(field, x, y);
    luaL_pushresultsize(&buffer, size);
    return 1;
}

static uint64_t hash_of(const char *text, size_t size) {
    enum { LANES = 8 }; // independent of each other, so that the processor mixes several at once
    uint64_t lanes[LANES], words[LANES], found = mix64(size);
    for (int k = 0; k < LANES; k++)
        lanes[k] = (uint64_t)k;
    size_t at = 0;
    for (; at + sizeof words <= size; at += sizeof words) {
        memcpy(words, text + at, sizeof words);
        for (int k = 0; k < LANES; k++)
            lanes[k] = mix64(lanes[k] ^ words[k]);
    }
    if (at < size) {
        memset(words, 0, sizeof words);
        memcpy(words, text + at, size - at);
        for (int k = 0; k < LANES; k++)
            lanes[k] = mix64(lanes[k] ^ words[k]);
    }
    for (int k = 0; k < LANES; k++)
        found = mix64(found ^ lanes[k]);
    return found;
}

// planes.hash(text, from, size): 8 bytes that differ where texts differ, of this machine's order of bytes.
// With `from`, which counts from 0, of that part of the text.
static int hash(lua_State *L) {
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    const lua_Integer from = luaL_optinteger(L, 2, 0);
    luaL_argcheck(L, from >= 0 && (size_t)from <= size, 2, "within the text");
    const lua_Integer given = luaL_optinteger(L, 3, (lua_Integer)size - from);
    luaL_argcheck(L, given >= 0 && (size_t)given <= size - (size_t)from, 3, "within the text");
    const uint64_t found = hash_of(text + from, (size_t)given);
    lua_pushlstring(L, (const char *)&found, sizeof found);
    return 1;
}

// planes.hashes(what, piece): those of the pieces of so many bytes of a text, or of the cells of a field, all
// of which have data, one after the other.
static int hashes_of_pieces(lua_State *L) {
    const Field *field = lua_isuserdata(L, 1) ? to_strip(L, 1) : NULL;
    size_t size = field ? field_count(field) * sizeof *field->cells : 0;
    const char *bytes = field ? (const char *)field->cells : luaL_checklstring(L, 1, &size);
    const size_t piece = (size_t)luaL_checkinteger(L, 2);
    luaL_argcheck(L, piece > 0, 2, "positive");
    luaL_argcheck(L, !field || !field->gaps, 1, "without gaps");
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (size_t at = 0; at < size; at += piece) {
        const uint64_t found = hash_of(bytes + at, min(piece, size - at));
        luaL_addlstring(&buffer, (const char *)&found, sizeof found);
    }
    luaL_pushresult(&buffer);
    return 1;
}

enum { PIECE_MAX = 1 << 15, AT_ONCE = 1 << 16 }; // bytes: what is read and then hashed stays in the cache

// The bytes of a part, in pieces that each have a hash.
typedef struct Pieces {
    FILE *file;
    const char *hashes;
    size_t piece, size; // of a piece, and of all
} Pieces;

static bool is_piece(const Pieces *pieces, size_t number, const char *bytes, size_t count) {
    const uint64_t found = hash_of(bytes, count);
    return memcmp(pieces->hashes + number * sizeof found, &found, sizeof found) == 0;
}

// Reads the bytes first … end of a piece; false where the piece is damaged.
static bool read_piece(const Pieces *pieces, size_t number, size_t first, size_t end, char *bytes) {
    char whole[PIECE_MAX];
    const size_t start = number * pieces->piece, count = min(pieces->piece, pieces->size - start);
    if (fread(whole, 1, count, pieces->file) != count)
        return false;
    memcpy(bytes, whole + (first - start), end - first);
    return is_piece(pieces, number, whole, count);
}

// Reads whole pieces; false where one is damaged.
static bool read_pieces(const Pieces *pieces, size_t number, size_t count, char *bytes) {
    const size_t piece = pieces->piece;
    bool is_whole = fread(bytes, piece, count, pieces->file) == count;
    for (size_t i = 0; i < count && is_whole; i++)
        is_whole = is_piece(pieces, number + i, bytes + i * piece, piece);
    return is_whole;
}

// Reads bytes of a file of pieces; false where pieces of them are damaged.
static bool read_bytes(const Pieces *pieces, size_t first, size_t end, char *bytes) {
    if (fseeko(pieces->file, (off_t)(first / pieces->piece * pieces->piece), SEEK_SET) != 0)
        return false;
    bool is_whole = true;
    for (size_t at = first; is_whole && at < end;) {
        const size_t piece = pieces->piece, number = at / piece;
        const size_t count = at % piece == 0 ? min((end - at) / piece, AT_ONCE / piece) : 0;
        const size_t stop = count > 0 ? at + count * piece : min((number + 1) * piece, end);
        is_whole = count > 0 ? read_pieces(pieces, number, count, bytes + (at - first))
                             : read_piece(pieces, number, at, stop, bytes + (at - first));
        at = stop;
    }
    return is_whole;
}

// planes.read_part(field, row, file, from, rows, piece, size, hashes, pitch): fills some rows of a field from
// byte `from` of a file on, where each begins `pitch` bytes after the one before. The file has `size` bytes
// in pieces of so many with these hashes; false where they differ.
static int read_part(lua_State *L) {
    Field *field = to_strip(L, 1);
    const int row = to_size(L, 2), rows = to_size(L, 5);
    Pieces pieces = { .file = ((luaL_Stream *)luaL_checkudata(L, 3, LUA_FILEHANDLE))->f };
    const lua_Integer from = luaL_checkinteger(L, 4), piece = luaL_checkinteger(L, 6),
                      size = luaL_checkinteger(L, 7), pitch = luaL_checkinteger(L, 9);
    size_t room;
    pieces.hashes = luaL_checklstring(L, 8, &room);
    const size_t row_size = (size_t)field->width * sizeof *field->cells;
    luaL_argcheck(L, rows > 0 && row + rows <= field->height, 5, "within the field");
    luaL_argcheck(L, piece > 0 && piece <= PIECE_MAX, 6, "out of range");
    luaL_argcheck(L, pitch >= (lua_Integer)row_size && pitch <= (lua_Integer)SIDE_MAX * 4, 9, "out of range");
    pieces.piece = (size_t)piece;
    pieces.size = (size_t)max(size, (lua_Integer)0);
    luaL_argcheck(L, from >= 0 && (size_t)from + (size_t)(rows - 1) * (size_t)pitch + row_size <= pieces.size,
                  4, "within the file");
    luaL_argcheck(L, room == (pieces.size + pieces.piece - 1) / pieces.piece * sizeof(uint64_t), 8,
                  "of all pieces");
    const bool at_once = (size_t)pitch == row_size;
    const size_t count = at_once ? 1 : (size_t)rows, bytes = at_once ? (size_t)rows * row_size : row_size;
    bool is_whole = pieces.file != NULL;
    for (size_t i = 0; i < count && is_whole; i++) {
        const size_t first = (size_t)from + i * (size_t)pitch;
        is_whole = read_bytes(&pieces, first, first + bytes, (char *)field_row(field, row + (int)i));
    }
    lua_pushboolean(L, is_whole);
    return 1;
}

// planes.text(path): the text of a file, which must be a short one.
static int text(lua_State *L) {
    enum { MOST = 1 << 24 };
    const char *path = luaL_checkstring(L, 1);
    Error error;
    FILE *stream = access_open(path, &error);
    if (!stream)
        return luaL_error(L, "%s", error.text);
    luaL_Buffer buffer;
    const size_t size = bytes_left(stream), wanted = min(size, (size_t)MOST);
    char *bytes = size <= MOST ? luaL_buffinitsize(L, &buffer, wanted + 1) : NULL;
    const bool is_read = bytes && fread(bytes, 1, wanted, stream) == wanted;
    fclose(stream);
    if (!is_read)
        return luaL_error(L, "cannot read '%s'%s", path, bytes ? "" : ": it is longer than 16 MiB");
    luaL_pushresultsize(&buffer, wanted);
    return 1;
}

static const luaL_Reg functions[] = {
    { "pack", pack },           { "hash", hash }, { "hashes", hashes_of_pieces },
    { "read_part", read_part }, { "text", text }, { NULL, NULL }
};

void add_file_functions(lua_State *L) {
    luaL_setfuncs(L, functions, 0);
}
