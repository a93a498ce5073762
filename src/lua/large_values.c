// Functions of `esker.planes`: what lua/esker/large/field.lua needs to make fields larger than memory.

#include "lua/large_values.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/summary.h"
#include "exchange/export.h"
#include "exchange/picture_file.h"
#include "exchange/row_file.h"
#include "filter/resize.h"
#include "large/large.h"
#include "lua/binding.h"
#include "operations.h"
#include "places/points.h"

#include <float.h>
#include <lauxlib.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// --- shrinking ---------------------------------------------------------------------------------------------

// Functions of `esker.planes` that make fields in memory of large ones: fewer cells, for meshes and engines.

extern const Operation op_resize, op_export;

static void check(lua_State *L, Status status, const Error *error) {
    if (status != STATUS_OK)
        luaL_error(L, "%s", error->text);
}

// The mean of the cells with data in a rectangle; NAN if there are none.
static float mean_within(const Field *field, int left, int top, int width, int height) {
    double sum = 0, cells = 0;
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            if (field_has_data(field, (size_t)y * (size_t)field->width + (size_t)x)) {
                sum += (double)field_row(field, y)[x];
                cells++;
            }
    return cells > 0 ? (float)(sum / cells) : NAN;
}

// planes.shrink(field, width, height): means of rectangles of width × height cells, or of those with data;
// cells left over at the ends are dropped.
static int shrink(lua_State *L) {
    const Field *field = to_field(L, 1);
    if (!field || !field->cells)
        return luaL_argerror(L, 1, "a field");
    const int width = (int)luaL_checkinteger(L, 2), height = (int)luaL_checkinteger(L, 3);
    luaL_argcheck(L, width > 0 && field->width >= width, 2, "must fit");
    luaL_argcheck(L, height > 0 && field->height >= height, 3, "must fit");
    Field *means = push_sized_field(L, field->width / width, field->height / height, "large");
    for (int y = 0; y < means->height; y++)
        for (int x = 0; x < means->width; x++)
            field_row(means, y)[x] = mean_within(field, x * width, y * height, width, height);
    Error error;
    check(L, gaps_find(means, &error), &error);
    return 1;
}

// planes.sides(width, height, arguments): the sides to which `resize` brings such a field, and the number of
// the interpolation.
static int sides(lua_State *L) {
    const Field from = { .width = (int)luaL_checkinteger(L, 1), .height = (int)luaL_checkinteger(L, 2) };
    Resize resize;
    Call call = { 0 };
    read_arguments(L, &op_resize, 3, &call, &resize);
    int width = 0, height = 0;
    Error error;
    check(L, resize_sides(&resize, &from, &width, &height, &error), &error);
    lua_pushinteger(L, width);
    lua_pushinteger(L, height);
    lua_pushinteger(L, resize.interpolation);
    return 3;
}

static Axis read_axis(lua_State *L, int from, int to, int interpolation) {
    return (Axis){ (int)luaL_checkinteger(L, from), (int)luaL_checkinteger(L, to),
                   (int)luaL_checkinteger(L, interpolation), false, false };
}

// planes.needs(from, to, interpolation, first, rows): of `from` rows those that make these of `to`, as the
// first and how many.
static int needs(lua_State *L) {
    const Axis down = read_axis(L, 1, 2, 3);
    const int first = (int)luaL_checkinteger(L, 4), rows = (int)luaL_checkinteger(L, 5);
    int top, bottom;
    resize_needs(&down, first, first + rows, &top, &bottom);
    lua_pushinteger(L, top);
    lua_pushinteger(L, bottom - top);
    return 2;
}

// The rows of the gaps, and of heights without gaps.
static Status resize_gaps(const Field *part, int top, const Axis *down, bool wraps, Field *to, Field *mask,
                          int first, int end, Error *error) {
    Field filled = { 0 }, gaps = { 0 };
    Axis marks = *down;
    marks.magnitudes = true;
    Status status = gaps_fill(part, wraps, &filled, error);
    if (status == STATUS_OK)
        status = field_create(&gaps, part->width, part->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(part); i++)
        field_cells(&gaps)[i] = part->gaps->at[i];
    if (status == STATUS_OK)
        status = resize_part(&binding_run, &gaps, top, &marks, mask, first, end, error);
    if (status == STATUS_OK)
        status = resize_part(&binding_run, &filled, top, down, to, first, end, error);
    field_free(&filled);
    field_free(&gaps);
    return status;
}

// The field at `index`; an error if it has another number of cells.
static Field *check_sides(lua_State *L, int index, int width, int height) {
    Field *field = to_field(L, index);
    if (!field || !field->cells || (width && field->width != width) || (height && field->height != height))
        luaL_argerror(L, index, "of this size");
    return field;
}

// planes.resize(from, to, interpolation, first, rows, field, part, top, wraps, mask): these rows of a field,
// of a part that begins with row `top`. Where the part has gaps, `mask` gets what resize makes of them.
static int resize(lua_State *L) {
    const Axis down = read_axis(L, 1, 2, 3);
    const int first = (int)luaL_checkinteger(L, 4), rows = (int)luaL_checkinteger(L, 5);
    luaL_argcheck(L, first >= 0 && rows > 0 && first + rows <= down.to, 5, "out of range");
    Field *field = check_sides(L, 6, 0, down.to), *part = check_sides(L, 7, 0, 0);
    luaL_argcheck(L, field->width <= part->width, 7, "of this size");
    const int top = (int)luaL_checkinteger(L, 8);
    int needed_top, needed_bottom;
    resize_needs(&down, first, first + rows, &needed_top, &needed_bottom);
    luaL_argcheck(L, top <= needed_top && needed_bottom <= top + part->height, 8, "all rows that are needed");
    Error error;
    if (part->gaps) {
        Field *mask = check_sides(L, 10, field->width, field->height);
        check(L, resize_gaps(part, top, &down, lua_toboolean(L, 9), field, mask, first, first + rows, &error),
              &error);
    } else {
        check(L, resize_part(&binding_run, part, top, &down, field, first, first + rows, &error), &error);
    }
    return 0;
}

// planes.take_gaps(field, mask): gives it the gaps that planes.resize put into the mask.
static int take_gaps(lua_State *L) {
    Field *field = check_sides(L, 1, 0, 0);
    const Field *mask = check_sides(L, 2, field->width, field->height);
    Error error;
    check(L, gaps_take(field, mask, &error), &error);
    return 0;
}

// planes.place(field, frame, width, height, interpolation): puts a field, of which it was made, where one of
// this size lies.
static int place(lua_State *L) {
    Field *field = to_field(L, 1);
    if (!field || !field->cells)
        return luaL_argerror(L, 1, "a field");
    const Frame frame = read_frame(L, 2);
    const int width = (int)luaL_checkinteger(L, 3), height = (int)luaL_checkinteger(L, 4);
    field->frame = (luaL_checkinteger(L, 5) == POINTS ? frame_of_points : frame_of_cells)(
        &frame, width, height, field->width, field->height);
    return 0;
}

// planes.export_size(arguments, width, height, frame): checks the arguments of `export`; the size that it
// brings such a field to, the number of the interpolation, and the metres along one of its cells, 0 if the
// frame does not say; and how many of them lie between two points.
static int export_size(lua_State *L) {
    const int width = (int)luaL_checkinteger(L, 2), height = (int)luaL_checkinteger(L, 3);
    const Frame frame = read_frame(L, 4);
    lua_settop(L, 1);
    max_align_t params[256];
    luaL_argcheck(L, op_export.params_size <= sizeof params, 1, "too many");
    Call call = { 0 };
    read_arguments(L, &op_export, 1, &call, params);
    int engine = UNREAL, wanted = 0, size = 0;
    if (lua_istable(L, 1)) {
        lua_getfield(L, 1, "engine");
        engine = luaL_checkoption(L, -1, "unreal", operation_param(&op_export, "engine")->choices);
        lua_getfield(L, 1, "size");
        wanted = (int)luaL_optinteger(L, -1, 0);
    }
    Error error;
    check(L, engine_size(&engines[engine], wanted, width, height, &size, &error), &error);
    lua_pushinteger(L, size);
    lua_pushinteger(L, engines[engine].nodes ? CUBIC : POINTS);
    lua_pushnumber(L, frame_cell_metres(&frame, width, height));
    lua_pushnumber(L, engine_spacing(&engines[engine], width, size).cells);
    return 4;
}

static Box to_box(lua_State *L, int index) {
    double at[4];
    for (int i = 0; i < 4; i++) {
        lua_rawgeti(L, index, i + 1);
        at[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return (Box){ at[0], at[1], at[2], at[3] };
}

// planes.export_cut(value, land, box): how many points, lines or polygons there are, are cut and are left out
// by a terrain that covers a part of cells and ends at another, each { left, top, right, bottom }.
static int export_cut(lua_State *L) {
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    const Box land = to_box(L, 2), box = to_box(L, 3);
    enum { TYPES = 3 };
    static const ValueType *const types[TYPES] = { &type_points, &type_lines, &type_polygons };
    Input what = { 0 };
    for (int i = 0; i < TYPES && !what.value; i++)
        what = (Input){ .type = types[i], .value = to_value(L, 1, types[i]) };
    luaL_argcheck(L, what.value, 1, "points, lines or polygons");
    CutCount count;
    Error error;
    check(L, export_count_cut(&what, &land, &box, &count, &error), &error);
    lua_pushinteger(L, count.all);
    lua_pushinteger(L, count.cut);
    lua_pushinteger(L, count.left_out);
    return 3;
}

static void push_sizes(lua_State *L, const int *sizes, const char *name) {
    lua_newtable(L);
    for (int i = 0; i < ENGINE_SIZES && sizes[i]; i++) {
        lua_pushinteger(L, sizes[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

// planes.engines(): the names of those that take tiles.
static int engines_with_tiles(lua_State *L) {
    const char *const *names = operation_param(&op_export, "engine")->choices;
    lua_newtable(L);
    for (int i = 0, count = 0; i < ENGINE_COUNT; i++)
        if (engines[i].place) {
            lua_pushstring(L, names[i]);
            lua_rawseti(L, -2, ++count);
        }
    return 1;
}

// planes.engine(name): what is declared of an engine's tiles: `place`, their names, nil if it takes none;
// `shares`, whether neighbours may share a row of points; `sizes` of those that do, and `tiles` of those that
// do not; `most` along a side, 0 for any number; `south_first`, whether rows of tiles count from the south.
static int engine(lua_State *L) {
    const Engine *each =
        &engines[luaL_checkoption(L, 1, NULL, operation_param(&op_export, "engine")->choices)];
    lua_newtable(L);
    push_sizes(L, each->sizes, "sizes");
    push_sizes(L, each->tiles, "tiles");
    lua_pushstring(L, each->place);
    lua_setfield(L, -2, "place");
    lua_pushstring(L, each->ending);
    lua_setfield(L, -2, "ending");
    lua_pushinteger(L, each->most_tiles);
    lua_setfield(L, -2, "most");
    lua_pushboolean(L, each->shares);
    lua_setfield(L, -2, "shares");
    lua_pushboolean(L, each->south_first);
    lua_setfield(L, -2, "south_first");
    return 1;
}

static const luaL_Reg shrinking_functions[] = { { "shrink", shrink },
                                                { "sides", sides },
                                                { "needs", needs },
                                                { "resize", resize },
                                                { "take_gaps", take_gaps },
                                                { "place", place },
                                                { "export_size", export_size },
                                                { "export_cut", export_cut },
                                                { "engine", engine },
                                                { "engines", engines_with_tiles },
                                                { NULL, NULL } };

// --- planes ------------------------------------------------------------------------------------------------

static const char plane_type[] = "esker.plane", writer_type[] = "esker.row_writer",
                  reader_type[] = "esker.row_reader", summary_type[] = "esker.summary";

static void *push_held(lua_State *L, size_t size, const char *type) {
    void *held = lua_newuserdatauv(L, size, 0);
    memset(held, 0, size);
    luaL_setmetatable(L, type);
    return held;
}

static int to_int(lua_State *L, int index) {
    const lua_Integer value = luaL_checkinteger(L, index);
    luaL_argcheck(L, value >= 0 && value <= SIDE_MAX, index, "out of range");
    return (int)value;
}

static Field *check_field(lua_State *L, int index) {
    Field *field = to_field(L, index);
    if (!field)
        luaL_error(L, "a window must be a field, got %s", push_got(L, index));
    return field;
}

// --- planes ------------------------------------------------------------------------------------------------

Plane *to_plane(lua_State *L, int index) {
    Plane *plane = luaL_checkudata(L, index, plane_type);
    luaL_argcheck(L, plane->width > 0, index, "it is closed");
    return plane;
}

static Plane *new_plane(lua_State *L, int width, int height, size_t cell) {
    lua_gc(L, LUA_GCCOLLECT); // of planes that nothing uses any more
    Plane *plane = push_held(L, sizeof *plane, plane_type);
    Error error;
    check(L, plane_create(plane, width, height, cell, &error), &error);
    return plane;
}

// planes.create(width, height, bytes): of heights, or with `bytes` of bytes
static int create(lua_State *L) {
    new_plane(L, to_int(L, 1), to_int(L, 2), lua_toboolean(L, 3) ? 1 : sizeof(float));
    return 1;
}

// plane:read(first, rows)
static int read_plane(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int first = to_int(L, 2), rows = to_int(L, 3);
    luaL_argcheck(L, first + rows <= plane->height, 3, "out of range");
    Field *field = push_sized_field(L, plane->width, rows, "large");
    Error error;
    check(L, plane_read(plane, first, rows, field_cells(field), &error), &error);
    check(L, gaps_find(field, &error), &error);
    return 1;
}

// plane:part(x, y, width, height)
static int read_part(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int x = to_int(L, 2), y = to_int(L, 3), width = to_int(L, 4), height = to_int(L, 5);
    luaL_argcheck(L, x + width <= plane->width && y + height <= plane->height, 4, "out of range");
    Field *field = push_sized_field(L, width, height, "large");
    Error error;
    for (int row = 0; row < height; row++) {
        const size_t at = ((size_t)(y + row) * (size_t)plane->width + (size_t)x) * plane->cell;
        check(L, plane_read_bytes(plane, at, (size_t)width * plane->cell, field_row(field, row), &error),
              &error);
    }
    check(L, gaps_find(field, &error), &error);
    return 1;
}

// Cells without data are no numbers in planes.
static Status write_gaps(const Plane *plane, int first, const Field *field, Error *error) {
    float *row = memory_new((size_t)field->width, sizeof *row, error);
    Status status = row ? STATUS_OK : STATUS_MEMORY;
    for (int y = 0; y < field->height && status == STATUS_OK; y++) {
        for (int x = 0; x < field->width; x++)
            row[x] = cell_or_none(field, x, y);
        status = plane_write(plane, first + y, 1, row, error);
    }
    memory_free(row);
    return status;
}

// plane:write(first, field)
static int write_plane(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int first = to_int(L, 2);
    const Field *field = check_field(L, 3);
    luaL_argcheck(L, field->width == plane->width && first + field->height <= plane->height, 3,
                  "of this size");
    Error error;
    check(L,
          field->gaps ? write_gaps(plane, first, field, &error)
                      : plane_write(plane, first, field->height, field->cells, &error),
          &error);
    return 0;
}

// plane:discard(first, rows): frees the room of rows that nobody reads any more.
static int discard_rows(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int first = to_int(L, 2), rows = to_int(L, 3);
    luaL_argcheck(L, first + rows <= plane->height, 3, "out of range");
    plane_discard(plane, first, rows);
    return 0;
}

static int free_plane(lua_State *L) {
    plane_free(luaL_checkudata(L, 1, plane_type));
    return 0;
}

// plane:read_bytes(first, rows), of a plane whose cells are bytes
static int read_bytes(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int first = to_int(L, 2), rows = to_int(L, 3);
    luaL_argcheck(L, first + rows <= plane->height, 3, "out of range");
    luaL_Buffer buffer;
    const size_t size = (size_t)rows * plane_row(plane);
    char *bytes = luaL_buffinitsize(L, &buffer, size);
    Error error;
    check(L, plane_read(plane, first, rows, bytes, &error), &error);
    luaL_pushresultsize(&buffer, size);
    return 1;
}

// plane:part_bytes(x, y, width, height): the same of a part
static int read_part_bytes(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int x = to_int(L, 2), y = to_int(L, 3), width = to_int(L, 4), height = to_int(L, 5);
    luaL_argcheck(L, x + width <= plane->width && y + height <= plane->height, 4, "out of range");
    luaL_Buffer buffer;
    const size_t row_size = (size_t)width * plane->cell, size = (size_t)height * row_size;
    char *bytes = luaL_buffinitsize(L, &buffer, size);
    Error error;
    for (int row = 0; row < height; row++) {
        const size_t at = (size_t)(y + row) * plane_row(plane) + (size_t)x * plane->cell;
        check(L, plane_read_bytes(plane, at, row_size, bytes + (size_t)row * row_size, &error), &error);
    }
    luaL_pushresultsize(&buffer, size);
    return 1;
}

// plane:write_bytes(first, bytes): whole rows
static int write_bytes(lua_State *L) {
    const Plane *plane = to_plane(L, 1);
    const int first = to_int(L, 2);
    size_t size;
    const char *bytes = luaL_checklstring(L, 3, &size);
    const size_t rows = size / plane_row(plane);
    luaL_argcheck(L, size % plane_row(plane) == 0 && (size_t)first + rows <= (size_t)plane->height, 3,
                  "of this size");
    Error error;
    check(L, plane_write_bytes(plane, (size_t)first * plane_row(plane), size, bytes, &error), &error);
    return 0;
}

static const luaL_Reg plane_methods[] = { { "read", read_plane },
                                          { "part", read_part },
                                          { "write", write_plane },
                                          { "read_bytes", read_bytes },
                                          { "write_bytes", write_bytes },
                                          { "discard", discard_rows },
                                          { "part_bytes", read_part_bytes },
                                          { "free", free_plane },
                                          { NULL, NULL } };

// --- windows -----------------------------------------------------------------------------------------------

// planes.blank(width, height, none, maker): a field of 0, or of cells without data.
static int blank(lua_State *L) {
    const float cell = lua_toboolean(L, 3) ? NAN : 0;
    Field *field = push_sized_field(L, to_int(L, 1), to_int(L, 2), luaL_optstring(L, 4, "large"));
    for (size_t i = 0; i < field_count(field); i++)
        field_cells(field)[i] = cell;
    return 1;
}

// Copies the cells of a part, those without data too or not; gaps of all parts are found by planes.finish.
static int copy_part(lua_State *L, bool gaps_too) {
    Field *field = check_field(L, 1);
    const Field *part = check_field(L, 2);
    const int x = to_int(L, 3), y = to_int(L, 4);
    luaL_argcheck(L, x + part->width <= field->width && y + part->height <= field->height, 2, "too large");
    for (int row = 0; row < part->height; row++) {
        float *to = field_row(field, y + row) + x;
        for (int column = 0; part->gaps && column < part->width; column++) {
            const float cell = cell_or_none(part, column, row);
            to[column] = isnan(cell) && !gaps_too ? to[column] : cell;
        }
        if (!part->gaps)
            memcpy(to, field_row(part, row), (size_t)part->width * sizeof(float));
    }
    return 0;
}

// planes.put(field, part, x, y)
static int put(lua_State *L) {
    return copy_part(L, true);
}

// planes.lay(field, part, x, y): where the part has no data the field keeps its cells.
static int lay(lua_State *L) {
    return copy_part(L, false);
}

// planes.systems_agree(a, b): whether two coordinate systems, nil where not known, may be one.
static int may_be_one_system(lua_State *L) {
    lua_pushboolean(L, systems_agree(luaL_optstring(L, 1, NULL), luaL_optstring(L, 2, NULL)));
    return 1;
}

// planes.finish(field): the same field, once all parts are there.
static int finish(lua_State *L) {
    Error error;
    check(L, gaps_find(check_field(L, 1), &error), &error);
    lua_settop(L, 1);
    return 1;
}

// planes.window_of(field, width, height, first, frame): lets a field pass for the rows from `first` on of one
// of that size with that frame.
static int window_of(lua_State *L) {
    Field *field = check_field(L, 1);
    const Whole whole = { .width = to_int(L, 2),
                          .height = to_int(L, 3),
                          .row = (int)luaL_checkinteger(L, 4) };
    lua_settop(L, 5);
    field->frame = read_frame(L, 5);
    field->whole = whole;
    lua_settop(L, 1);
    return 1;
}

// planes.set_range(window, low, high): the lowest and the highest height of the whole.
static int set_range(lua_State *L) {
    Field *field = check_field(L, 1);
    field->whole.low = (float)luaL_checknumber(L, 2);
    field->whole.high = (float)luaL_checknumber(L, 3);
    field->whole.has_range = true;
    return 0;
}

// planes.locality(name, …): how far an operation sees with these arguments, nil: over the whole field;
// whether over edges that meet; whether its results' edges meet; and where it lies, with the unit of all
// inputs. Warns of cells that are not what the operation takes them for.
static int locality(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    for (const Operation *const *each = all_operations; *each; each++)
        if (strcmp((*each)->name, name) == 0) {
            lua_remove(L, 1);
            const Locality locality = locality_of_call(L, *each);
            if (locality.cells == SEES_ALL)
                lua_pushnil(L);
            else
                lua_pushinteger(L, locality.cells);
            lua_pushboolean(L, locality.wraps);
            lua_pushboolean(L, locality.results_wrap);
            push_frame(L, &locality.frame);
            return 4;
        }
    return luaL_error(L, "there is no operation '%s'", name);
}

// --- statistics --------------------------------------------------------------------------------------------

static int summary(lua_State *L) {
    push_held(L, sizeof(SummaryParts), summary_type);
    return 1;
}

static int add_to_summary(lua_State *L) {
    Error error;
    check(L, summary_add(&binding_run, check_field(L, 2), luaL_checkudata(L, 1, summary_type), &error),
          &error);
    return 0;
}

static int result_of_summary(lua_State *L) {
    const Summary summary = summary_of(luaL_checkudata(L, 1, summary_type));
    const char *const names[] = { "min", "max", "mean", "stddev", "sum" };
    const double numbers[] = { summary.min, summary.max, summary.mean, summary.stddev, summary.sum };
    lua_createtable(L, 0, 5);
    for (int i = 0; i < 5; i++) {
        lua_pushnumber(L, numbers[i]);
        lua_setfield(L, -2, names[i]);
    }
    return 1;
}

static const luaL_Reg summary_methods[] = { { "add", add_to_summary },
                                            { "result", result_of_summary },
                                            { NULL, NULL } };

// --- files -------------------------------------------------------------------------------------------------

// planes.writer(path, width, height)
static int writer(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    const int width = to_int(L, 2), height = to_int(L, 3);
    RowWriter *writer = push_held(L, sizeof *writer, writer_type);
    Error error;
    check(L, row_writer_open(writer, path, width, height, &error), &error);
    return 1;
}

static int write_rows(lua_State *L) {
    Error error;
    check(L, row_writer_add(luaL_checkudata(L, 1, writer_type), check_field(L, 2), &error), &error);
    return 0;
}

// writer:close(frame): `frame` is of the whole, and may be nil.
static int finish_writer(lua_State *L) {
    RowWriter *writer = luaL_checkudata(L, 1, writer_type);
    lua_settop(L, 2);
    const Frame frame = read_frame(L, 2);
    Error error;
    check(L, row_writer_finish(writer, &frame, read_labels(L), &error), &error);
    report_written(L, writer->path);
    return 0;
}

static int abandon_writer(lua_State *L) {
    row_writer_abandon(luaL_checkudata(L, 1, writer_type));
    return 0;
}

static const luaL_Reg writer_methods[] = { { "write", write_rows },
                                           { "close", finish_writer },
                                           { NULL, NULL } };

// --- pictures ----------------------------------------------------------------------------------------------

static const char picture_type[] = "esker.picture_writer";

// planes.picture_writer(path, width, height)
static int picture_writer(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    const int width = to_int(L, 2), height = to_int(L, 3);
    PictureWriter *writer = push_held(L, sizeof *writer, picture_type);
    Error error;
    check(L, picture_writer_open(writer, path, width, height, &error), &error);
    return 1;
}

// writer:write(image, first, rows): these rows of the image
static int write_picture_rows(lua_State *L) {
    PictureWriter *writer = luaL_checkudata(L, 1, picture_type);
    const Image *image = to_image(L, 2);
    const int first = to_int(L, 3), rows = to_int(L, 4);
    luaL_argcheck(L, image && first + rows <= image->height, 2, "an image with these rows");
    Error error;
    check(L, picture_writer_add(writer, image, first, rows, &error), &error);
    return 0;
}

// writer:close(frame): may be nil
static int finish_picture(lua_State *L) {
    PictureWriter *writer = luaL_checkudata(L, 1, picture_type);
    lua_settop(L, 2);
    Frame frame = read_frame(L, 2);
    frame_drop_heights(&frame);
    Error error;
    check(L, picture_writer_finish(writer, &binding_run, &frame, read_labels(L), &error), &error);
    report_written(L, writer->path);
    return 0;
}

static int abandon_picture(lua_State *L) {
    picture_writer_abandon(luaL_checkudata(L, 1, picture_type));
    return 0;
}

static const luaL_Reg picture_methods[] = { { "write", write_picture_rows },
                                            { "close", finish_picture },
                                            { NULL, NULL } };

// planes.reader(path, width, height, maker): the sides only of a format that does not store them; errors name
// the maker, which the user called. Returns width and height as well, and where the cells lie.
static int reader(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    const int width = lua_isnil(L, 2) ? 0 : to_int(L, 2), height = lua_isnil(L, 3) ? 0 : to_int(L, 3);
    const char *caller = luaL_optstring(L, 4, "large"); // before anything is pushed
    RowReader *reader = push_held(L, sizeof *reader, reader_type);
    Error error;
    if (row_reader_open(reader, path, width, height, &error) != STATUS_OK)
        return luaL_error(L, "%s: %s", caller, error.text);
    lua_pushinteger(L, reader->width);
    lua_pushinteger(L, reader->height);
    push_frame(L, &reader->frame);
    return 4;
}

// reader:read(first, rows)
static int read_rows(lua_State *L) {
    RowReader *reader = luaL_checkudata(L, 1, reader_type);
    const int first = to_int(L, 2), rows = to_int(L, 3);
    Field *field = push_sized_field(L, reader->width, rows, "large");
    Error error;
    check(L, row_reader_get(reader, first, field, &error), &error);
    return 1;
}

static int close_reader(lua_State *L) {
    row_reader_close(luaL_checkudata(L, 1, reader_type));
    return 0;
}

static const luaL_Reg reader_methods[] = { { "read", read_rows }, { NULL, NULL } };

// planes.give_back(kept): collects garbage, and freed memory goes back to the system, as far as either is
// more than `kept` bytes (0). What comes next needs blocks of other sizes.
static int give_back(lua_State *L) {
    const lua_Integer kept = luaL_optinteger(L, 1, 0);
    if (kept <= 0 || memory_in_use() > (size_t)kept)
        lua_gc(L, LUA_GCCOLLECT);
    if (kept > 0) {
        memory_keep_at_most((size_t)kept);
        memory_keep_at_most(SIZE_MAX);
    } else
        memory_give_back();
    return 0;
}

// --- esker.planes ------------------------------------------------------------------------------------------

static const luaL_Reg functions[] = { { "create", create },
                                      { "blank", blank },
                                      { "put", put },
                                      { "lay", lay },
                                      { "systems_agree", may_be_one_system },
                                      { "finish", finish },
                                      { "window_of", window_of },
                                      { "locality", locality },
                                      { "summary", summary },
                                      { "writer", writer },
                                      { "picture_writer", picture_writer },
                                      { "set_range", set_range },
                                      { "reader", reader },
                                      { "give_back", give_back },
                                      { NULL, NULL } };

void add_plane_functions(lua_State *L) {
    define_class(L, plane_type, plane_methods, free_plane);
    define_class(L, summary_type, summary_methods, NULL);
    define_class(L, writer_type, writer_methods, abandon_writer);
    define_class(L, picture_type, picture_methods, abandon_picture);
    define_class(L, reader_type, reader_methods, close_reader);
    luaL_setfuncs(L, functions, 0);
    luaL_setfuncs(L, shrinking_functions, 0);
}
