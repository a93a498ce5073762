// Field, Image and the outputs of a running operation as Lua values.

#include "lua/binding.h"

#include "core/memory.h"
#include "operations.h"
#include "rivers/network.h"

#include <stdio.h>
#include <string.h>

static const char field_type[] = "Field", image_type[] = "Image", map_type[] = "RiverMap",
                  network_type[] = "RiverNetwork", mesh_type[] = "Mesh", outputs_type[] = "esker.outputs";

static void *push_empty(lua_State *L, size_t size, const char *type) {
    void *value = lua_newuserdatauv(L, size, 0);
    memset(value, 0, size);
    luaL_setmetatable(L, type);
    return value;
}

Field *push_field(lua_State *L) {
    return push_empty(L, sizeof(Field), field_type);
}

Image *push_image(lua_State *L) {
    return push_empty(L, sizeof(Image), image_type);
}

Output *push_outputs(lua_State *L) {
    return push_empty(L, OUTPUTS_MAX * sizeof(Output), outputs_type);
}

// One that was closed is none any more.
Field *to_field(lua_State *L, int index) {
    Field *field = luaL_testudata(L, index, field_type);
    return field && field->cells ? field : NULL;
}

Image *to_image(lua_State *L, int index) {
    Image *image = luaL_testudata(L, index, image_type);
    return image && image->pixels ? image : NULL;
}

// What is one block of memory: the value holds its address.
static void *to_block(lua_State *L, int index, const char *type) {
    void **block = luaL_testudata(L, index, type);
    return block ? *block : NULL;
}

RiverMap *to_map(lua_State *L, int index) {
    return to_block(L, index, map_type);
}

RiverNetwork *to_network(lua_State *L, int index) {
    return to_block(L, index, network_type);
}

Mesh *to_mesh(lua_State *L, int index) {
    return to_block(L, index, mesh_type);
}

void push_map(lua_State *L, RiverMap **map) {
    RiverMap **value = push_empty(L, sizeof(void *), map_type);
    *value = *map;
    *map = NULL;
}

void push_network(lua_State *L, RiverNetwork **network) {
    RiverNetwork **value = push_empty(L, sizeof(void *), network_type);
    *value = *network;
    *network = NULL;
}

void push_mesh(lua_State *L, Mesh **mesh) {
    Mesh **value = push_empty(L, sizeof(void *), mesh_type);
    *value = *mesh;
    *mesh = NULL;
}

static bool is_closed(lua_State *L, int index) {
    static const char *const types[] = { field_type, image_type, map_type, network_type, mesh_type };
    bool closed = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        closed = closed || luaL_testudata(L, index, types[i]);
    return closed;
}

bool is_list(lua_State *L, int index) {
    if (!lua_istable(L, index))
        return false;
    const int table = lua_absindex(L, index);
    const lua_Integer count = (lua_Integer)lua_rawlen(L, table);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 || lua_tointeger(L, -2) > count) {
            lua_pop(L, 2);
            return false;
        }
    return true;
}

const char *type_name(lua_State *L, int index) {
    return to_field(L, index)     ? field_type
           : to_image(L, index)   ? image_type
           : to_map(L, index)     ? map_type
           : to_network(L, index) ? network_type
           : to_mesh(L, index)    ? mesh_type
           : is_closed(L, index)  ? "one that was closed"
                                  : luaL_typename(L, index);
}

const char *push_shown(lua_State *L, int index) {
    if (lua_isstring(L, index))
        return luaL_tolstring(L, index, NULL);
    return lua_pushstring(L, type_name(L, index));
}

static int collect_field(lua_State *L) {
    field_free(luaL_checkudata(L, 1, field_type));
    return 0;
}

static int collect_image(lua_State *L) {
    image_free(luaL_checkudata(L, 1, image_type));
    return 0;
}

static int collect_block(lua_State *L) {
    void **block = lua_touserdata(L, 1);
    memory_free(*block);
    *block = NULL;
    return 0;
}

static int describe_map(lua_State *L) {
    lua_pushstring(L, map_type);
    return 1;
}

static int describe_network(lua_State *L) {
    const RiverNetwork *network = to_network(L, 1);
    lua_pushfstring(L, "%s of %d reaches", network_type, network ? network->reach_count : 0);
    return 1;
}

static int describe_mesh(lua_State *L) {
    const Mesh *mesh = to_mesh(L, 1);
    lua_pushfstring(L, "%s of %I triangles", mesh_type, (lua_Integer)(mesh ? mesh->triangle_count : 0));
    return 1;
}

static int collect_outputs(lua_State *L) {
    outputs_free(luaL_checkudata(L, 1, outputs_type));
    return 0;
}

static int describe(lua_State *L) {
    const Field *field = to_field(L, 1);
    const Image *image = to_image(L, 1);
    lua_pushfstring(L, "%s %d × %d", type_name(L, 1),
                    field   ? field->width
                    : image ? image->width
                            : 0,
                    field   ? field->height
                    : image ? image->height
                            : 0);
    return 1;
}

static int fields_equal(lua_State *L) {
    const Field *a = to_field(L, 1), *b = to_field(L, 2);
    lua_pushboolean(L, a && b && a->width == b->width && a->height == b->height &&
                           memcmp(a->cells, b->cells, field_count(a) * sizeof(float)) == 0);
    return 1;
}

// Upvalue 1: the methods. A misspelt one is an error here, not a nil that is called later.
static int index_value(lua_State *L) {
    const char *key = luaL_checkstring(L, 2);
    const Field *field = to_field(L, 1);
    const Image *image = to_image(L, 1);
    const RiverNetwork *network = to_network(L, 1);
    const Mesh *mesh = to_mesh(L, 1);
    const bool sized = field || image || network;
    if (sized && strcmp(key, "width") == 0)
        lua_pushinteger(L, field ? field->width : image ? image->width : network->width);
    else if (sized && strcmp(key, "height") == 0)
        lua_pushinteger(L, field ? field->height : image ? image->height : network->height);
    else if (field && strcmp(key, "wraps") == 0)
        lua_pushboolean(L, field->wraps);
    else if (mesh && strcmp(key, "points") == 0)
        lua_pushinteger(L, (lua_Integer)mesh->point_count);
    else if (mesh && strcmp(key, "triangles") == 0)
        lua_pushinteger(L, (lua_Integer)mesh->triangle_count);
    else if (lua_getfield(L, lua_upvalueindex(1), key) == LUA_TNIL)
        return luaL_error(L, "%s has no method '%s'", type_name(L, 1), key);
    return 1;
}

// value:show(): a picture in the terminal, by the function that the program has put into the registry.
static int show_value(lua_State *L) {
    lua_settop(L, 1);
    if (lua_getfield(L, LUA_REGISTRYINDEX, BINDING_SHOW) != LUA_TFUNCTION)
        return luaL_error(L, "show: only the program esker shows pictures; save them instead");
    lua_insert(L, 1);
    lua_call(L, 1, 0);
    return 0;
}

// value:hash(): 16 digits that are the same where all bits are.
static int hash_value(lua_State *L) {
    const Field *field = to_field(L, 1);
    const Image *image = to_image(L, 1);
    const RiverNetwork *network = to_network(L, 1);
    const Mesh *mesh = to_mesh(L, 1);
    if (!field && !image && !network && !mesh)
        return luaL_error(L, "hash: takes a field, image, network or mesh, got %s", type_name(L, 1));
    const uint64_t hash = field     ? field_hash(field)
                          : image   ? image_hash(image)
                          : network ? network_hash(network)
                                    : mesh_hash(mesh);
    char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    lua_pushstring(L, text);
    return 1;
}

static const luaL_Reg field_meta[] = {
    { "__gc", collect_field }, { "__close", collect_field },   { "__tostring", describe },
    { "__eq", fields_equal },  { "__newindex", field_assign }, { NULL, NULL },
};

static const luaL_Reg field_methods[] = {
    { "get", field_get },   { "set", field_set }, { "hash", hash_value },
    { "show", show_value }, { NULL, NULL },
};

static const luaL_Reg image_meta[] = {
    { "__gc", collect_image },
    { "__close", collect_image },
    { "__tostring", describe },
    { NULL, NULL },
};

static const luaL_Reg map_meta[] = {
    { "__gc", collect_block },
    { "__tostring", describe_map },
    { NULL, NULL },
};

static const luaL_Reg network_meta[] = {
    { "__gc", collect_block },
    { "__tostring", describe_network },
    { "__len", network_length },
    { NULL, NULL },
};

static const luaL_Reg mesh_meta[] = {
    { "__gc", collect_block },
    { "__tostring", describe_mesh },
    { NULL, NULL },
};

static const luaL_Reg image_methods[] = { { "show", show_value }, { "hash", hash_value }, { NULL, NULL } };

static const luaL_Reg map_methods[] = { { "show", show_value }, { NULL, NULL } };

static const luaL_Reg mesh_methods[] = { { "hash", hash_value }, { NULL, NULL } };

static const luaL_Reg network_methods[] = {
    { "reaches", network_reaches },
    { "walk", network_walk },
    { "ridges", network_ridges },
    { "place", network_place },
    { "show", show_value },
    { "hash", hash_value },
    { NULL, NULL },
};

static const luaL_Reg outputs_meta[] = { { "__gc", collect_outputs }, { NULL, NULL } };

// Operators on fields are the operations of the same meaning.
static const char *const operators[][2] = {
    { "__add", "add" },    { "__sub", "subtract" }, { "__mul", "multiply" },
    { "__div", "divide" }, { "__pow", "power" },    { "__unm", "negate" },
};

// Leaves a table of methods on the stack: `own` and the operations that take `kind` first. Module: at
// `module`.
static void push_methods(lua_State *L, int module, const luaL_Reg *own, Kind kind) {
    lua_newtable(L);
    luaL_setfuncs(L, own, 0);
    for (const Operation *const *each = all_operations; *each; each++) {
        const InputSpec *first = &(*each)->inputs[0];
        const int accepts = first->accepts ? first->accepts : KIND_FIELD;
        if (!first->name || !(accepts & (int)kind))
            continue;
        lua_getfield(L, module, (*each)->name);
        lua_setfield(L, -2, (*each)->name);
    }
}

void set_text(lua_State *L, const char *key, const char *text) {
    if (!text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

void set_flag(lua_State *L, const char *key, bool flag) {
    if (!flag)
        return;
    lua_pushboolean(L, true);
    lua_setfield(L, -2, key);
}

// Leaves the metatable on the stack. Module: at `module`.
static void register_type(lua_State *L, int module, const char *type, const luaL_Reg *meta,
                          const luaL_Reg *methods, Kind kind) {
    luaL_newmetatable(L, type);
    luaL_setfuncs(L, meta, 0);
    // What getmetatable gives: a recipe that could call __gc would free memory in use.
    lua_pushstring(L, type);
    lua_setfield(L, -2, "__metatable");
    push_methods(L, module, methods, kind);
    lua_pushcclosure(L, index_value, 1);
    lua_setfield(L, -2, "__index");
}

void register_values(lua_State *L) {
    const int module = lua_absindex(L, -1);
    register_type(L, module, image_type, image_meta, image_methods, KIND_IMAGE);
    register_type(L, module, map_type, map_meta, map_methods, KIND_MAP);
    register_type(L, module, network_type, network_meta, network_methods, KIND_NETWORK);
    register_type(L, module, mesh_type, mesh_meta, mesh_methods, KIND_MESH);
    register_type(L, module, field_type, field_meta, field_methods, KIND_FIELD);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        lua_getfield(L, module, operators[i][1]);
        lua_setfield(L, -2, operators[i][0]);
    }
    luaL_newmetatable(L, outputs_type);
    luaL_setfuncs(L, outputs_meta, 0);
    lua_settop(L, module);
}
