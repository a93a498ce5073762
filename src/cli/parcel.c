// One byte tells the kind of a value; numbers are the machine's own, since both processes run on it.

#include "cli/parcel.h"

#include "core/memory.h"
#include "lua/binding.h"
#include "rivers/network.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

typedef enum Tag {
    TAG_NIL = 'n',
    TAG_FALSE = 'f',
    TAG_TRUE = 't',
    TAG_INTEGER = 'i',
    TAG_NUMBER = 'd',
    TAG_STRING = 's',
    TAG_TABLE = '{',
    TAG_END = '}',
    TAG_FIELD = 'F',
    TAG_IMAGE = 'I',
    TAG_NETWORK = 'N',
    TAG_MESH = 'M',
} Tag;

// --- writing -----------------------------------------------------------------------------------------------

typedef struct Writer {
    lua_State *L;
    FILE *stream;
    size_t left; // bytes that may still be written
} Writer;

static void put(Writer *to, const void *bytes, size_t size) {
    if (size > to->left)
        luaL_error(to->L, "the results do not fit into the memory limit (--memory-limit)");
    to->left -= size;
    if (size > 0)
        fwrite(bytes, 1, size, to->stream); // what is lost is found by the reader
}

static void put_tag(Writer *to, Tag tag) {
    const char byte = (char)tag;
    put(to, &byte, 1);
}

static void put_flag(Writer *to, bool flag) {
    const char byte = flag ? 1 : 0;
    put(to, &byte, 1);
}

static void put_network(Writer *to, const RiverNetwork *network) {
    const Boundary *boundary = &network->boundary;
    put(to, network, sizeof *network);
    put(to, network->points, (size_t)network->point_count * sizeof *network->points);
    put(to, network->reaches, (size_t)network->reach_count * sizeof *network->reaches);
    put(to, network->ridges, (size_t)network->ridge_count * sizeof *network->ridges);
    put(to, network->ridge_points, (size_t)network->ridge_point_count * sizeof *network->ridge_points);
    put(to, boundary->corners, (size_t)boundary->corner_count * sizeof *boundary->corners);
    put(to, boundary->shore, (size_t)boundary->columns * (size_t)boundary->rows * sizeof *boundary->shore);
}

static void put_mesh(Writer *to, const Mesh *mesh) {
    put(to, &mesh->point_count, sizeof mesh->point_count);
    put(to, &mesh->triangle_count, sizeof mesh->triangle_count);
    put(to, mesh->points, mesh->point_count * sizeof *mesh->points);
    put(to, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
}

static void put_sides(Writer *to, Tag tag, int width, int height) {
    put_tag(to, tag);
    put(to, &width, sizeof width);
    put(to, &height, sizeof height);
}

// False when it is none of the engine's values.
static bool put_value_of_engine(lua_State *L, int index, Writer *to) {
    const Field *field = to_field(L, index);
    const Image *image = to_image(L, index);
    const RiverNetwork *network = to_network(L, index);
    const Mesh *mesh = to_mesh(L, index);
    if (field) {
        put_sides(to, TAG_FIELD, field->width, field->height);
        put_flag(to, field->wraps);
        put(to, field->cells, field_count(field) * sizeof *field->cells);
    } else if (image) {
        put_sides(to, TAG_IMAGE, image->width, image->height);
        put(to, image->pixels, (size_t)image->width * (size_t)image->height * sizeof *image->pixels);
    } else if (network) {
        put_tag(to, TAG_NETWORK);
        put_network(to, network);
    } else if (mesh) {
        put_tag(to, TAG_MESH);
        put_mesh(to, mesh);
    }
    return field || image || network || mesh;
}

static void put_value(lua_State *L, int index, Writer *to, int depth);

static void put_table(lua_State *L, int index, Writer *to, int depth) {
    if (depth == DEPTH_MAX)
        luaL_error(L, "results may be tables in tables, but not more than %d deep", DEPTH_MAX);
    luaL_checkstack(L, 4, "results");
    put_tag(to, TAG_TABLE);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        put_value(L, lua_gettop(L) - 1, to, depth + 1);
        put_value(L, lua_gettop(L), to, depth + 1);
    }
    put_tag(to, TAG_END);
}

static void put_value(lua_State *L, int index, Writer *to, int depth) {
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        put_tag(to, TAG_NIL);
        return;
    case LUA_TBOOLEAN:
        put_tag(to, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE);
        return;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            const lua_Integer whole = lua_tointeger(L, index);
            put_tag(to, TAG_INTEGER);
            put(to, &whole, sizeof whole);
        } else {
            const lua_Number number = lua_tonumber(L, index);
            put_tag(to, TAG_NUMBER);
            put(to, &number, sizeof number);
        }
        return;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        put_tag(to, TAG_STRING);
        put(to, &length, sizeof length);
        put(to, text, length);
        return;
    }
    case LUA_TTABLE:
        put_table(L, index, to, depth);
        return;
    default:
        if (!put_value_of_engine(L, index, to))
            luaL_error(L, "a %s cannot leave its process", type_name(L, index));
    }
}

void parcel_write(lua_State *L, int index, size_t most, FILE *stream) {
    Writer to = { L, stream, most };
    put_value(L, lua_absindex(L, index), &to, 0);
}

// --- reading -----------------------------------------------------------------------------------------------

static int damaged(lua_State *L) {
    return luaL_error(L, "what the recipe's process sent cannot be read");
}

static void get(lua_State *L, FILE *stream, void *bytes, size_t size) {
    if (size > 0 && fread(bytes, 1, size, stream) != size)
        damaged(L);
}

// The bytes that are left: nothing larger is believed, or allocated.
static size_t left(lua_State *L, FILE *stream) {
    const long at = ftell(stream);
    fseek(stream, 0, SEEK_END);
    const long end = ftell(stream);
    if (at < 0 || end < at || fseek(stream, at, SEEK_SET) != 0)
        damaged(L);
    return (size_t)(end - at);
}

// `count` × `size` bytes that Lua owns; the value stays on the stack.
static void *get_array(lua_State *L, FILE *stream, size_t count, size_t size) {
    if (count > left(L, stream) / size)
        damaged(L);
    void *array = lua_newuserdatauv(L, count * size + 1, 0);
    get(L, stream, array, count * size);
    return array;
}

static void get_string(lua_State *L, FILE *stream) {
    size_t length;
    get(L, stream, &length, sizeof length);
    if (length > left(L, stream))
        damaged(L);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(L, &buffer, length);
    get(L, stream, text, length);
    luaL_pushresultsize(&buffer, length);
}

static void check(lua_State *L, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s", error->text);
}

static void get_sides(lua_State *L, FILE *stream, size_t cell, int *width, int *height) {
    get(L, stream, width, sizeof *width);
    get(L, stream, height, sizeof *height);
    if (*width < 1 || *height < 1 || *width > SIDE_MAX || *height > SIDE_MAX ||
        (size_t)*width * (size_t)*height > left(L, stream) / cell)
        damaged(L);
}

static void get_field(lua_State *L, FILE *stream) {
    int width, height;
    Error error;
    get_sides(L, stream, sizeof(float), &width, &height);
    Field *field = push_field(L);
    unsigned char wraps;
    get(L, stream, &wraps, 1);
    check(L, field_create(field, width, height, &error), &error);
    field->wraps = wraps != 0;
    get(L, stream, field_cells(field), field_count(field) * sizeof *field->cells);
    for (size_t i = 0; i < field_count(field); i++)
        if (!isfinite(field->cells[i]))
            damaged(L);
}

static void get_image(lua_State *L, FILE *stream) {
    int width, height;
    Error error;
    get_sides(L, stream, sizeof(Pixel), &width, &height);
    Image *image = push_image(L);
    check(L, image_create(image, width, height, &error), &error);
    get(L, stream, image_row(image, 0), (size_t)width * (size_t)height * sizeof *image->pixels);
}

static void get_mesh(lua_State *L, FILE *stream) {
    size_t points, triangles;
    Error error;
    get(L, stream, &points, sizeof points);
    get(L, stream, &triangles, sizeof triangles);
    if (points > left(L, stream) / sizeof(MeshPoint) || triangles > left(L, stream) / sizeof(MeshTriangle))
        damaged(L);
    Mesh *none = NULL;
    push_mesh(L, &none); // before there is one: Lua's own memory may end here
    Mesh **mesh = lua_touserdata(L, -1);
    *mesh = mesh_new(points, triangles, &error);
    if (!*mesh) {
        luaL_error(L, "%s", error.text);
        return;
    }
    const Mesh whole = **mesh;
    get(L, stream, whole.points, points * sizeof *whole.points);
    get(L, stream, whole.triangles, triangles * sizeof *whole.triangles);
    for (size_t i = 0; i < points; i++)
        if (!isfinite(whole.points[i].x) || !isfinite(whole.points[i].y) || !isfinite(whole.points[i].z))
            damaged(L);
    for (size_t i = 0; i < triangles; i++)
        for (int c = 0; c < 3; c++)
            if (whole.triangles[i].corners[c] >= points)
                damaged(L);
}

static void get_network(lua_State *L, FILE *stream) {
    Error error;
    RiverNetwork from;
    get(L, stream, &from, sizeof from);
    Boundary *boundary = &from.boundary;
    if (from.point_count < 0 || from.reach_count < 0 || from.ridge_count < 0 || from.ridge_point_count < 0 ||
        boundary->corner_count < 0 || boundary->columns < 0 || boundary->rows < 0)
        damaged(L);
    luaL_checkstack(L, 10, "networks");
    RiverNetwork *none = NULL;
    push_network(L, &none); // before there is one, as above
    const int top = lua_gettop(L);
    from.points = get_array(L, stream, (size_t)from.point_count, sizeof *from.points);
    from.reaches = get_array(L, stream, (size_t)from.reach_count, sizeof *from.reaches);
    from.ridges = get_array(L, stream, (size_t)from.ridge_count, sizeof *from.ridges);
    from.ridge_points = get_array(L, stream, (size_t)from.ridge_point_count, sizeof *from.ridge_points);
    boundary->corners = get_array(L, stream, (size_t)boundary->corner_count, sizeof *boundary->corners);
    boundary->shore =
        get_array(L, stream, (size_t)boundary->columns * (size_t)boundary->rows, sizeof *boundary->shore);
    if (!network_is_valid(&from))
        damaged(L);
    RiverNetwork *network =
        network_new(from.reach_count, from.point_count, network_frame_size(&from), &error);
    if (!network) {
        luaL_error(L, "%s", error.text);
        return;
    }
    *(RiverNetwork **)lua_touserdata(L, top) = network;
    memcpy(network->points, from.points, (size_t)from.point_count * sizeof *from.points);
    memcpy(network->reaches, from.reaches, (size_t)from.reach_count * sizeof *from.reaches);
    network_copy_frame(network, &from);
    lua_settop(L, top);
}

static bool get_value(lua_State *L, FILE *stream, int depth);

static void get_table(lua_State *L, FILE *stream, int depth) {
    if (depth == DEPTH_MAX)
        damaged(L);
    luaL_checkstack(L, 4, "results");
    lua_newtable(L);
    while (get_value(L, stream, depth + 1)) {
        const int type = lua_type(L, -1);
        if (type == LUA_TNIL || (type == LUA_TNUMBER && isnan(lua_tonumber(L, -1))) ||
            !get_value(L, stream, depth + 1))
            damaged(L);
        lua_rawset(L, -3);
    }
}

// Pushes a value; false, and nothing, at the end of a table.
static bool get_value(lua_State *L, FILE *stream, int depth) {
    lua_Integer whole;
    lua_Number number;
    switch (getc(stream)) {
    case TAG_NIL:
        lua_pushnil(L);
        break;
    case TAG_FALSE:
        lua_pushboolean(L, false);
        break;
    case TAG_TRUE:
        lua_pushboolean(L, true);
        break;
    case TAG_INTEGER:
        get(L, stream, &whole, sizeof whole);
        lua_pushinteger(L, whole);
        break;
    case TAG_NUMBER:
        get(L, stream, &number, sizeof number);
        lua_pushnumber(L, number);
        break;
    case TAG_STRING:
        get_string(L, stream);
        break;
    case TAG_TABLE:
        get_table(L, stream, depth);
        break;
    case TAG_FIELD:
        get_field(L, stream);
        break;
    case TAG_IMAGE:
        get_image(L, stream);
        break;
    case TAG_NETWORK:
        get_network(L, stream);
        break;
    case TAG_MESH:
        get_mesh(L, stream);
        break;
    case TAG_END:
        return false;
    default:
        damaged(L);
    }
    return true;
}

void parcel_read(lua_State *L, FILE *stream) {
    if (!get_value(L, stream, 0))
        damaged(L);
}
