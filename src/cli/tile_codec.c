// Tiles as bytes: require "esker.tile_codec".

#include "cli/modules.h"

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "file/formats.h"
#include "lua/binding.h"
#include "tiles/vector_tile.h"
#include "tiles/web_map.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// --- pictures ----------------------------------------------------------------------------------------------

// Copies a square of an image; what lies beyond the image is transparent.
static void cut(const Image *from, int left, int top, Image *to) {
    memset(image_row(to, 0), 0, (size_t)to->width * (size_t)to->height * sizeof(Pixel));
    const int first = left < 0 ? -left : 0;
    const int end = from->width - left < to->width ? from->width - left : to->width;
    for (int y = 0; y < to->height && end > first; y++)
        if (top + y >= 0 && top + y < from->height)
            memcpy(image_row(to, y) + first, image_row(from, top + y) + left + first,
                   (size_t)(end - first) * sizeof(Pixel));
}

static Status write_image(const Image *image, char **bytes, size_t *count, Error *error) {
    FILE *stream = open_memstream(bytes, count);
    if (!stream)
        return fail(error, STATUS_MEMORY, "not enough memory for a tile");
    const Status status = write_png_image(stream, &binding_run, image, NULL, error);
    if (fclose(stream) == 0)
        return status;
    return fail(error, STATUS_MEMORY, "not enough memory for a tile");
}

static int push_bytes(lua_State *L) { // light userdata: the bytes; their number
    lua_pushlstring(L, lua_touserdata(L, 1), (size_t)lua_tointeger(L, 2));
    return 1;
}

// Pushes a copy of bytes in a protected call, so that they can be freed by the caller; Lua's status.
static int push_copy(lua_State *L, void *bytes, size_t count) {
    lua_pushcfunction(L, push_bytes);
    lua_pushlightuserdata(L, bytes);
    lua_pushinteger(L, (lua_Integer)count);
    return lua_pcall(L, 2, 1, 0);
}

// tile_codec.png(image, x, y, side): the square of an image whose upper left corner is at x, y, as a PNG
// file.
static int encode_png(lua_State *L) {
    const Image *image = to_image(L, 1);
    luaL_argcheck(L, image && image->pixels, 1, "an image");
    const int left = (int)luaL_checkinteger(L, 2), top = (int)luaL_checkinteger(L, 3);
    const int side = (int)luaL_checkinteger(L, 4);
    Image *tile = push_image(L);
    char *bytes = NULL;
    size_t count = 0;
    Error error;
    Status status = image_create(tile, side, side, &error);
    if (status == STATUS_OK) {
        cut(image, left, top, tile);
        status = write_image(tile, &bytes, &count, &error);
    }
    image_free(tile);
    const int outcome = status == STATUS_OK ? push_copy(L, bytes, count) : LUA_OK;
    free(bytes);
    if (status != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    return outcome == LUA_OK ? 1 : lua_error(L);
}

// tile_codec.extend(value, x, y, width, height): a part of a field without gaps or an image. Beyond the edges
// it has the nearest cell's number.
static int extend(lua_State *L) {
    const Field *field = to_field(L, 1);
    const Image *image = field ? NULL : to_image(L, 1);
    luaL_argcheck(L, field ? field->cells != NULL : image && image->pixels, 1, "a field or an image");
    const int left = (int)luaL_checkinteger(L, 2), top = (int)luaL_checkinteger(L, 3),
              width = (int)luaL_checkinteger(L, 4), height = (int)luaL_checkinteger(L, 5);
    Field *cells = field ? push_field(L) : NULL;
    Image *pixels = image ? push_image(L) : NULL;
    Error error;
    const Status status =
        field ? field_create(cells, width, height, &error) : image_create(pixels, width, height, &error);
    if (status != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (field)
                field_row(cells, y)[x] = field_row(
                    field, clamp(top + y, 0, field->height - 1))[clamp(left + x, 0, field->width - 1)];
            else
                image_row(pixels, y)[x] = image_row(
                    image, clamp(top + y, 0, image->height - 1))[clamp(left + x, 0, image->width - 1)];
    if (field) {
        cells->frame = field->frame;
        cells->wraps = false;
    }
    return 1;
}

static float mean_of_four(float a, float b, float c, float d) {
    return 0.25f * a + 0.25f * b + (0.25f * c + 0.25f * d);
}

// The mean of those of four cells that have data; false: none has.
static bool mean_with_gaps(const Field *from, const size_t four[4], float *mean) {
    float sum = 0;
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (field_has_data(from, four[i])) {
            sum += from->cells[four[i]];
            count++;
        }
    const float *cells = from->cells;
    *mean = count == 4  ? mean_of_four(cells[four[0]], cells[four[1]], cells[four[2]], cells[four[3]])
            : count > 0 ? sum / (float)count
                        : 0;
    return count > 0;
}

// Where some cells have no data; a cell that stands for four of them has none.
static Status halve_gaps(const Field *from, Field *to, Error *error) {
    Gaps *gaps = gaps_new(field_count(to), error);
    if (!gaps)
        return STATUS_MEMORY;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            const size_t width = (size_t)from->width, upper = 2 * (size_t)y * width,
                         lower = (size_t)min(2 * y + 1, from->height - 1) * width;
            const size_t left = 2 * (size_t)x, right = (size_t)min(2 * x + 1, from->width - 1);
            const size_t four[4] = { upper + left, upper + right, lower + left, lower + right };
            const size_t cell = (size_t)y * (size_t)to->width + (size_t)x;
            gaps->at[cell] = !mean_with_gaps(from, four, &field_cells(to)[cell]);
        }
    field_set_gaps(to, gaps);
    return STATUS_OK;
}

// Halves a field: means of 2 × 2 cells, of fewer at the right and lower edge of an odd number.
static void halve_field(const Field *from, Field *to) {
    for (int y = 0; y < to->height; y++) {
        const float *upper = field_row(from, 2 * y),
                    *lower = field_row(from, min(2 * y + 1, from->height - 1));
        float *row = field_row(to, y);
        for (int x = 0; x < to->width; x++) {
            const int next = min(2 * x + 1, from->width - 1);
            row[x] = mean_of_four(upper[2 * x], upper[next], lower[2 * x], lower[next]);
        }
    }
}

// The mean of four pixels, by how opaque they are.
static Pixel mean_of(const Pixel *four[4]) {
    unsigned sums[4] = { 0 };
    for (int i = 0; i < 4; i++) {
        sums[0] += (unsigned)four[i]->red * four[i]->alpha;
        sums[1] += (unsigned)four[i]->green * four[i]->alpha;
        sums[2] += (unsigned)four[i]->blue * four[i]->alpha;
        sums[3] += four[i]->alpha;
    }
    const unsigned all = max(sums[3], 1u), half = all / 2;
    return (Pixel){ (uint8_t)((sums[0] + half) / all), (uint8_t)((sums[1] + half) / all),
                    (uint8_t)((sums[2] + half) / all), (uint8_t)((sums[3] + 2) / 4) };
}

static void halve_image(const Image *from, Image *to) {
    for (int y = 0; y < to->height; y++) {
        const Pixel *upper = image_row(from, 2 * y),
                    *lower = image_row(from, min(2 * y + 1, from->height - 1));
        Pixel *row = image_row(to, y);
        for (int x = 0; x < to->width; x++) {
            const int next = min(2 * x + 1, from->width - 1);
            row[x] = mean_of((const Pixel *[4]){ upper + 2 * x, upper + next, lower + 2 * x, lower + next });
        }
    }
}

// The frame and the size of a field, which are arguments 1 to 3; false if web maps do not know its system.
static bool read_source(lua_State *L, WebSource *source) {
    source->frame = read_frame(L, 1);
    source->width = (int)luaL_checkinteger(L, 2);
    source->height = (int)luaL_checkinteger(L, 3);
    return web_map_knows(&source->frame);
}

// The square { left, top, pixel, side }, an argument.
static WebSquare read_square(lua_State *L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    for (int i = 1; i <= 4; i++)
        lua_geti(L, index, i);
    const WebSquare square = { luaL_checknumber(L, -4), luaL_checknumber(L, -3), luaL_checknumber(L, -2),
                               (int)luaL_checkinteger(L, -1) };
    lua_pop(L, 4);
    return square;
}

// tile_codec.box(frame, width, height): the edges of such a field on web maps, left, top, right, bottom, and
// the side of a cell, in shares of the world; nil if its frame does not say.
static int box_of(lua_State *L) {
    WebSource source;
    if (!read_source(L, &source))
        return 0;
    const WebBox box = web_map_box(&source.frame, source.width, source.height);
    lua_pushnumber(L, box.left);
    lua_pushnumber(L, box.top);
    lua_pushnumber(L, box.right);
    lua_pushnumber(L, box.bottom);
    lua_pushnumber(L, box.cell);
    return 5;
}

// tile_codec.cells(frame, width, height, square): the cells that a square of a web map shows, x, y, width and
// height; nothing if it shows none.
static int cells_of(lua_State *L) {
    WebSource source;
    luaL_argcheck(L, read_source(L, &source), 1, "known");
    const WebSquare square = read_square(L, 4);
    int cells[4];
    if (!web_map_cells(&source, &square, cells))
        return 0;
    for (int i = 0; i < 4; i++)
        lua_pushinteger(L, cells[i]);
    return 4;
}

// tile_codec.place(frame, width, height, square, part, x, y, under): a square of a web map, of which `part`
// has the cells, from (x, y) on; elsewhere it is `under`, a field of the same size, unless that is nil.
static int place_field(lua_State *L) {
    WebSource source;
    luaL_argcheck(L, read_source(L, &source), 1, "known");
    const WebSquare square = read_square(L, 4);
    source.cells = to_field(L, 5);
    luaL_argcheck(L, source.cells && source.cells->cells, 5, "a field");
    source.x = (int)luaL_checkinteger(L, 6);
    source.y = (int)luaL_checkinteger(L, 7);
    const Field *under = to_field(L, 8);
    luaL_argcheck(L, !under || (under->width == square.side && under->height == square.side), 8,
                  "of the square's size");
    Field *to = push_field(L);
    Error error;
    Status status = field_create(to, square.side, square.side, &error);
    if (status == STATUS_OK)
        status = web_map_draw(&binding_run, &source, &square, under, to, &error);
    return status == STATUS_OK ? 1 : luaL_error(L, "%s", error.text);
}

// tile_codec.halve(picture): a field or an image at half its size, rounded up.
static int halve(lua_State *L) {
    const Field *field = to_field(L, 1);
    const Image *image = to_image(L, 1);
    Error error;
    Status status = STATUS_INVALID;
    if (field && field->cells) {
        Field *half = push_field(L);
        status = field_create(half, (field->width + 1) / 2, (field->height + 1) / 2, &error);
        if (status == STATUS_OK && field->gaps)
            status = halve_gaps(field, half, &error);
        else if (status == STATUS_OK)
            halve_field(field, half);
        half->frame = frame_of_part(&field->frame, &(Frame){ .right_x = 2, .down_y = 2 });
    } else if (image && image->pixels) {
        Image *half = push_image(L);
        status = image_create(half, (image->width + 1) / 2, (image->height + 1) / 2, &error);
        if (status == STATUS_OK)
            halve_image(image, half);
    } else {
        return luaL_argerror(L, 1, "a field or an image");
    }
    return status == STATUS_OK ? 1 : luaL_error(L, "%s", error.text);
}

// --- lines -------------------------------------------------------------------------------------------------

// tile_codec.lines({ { name, network } … }, x, y, side, metres): a vector tile with a layer for each network
// that has lines in the square of `side` cells whose upper left corner is at x, y; empty if none has.
// `metres`: of an altitude of 1.
static int encode_lines(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    VectorTile tile = { .left = luaL_checknumber(L, 2),
                        .top = luaL_checknumber(L, 3),
                        .side = luaL_checknumber(L, 4),
                        .metres = luaL_checknumber(L, 5) };
    Growing bytes = { 0 };
    Error error;
    Status status = STATUS_OK;
    const lua_Integer count = luaL_len(L, 1);
    luaL_checkstack(L, 4, "layers");
    for (lua_Integer i = 1; i <= count && status == STATUS_OK; i++) {
        lua_geti(L, 1, i);
        const bool pair = lua_istable(L, -1) && lua_rawgeti(L, -1, 1) == LUA_TSTRING;
        const RiverNetwork *network = NULL;
        if (pair) {
            tile.name = lua_tostring(L, -1); // the list keeps it alive
            lua_rawgeti(L, -2, 2);
            network = to_value(L, -1, &type_network);
        }
        lua_settop(L, 5);
        status = network ? vector_tile_add(network, &tile, &bytes, &error)
                         : fail(&error, STATUS_INVALID, "a layer must be { name, network }");
    }
    const int outcome = status == STATUS_OK ? push_copy(L, bytes.at, bytes.count) : LUA_OK;
    growing_free(&bytes);
    if (status != STATUS_OK)
        return luaL_error(L, "%s", error.text);
    return outcome == LUA_OK ? 1 : lua_error(L);
}

// --- compression -------------------------------------------------------------------------------------------

enum { GZIP = 16 + 15 }; // zlib's window bits for its format

// tile_codec.gzip(text): the text as a gzip file, without a time, and of the same system everywhere.
static int gzip(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    z_stream stream = { 0 };
    if (deflateInit2(&stream, 6, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return luaL_error(L, "not enough memory to compress");
    gz_header header = { .os = 3 }; // Unix
    deflateSetHeader(&stream, &header);
    const uLong most = deflateBound(&stream, length);
    unsigned char *bytes = memory_new(most, 1, NULL);
    stream.next_in = (z_const Bytef *)text;
    stream.avail_in = (uInt)length;
    stream.next_out = bytes;
    stream.avail_out = bytes ? (uInt)most : 0;
    const bool whole = bytes && length < (1u << 31) && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&stream);
    const int outcome = whole ? push_copy(L, bytes, stream.total_out) : LUA_OK;
    memory_free(bytes);
    if (!whole)
        return luaL_error(L, "not enough memory to compress");
    return outcome == LUA_OK ? 1 : lua_error(L);
}

// tile_codec.gunzip(bytes, most): the text of a gzip file; nil if it is none, or longer than `most` bytes.
static int gunzip(lua_State *L) {
    size_t length;
    const char *bytes = luaL_checklstring(L, 1, &length);
    const size_t most = (size_t)luaL_checkinteger(L, 2);
    z_stream stream = { 0 };
    unsigned char *text = memory_new(most, 1, NULL);
    if (!text || inflateInit2(&stream, GZIP) != Z_OK) {
        memory_free(text);
        return luaL_error(L, "not enough memory to decompress");
    }
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = length < UINT_MAX ? (uInt)length : 0;
    stream.next_out = text;
    stream.avail_out = most < UINT_MAX ? (uInt)most : 0;
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&stream);
    const int outcome = whole ? push_copy(L, text, stream.total_out) : LUA_OK;
    memory_free(text);
    if (!whole)
        return 0;
    return outcome == LUA_OK ? 1 : lua_error(L);
}

// tile_codec.checksum(text): its CRC-32.
static int checksum(lua_State *L) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_pushinteger(L, (lua_Integer)crc32_z(0, (const Bytef *)text, count));
    return 1;
}

// tile_codec.unit_metres(unit): metres of a unit of heights, 0 if it is not known.
static int unit_metres(lua_State *L) {
    lua_pushnumber(L, frame_unit_metres(&(Frame){ .unit = luaL_checkstring(L, 1) }));
    return 1;
}

static const luaL_Reg functions[] = {
    { "png", encode_png }, { "extend", extend },           { "halve", halve },        { "box", box_of },
    { "cells", cells_of }, { "place", place_field },       { "lines", encode_lines }, { "gzip", gzip },
    { "gunzip", gunzip },  { "unit_metres", unit_metres }, { "checksum", checksum },  { NULL, NULL }
};

static int open_codec(lua_State *L) {
    luaL_newlib(L, functions);
    return 1;
}

void register_tile_codec(lua_State *L) {
    luaL_requiref(L, "esker.tile_codec", open_codec, 0);
    lua_pop(L, 1);
}
