// Every allocation of a recipe fails, Lua's and the engine's alike: the run ends well all the same (what Lua
// does not need any more was enough) or with a clear message, and nothing is leaked or half written.
// ESKER_EVERY=1 tries each one (make check-long), otherwise some of each recipe.

#include "support.h"

#include "cli/modules.h"
#include "cli/process.h"
#include "lua/binding.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lualib.h>

static char folder[] = "/tmp/esker-allocations-XXXXXX";

// Lines before the recipe: what the program would have done.
static const char runner[] =
    "local path, words, folder = ... "
    "local recipe, parameters = require 'esker.recipe.recipe', require 'esker.recipe.parameters' "
    "require 'esker.recipe.provenance' require 'esker.recipe.library' "
    "local text, overrides = recipe.text(path), {} "
    "for name, value in words:gmatch('(%w+)=(%S+)') do overrides[name] = value end "
    "return function() "
    "  local results, set = recipe.run(path, text, { overrides = overrides, output = { write = function() "
    "end }, "
    "    on_declare = function(set) "
    "      require('esker.host').set_labels(require('esker.recipe.provenance').labels(path, text, set)) end "
    "}) "
    "  for _, result in ipairs(recipe.results(results, path)) do "
    "    if result.picture then result.picture:save(folder .. '/' .. result.file) end "
    "  end "
    "end";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

// Removes the files, after a look that each is one of whole pictures: a name without a dot in front.
static int clear_folder(void) {
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        char path[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (entry->d_name[0] == '.')
            fail_msg("%s was left", entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct stat there;
        assert_int_equal(stat(path, &there), 0);
        if (there.st_size < 50)
            fail_msg("%s has %ld bytes", entry->d_name, (long)there.st_size);
        unlink(path);
        count++;
    }
    closedir(list);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static lua_State *ready(const char *recipe, const char *words) {
    lua_State *L = new_state();
    assert_non_null(L);
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    register_files(L);
    register_texts(L);
    register_host(L);
    register_terminal(L);
    register_process(L);
    register_worker(L);
    assert_int_equal(luaL_loadstring(L, runner), LUA_OK);
    lua_pushstring(L, recipe);
    lua_pushstring(L, words);
    lua_pushstring(L, folder);
    if (lua_pcall(L, 3, 1, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    return L;
}

// Runs with the allocation after `successes` failing, `again` more times. Returns whether the run ended well.
static bool survives(const char *recipe, const char *words, long successes, int again) {
    lua_State *L = ready(recipe, words);
    memory_fail_after_and_again(successes, again);
    const int outcome = lua_pcall(L, 0, 0, 0);
    memory_fail_after(-1);
    char message[300] = "no message";
    if (outcome != LUA_OK && lua_tostring(L, -1))
        snprintf(message, sizeof message, "%s", lua_tostring(L, -1));
    lua_close(L);
    const int files = clear_folder();
    if (outcome != LUA_OK && !strstr(message, "memory"))
        fail_msg("%s: allocation %ld: %s (%d files)", recipe, successes, message, files);
    if (memory_in_use() != 0 || memory_charged() != 0)
        fail_msg("%s: allocation %ld: %zu bytes of the engine and %zu of Lua are left", recipe, successes,
                 memory_in_use(), memory_charged());
    return outcome == LUA_OK;
}

// How many allocations a run makes.
static long count_of(const char *recipe, const char *words) {
    enum { MANY = 1 << 30 };
    lua_State *L = ready(recipe, words);
    memory_fail_after(MANY);
    const int outcome = lua_pcall(L, 0, 0, 0);
    const long made = MANY - memory_fails_after();
    memory_fail_after(-1);
    if (outcome != LUA_OK)
        fail_msg("%s: %s", recipe, lua_tostring(L, -1));
    lua_close(L);
    assert_true(clear_folder() > 0);
    return made;
}

static void every_allocation_may_fail(const char *recipe, const char *words) {
    const long count = count_of(recipe, words), tries = getenv("ESKER_EVERY") ? count : rounds(32);
    long failed = 0;
    for (long i = 0; i < tries; i++) {
        const long at = tries < count ? (long)((double)i * (double)count / (double)tries) : i;
        survives(recipe, words, at, 0);
        failed += !survives(recipe, words, at, 1); // where Lua's second attempt fails, too, it is an error
    }
    assert_true(survives(recipe, words, count, 1));
    assert_true(failed > tries / 2);
    print_message("%s: %ld of %ld allocations\n", recipe, tries, count);
}

static void of_all_kinds_of_values(void **state) {
    (void)state;
    every_allocation_may_fail("tests/program/everything.lua", "");
}

static void of_island(void **state) {
    (void)state;
    every_allocation_may_fail("examples/island.lua", "size=32");
}

static void of_playable(void **state) {
    (void)state;
    every_allocation_may_fail("examples/playable.lua", "size=32");
}

static void of_watershed(void **state) {
    (void)state;
    every_allocation_may_fail("examples/watershed.lua", "size=64 points=300");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_kinds_of_values),
        cmocka_unit_test(of_island),
        cmocka_unit_test(of_playable),
        cmocka_unit_test(of_watershed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
