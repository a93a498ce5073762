// Lines and polygons as Lua tables, and attributes of any kind of place.

#include "lua/binding.h"

#include "places/shapes.h"

#include <math.h>
#include <string.h>

enum { SHAPES_MAX = 1 << 24 };

// --- attributes --------------------------------------------------------------------------------------------

void push_attributes(lua_State *L, const Attributes *attributes, int row) {
    lua_newtable(L);
    for (int i = 0; attributes && i < attributes->column_count; i++) {
        const Attribute value = attributes_get(attributes, i, row);
        if (value.kind == ATTRIBUTE_NONE)
            continue;
        if (value.kind == ATTRIBUTE_NUMBER && value.number == floor(value.number) &&
            fabs(value.number) < 0x1p53)
            lua_pushinteger(L, whole_64(value.number));
        else if (value.kind == ATTRIBUTE_NUMBER)
            lua_pushnumber(L, value.number);
        else if (value.kind == ATTRIBUTE_FLAG)
            lua_pushboolean(L, value.number != 0);
        else
            lua_pushstring(L, attributes_text(attributes, value));
        lua_setfield(L, -2, attributes_name(attributes, i));
    }
}

// The value on top of the stack, of the column `name`.
static Status set_attribute(lua_State *L, Attributes *attributes, const char *name, int row, Error *error) {
    int column;
    const Status status = attributes_column(attributes, name, &column, error);
    if (status != STATUS_OK)
        return status;
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        if (!isfinite(lua_tonumber(L, -1)))
            return fail(error, STATUS_INVALID, "attribute '%.60s' must be finite", name);
        return attributes_set_number(attributes, column, row, lua_tonumber(L, -1), error);
    case LUA_TBOOLEAN:
        return attributes_set(attributes, column, row,
                              (Attribute){ .kind = ATTRIBUTE_FLAG, .number = lua_toboolean(L, -1) }, error);
    case LUA_TSTRING:
        if (strlen(lua_tostring(L, -1)) < lua_rawlen(L, -1))
            return fail(error, STATUS_INVALID, "attribute '%.60s' must have no byte 0", name);
        return attributes_set_text(attributes, column, row, ATTRIBUTE_TEXT, lua_tostring(L, -1), error);
    default:
        return fail(error, STATUS_INVALID, "attribute '%.60s' must be a number, a text or a boolean, got %s",
                    name, type_name(L, -1));
    }
}

// Names in alphabetical order, so that a table of Lua gives the same columns in each run.
void read_attributes(lua_State *L, const char *function, Attributes *attributes, int row) {
    Error error;
    if (!lua_istable(L, -1))
        luaL_error(L, "%s: element %d: attributes must be a table, got %s", function, row + 1,
                   push_got(L, -1));
    const char *last = NULL;
    for (;;) {
        const char *next = NULL;
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            if (lua_type(L, -2) != LUA_TSTRING)
                luaL_error(L, "%s: element %d: attributes have names, got one without", function, row + 1);
            const char *name = lua_tostring(L, -2); // kept alive by the table
            if ((!last || strcmp(name, last) > 0) && (!next || strcmp(name, next) < 0))
                next = name;
        }
        if (!next)
            return;
        lua_pushstring(L, next);
        lua_rawget(L, -2);
        if (set_attribute(L, attributes, next, row, &error) != STATUS_OK)
            luaL_error(L, "%s: element %d: %s", function, row + 1, error.text);
        lua_pop(L, 1);
        last = next;
    }
}

// --- list --------------------------------------------------------------------------------------------------

static void push_part(lua_State *L, const Shapes *shapes, const ShapePart *part) {
    lua_createtable(L, part->count, part->hole);
    for (int i = 0; i < part->count; i++) {
        const ShapePoint *point = &shapes->points[part->first + i];
        lua_createtable(L, 3, 0);
        lua_pushnumber(L, point->x);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, point->y);
        lua_rawseti(L, -2, 2);
        if (shapes->has_altitudes) {
            lua_pushnumber(L, (double)point->altitude);
            lua_rawseti(L, -2, 3);
        }
        lua_rawseti(L, -2, i + 1);
    }
    if (part->hole)
        set_flag(L, "hole", true);
}

static int list_shapes(lua_State *L, const ValueType *type) {
    const Shapes *shapes = to_value(L, 1, type);
    if (!shapes)
        return luaL_error(L, "list: %s must be %s, got %s", type->plural, type->singular, push_got(L, 1));
    lua_createtable(L, shapes->count, 0);
    for (int i = 0; i < shapes->count; i++) {
        const Shape *shape = &shapes->shapes[i];
        lua_createtable(L, 0, 2);
        lua_createtable(L, shape->count, 0);
        for (int k = 0; k < shape->count; k++) {
            push_part(L, shapes, &shapes->parts[shape->first + k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_setfield(L, -2, "parts");
        push_attributes(L, shapes->attributes, i);
        lua_setfield(L, -2, "attributes");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int list_lines(lua_State *L) {
    return list_shapes(L, &type_lines);
}

static int list_polygons(lua_State *L) {
    return list_shapes(L, &type_polygons);
}

// --- esker.lines, esker.polygons ---------------------------------------------------------------------------

void read_window(lua_State *L, const char *function, int *width, int *height) {
    const int size = read_table_side(L, function, "size", 0);
    *width = read_table_side(L, function, "width", size);
    *height = read_table_side(L, function, "height", size);
    if (*width < 1 || *height < 1)
        luaL_error(L, "%s: give size, or width and height", function);
}

int read_table_list(lua_State *L, const char *function, const char *elements, int most) {
    lua_pushliteral(L, "list");
    if (lua_rawget(L, 1) != LUA_TTABLE || !is_list(L, -1) || lua_rawlen(L, -1) > (size_t)most)
        luaL_error(L, "%s: list must be a list of at most %d %s, got %s", function, most, elements,
                   lua_isnil(L, -1) ? "nothing" : push_shown(L, -1));
    return (int)lua_rawlen(L, -1);
}

typedef struct Making {
    const char *function;
    Shapes *shapes;
    bool polygons;
    int element;
} Making;

static void check(lua_State *L, const Making *making, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s: element %d: %s", making->function, making->element, error->text);
}

// The position on top of the stack.
static void read_position(lua_State *L, const Making *making) {
    double at[3] = { NAN, NAN, 0 };
    const bool list = lua_istable(L, -1);
    const int count = list ? (int)lua_rawlen(L, -1) : 0;
    for (int i = 0; i < 3 && i < count; i++) {
        at[i] = lua_rawgeti(L, -1, i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
    }
    if (!(fabs(at[0]) <= 1e30 && fabs(at[1]) <= 1e30 && fabs(at[2]) <= HEIGHT_MAX))
        luaL_error(L, "%s: element %d: a position must be { x, y } or { x, y, altitude }, got %s",
                   making->function, making->element, push_shown(L, -1));
    Error error;
    making->shapes->has_altitudes |= count > 2;
    check(L, making, shapes_add_point(making->shapes, (ShapePoint){ at[0], at[1], (float)at[2] }, &error),
          &error);
}

// The list of positions on top of the stack; a ring is closed.
static void read_part(lua_State *L, const Making *making) {
    Error error;
    Shapes *shapes = making->shapes;
    const int first = shapes->point_count, count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
    const int least = making->polygons ? 3 : 2;
    if (count < least)
        luaL_error(L, "%s: element %d: a part must be a list of at least %d positions, got %s",
                   making->function, making->element, least,
                   lua_istable(L, -1) ? "fewer" : push_shown(L, -1));
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        read_position(L, making);
        lua_pop(L, 1);
    }
    const ShapePoint begin = shapes->points[first], end = shapes->points[shapes->point_count - 1];
    if (making->polygons && !(begin.x == end.x && begin.y == end.y))
        check(L, making, shapes_add_point(shapes, begin, &error), &error);
    lua_pushliteral(L, "hole");
    lua_rawget(L, -2);
    const bool hole = making->polygons && lua_toboolean(L, -1);
    lua_pop(L, 1);
    check(L, making, shapes_end_part(shapes, hole, &error), &error);
}

// A table with parts and attributes, as list() gives it, or the positions of a single part.
static void read_shape(lua_State *L, const Making *making) {
    static const char *const names[] = { "parts", "attributes", NULL };
    Error error;
    lua_rawgeti(L, -1, making->element);
    if (is_list(L, -1) && lua_rawlen(L, -1)) {
        read_part(L, making);
    } else {
        if (!lua_istable(L, -1))
            luaL_error(L,
                       "%s: element %d must be a list of positions, or { parts = …, attributes = … }, got %s",
                       making->function, making->element, push_shown(L, -1));
        const char *unknown = unknown_name(L, -1, names);
        if (unknown)
            luaL_error(L, "%s: element %d: unknown key %s", making->function, making->element, unknown);
        lua_pushliteral(L, "parts");
        if (lua_rawget(L, -2) != LUA_TTABLE || !is_list(L, -1) || !lua_rawlen(L, -1))
            luaL_error(L, "%s: element %d: parts must be a list of lists of positions, got %s",
                       making->function, making->element, push_shown(L, -1));
        const int parts = (int)lua_rawlen(L, -1);
        for (int i = 1; i <= parts; i++) {
            lua_rawgeti(L, -1, i);
            read_part(L, making);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        lua_pushliteral(L, "attributes");
        if (lua_rawget(L, -2) != LUA_TNIL) {
            if (!shapes_attributes(making->shapes, &error))
                luaL_error(L, "%s: %s", making->function, error.text);
            read_attributes(L, making->function, making->shapes->attributes, making->shapes->count);
        }
        lua_pop(L, 1);
    }
    check(L, making, shapes_end_shape(making->shapes, &error), &error);
    if (making->polygons)
        check(L, making,
              shapes_check_crossings(making->shapes, &making->shapes->shapes[making->shapes->count - 1],
                                     &error),
              &error);
    lua_pop(L, 1);
}

static int make_shapes(lua_State *L, const ValueType *type) {
    static const char *const names[] = { "list", "size", "width", "height", NULL };
    const char *function = type->kind;
    if (!lua_istable(L, 1))
        return luaL_error(
            L,
            "%s: takes one table, as in { size = 64, list = { { { 1, 2 }, { 9, 2 }, { 9, 8 } } } }; "
            "got %s",
            function, push_got(L, 1));
    lua_settop(L, 1);
    refuse_unknown_names(L, function, names);
    int width, height;
    read_window(L, function, &width, &height);
    const int count = read_table_list(L, function, type->plural, SHAPES_MAX);
    Error error;
    Shapes *shapes = shapes_new(&error);
    if (!shapes)
        return luaL_error(L, "%s: %s", function, error.text);
    shapes->width = width;
    shapes->height = height;
    Output output = { .type = type, .value = shapes };
    push_value(L, &output); // which frees it if an element is wrong
    lua_pushvalue(L, -2);
    Making making = { .function = function, .shapes = shapes, .polygons = type == &type_polygons };
    for (making.element = 1; making.element <= count; making.element++)
        read_shape(L, &making);
    lua_pop(L, 1);
    return 1;
}

int make_lines(lua_State *L) {
    return make_shapes(L, &type_lines);
}

int make_polygons(lua_State *L) {
    return make_shapes(L, &type_polygons);
}

static int lines_length(lua_State *L) {
    const Shapes *shapes = to_value(L, 1, &type_lines);
    lua_pushinteger(L, shapes ? shapes->count : 0);
    return 1;
}

static int polygons_length(lua_State *L) {
    const Shapes *shapes = to_value(L, 1, &type_polygons);
    lua_pushinteger(L, shapes ? shapes->count : 0);
    return 1;
}

#define LIST_DOC                                                                                             \
    "tables with `parts`, lists of { x, y } or { x, y, altitude } in cells (a hole of a polygon has hole = " \
    "true), and `attributes`"

static const Method lines_list[] = { { "list", list_lines, "", "table[]", LIST_DOC }, { 0 } };
static const Method polygons_list[] = { { "list", list_polygons, "", "table[]", LIST_DOC }, { 0 } };
static const luaL_Reg lines_meta[] = { { "__len", lines_length }, { NULL, NULL } };
static const luaL_Reg polygons_meta[] = { { "__len", polygons_length }, { NULL, NULL } };

const ValueMethods lines_methods = { &type_lines, lines_list, lines_meta };
const ValueMethods polygons_methods = { &type_polygons, polygons_list, polygons_meta };
