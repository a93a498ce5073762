// The part of the module `esker.planes` for rivers and contours of large fields: orders of streams,
// networks, outlets.

#include "analysis/contours.h"
#include "core/gaps.h"
#include "core/memory.h"
#include "large/large.h"
#include "lua/binding.h"
#include "lua/large_values.h"
#include "places/points.h"
#include "rivers/rivers_from_flow.h"
#include "vectors/outlets.h"
#include "water/drainage.h"

#include <float.h>
#include <lauxlib.h>
#include <string.h>

static const char order_join_type[] = "esker.order_join";

// --- orders of streams -------------------------------------------------------------------------------------

// A field of the same rows as `height`, or NULL where there is none.
static const Field *to_beside(lua_State *L, int index, const Field *height) {
    if (lua_isnil(L, index))
        return NULL;
    const Field *field = to_strip(L, index);
    luaL_argcheck(L, field->width == height->width && field->height == height->height, index, "of this size");
    return field;
}

// planes.orders(directions, window, first, sea, orders, drained, least, rivers): notes, or with `orders` the
// orders. The windows have the strip's rows from `first` on, and one row more on each side; one of `drained`
// and `rivers` may be nil.
static int orders(lua_State *L) {
    lua_settop(L, 8);
    StreamStrip strip = { .first = to_size(L, 3),
                          .sea = (float)luaL_checknumber(L, 4),
                          .least = (float)luaL_checknumber(L, 7) };
    strip.height = to_numbers(L, 2, -FLT_MAX);
    strip.drained = to_beside(L, 6, strip.height);
    strip.rivers = to_beside(L, 8, strip.height);
    luaL_argcheck(L, strip.drained || strip.rivers, 6, "a field");
    const int width = strip.height->width;
    strip.rows = to_directions(L, width, &strip.direction);
    luaL_argcheck(L, strip.first + strip.rows <= strip.height->height, 3, "out of range");
    Error error;
    if (lua_isnil(L, 5)) {
        Notes *notes = push_notes(L);
        check_done(L, large_orders_look(&strip, notes, &error), &error);
        push_words(L, notes);
        return 1;
    }
    size_t count;
    const float *known = (const float *)(const void *)to_words(L, 5, &count);
    Field *order = push_sized_field(L, width, strip.rows, "stream_order");
    check_done(L, large_orders_finish(&strip, known, count, order, &error), &error);
    return 1;
}

// planes.order_join(width)
static int new_order_join(lua_State *L) {
    void **held = push_join(L, order_join_type);
    Error error;
    *held = order_join_new(to_size(L, 1), &error);
    check_done(L, *held ? STATUS_OK : STATUS_MEMORY, &error);
    return 1;
}

// join:add(notes): of the next strip
static int add_to_order_join(lua_State *L) {
    OrderJoin *join = to_join(L, order_join_type);
    size_t count;
    const uint32_t *notes = to_words(L, 2, &count);
    Error error;
    check_done(L, order_join_add(join, notes, count, &error), &error);
    return 0;
}

// join:solve(strips, method): a list of the orders of the strips' nodes
static int solve_order_join(lua_State *L) {
    OrderJoin *join = to_join(L, order_join_type);
    const int strips = to_size(L, 2);
    const char *const methods[] = { "strahler", "shreve", "hack", NULL }; // as in stream_order.h
    const int method = luaL_checkoption(L, 3, "strahler", methods);
    Error error;
    check_done(L, order_join_solve(join, method, &error), &error);
    lua_createtable(L, strips, 0);
    for (int i = 0; i < strips; i++) {
        size_t count;
        const float *known = order_join_orders(join, i, &count);
        lua_pushlstring(L, (const char *)known, count * sizeof *known);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int free_order_join(lua_State *L) {
    void **held = luaL_checkudata(L, 1, order_join_type);
    order_join_free(*held);
    *held = NULL;
    return 0;
}

// --- networks ----------------------------------------------------------------------------------------------

void *push_joined(lua_State *L, int index, size_t *size) {
    const lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    *size = 0;
    for (lua_Integer i = 1; i <= count; i++, lua_pop(L, 1)) {
        lua_rawgeti(L, index, i);
        *size += lua_rawlen(L, -1);
    }
    char *bytes = push_memory(L, *size + 1), *to = bytes;
    for (lua_Integer i = 1; i <= count; i++, lua_pop(L, 1)) {
        size_t length;
        lua_rawgeti(L, index, i);
        const char *text = luaL_checklstring(L, -1, &length);
        memcpy(to, text, length);
        to += length;
        lua_pushnil(L);
        lua_rawseti(L, index, i);
    }
    return bytes;
}

static int push_network(lua_State *L, RiverNetwork *network, const Frame *frame) {
    Output output = { .type = &type_network, .value = network };
    network->frame = *frame;
    push_value(L, &output);
    return 1;
}

// --- rivers ------------------------------------------------------------------------------------------------

// planes.river_cells(directions, window, first, row, filled, drained, least, sea): the cells of rivers of a
// strip that begins with the field's `row`, as bytes. The window has the strip's heights from row `first` on,
// and one row more on each side.
static int river_cells(lua_State *L) {
    RiverRows rows = { .height = to_strip(L, 2),
                       .first = to_size(L, 3),
                       .row = to_size(L, 4),
                       .filled = to_strip(L, 5),
                       .sum = to_strip(L, 6),
                       .least = (float)luaL_checknumber(L, 7),
                       .sea = (float)luaL_checknumber(L, 8),
                       .counted = lua_isnoneornil(L, 9) ? NULL : to_strip(L, 9) };
    const int width = rows.height->width, count = to_directions(L, width, &rows.direction);
    luaL_argcheck(L, rows.first + count <= rows.height->height, 3, "out of range");
    const Field *strips[] = { rows.filled, rows.sum, rows.counted };
    for (int i = 0; i < 3; i++)
        luaL_argcheck(L, !strips[i] || (strips[i]->width == width && strips[i]->height == count), 5 + i,
                      "of a strip");
    RiverCell *row = push_memory(L, (size_t)width * sizeof *row);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (int y = 0; y < count; y++)
        luaL_addlstring(&buffer, (const char *)row, (size_t)river_cells_in_row(&rows, y, row) * sizeof *row);
    luaL_pushresult(&buffer);
    return 1;
}

// Whether cells lie within the field, row by row; and their directions lead to cells of it.
static bool are_rivers(const RiverCells *cells) {
    const Field size = { .width = cells->width, .height = cells->height };
    int64_t last = -1;
    for (size_t i = 0; i < cells->count; i++) {
        const RiverCell *cell = &cells->at[i];
        const int64_t at = (int64_t)cell->y * size.width + cell->x;
        if (!within_field(&size, cell->x, cell->y) || at <= last || cell->direction > DRAINS_OFF)
            return false;
        if (cell->direction < DRAINS_OFF && !within_field(&size, cell->x + neighbour_x[cell->direction],
                                                          cell->y + neighbour_y[cell->direction]))
            return false;
        last = at;
    }
    return true;
}

// planes.river_network(width, height, frame, most, sea, river_width, strips): the network of the cells in a
// list of texts.
static int river_network(lua_State *L) {
    RiverCells cells = { .width = to_size(L, 1),
                         .height = to_size(L, 2),
                         .most = luaL_checknumber(L, 4),
                         .sea_level = luaL_checknumber(L, 5),
                         .river_width = luaL_checknumber(L, 6) };
    const Frame frame = read_frame(L, 3);
    size_t size;
    const void *bytes = push_joined(L, 7, &size);
    cells.at = bytes;
    cells.count = size / sizeof *cells.at;
    luaL_argcheck(L, are_rivers(&cells), 7, "cells of this field");
    RiverNetwork *network;
    Error error;
    binding_operation = "rivers_from_flow";
    check_done(L, rivers_of_cells(&binding_run, &cells, &network, &error), &error);
    return push_network(L, network, &frame);
}

// --- contours ----------------------------------------------------------------------------------------------

int push_numbers(lua_State *L, const Operation *operation, Call *call, int arguments, void *params) {
    Error error;
    call->outputs = push_outputs(L);
    lua_insert(L, arguments); // reading clears what is above the arguments
    read_arguments(L, operation, arguments + 1, call, params);
    check_done(L, operation_run(operation, call, params, &error), &error);
    const int count = call->outputs[0].numbers.count;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, call->outputs[0].numbers.at[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

Call sized_call(lua_State *L, Field *height) {
    static float cell; // is not read
    *height = (Field){ .width = to_size(L, 1), .height = to_size(L, 2), .cells = &cell };
    height->frame = read_frame(L, 3);
    Call call = { .run = &binding_run, .width = height->width, .height = height->height };
    call.inputs[0].field = height;
    return call;
}

// planes.contour_levels(sample, arguments): what levels_of_contours gives.
static int contour_levels(lua_State *L) {
    lua_settop(L, 2);
    const Field *sample = to_strip(L, 1);
    Call call = { .run = &binding_run, .width = sample->width, .height = sample->height };
    call.inputs[0].field = sample;
    void *params = push_memory(L, levels_of_contours.params_size);
    lua_insert(L, 2);
    return push_numbers(L, &levels_of_contours, &call, 3, params);
}

enum { STYLE_NUMBERS = 2 }; // before the levels

// The levels of such a list.
static Levels push_levels(lua_State *L, int index) {
    const lua_Integer count = ((lua_Integer)lua_rawlen(L, index) - STYLE_NUMBERS) / 2;
    Levels levels = { push_memory(L, ((size_t)count + 1) * sizeof *levels.at), (int)count };
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, index, STYLE_NUMBERS + 2 * i + 1);
        lua_rawgeti(L, index, STYLE_NUMBERS + 2 * i + 2);
        levels.at[i] = (Level){ (float)luaL_checknumber(L, -2), luaL_checknumber(L, -1) > 0 };
        lua_pop(L, 2);
    }
    return levels;
}

// planes.contour_squares(window, first, end, row, levels): as bytes, those of contour_squares_add.
static int contour_squares(lua_State *L) {
    const Field *window = to_strip(L, 1);
    const int first = to_size(L, 2), end = to_size(L, 3);
    const Levels levels = push_levels(L, 5);
    float *heights = push_memory(L, ((size_t)levels.count + 1) * sizeof *heights);
    for (int i = 0; i < levels.count; i++)
        heights[i] = levels.at[i].height;
    ContourSquares squares = { 0 };
    Error error;
    binding_operation = "contours";
    const Status status = contour_squares_add(&binding_run, window, first, end, (int)luaL_checkinteger(L, 4),
                                              heights, levels.count, &squares, &error);
    push_notes(L)->at = (uint32_t *)(void *)squares.at; // frees them
    check_done(L, status, &error);
    lua_pushlstring(L, (const char *)squares.at, squares.count * sizeof *squares.at);
    return 1;
}

static bool are_squares(const ContourSquares *squares, int width, int height, int levels) {
    for (size_t i = 0; i < squares->count; i++) {
        const ContourSquare *at = &squares->at[i];
        if (at->x < 0 || at->y < 0 || at->x > width || at->y > height || at->level >= levels ||
            !is_contour_code(at->code))
            return false;
    }
    return true;
}

// planes.contour_network(width, height, frame, levels, strips): the lines through the squares of a list of
// texts.
static int contour_network(lua_State *L) {
    const int width = to_size(L, 1), height = to_size(L, 2);
    const Frame frame = read_frame(L, 3);
    const Levels levels = push_levels(L, 4);
    lua_rawgeti(L, 4, 1);
    lua_rawgeti(L, 4, 2);
    const ContourStyle style = { (int)luaL_checkinteger(L, -2), luaL_checknumber(L, -1) };
    size_t size;
    ContourSquares squares = { .at = push_joined(L, 5, &size) };
    squares.count = size / sizeof *squares.at;
    luaL_argcheck(L, are_squares(&squares, width, height, levels.count), 5, "squares of this field");
    RiverNetwork *network;
    Error error;
    binding_operation = "contours";
    check_done(L,
               contours_of_squares(&binding_run, &squares, &levels, style, width, height, &network, &error),
               &error);
    return push_network(L, network, &frame);
}

// --- outlets -----------------------------------------------------------------------------------------------

// planes.outlets(width, height, frame, points, arguments): how far outlets are moved, and the column and the
// row of each before, as a list. `points` may be nil.
static int outlets(lua_State *L) {
    lua_settop(L, 5);
    Field size;
    Call call = sized_call(L, &size);
    if (!lua_isnil(L, 4)) {
        call.inputs[1].value = to_value(L, 4, &type_points);
        call.inputs[1].type = &type_points;
        luaL_argcheck(L, call.inputs[1].value, 4, "points");
    }
    void *params = push_memory(L, outlets_of_catchment.params_size);
    lua_insert(L, 5);
    return push_numbers(L, &outlets_of_catchment, &call, 6, params);
}

// planes.snap(flow, x, y, radius, across, down): where the outlet at a cell of a part is moved, over cells of
// a shape.
static int snap(lua_State *L) {
    const Field *flow = to_strip(L, 1);
    const int x = to_size(L, 2), y = to_size(L, 3);
    luaL_argcheck(L, within_field(flow, x, y), 2, "in the part");
    const SnapReach reach = { luaL_checknumber(L, 4), { luaL_checknumber(L, 5), luaL_checknumber(L, 6) } };
    const size_t cell = snap_cell(flow, (size_t)y * (size_t)flow->width + (size_t)x, reach);
    lua_pushinteger(L, (lua_Integer)(cell % (size_t)flow->width));
    lua_pushinteger(L, (lua_Integer)(cell / (size_t)flow->width));
    return 2;
}

// planes.ground(width, height, frame): the metres along a cell of such a field, 0 where they are not known,
// and whether their areas differ (as flow_areas has it).
static int ground(lua_State *L) {
    Field field = { .width = to_size(L, 1), .height = to_size(L, 2) };
    lua_settop(L, 3);
    field.frame = read_frame(L, 3);
    const CellShape from = field_row_shape(&field, 0), to = field_row_shape(&field, field.height - 1);
    lua_pushnumber(L, field_cell_metres(&field));
    lua_pushboolean(L, field_cell_metres(&field) > 0 &&
                           (from.across * from.down != 1 || to.across * to.down != 1));
    return 2;
}

// -----------------------------------------------------------------------------------------------------------

static const luaL_Reg order_join_methods[] = { { "add", add_to_order_join },
                                               { "solve", solve_order_join },
                                               { NULL, NULL } };
static const luaL_Reg functions[] = { { "orders", orders },
                                      { "order_join", new_order_join },
                                      { "river_cells", river_cells },
                                      { "river_network", river_network },
                                      { "contour_levels", contour_levels },
                                      { "contour_squares", contour_squares },
                                      { "contour_network", contour_network },
                                      { "outlets", outlets },
                                      { "snap", snap },
                                      { "ground", ground },
                                      { NULL, NULL } };

void add_river_functions(lua_State *L) {
    define_class(L, order_join_type, order_join_methods, free_order_join);
    luaL_setfuncs(L, functions, 0);
}
