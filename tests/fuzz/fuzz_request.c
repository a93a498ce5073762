// What a client of the explorer's server says: the checks before a body is read, and the paths, queries and
// bodies that its page may ask. Lines: method, host, origin, site, cookie, type, length, path; the rest is
// the body.

#include "cli/http_guard.h"
#include "cli/modules.h"
#include "cli/process.h"
#include "lua/binding.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lualib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Each request is answered once, or waits for a process; nothing else is an error.
static const char script[] =
    "local explorer\n"
    "local work = { add = function() end, cancel = function() end }\n"
    "return function(method, path, query, body)\n"
    "    explorer = explorer or require('esker.explore.api').new({ target = '/nowhere/land.lua', overrides = "
    "{} },\n"
    "        'return {}', work, 1000)\n"
    "    local answers, values = 0, {}\n"
    "    for name, value in query:gmatch('([^&=]*)=([^&]*)') do values[name] = value end\n"
    "    explorer.take({ method = method, path = path, query = values, body = body, request = {\n"
    "        answer = function(_, status) answers = answers + 1 assert(status >= 200 and status < 504 and "
    "status ~= 500) end,\n"
    "        stream = function() end, send = function() return false end, is_gone = function() end } })\n"
    "    assert(answers <= 1)\n"
    "end";

static lua_State *state(void) {
    static lua_State *L;
    if (L)
        return L;
    L = new_state();
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    register_files(L);
    register_texts(L);
    register_host(L);
    register_terminal(L);
    register_process(L);
    register_worker(L);
    lua_settop(L, 0);
    if (luaL_dostring(L, script) != LUA_OK)
        abort();
    return L;
}

// The next line, ended by a NUL; NULL where the text is over.
static char *next_line(char **rest) {
    char *line = *rest;
    if (!line)
        return NULL;
    char *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Guard guard;
    if (!guard.max_body && !guard_set(&guard, 4711, 1000))
        return 0;
    memcpy(guard.session, "0123456789abcdef0123456789abcdef", SECRET_DIGITS);
    memcpy(guard.token, "fedcba9876543210fedcba9876543210", SECRET_DIGITS);
    char *text = malloc(size + 1), *rest = text;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *lines[8];
    for (int i = 0; i < 8; i++)
        lines[i] = next_line(&rest);
    char *path = lines[7] ? (char *)lines[7] : "/", *query = strchr(path, '?');
    if (query)
        *query++ = '\0';
    const char *body = rest ? rest : "", *why;
    const Head head = { .method = lines[0],
                        .path = path,
                        .host = lines[1],
                        .origin = lines[2],
                        .site = lines[3],
                        .cookie = lines[4],
                        .type = lines[5],
                        .length = lines[6],
                        .token = query && strncmp(query, "t=", 2) == 0 ? query + 2 : NULL };
    const unsigned status = guard_check(&guard, &head, &why);
    const bool let_in =
        head.cookie && strstr(head.cookie, guard.session) && strstr(head.cookie, guard.cookie);
    if ((status == 0 && !let_in) ||
        ((status == LET_IN || status == LET_IN_HERE) &&
         (!head.token || strcmp(head.token, guard.token) != 0)) ||
        (status == 0 && head.origin && *head.origin && !strstr(head.origin, "4711")))
        abort();
    lua_State *L = state();
    lua_pushvalue(L, 1);
    lua_pushstring(L, strcmp(head.method, "POST") == 0 ? "POST" : "GET");
    lua_pushstring(L, path);
    lua_pushstring(L, query ? query : "");
    lua_pushstring(L, body);
    if (lua_pcall(L, 4, 0, 0) != LUA_OK) {
        fprintf(stderr, "ERROR: %s\n", lua_tostring(L, -1));
        abort();
    }
    lua_settop(L, 1);
    free(text);
    return 0;
}
