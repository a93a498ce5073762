// The explorer's server, on 127.0.0.1 only: require "esker.http". Optional at build: libmicrohttpd. One
// thread does everything, whenever server:wait is called; a request waits until it is answered.

#include "cli/modules.h"

#include "lua/binding.h"

// nil and why.
static int unavailable(lua_State *L, const char *why) {
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
}

#ifdef ESKER_MICROHTTPD

#include "cli/http_daemon.h"
#include "cli/waiting.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char server_type[] = "esker.server", request_type[] = "esker.request";

// --- requests ----------------------------------------------------------------------------------------------

static Request *to_request(lua_State *L) {
    Request **request = luaL_checkudata(L, 1, request_type);
    return *request;
}

// request:is_gone(): whether the client waits no longer.
static int is_gone(lua_State *L) {
    lua_pushboolean(L, request_is_gone(to_request(L)));
    return 1;
}

// request:answer(status, type, body, name): with a name, a file to be saved. The second answer counts for
// nothing.
static int answer(lua_State *L) {
    const lua_Integer status = luaL_checkinteger(L, 2);
    const char *type = luaL_checkstring(L, 3), *name = luaL_optstring(L, 5, NULL);
    size_t size;
    const char *body = luaL_checklstring(L, 4, &size);
    request_answer(to_request(L), (unsigned)status, type, body, size, name);
    return 0;
}

// request:stream(): the answer is a stream of events, sent by request:send.
static int stream(lua_State *L) {
    request_stream(to_request(L));
    return 0;
}

// request:send(text): more of a stream; false where its client is gone, or too slow.
static int send(lua_State *L) {
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    lua_pushboolean(L, request_send(to_request(L), text, size));
    return 1;
}

// request:close(): ends a stream.
static int close_stream(lua_State *L) {
    request_close(to_request(L));
    return 0;
}

static int collect_request(lua_State *L) {
    Request *request = to_request(L);
    if (!request->held || request->held->owner == getpid())
        request_give_back(request);
    return 0;
}

static void add_argument(void *context, const char *name, const char *value) {
    lua_State *L = context;
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

// Pushes { method =, path =, query =, body =, request = }.
static void push_request(lua_State *L, Request *request) {
    lua_createtable(L, 0, 5);
    Request **held = lua_newuserdatauv(L, sizeof(Request *), 0);
    *held = request;
    request->taken = true;
    luaL_setmetatable(L, request_type);
    lua_setfield(L, -2, "request");
    lua_pushstring(L, request->method);
    lua_setfield(L, -2, "method");
    lua_pushstring(L, request->path);
    lua_setfield(L, -2, "path");
    lua_pushlstring(L, request->body ? request->body : "", request->size);
    lua_setfield(L, -2, "body");
    lua_newtable(L);
    request_arguments(request, add_argument, L);
    lua_setfield(L, -2, "query");
}

// --- the server --------------------------------------------------------------------------------------------

static Server *to_server(lua_State *L) {
    Server *server = luaL_checkudata(L, 1, server_type);
    if (!server->daemon)
        luaL_error(L, "the server is closed");
    return server;
}

static int close_server(lua_State *L) {
    server_stop(luaL_checkudata(L, 1, server_type));
    return 0;
}

// http.open(port): a server on 127.0.0.1, at a port that the system chooses where it is 0; nil and why not.
// It prints nothing about requests that break the protocol: the library answers them.
static int open_server(lua_State *L) {
    const lua_Integer port = luaL_checkinteger(L, 1);
    int problem = 0;
    Server *server = lua_newuserdatauv(L, sizeof *server, 0);
    const int outcome = server_start(server, (uint16_t)port, &problem);
    luaL_setmetatable(L, server_type);
    if (outcome == 0)
        return 1;
    if (outcome == NO_LIBRARY)
        return unavailable(L, "libmicrohttpd is not installed (Debian: libmicrohttpd12)");
    lua_pushnil(L);
    if (outcome == PORT_IN_USE)
        lua_pushfstring(L, "port %I is in use (--port)", port);
    else
        lua_pushfstring(L, "the server cannot start at port %I: %s", port, strerror(problem));
    return 2;
}

// server:address(): what to open in a browser; without the token, of the page itself.
static int server_address(lua_State *L) {
    const Server *server = to_server(L);
    lua_pushfstring(L, "http://%s/?t=%s", server->guard.hosts[0], server->guard.token);
    return 1;
}

// server:door(): the path of a page of the user's own that leads a browser to the address, until it has; nil
// and why there is none.
static int server_door(lua_State *L) {
    Server *server = to_server(L);
    server_address(L);
    if (!door_open(&server->door, lua_tostring(L, -1)))
        return unavailable(L, strerror(errno));
    lua_pushstring(L, server->door.path);
    return 1;
}

// server:wait(seconds, descriptors): serves for so long, or until something comes. Gives the list of new
// requests, { method =, path =, query =, body =, request = } each, and the set of the descriptors that can be
// read.
static int wait_on_server(lua_State *L) {
    Server *server = to_server(L);
    const double seconds = luaL_checknumber(L, 2);
    struct pollfd descriptors[DESCRIPTORS_MAX + 1];
    const int count = read_descriptors(L, 3, descriptors + 1);
    descriptors[0] = (struct pollfd){ .fd = server_descriptor(server), .events = POLLIN };
    server_run(server); // sends what has been answered
    wait_for(descriptors, count + 1, server_patience(server, seconds));
    server_run(server);
    lua_newtable(L);
    lua_Integer made = 0;
    for (Request *request = server_waiting(server); request; request = server_waiting(server)) {
        push_request(L, request);
        lua_seti(L, -2, ++made);
    }
    push_ready(L, descriptors + 1, count);
    return 2;
}

static const luaL_Reg server_methods[] = { { "address", server_address },
                                           { "door", server_door },
                                           { "wait", wait_on_server },
                                           { "close", close_server },
                                           { NULL, NULL } };
static const luaL_Reg request_methods[] = { { "is_gone", is_gone },    { "answer", answer },
                                            { "stream", stream },      { "send", send },
                                            { "close", close_stream }, { NULL, NULL } };

static void register_classes(lua_State *L) {
    define_class(L, server_type, server_methods, close_server);
    define_class(L, request_type, request_methods, collect_request);
}

#else

static int open_server(lua_State *L) {
#ifdef _WIN32
    return unavailable(L, "there is no server on Windows: explore --static --site SITE RECIPE.lua -o DIR "
                          "writes a page that computes in the browser");
#else
    return unavailable(L, "this program was built without libmicrohttpd: install it (Debian: "
                          "libmicrohttpd-dev) and build again");
#endif
}

static void register_classes(lua_State *L) {
    (void)L;
}

#endif

static const luaL_Reg functions[] = { { "open", open_server }, { NULL, NULL } };

static int open_http(lua_State *L) {
    register_classes(L);
    luaL_newlib(L, functions);
    return 1;
}

void register_http(lua_State *L) {
    luaL_requiref(L, "esker.http", open_http, 0);
    lua_pop(L, 1);
}
