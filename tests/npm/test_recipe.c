// Recipes of the package for JavaScript, called as its module is, but natively: what they give, how they
// fail, and that none runs on after its time. tests/long/npm.sh tries them in node.

#include "support.h"

#include "core/clock.h"
#include "npm/recipe.h"

#include <stdlib.h>
#include <string.h>

static const char hills[] = "return 5";
static char printed[100];

int npm_find(const char *path) {
    return strcmp(path, "hills.lua") == 0 ? (int)sizeof hills - 1 : -1;
}

void npm_copy(char *to) {
    memcpy(to, hills, sizeof hills - 1);
}

void npm_print(const char *text, size_t size) {
    snprintf(printed, sizeof printed, "%.*s", (int)size, text);
}

static EskerStatus run(const char *text, const char *parameters, double seconds, size_t bytes) {
    return recipe_run("land.lua", text, strlen(text), parameters, seconds, bytes);
}

enum { MEMORY = 1 << 28 };

static void gives_results(void **state) {
    (void)state;
    static const char text[] =
        "local p = params{ size = 8, on = false }\n"
        "print('size', p.size, p.on)\n"
        "local land = esker.noise{ size = p.size, seed = 3 }\n"
        "return { land = land, again = land, five = require 'hills', share = 1 / 4, big = math.maxinteger,\n"
        "    map = esker.river_map{}, text = 'a\"b', yes = true, made = function() return land:relief{} end "
        "}";
    assert_int_equal(run(text, "{\"size\":\"16\",\"on\":\"true\"}", 60, MEMORY), ESKER_OK);
    assert_string_equal(printed, "size\t16\ttrue");
    assert_string_equal(
        recipe_text(),
        "[{\"name\":\"again\",\"value\":1},{\"integer\":\"9223372036854775807\",\"name\":\"big\"},"
        "{\"integer\":\"5\",\"name\":\"five\"},{\"name\":\"land\",\"value\":1},"
        "{\"name\":\"made\",\"value\":2},{\"name\":\"map\",\"value\":3},"
        "{\"float\":\"0.25\",\"name\":\"share\"},{\"name\":\"text\",\"plain\":\"a\\\"b\"},"
        "{\"name\":\"yes\",\"plain\":true}]");
    int width;
    EskerValue *land = recipe_value(1);
    esker_size(land, &width, NULL);
    assert_int_equal(width, 16);
    assert_null(recipe_value(1));
    assert_null(recipe_value(0));
    assert_null(recipe_value(4));
    recipe_end(); // with two values that nobody took
    const EskerArgument arguments[] = { esker_number("size", 16), esker_number("seed", 3) };
    EskerValue *same = NULL;
    assert_int_equal(esker_run("noise", arguments, 2, NULL, &same, 1, NULL), ESKER_OK);
    assert_int_equal(esker_hash(land), esker_hash(same));
    esker_free(land);
    esker_free(same);
}

static const struct {
    const char *text, *parameters, *said;
    EskerStatus status;
} wrong[] = {
    { "\nerror 'no'", "{}", "land.lua:2: no", ESKER_INVALID },
    { "\n\nx = = 1", "{}", "land.lua:3: unexpected symbol near '='", ESKER_INVALID },
    { "return { a = esker.noize{} }", "{}",
      "land.lua:1: esker has no function 'noize', did you mean 'noise'?", ESKER_INVALID },
    { "params{ seed = 1 } return {}", "{\"sed\":\"1\"}",
      "there is no parameter 'sed', did you mean 'seed'? (it has seed)", ESKER_INVALID },
    { "params{ seed = 1 } return {}", "{\"seed\":\"x\"}", "seed must be a whole number, got 'x'",
      ESKER_INVALID },
    { "return 1", "{}",
      "land.lua: a recipe returns a table of results, as in return { height = land }; got a number",
      ESKER_INVALID },
    { "return { a = io.open('x') }", "{}", "land.lua:1: the name 'io' is not defined", ESKER_INVALID },
    { "return { a = esker.sweep{} }", "{}", "land.lua:1: sweep: only the program runs sweeps",
      ESKER_INVALID },
    { "local s = ('x'):rep(1e9)", "{}", "not enough memory: fields and Lua may take 256 MiB", ESKER_MEMORY },
};

static void says_what_is_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(run(wrong[i].text, wrong[i].parameters, 60, MEMORY), wrong[i].status);
        assert_string_equal(recipe_text(), wrong[i].said);
    }
    recipe_end();
}

// Each would run for ever: in Lua, in what Lua runs while a hook's error is raised, in an operation.
static const char *const endless[] = {
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "local function turn() while true do end end xpcall(turn, turn)",
    "local function f() while true do xpcall(f, f) end end f()",
    "while true do coroutine.wrap(function() pcall(function() while true do end end) end)() end",
    "local function turn() while true do end end\n"
    "coroutine.wrap(function() local x <close> = setmetatable({}, { __close = turn }) turn() end)()",
    "local function turn() while true do end end\n"
    "local thread = coroutine.create(function() local x <close> = setmetatable({}, { __close = turn }) "
    "turn() end)\n"
    "coroutine.resume(thread) coroutine.close(thread)",
    "while true do pcall(esker.noise{ size = 512 }.stream_erosion, esker.noise{ size = 512 }) end",
};

static void ends_in_time(void **state) {
    (void)state;
    const double seconds = 0.05;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        const double start = clock_seconds();
        assert_int_equal(run(endless[i], "{}", seconds, MEMORY), ESKER_STOPPED);
        assert_non_null(strstr(recipe_text(), "the time limit of 0.05 s is over"));
        assert_true(clock_seconds() - start < 20); // on a machine that has much else to do
    }
    recipe_end();
}

static void coroutines_and_handlers_are_lua_s(void **state) {
    (void)state;
    static const char text[] =
        "local turn = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) error('in ' .. b) end)\n"
        "local first = turn(1)\n"
        "local _, problem = pcall(turn, 2)\n"
        "local well, handled = xpcall(error, function(text) return 'handled ' .. text end, 'it')\n"
        "return { first = first, problem = problem, well = well, handled = handled, all = select('#', "
        "xpcall(select, print, 1, nil, nil)) }";
    assert_int_equal(run(text, "{}", 60, MEMORY), ESKER_OK);
    assert_string_equal(
        recipe_text(),
        "[{\"integer\":\"3\",\"name\":\"all\"},{\"integer\":\"2\",\"name\":\"first\"},"
        "{\"name\":\"handled\",\"plain\":\"handled it\"},"
        "{\"name\":\"problem\",\"plain\":\"land.lua:1: in 2\"},{\"name\":\"well\",\"plain\":false}]");
    recipe_end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_results),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(ends_in_time),
        cmocka_unit_test(coroutines_and_handlers_are_lua_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
