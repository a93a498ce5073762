// The part of the module `esker.planes` for the directions of water: of strips, and of flats across them
// (src/large/large.h). Directions are strings, which go to files as they are.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "lua/binding.h"
#include "lua/large_values.h"
#include "water/drainage.h"
#include "water/flow.h"

#include <lauxlib.h>
#include <string.h>

static const char flat_extents_type[] = "esker.flat_extents";

// planes.directions(window, first, rows, sea, least): of `rows` rows of a window of filled heights, which has
// more on each side; whether each row has cells without one.
static int directions(lua_State *L) {
    lua_settop(L, 5);
    const int first = to_size(L, 2), rows = to_size(L, 3);
    const float sea = (float)luaL_checknumber(L, 4), lowest = below_all(L, 5, sea);
    const Field *filled = to_numbers(L, 1, lowest);
    luaL_argcheck(L, first + rows <= filled->height, 3, "out of range");
    Notes *held = push_notes(L); // frees the directions
    Drainage drainage = { .filled = *filled, .sea_level = (double)sea, .row = filled->whole.row };
    Error error;
    binding_operation = "flow_accumulation";
    const Status status = drainage_find_part(&binding_run, &drainage, first, first + rows, &error);
    held->at = (uint32_t *)(void *)drainage.direction;
    check_done(L, status, &error);
    const size_t width = (size_t)filled->width;
    const char *found = (const char *)drainage.direction + (size_t)first * width;
    lua_pushlstring(L, found, (size_t)rows * width);
    return 1;
}

// planes.unsettled(directions, width): a string with a byte for each row, 1 where it has cells without a
// direction.
static int unsettled(lua_State *L) {
    size_t size;
    const uint8_t *direction = (const uint8_t *)luaL_checklstring(L, 1, &size);
    const size_t width = (size_t)to_size(L, 2), rows = width > 0 ? size / width : 0;
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, rows);
    for (size_t y = 0; y < rows; y++) {
        out[y] = 0;
        for (size_t x = 0; x < width; x++)
            out[y] = (char)(out[y] | (direction[y * width + x] >= UNSEEN));
    }
    luaL_pushresultsize(&buffer, rows);
    return 1;
}

enum { WINDOW_NUMBERS = 5 };

// planes.flat_windows(width, rows, next): the windows of flats, each five numbers of the list: first and last
// row, first and last column, seed (large.h). next() gives a row's number and its directions, nil after the
// last.
static int flat_windows(lua_State *L) {
    const int width = to_size(L, 1), rows = to_size(L, 2);
    lua_settop(L, 3);
    void **held = push_join(L, flat_extents_type);
    Error error;
    *held = flat_extents_new(width, &error);
    check_done(L, *held ? STATUS_OK : STATUS_MEMORY, &error);
    for (;;) {
        lua_pushvalue(L, 3);
        lua_call(L, 0, 2);
        if (lua_isnil(L, -2))
            break;
        size_t size;
        const uint8_t *direction = (const uint8_t *)luaL_checklstring(L, -1, &size);
        luaL_argcheck(L, size == (size_t)width, 3, "gives whole rows");
        check_done(L, flat_extents_add(*held, to_size(L, -2), direction, &error), &error);
        lua_pop(L, 2);
    }
    const size_t room = (size_t)flat_extents_count(*held) + 1;
    FlatWindow *windows = push_memory(L, room * sizeof *windows);
    const int count = flat_extents_windows(*held, rows, windows);
    lua_createtable(L, count * WINDOW_NUMBERS, 0);
    for (int i = 0; i < count; i++) {
        const int numbers[WINDOW_NUMBERS] = { windows[i].top, windows[i].bottom, windows[i].left,
                                              windows[i].right, windows[i].seed };
        for (int k = 0; k < WINDOW_NUMBERS; k++) {
            lua_pushinteger(L, numbers[k]);
            lua_rawseti(L, -2, i * WINDOW_NUMBERS + k + 1);
        }
    }
    return 1;
}

static FlatWindow to_window(lua_State *L, int index) {
    const int list = lua_absindex(L, index);
    int numbers[WINDOW_NUMBERS];
    for (int k = 0; k < WINDOW_NUMBERS; k++) {
        lua_rawgeti(L, list, k + 1);
        numbers[k] = (int)luaL_checkinteger(L, -1);
        lua_pop(L, 1);
    }
    return (FlatWindow){ numbers[0], numbers[1], numbers[2], numbers[3], numbers[4] };
}

static int free_flat_extents(lua_State *L) {
    void **held = luaL_checkudata(L, 1, flat_extents_type);
    flat_extents_free(*held);
    *held = NULL;
    return 0;
}

// A patch of directions has stretches of new ones in some rows of a window. 32 bits for each of its rows and
// one more say where its stretches begin in the text; these are 32 bits for the first column, as many for how
// many cells, and a byte for each.

// Adds the stretches of a row: `before` and `after` are its directions.
static void add_stretches(luaL_Buffer *buffer, const uint8_t *before, const uint8_t *after, uint32_t across) {
    for (uint32_t x = 0, end; x < across; x = end + 1) {
        while (x < across && !(before[x] >= UNSEEN && after[x] < NEIGHBOURS))
            x++;
        for (end = x; end < across && before[end] >= UNSEEN && after[end] < NEIGHBOURS;)
            end++;
        const uint32_t head[2] = { x, end - x };
        if (end == x)
            break;
        luaL_addlstring(buffer, (const char *)head, sizeof head);
        luaL_addlstring(buffer, (const char *)after + x, end - x);
    }
}

// planes.drain_flats(part, directions, column, window, sea, least): a patch of the window. The part of the
// filled heights around it begins at `column` of its rows.
static int drain_flats(lua_State *L) {
    lua_settop(L, 6);
    const int column = to_size(L, 3);
    const FlatWindow window = to_window(L, 4);
    const float sea = (float)luaL_checknumber(L, 5), lowest = below_all(L, 6, sea);
    const Field *filled = to_numbers(L, 1, lowest);
    const int row = filled->whole.row;
    size_t size;
    const char *before = luaL_checklstring(L, 2, &size);
    luaL_argcheck(L, size == field_count(filled), 2, "of the part");
    luaL_argcheck(L,
                  window.top >= row && window.bottom >= window.top && window.bottom < row + filled->height &&
                      window.left >= column && window.right >= window.left &&
                      window.right < column + filled->width && window.seed <= window.right &&
                      (window.seed < 0 || window.seed >= window.left),
                  4, "within the part");
    uint8_t *direction = push_memory(L, size);
    memcpy(direction, before, size);
    Error error;
    binding_operation = "flow_accumulation";
    check_done(L, large_flats_within(&binding_run, &window, filled, sea, column, row, direction, &error),
               &error);
    const size_t across = (size_t)(window.right - window.left) + 1,
                 down = (size_t)(window.bottom - window.top) + 1;
    uint32_t *starts = push_memory(L, (down + 1) * sizeof *starts);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (size_t y = 0; y <= down; y++) {
        starts[y] = (uint32_t)((down + 1) * sizeof *starts + luaL_bufflen(&buffer));
        const size_t cell =
            (y + (size_t)(window.top - row)) * (size_t)filled->width + (size_t)(window.left - column);
        if (y < down)
            add_stretches(&buffer, (const uint8_t *)before + cell, direction + cell, (uint32_t)across);
    }
    luaL_pushresult(&buffer);
    lua_pushlstring(L, (const char *)starts, (down + 1) * sizeof *starts);
    lua_insert(L, -2);
    lua_concat(L, 2);
    memory_give_back(); // windows have many sizes: blocks of one seldom fit the next
    return 1;
}

// The whole number at place `at` of the list at `index`.
static size_t number_at(lua_State *L, int index, lua_Integer at) {
    lua_rawgeti(L, index, at);
    const size_t number = (size_t)to_size(L, -1);
    lua_pop(L, 1);
    return number;
}

// Lays a row of a patch over a row of directions, from `left` on; false where it is damaged.
static bool lay_row(char *row, size_t across, const char *patch, size_t at, size_t end) {
    while (at + 2 * sizeof(uint32_t) <= end) {
        uint32_t head[2];
        memcpy(head, patch + at, sizeof head);
        at += sizeof head;
        if (head[0] > across || head[1] > across - head[0] || head[1] > end - at)
            return false;
        memcpy(row + head[0], patch + at, head[1]);
        at += head[1];
    }
    return at == end;
}

// Lays rows of a patch over directions: `at` has its row and column there, its columns, its first row and how
// many rows.
static void lay_patch(lua_State *L, char *directions, size_t width, size_t size, const char *patch,
                      size_t patch_size, const size_t at[5]) {
    const size_t row = at[0], left = at[1], across = at[2], from = at[3], rows = at[4];
    luaL_argcheck(L, left + across <= width && (row + rows) * width <= size, 3, "out of range");
    luaL_argcheck(L, (from + rows + 1) * sizeof(uint32_t) <= patch_size, 3, "has too few rows");
    for (size_t y = 0; y < rows; y++) {
        uint32_t starts[2];
        memcpy(starts, patch + (from + y) * sizeof *starts, sizeof starts);
        if (starts[0] > starts[1] || starts[1] > patch_size ||
            !lay_row(directions + (row + y) * width + left, across, patch, starts[0], starts[1]))
            luaL_error(L, "the directions of a flat are damaged");
    }
}

// planes.patch(directions, width, list): directions of rows of `width` cells with patches laid over them; of
// each the list has the text and the numbers of lay_patch.
static int patch(lua_State *L) {
    enum { ITEMS = 6 };
    size_t size;
    const char *before = luaL_checklstring(L, 1, &size);
    const size_t width = (size_t)to_size(L, 2);
    const lua_Integer items = (lua_Integer)lua_rawlen(L, 3);
    char *out = push_memory(L, size);
    memcpy(out, before, size);
    for (lua_Integer i = 1; i + ITEMS - 1 <= items; i += ITEMS) {
        size_t patch_size, at[ITEMS - 1];
        for (int k = 0; k < ITEMS - 1; k++)
            at[k] = number_at(L, 3, i + 1 + k);
        lua_rawgeti(L, 3, i);
        const char *text = luaL_checklstring(L, -1, &patch_size);
        lay_patch(L, out, width, size, text, patch_size, at);
        lua_pop(L, 1);
    }
    lua_pushlstring(L, out, size);
    return 1;
}

// planes.columns(bytes, width, left, across): these columns of rows of `width` bytes.
static int columns(lua_State *L) {
    size_t size;
    const char *bytes = luaL_checklstring(L, 1, &size);
    const size_t width = (size_t)to_size(L, 2), left = (size_t)to_size(L, 3), across = (size_t)to_size(L, 4);
    luaL_argcheck(L, width > 0 && left + across <= width, 3, "out of range");
    const size_t rows = size / width;
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, rows * across);
    for (size_t y = 0; y < rows; y++)
        memcpy(out + y * across, bytes + y * width + left, across);
    luaL_pushresultsize(&buffer, rows * across);
    return 1;
}

// planes.flats(filled, directions, windows, sea, least): drains flats in the second plane, of which each has
// a window.
static int flats(lua_State *L) {
    lua_settop(L, 5);
    const Plane *filled = to_plane(L, 1);
    Plane *direction = to_plane(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    const int count = (int)lua_rawlen(L, 3);
    const float sea = (float)luaL_checknumber(L, 4), lowest = below_all(L, 5, sea);
    FlatWindow *windows = push_memory(L, ((size_t)count + 1) * sizeof *windows);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, 3, i + 1);
        windows[i] = to_window(L, -1);
        luaL_argcheck(L,
                      windows[i].top >= 0 && windows[i].top < filled->height && windows[i].seed >= 0 &&
                          windows[i].seed < filled->width,
                      3, "out of range");
        lua_pop(L, 1);
    }
    Error error;
    binding_operation = "flow_accumulation";
    check_done(L, large_flats(&binding_run, filled, direction, sea, lowest, windows, count, &error), &error);
    return 0;
}

// -----------------------------------------------------------------------------------------------------------

static const luaL_Reg no_methods[] = { { NULL, NULL } };
static const luaL_Reg functions[] = { { "directions", directions },
                                      { "unsettled", unsettled },
                                      { "flats", flats },
                                      { "flat_windows", flat_windows },
                                      { "drain_flats", drain_flats },
                                      { "patch", patch },
                                      { "columns", columns },
                                      { NULL, NULL } };

void add_direction_functions(lua_State *L) {
    define_class(L, flat_extents_type, no_methods, free_flat_extents);
    luaL_setfuncs(L, functions, 0);
}
