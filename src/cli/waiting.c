#define _GNU_SOURCE // ppoll
#include "cli/waiting.h"

#include "core/math.h"
#include "lua/binding.h"

#include <lauxlib.h>
#include <signal.h>
#include <time.h>

int read_descriptors(lua_State *L, int index, struct pollfd *descriptors) {
    luaL_checktype(L, index, LUA_TTABLE);
    const int count = (int)clamp(luaL_len(L, index), 0, DESCRIPTORS_MAX);
    for (int i = 0; i < count; i++) {
        lua_geti(L, index, i + 1);
        descriptors[i] = (struct pollfd){ .fd = (int)lua_tointeger(L, -1), .events = POLLIN };
        lua_pop(L, 1);
    }
    return count;
}

void wait_for(struct pollfd *descriptors, int count, int milliseconds) {
    const struct timespec time = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    if (run_stopped(&binding_run) || ppoll(descriptors, (nfds_t)count, &time, &before) < 0)
        for (int i = 0; i < count; i++)
            descriptors[i].revents = 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void push_ready(lua_State *L, const struct pollfd *descriptors, int count) {
    lua_newtable(L);
    for (int i = 0; i < count; i++)
        if (descriptors[i].revents) {
            lua_pushboolean(L, true);
            lua_seti(L, -2, descriptors[i].fd);
        }
}
