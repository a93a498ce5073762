// Functions of `esker.planes` that make fields in memory of large ones: fewer cells, for meshes and engines.

#include "lua/binding.h"
#include "lua/large_values.h"

#include "core/gaps.h"
#include "exchange/engines.h"
#include "filter/resize.h"

#include <math.h>
#include <stddef.h>

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

// planes.place(field, frame, width, height): puts a field where one of this size lies.
static int place(lua_State *L) {
    Field *field = to_field(L, 1);
    if (!field || !field->cells)
        return luaL_argerror(L, 1, "a field");
    const Frame frame = read_frame(L, 2);
    field->frame = frame_of_cells(&frame, (int)luaL_checkinteger(L, 3), (int)luaL_checkinteger(L, 4),
                                  field->width, field->height);
    return 0;
}

// planes.export_size(arguments, width, height, frame): checks the arguments of `export`; the size that it
// brings such a field to, and the metres along one of its cells, 0 if the frame does not say.
static int export_size(lua_State *L) {
    const int width = (int)luaL_checkinteger(L, 2), height = (int)luaL_checkinteger(L, 3);
    const Frame frame = read_frame(L, 4);
    lua_settop(L, 1);
    max_align_t params[16];
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
    lua_pushnumber(L, frame_cell_metres(&frame, width, height));
    return 2;
}

const luaL_Reg shrinking_functions[] = { { "shrink", shrink },
                                         { "sides", sides },
                                         { "needs", needs },
                                         { "resize", resize },
                                         { "take_gaps", take_gaps },
                                         { "place", place },
                                         { "export_size", export_size },
                                         { NULL, NULL } };
