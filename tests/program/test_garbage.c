// A recipe that calls operations one after another: what it no longer uses is collected before there is much
// of it, and its memory used again.

#include "support.h"

#include "lua/binding.h"

#include <sys/resource.h>

#include <lualib.h>

static lua_State *new_lua(void) {
    lua_State *L = new_state();
    assert_non_null(L);
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 1);
    lua_settop(L, 0);
    return L;
}

static void run(lua_State *L, const char *code) {
    if (luaL_dostring(L, code) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
}

static void call_often(lua_State *L, int size, int times) {
    char code[200];
    snprintf(code, sizeof code,
             "esker.threads(1)"
             "local land = esker.diamond_square{ size = %d, seed = 1 }"
             "for _ = 1, %d do local made = land:clamp{ low = 0.2 } end",
             size, times);
    run(L, code);
}

static long page_faults(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

static void a_loop_of_calls_needs_no_more_memory_than_a_few(void **state) {
    (void)state;
    const int sizes[] = { 64, 128, 256, 512, 1024 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int size = sizes[i], times = (1 << 26) / (size * size) / 4;
        lua_State *L = new_lua();
        run(L, "collectgarbage()");
        call_often(L, size, times); // there is some garbage now
        const size_t field = (size_t)size * (size_t)size * sizeof(float);
        const long faults = page_faults();
        memory_reset_peak();
        call_often(L, size, times);
        const size_t peak = memory_peak(), most = ((size_t)8 << 20) + 6 * field;
        if (peak > most)
            fail_msg("%d²: %zu bytes, at most %zu", size, peak, most);
        if (!memory_is_watched() && page_faults() - faults > 500 + times / 10)
            fail_msg("%d²: %ld page faults in %d calls", size, page_faults() - faults, times);
        lua_close(L);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_of_calls_needs_no_more_memory_than_a_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
