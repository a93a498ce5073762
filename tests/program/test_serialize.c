// Values between a confined process and its parent: what is sent comes back the same, and whatever bytes
// come instead, the reader gives a sound value or raises an error.

#include "support.h"

#include "cli/serialize.h"
#include "core/image.h"
#include "lua/binding.h"
#include "rivers/network.h"
#include "values.h"

#include <math.h>
#include <stdlib.h>

#include <lualib.h>

static lua_State *new_lua(void) {
    lua_State *L = new_state();
    assert_non_null(L);
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 1);
    assert_int_equal(luaL_dostring(L, "package.path = 'tests/?.lua;' .. package.path"), LUA_OK);
    lua_settop(L, 0);
    return L;
}

static int write_protected(lua_State *L) {
    serialize(L, 1, (size_t)1 << 32, lua_touserdata(L, 2));
    return 0;
}

static int read_protected(lua_State *L) {
    deserialize(L, lua_touserdata(L, 1));
    return 1;
}

// The value that the Lua expression gives, sent into `stream`.
static void send(lua_State *L, const char *expression, FILE *stream) {
    lua_pushcfunction(L, write_protected);
    char code[400];
    snprintf(code, sizeof code, "return %s", expression);
    if (luaL_dostring(L, code) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    lua_pushlightuserdata(L, stream);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
}

// LUA_OK with the value on top of the stack, or an error's number with its text.
static int receive(lua_State *L, FILE *stream) {
    lua_pushcfunction(L, read_protected);
    lua_pushlightuserdata(L, stream);
    return lua_pcall(L, 1, 1, 0);
}

static const char *const values[] = {
    "nil",
    "true",
    "false",
    "-7",
    "0.1",
    "1 / 0",
    "'a\\0b'",
    "''",
    "{}",
    "{ 1, { 2, x = { y = 'z' } }, [true] = 3, [0.5] = false }",
    "esker.field{ width = 3, height = 4, values = 0.5 }",
    "esker.river_map{ seed = 5 }:rivers{ size = 64 }",
    "esker.river_network{ size = 64, points = 100, ridges = 3 }",
    "esker.river_network{ size = 64, points = 100, polygon = { { 0.1, 0.1 }, { 0.9, 0.2 }, { 0.5, 0.9 } } }",
    "esker.river_network{ size = 64, points = 100, mask = esker.field{ size = 64, values = 1 } }",
};
enum { VALUES = sizeof values / sizeof *values };

// The expression of a number: those above, then one of each type that can be sent. NULL: there are no more.
static const char *value_of_number(int number) {
    static char text[200];
    if (number < VALUES)
        return values[number];
    number -= VALUES;
    for (const ValueType *const *type = all_value_types; *type; type++)
        if ((*type)->name && (*type)->write && number-- == 0) {
            snprintf(text, sizeof text,
                     "require('some_values').make('%s', esker.spectral{ width = 20, height = 10 })",
                     (*type)->kind);
            return text;
        }
    return NULL;
}

static const char same[] = "local function same(a, b) "
                           "  local kind = esker.type(a) "
                           "  if kind ~= esker.type(b) then return false end "
                           "  if kind == 'Field' and a.wraps ~= b.wraps then return false end "
                           "  if kind == 'table' then "
                           "    for k, v in pairs(a) do if not same(v, b[k]) then return false end end "
                           "    for k in pairs(b) do if a[k] == nil then return false end end "
                           "    return true "
                           "  elseif kind == 'RiverNetwork' then "
                           "    return a:hash() == b:hash() and #a:ridges() == #b:ridges() "
                           "  elseif type(a) == 'userdata' then "
                           "    return a:hash() == b:hash() "
                           "  end "
                           "  return a == b and math.type(a) == math.type(b) "
                           "end return same(...)";

// ESKER_SERIALIZED: a folder into which the bytes are put, for the fuzzer to begin with.
static FILE *new_stream(int number) {
    char path[4096];
    if (!getenv("ESKER_SERIALIZED"))
        return tmpfile();
    snprintf(path, sizeof path, "%s/%d", getenv("ESKER_SERIALIZED"), number);
    return fopen(path, "w+b");
}

static void what_is_sent_comes_back(void **state) {
    (void)state;
    const char *value;
    for (int i = 0; (value = value_of_number(i)); i++) {
        lua_State *L = new_lua();
        FILE *stream = new_stream(i);
        assert_non_null(stream);
        send(L, value, stream);
        rewind(stream);
        char code[400];
        snprintf(code, sizeof code, "return %s", value);
        assert_int_equal(luaL_loadstring(L, same), LUA_OK);
        assert_int_equal(luaL_dostring(L, code), LUA_OK);
        if (receive(L, stream) != LUA_OK || lua_pcall(L, 2, 1, 0) != LUA_OK)
            fail_msg("%s: %s", value, lua_tostring(L, -1));
        if (!lua_toboolean(L, -1))
            fail_msg("%s came back as something else", value);
        assert_int_equal(getc(stream), EOF);
        fclose(stream);
        lua_close(L);
    }
}

static void what_cannot_be_sent_is_an_error(void **state) {
    (void)state;
    lua_State *L = new_lua();
    static const char *const refused[] = { "print", "coroutine.create(print)", "{ { print } }",
                                           "esker.river_map{}",
                                           "(function() local t = {} t.t = t return t end)()" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        FILE *stream = tmpfile();
        lua_pushcfunction(L, write_protected);
        char code[200];
        snprintf(code, sizeof code, "return %s", refused[i]);
        assert_int_equal(luaL_dostring(L, code), LUA_OK);
        lua_pushlightuserdata(L, stream);
        assert_int_equal(lua_pcall(L, 2, 0, 0), LUA_ERRRUN);
        fclose(stream);
    }
    lua_close(L);
}

static FILE *with_bytes(const unsigned char *bytes, size_t count) {
    FILE *stream = tmpfile();
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    rewind(stream);
    return stream;
}

static size_t bytes_of(lua_State *L, const char *value, unsigned char *bytes, size_t room) {
    FILE *stream = tmpfile();
    send(L, value, stream);
    rewind(stream);
    const size_t count = fread(bytes, 1, room, stream);
    assert_true(count < room);
    fclose(stream);
    return count;
}

static unsigned char bytes[1 << 20], changed[1 << 20];

static void cut_bytes_are_errors(void **state) {
    (void)state;
    const char *value;
    for (int i = 0; (value = value_of_number(i)); i++) {
        lua_State *L = new_lua();
        const size_t count = bytes_of(L, value, bytes, sizeof bytes);
        for (size_t cut = 0; cut < count; cut += 1 + count / 100) {
            FILE *stream = with_bytes(bytes, cut);
            assert_int_equal(receive(L, stream), LUA_ERRRUN);
            assert_non_null(strstr(lua_tostring(L, -1), "cannot be read"));
            lua_settop(L, 0);
            fclose(stream);
        }
        lua_close(L);
    }
}

// Whatever wrong bytes give, every method can use.
static void use(lua_State *L) {
    static const char code[] = "local v = ... "
                               "local kind = esker.type(v) "
                               "if kind == 'RiverNetwork' then "
                               "  v:reaches() v:ridges() "
                               "  for i = 1, math.min(#v, 5) do for _ in v:walk(i) do end end "
                               "  pcall(v.draw, v, { width = 32 }) v:network_statistics{} "
                               "elseif kind == 'Field' then return v:blur{} "
                               "elseif kind == 'Image' then return v:join(v) "
                               "elseif type(v) == 'userdata' then "
                               "  for _, method in ipairs(require('esker.value_types')[kind].methods) do "
                               "    if method.arguments == '' then pcall(v[method.name], v) end "
                               "  end "
                               "end";
    assert_int_equal(luaL_loadstring(L, code), LUA_OK);
    lua_insert(L, -2);
    lua_pcall(L, 1, 0, 0); // an error is an answer; a crash is none
}

static void wrong_bytes_are_errors_or_sound_values(void **state) {
    (void)state;
    const RandomKey key = random_key(11, 0);
    const uint32_t changes_tried = (uint32_t)rounds(UNDER_SANITIZERS ? 160 : 40); // the same ones
    const char *value;
    for (int i = 0; (value = value_of_number(i)); i++) {
        lua_State *L = new_lua();
        const size_t count = bytes_of(L, value, bytes, sizeof bytes);
        lua_gc(L, LUA_GCCOLLECT);
        const size_t before = memory_in_use();
        for (uint32_t round = 0; round < changes_tried; round++) {
            memcpy(changed, bytes, count);
            const uint32_t changes = 1 + random_bits(key, round, 0) % 3;
            for (uint32_t c = 1; c <= changes; c++) { // most in the head, which has the counts
                const uint32_t room = random_bits(key, round, 4 * c) % 2 ? (uint32_t)count : 200;
                const size_t at = random_bits(key, round, 4 * c + 1) % (room < count ? room : count);
                static const unsigned char special[] = { 0, 1, 0x7f, 0x80, 0xff };
                const uint32_t bits = random_bits(key, round, 4 * c + 2);
                changed[at] = bits % 2 ? special[bits / 2 % 5] : (unsigned char)(bits >> 8);
            }
            FILE *stream = with_bytes(changed, count);
            if (receive(L, stream) == LUA_OK)
                use(L);
            lua_settop(L, 0);
            fclose(stream);
        }
        lua_gc(L, LUA_GCCOLLECT);
        assert_int_equal(memory_in_use(), before);
        lua_close(L);
    }
}

// By hand: what no writer sends.
static void impossible_bytes_are_errors(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
    } cases[] = { { "", 0 },
                  { "}", 1 },
                  { "x", 1 },
                  { "{n", 2 },
                  { "{d\0\0\0\0\0\0\370\177", 10 },
                  { "{t", 2 },
                  { "{t}", 3 },
                  { "{{{{{{{{{{{{{{{{{{{{{{{{{", 25 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lua_State *L = new_lua();
        FILE *stream = with_bytes((const unsigned char *)cases[i].bytes, cases[i].count);
        assert_int_equal(receive(L, stream), LUA_ERRRUN);
        fclose(stream);
        lua_close(L);
    }
}

// Counts below zero, each in turn.
static void negative_counts_are_errors(void **state) {
    (void)state;
    static const size_t offsets[] = {
        offsetof(RiverNetwork, point_count),           offsetof(RiverNetwork, reach_count),
        offsetof(RiverNetwork, ridge_count),           offsetof(RiverNetwork, ridge_point_count),
        offsetof(RiverNetwork, boundary.corner_count), offsetof(RiverNetwork, boundary.columns),
        offsetof(RiverNetwork, boundary.rows),
    };
    lua_State *L = new_lua();
    const size_t count =
        bytes_of(L, "esker.river_network{ size = 64, points = 100, ridges = 3 }", bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        memcpy(changed, bytes, count);
        memset(changed + 1 + offsets[i], 0xff, sizeof(int)); // behind the tag
        FILE *stream = with_bytes(changed, count);
        assert_int_equal(receive(L, stream), LUA_ERRRUN);
        lua_settop(L, 0);
        fclose(stream);
    }
    lua_close(L);
}

static void reading_without_memory_is_an_error(void **state) {
    (void)state;
    const char *value;
    for (int i = 0; (value = value_of_number(i)); i++) {
        lua_State *L = new_lua();
        const size_t count = bytes_of(L, value, bytes, sizeof bytes);
        int outcome = LUA_ERRMEM;
        for (long successes = 0; outcome != LUA_OK; successes++) {
            FILE *stream = with_bytes(bytes, count);
            memory_fail_after_and_again(successes, 1);
            outcome = receive(L, stream);
            memory_fail_after(-1);
            if (outcome != LUA_OK)
                assert_non_null(strstr(lua_tostring(L, -1), "memory"));
            lua_settop(L, 0);
            fclose(stream);
        }
        lua_close(L);
        assert_int_equal(memory_in_use(), 0);
    }
}

// --- networks, each of their parts ------------------------------------------------------------------------

typedef void Spoil(RiverNetwork *network);

static void spoil_width(RiverNetwork *n) {
    n->width = 0;
}
static void spoil_height(RiverNetwork *n) {
    n->height = SIDE_MAX + 1;
}
static void spoil_left(RiverNetwork *n) {
    n->left = NAN;
}
static void spoil_cell(RiverNetwork *n) {
    n->cell = -1;
}
static void spoil_large_cell(RiverNetwork *n) {
    n->cell = INFINITY;
}
static void spoil_point(RiverNetwork *n) {
    n->points[1].x = NAN;
}
static void spoil_area(RiverNetwork *n) {
    n->points[1].area = -1;
}
static void spoil_altitude(RiverNetwork *n) {
    n->points[1].altitude = INFINITY;
}
static void spoil_point_width(RiverNetwork *n) {
    n->points[1].width = NAN;
}
static void spoil_distance(RiverNetwork *n) {
    n->points[1].distance = -1;
}
static void spoil_first(RiverNetwork *n) {
    n->reaches[0].first = -1;
}
static void spoil_count(RiverNetwork *n) {
    n->reaches[0].count = n->point_count + 1;
}
static void spoil_no_points(RiverNetwork *n) {
    n->reaches[0].count = 0;
}
static void spoil_end(RiverNetwork *n) {
    n->reaches[0].first = n->point_count - 1;
}
static void spoil_downstream(RiverNetwork *n) {
    n->reaches[0].downstream = n->reach_count;
}
static void spoil_negative_downstream(RiverNetwork *n) {
    n->reaches[0].downstream = -2;
}
static void spoil_order(RiverNetwork *n) {
    n->reaches[0].order = 0;
}
static void spoil_high_order(RiverNetwork *n) {
    n->reaches[0].order = 65;
}
static void spoil_itself(RiverNetwork *n) {
    n->reaches[0].downstream = 0;
}
static void spoil_circle(RiverNetwork *n) {
    n->reaches[0].downstream = 1;
    n->reaches[1].downstream = 2;
    n->reaches[2].downstream = 0;
}
static void spoil_ridge(RiverNetwork *n) {
    n->ridges[0].count = n->ridge_point_count + 1;
}
static void spoil_ridge_low(RiverNetwork *n) {
    n->ridges[0].low.x = NAN;
}
static void spoil_ridge_high(RiverNetwork *n) {
    n->ridges[0].high.y = NAN;
}
static void spoil_ridge_point(RiverNetwork *n) {
    n->ridge_points[0].y = 1e31;
}
static void spoil_corner(RiverNetwork *n) {
    n->boundary.corners[0].x = NAN;
}
static void spoil_columns(RiverNetwork *n) {
    n->boundary.columns = 1;
}
static void spoil_grid(RiverNetwork *n) {
    n->boundary.columns = n->boundary.rows = 1;
    n->boundary.cell = 0;
}
static void spoil_grid_cell(RiverNetwork *n) {
    n->boundary.columns = n->boundary.rows = 1;
    n->boundary.cell = INFINITY;
}
static void spoil_shore(RiverNetwork *n) {
    static float shore = NAN;
    n->boundary.columns = n->boundary.rows = 1;
    n->boundary.cell = 1;
    n->boundary.shore = &shore;
}

static Spoil *const spoils[] = {
    spoil_width,       spoil_height,     spoil_left,       spoil_cell,
    spoil_large_cell,  spoil_point,      spoil_area,       spoil_altitude,
    spoil_point_width, spoil_distance,   spoil_first,      spoil_count,
    spoil_no_points,   spoil_end,        spoil_downstream, spoil_negative_downstream,
    spoil_order,       spoil_high_order, spoil_itself,     spoil_circle,
    spoil_ridge,       spoil_ridge_low,  spoil_ridge_high, spoil_ridge_point,
    spoil_corner,      spoil_columns,    spoil_grid,       spoil_grid_cell,
    spoil_shore,
};

static void every_unsound_part_of_a_network_is_found(void **state) {
    (void)state;
    for (int i = -1; i < (int)(sizeof spoils / sizeof *spoils); i++) {
        lua_State *L = new_lua();
        if (luaL_dostring(L, "return esker.river_network{ size = 64, points = 150, ridges = 3, seed = 3, "
                             "polygon = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } } }") != LUA_OK)
            fail_msg("%s", lua_tostring(L, -1));
        RiverNetwork *network = to_value(L, -1, &type_network);
        assert_true(network->reach_count > 3 && network->ridge_count > 0 &&
                    network->boundary.corner_count > 0);
        if (i >= 0)
            spoils[i](network);
        if (network_is_valid(network) != (i < 0))
            fail_msg("part %d", i);
        lua_close(L);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_comes_back),
        cmocka_unit_test(what_cannot_be_sent_is_an_error),
        cmocka_unit_test(cut_bytes_are_errors),
        cmocka_unit_test(wrong_bytes_are_errors_or_sound_values),
        cmocka_unit_test(impossible_bytes_are_errors),
        cmocka_unit_test(negative_counts_are_errors),
        cmocka_unit_test(reading_without_memory_is_an_error),
        cmocka_unit_test(every_unsound_part_of_a_network_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
