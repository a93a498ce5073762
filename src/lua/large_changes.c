// What differs between the heights of two strips, in `esker.planes`: where one takes the other's place, the
// other is kept as this.
//
// A text of changes has 32 bits for each row and one more, which say where its stretches begin in the text.
// These are 32 bits for the first column, as many for how many cells, and the cells.

#include "core/gaps.h"
#include "core/math.h"
#include "lua/binding.h"
#include "lua/large_values.h"

#include <lauxlib.h>
#include <string.h>

static uint32_t bits_of(float cell) {
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return bits;
}

// Whether cells have other bits. Both fields have the same gaps.
static bool differs(const Field *one, const Field *other, size_t cell) {
    return field_has_data(one, cell) && bits_of(one->cells[cell]) != bits_of(other->cells[cell]);
}

// The next stretch of a row from column `x` on; it is empty at the end of the row.
static int next_stretch(const Field *one, const Field *other, size_t row, int x, int *end) {
    while (x < one->width && !differs(one, other, row + (size_t)x))
        x++;
    for (*end = x; *end < one->width && differs(one, other, row + (size_t)*end);)
        (*end)++;
    return x;
}

enum { HEAD = 2 * sizeof(uint32_t) };

static size_t stretches_size(const Field *one, const Field *other, int y) {
    const size_t row = (size_t)y * (size_t)one->width;
    size_t size = 0;
    for (int x = 0, end; x < one->width; x = end) {
        x = next_stretch(one, other, row, x, &end);
        size += end > x ? HEAD + (size_t)(end - x) * sizeof(float) : 0;
    }
    return size;
}

static char *write_stretches(const Field *one, const Field *other, int y, char *to) {
    const size_t row = (size_t)y * (size_t)one->width;
    for (int x = 0, end; x < one->width; x = end) {
        x = next_stretch(one, other, row, x, &end);
        const uint32_t head[2] = { (uint32_t)x, (uint32_t)(end - x) };
        const size_t size = (size_t)(end - x) * sizeof(float);
        if (end == x)
            break;
        memcpy(to, head, HEAD);
        memcpy(to + HEAD, one->cells + row + x, size);
        to += HEAD + size;
    }
    return to;
}

// planes.changes(own, other): what `own` has where the other differs.
static int changes(lua_State *L) {
    const Field *own = to_strip(L, 1), *other = to_strip(L, 2);
    luaL_argcheck(L, own->width == other->width && own->height == other->height, 2, "of this size");
    const size_t rows = (size_t)own->height;
    size_t size = (rows + 1) * sizeof(uint32_t);
    for (int y = 0; y < own->height; y++)
        size += stretches_size(own, other, y);
    luaL_argcheck(L, size <= UINT32_MAX, 1, "too large");
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, size), *at = out + (rows + 1) * sizeof(uint32_t);
    for (size_t y = 0; y <= rows; y++) {
        const uint32_t start = (uint32_t)(at - out);
        memcpy(out + y * sizeof start, &start, sizeof start);
        at = y < rows ? write_stretches(own, other, (int)y, at) : at;
    }
    luaL_pushresultsize(&buffer, size);
    return 1;
}

static bool lay_stretches(float *row, size_t width, const char *text, size_t at, size_t end) {
    while (at + HEAD <= end) {
        uint32_t head[2];
        memcpy(head, text + at, HEAD);
        at += HEAD;
        const size_t size = head[1] * sizeof(float);
        if (head[0] > width || head[1] > width - head[0] || size > end - at)
            return false;
        memcpy(row + head[0], text + at, size);
        at += size;
    }
    return at == end;
}

// planes.undo(field, row, changes, from, rows): lays these rows of changes over rows of a field.
static int undo(lua_State *L) {
    Field *field = to_strip(L, 1);
    const int row = to_size(L, 2), from = to_size(L, 4), rows = to_size(L, 5);
    size_t size;
    const char *text = luaL_checklstring(L, 3, &size);
    luaL_argcheck(L, row + rows <= field->height, 5, "within the field");
    luaL_argcheck(L, (size_t)(from + rows + 1) * sizeof(uint32_t) <= size, 3, "has too few rows");
    for (int y = 0; y < rows; y++) {
        uint32_t starts[2];
        memcpy(starts, text + (size_t)(from + y) * sizeof *starts, sizeof starts);
        luaL_argcheck(
            L,
            starts[0] <= starts[1] && starts[1] <= size &&
                lay_stretches(field_row(field, row + y), (size_t)field->width, text, starts[0], starts[1]),
            3, "is damaged");
    }
    return 0;
}

static const luaL_Reg functions[] = { { "changes", changes }, { "undo", undo }, { NULL, NULL } };

void add_change_functions(lua_State *L) {
    luaL_setfuncs(L, functions, 0);
}
