#define _GNU_SOURCE // POLLRDHUP
#include "cli/http.h"

#include "core/math.h"
#include "core/optional.h"
#include "core/whole.h"
#include "lua/binding.h"

// nil and why.
static int unavailable(lua_State *L, const char *why) {
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
}

#ifdef ESKER_MICROHTTPD

#include "cli/http_guard.h"
#include "cli/waiting.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 128,
    HEAD_MAX = 32 * 1024, // bytes of a request before its body
    BODY_MAX = 4 << 20,   // bytes
    STREAM_MAX = 8 << 20, // bytes that an event stream may lag behind
    PATIENCE = 20,        // seconds without a byte from or to a client
    QUERY_MAX = 16,
};

#define MICROHTTPD(function)                                                                                 \
    function(MHD_, add_response_header) function(MHD_, create_response_from_buffer)                          \
        function(MHD_, create_response_from_callback) function(MHD_, destroy_response)                       \
            function(MHD_, get_connection_info) function(MHD_, get_connection_values)                        \
                function(MHD_, get_daemon_info) function(MHD_, get_timeout)                                  \
                    function(MHD_, lookup_connection_value) function(MHD_, queue_response)                   \
                        function(MHD_, resume_connection) function(MHD_, run) function(MHD_, start_daemon)   \
                            function(MHD_, stop_daemon) function(MHD_, suspend_connection)
OPTIONAL_LIBRARY(microhttpd, "libmicrohttpd.so.12", MICROHTTPD)

static const char server_type[] = "esker.server", request_type[] = "esker.request";

typedef enum Stage { ARRIVING, WAITING, ANSWERED, STREAMING } Stage;

typedef struct Server Server;

// Belongs to its connection while there is one, and to Lua once it has been handed over.
typedef struct Request {
    Server *server;
    struct MHD_Connection *connection; // NULL: it has ended
    Stage stage;
    bool suspended, in_lua;
    bool over;                     // a stream that ends
    struct MHD_Response *response; // once it is answered
    unsigned status;
    char *method, *path;
    char *body; // what the client sent; of a stream, what is still to be sent
    size_t size, room;
    struct Request *next, *before; // of the server's
} Request;

struct Server {
    struct MHD_Daemon *daemon;
    pid_t owner; // forked processes leave it alone
    Guard guard;
    Request *requests;
    double looked; // for clients that have gone, in seconds
};

// --- requests ----------------------------------------------------------------------------------------------

static Request *request_new(Server *server, struct MHD_Connection *connection) {
    Request *request = calloc(1, sizeof *request);
    if (!request)
        return NULL;
    *request = (Request){ .server = server, .connection = connection, .next = server->requests };
    if (server->requests)
        server->requests->before = request;
    server->requests = request;
    return request;
}

static void request_free(Request *request) {
    if (request->connection || request->in_lua)
        return;
    if (request->next)
        request->next->before = request->before;
    if (request->before)
        request->before->next = request->next;
    else if (request->server)
        request->server->requests = request->next;
    if (request->response)
        microhttpd.destroy_response(request->response);
    free(request->method);
    free(request->path);
    free(request->body);
    free(request);
}

static bool request_append(Request *request, const char *bytes, size_t size, size_t max) {
    if (size > max - request->size)
        return false;
    if (request->size + size > request->room) {
        const size_t room = max(request->size + size, 2 * request->room);
        char *body = realloc(request->body, room);
        if (!body)
            return false;
        request->body = body;
        request->room = room;
    }
    memcpy(request->body + request->size, bytes, size);
    request->size += size;
    return true;
}

static void request_resume(Request *request) {
    if (request->connection && request->suspended) {
        request->suspended = false;
        microhttpd.resume_connection(request->connection);
    }
}

static void request_suspend(Request *request) {
    request->suspended = true;
    microhttpd.suspend_connection(request->connection);
}

// --- answers -----------------------------------------------------------------------------------------------

static const char *const headers[][2] = {
    { "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
                                 "blob: data:; connect-src 'self'; "
                                 "worker-src 'self' blob:; media-src blob:; base-uri 'none'; form-action "
                                 "'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "X-Frame-Options", "DENY" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-store" },
};

static struct MHD_Response *with_headers(struct MHD_Response *response, const char *type) {
    for (size_t i = 0; response && i < sizeof headers / sizeof *headers; i++)
        microhttpd.add_response_header(response, headers[i][0], headers[i][1]);
    if (response)
        microhttpd.add_response_header(response, "Content-Type", type);
    return response;
}

static struct MHD_Response *text_response(const char *text, size_t size, const char *type) {
    return with_headers(microhttpd.create_response_from_buffer(size, (void *)text, MHD_RESPMEM_MUST_COPY),
                        type);
}

static enum MHD_Result answer_now(struct MHD_Connection *connection, unsigned status,
                                  struct MHD_Response *response) {
    if (!response)
        return MHD_NO;
    const enum MHD_Result result = microhttpd.queue_response(connection, status, response);
    microhttpd.destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why) {
    char text[200];
    snprintf(text, sizeof text, "{\"error\": \"%s\"}", why);
    return answer_now(connection, status, text_response(text, strlen(text), "application/json"));
}

// To the page without the token, with the cookie that stands for it.
static enum MHD_Result let_in(const Guard *guard, struct MHD_Connection *connection) {
    char cookie[200];
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict", guard->cookie,
             guard->session);
    struct MHD_Response *response = text_response("", 0, "text/plain");
    if (response) {
        microhttpd.add_response_header(response, "Location", "/");
        microhttpd.add_response_header(response, "Set-Cookie", cookie);
    }
    return answer_now(connection, 303, response);
}

// --- callbacks of the library ------------------------------------------------------------------------------

static const char *header_of(struct MHD_Connection *connection, const char *name) {
    return microhttpd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// Refused here, before the body comes: a later refusal would break the connection.
static enum MHD_Result begin(Server *server, struct MHD_Connection *connection, const char *path,
                             const char *method, void **context) {
    const Head head = { .method = method,
                        .path = path,
                        .host = header_of(connection, "Host"),
                        .origin = header_of(connection, "Origin"),
                        .site = header_of(connection, "Sec-Fetch-Site"),
                        .cookie = header_of(connection, "Cookie"),
                        .type = header_of(connection, "Content-Type"),
                        .length = header_of(connection, "Content-Length"),
                        .token = microhttpd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "t") };
    const char *why = "";
    const unsigned status = guard_check(&server->guard, &head, &why);
    if (status == 303)
        return let_in(&server->guard, connection);
    if (status != 0)
        return refuse(connection, status, why);
    Request *request = request_new(server, connection);
    if (!request)
        return MHD_NO;
    *context = request; // freed when the connection has ended
    request->method = strdup(method);
    request->path = strdup(path);
    return request->method && request->path ? MHD_YES : MHD_NO;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data, size_t *size,
                              void **own) {
    Request *request = *own;
    (void)version;
    if (!request)
        return begin(context, connection, path, method, own);
    if (request->stage == ARRIVING && *size > 0) {
        const bool fits = request_append(request, data, *size, BODY_MAX);
        *size = 0;
        return fits ? MHD_YES : MHD_NO;
    }
    if (request->stage == ARRIVING) {
        request->stage = WAITING;
        request_suspend(request);
        return MHD_YES;
    }
    return request->response ? microhttpd.queue_response(connection, request->status, request->response)
                             : MHD_NO;
}

static void complete(void *context, struct MHD_Connection *connection, void **own,
                     enum MHD_RequestTerminationCode code) {
    Request *request = *own;
    (void)context, (void)connection, (void)code;
    if (!request)
        return;
    *own = NULL;
    request->connection = NULL;
    request_free(request);
}

// The next bytes of an event stream; with none left it sleeps.
static ssize_t read_stream(void *context, uint64_t position, char *to, size_t room) {
    Request *request = context;
    (void)position;
    if (request->over)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (request->size == 0) {
        request_suspend(request);
        return 0;
    }
    const size_t size = min(room, request->size);
    memcpy(to, request->body, size);
    memmove(request->body, request->body + size, request->size - size);
    request->size -= size;
    return (ssize_t)size;
}

// --- Lua: requests -----------------------------------------------------------------------------------------

static Request *to_request(lua_State *L) {
    Request **request = luaL_checkudata(L, 1, request_type);
    return *request;
}

static bool is_gone(const Request *request) {
    if (!request->connection)
        return true;
    const union MHD_ConnectionInfo *info =
        microhttpd.get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd descriptor = { .fd = info ? info->connect_fd : -1, .events = POLLRDHUP };
    return poll(&descriptor, 1, 0) > 0 && (descriptor.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

// request:is_gone(): whether the client waits no longer.
static int request_is_gone(lua_State *L) {
    lua_pushboolean(L, is_gone(to_request(L)));
    return 1;
}

static void finish(Request *request, unsigned status, struct MHD_Response *response) {
    if (request->stage != WAITING || !request->connection) {
        if (response)
            microhttpd.destroy_response(response);
        return;
    }
    request->stage = ANSWERED;
    request->status = status;
    request->response = response;
    request_resume(request);
}

// request:answer(status, type, body, name): with a name, a file to be saved. The second answer counts for
// nothing.
static int request_answer(lua_State *L) {
    Request *request = to_request(L);
    const lua_Integer status = luaL_checkinteger(L, 2);
    const char *type = luaL_checkstring(L, 3), *name = luaL_optstring(L, 5, NULL);
    size_t size;
    const char *body = luaL_checklstring(L, 4, &size);
    struct MHD_Response *response = text_response(body, size, type);
    if (response && name) {
        lua_pushfstring(L, "attachment; filename=\"%s\"", name);
        microhttpd.add_response_header(response, "Content-Disposition", lua_tostring(L, -1));
    }
    finish(request, (unsigned)status, response);
    return 0;
}

// request:stream(): the answer is a stream of events, sent by request:send.
static int request_stream(lua_State *L) {
    Request *request = to_request(L);
    if (request->stage != WAITING || !request->connection)
        return 0;
    request->size = 0;
    struct MHD_Response *response = with_headers(
        microhttpd.create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, request, NULL),
        "text/event-stream");
    finish(request, 200, response);
    request->stage = STREAMING;
    return 0;
}

// request:send(text): more of a stream; false where its client is gone, or too slow.
static int request_send(lua_State *L) {
    Request *request = to_request(L);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    const bool well =
        request->stage == STREAMING && !is_gone(request) && request_append(request, text, size, STREAM_MAX);
    request->over = !well;
    request_resume(request);
    lua_pushboolean(L, well);
    return 1;
}

static int request_collect(lua_State *L) {
    Request *request = to_request(L);
    if (request->server && request->server->owner != getpid())
        return 0;
    request->in_lua = false;
    if (request->stage == STREAMING) {
        request->over = true;
        request_resume(request);
    }
    static const char text[] = "{\"error\": \"not answered\"}";
    finish(request, 500, text_response(text, sizeof text - 1, "application/json"));
    request_free(request);
    return 0;
}

typedef struct Arguments {
    lua_State *L;
    int count;
} Arguments;

static enum MHD_Result add_argument(void *context, enum MHD_ValueKind kind, const char *key,
                                    const char *value) {
    Arguments *arguments = context;
    (void)kind;
    if (arguments->count++ >= QUERY_MAX)
        return MHD_NO;
    lua_pushstring(arguments->L, value ? value : "");
    lua_setfield(arguments->L, -2, key);
    return MHD_YES;
}

// Pushes { method =, path =, query =, body =, request = }.
static void push_request(lua_State *L, Request *request) {
    lua_createtable(L, 0, 5);
    Request **held = lua_newuserdatauv(L, sizeof(Request *), 0);
    *held = request;
    request->in_lua = true;
    luaL_setmetatable(L, request_type);
    lua_setfield(L, -2, "request");
    lua_pushstring(L, request->method);
    lua_setfield(L, -2, "method");
    lua_pushstring(L, request->path);
    lua_setfield(L, -2, "path");
    lua_pushlstring(L, request->body ? request->body : "", request->size);
    lua_setfield(L, -2, "body");
    Arguments arguments = { L, 0 };
    lua_newtable(L);
    microhttpd.get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, add_argument, &arguments);
    lua_setfield(L, -2, "query");
}

// --- Lua: the server ---------------------------------------------------------------------------------------

static Server *to_server(lua_State *L) {
    Server *server = luaL_checkudata(L, 1, server_type);
    if (!server->daemon)
        luaL_error(L, "the server is closed");
    return server;
}

// Connections that wait are resumed first, which the library asks for.
static int server_close(lua_State *L) {
    Server *server = luaL_checkudata(L, 1, server_type);
    if (!server->daemon || server->owner != getpid())
        return 0;
    for (Request *request = server->requests; request; request = request->next)
        request_resume(request);
    microhttpd.run(server->daemon);
    microhttpd.stop_daemon(server->daemon);
    server->daemon = NULL;
    for (Request *request = server->requests; request; request = request->next)
        request->server = NULL;
    return 0;
}

static struct MHD_Daemon *start(Server *server, uint16_t port) {
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    return microhttpd.start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handle, server,
                                   MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
                                   (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                                   (size_t)HEAD_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
                                   MHD_OPTION_NOTIFY_COMPLETED, complete, NULL, MHD_OPTION_END);
}

// http.open(port): a server on 127.0.0.1, at a port that the system chooses where it is 0; nil and why not.
// It prints nothing about requests that break the protocol: the library answers them.
static int open_server(lua_State *L) {
    const lua_Integer port = luaL_checkinteger(L, 1);
    if (!open_microhttpd())
        return unavailable(L, "libmicrohttpd is not installed (Debian: libmicrohttpd12)");
    Server *server = lua_newuserdatauv(L, sizeof *server, 0);
    *server = (Server){ .owner = getpid() };
    luaL_setmetatable(L, server_type);
    errno = 0;
    server->daemon = start(server, (uint16_t)port);
    const int problem = errno;
    const union MHD_DaemonInfo *info =
        server->daemon ? microhttpd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (info && guard_set(&server->guard, info->port, BODY_MAX))
        return 1;
    lua_pushnil(L);
    if (problem == EADDRINUSE)
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

static int milliseconds_to_wait(const Server *server, double seconds) {
    MHD_UNSIGNED_LONG_LONG own;
    const double given = clamp(ceil(seconds * 1000), 0, 60000);
    const bool limited = microhttpd.get_timeout(server->daemon, &own) == MHD_YES;
    return (int)whole_64(limited && (double)own < given ? (double)own : given);
}

// Ends the requests whose clients have gone, for whose answers the library would wait: there are only so many
// connections.
static void forget_gone(Server *server) {
    const double pause = 0.2; // seconds
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    if (seconds - server->looked < pause)
        return;
    server->looked = seconds;
    for (Request *request = server->requests; request; request = request->next)
        if (request->stage == WAITING && request->in_lua && is_gone(request))
            finish(request, 400, text_response("", 0, "text/plain"));
}

static bool is_new(const Request *request) {
    return request->stage == WAITING && !request->in_lua && request->connection;
}

static bool has_new(const Server *server) {
    const Request *request = server->requests;
    while (request && !is_new(request))
        request = request->next;
    return request != NULL;
}

// server:wait(seconds, descriptors): serves for so long, or until something comes. Gives the list of new
// requests, { method =, path =, query =, body =, request = } each, and the set of the descriptors that can be
// read.
static int server_wait(lua_State *L) {
    Server *server = to_server(L);
    const double seconds = luaL_checknumber(L, 2);
    struct pollfd descriptors[DESCRIPTORS_MAX + 1];
    const int count = read_descriptors(L, 3, descriptors + 1);
    descriptors[0] =
        (struct pollfd){ .fd = microhttpd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
                         .events = POLLIN };
    forget_gone(server);
    microhttpd.run(server->daemon); // sends what has been answered
    const bool waiting = has_new(server);
    wait_for(descriptors, count + 1, waiting ? 0 : milliseconds_to_wait(server, seconds));
    microhttpd.run(server->daemon); // takes connections,
    microhttpd.run(server->daemon); // and reads from them
    lua_newtable(L);
    lua_Integer made = 0;
    Request *first = server->requests;
    while (first && first->next)
        first = first->next;
    for (Request *request = first; request; request = request->before) // as they came
        if (is_new(request)) {
            push_request(L, request);
            lua_seti(L, -2, ++made);
        }
    push_ready(L, descriptors + 1, count);
    return 2;
}

static const luaL_Reg server_methods[] = {
    { "address", server_address }, { "wait", server_wait }, { "close", server_close }, { NULL, NULL }
};
static const luaL_Reg request_methods[] = { { "is_gone", request_is_gone },
                                            { "answer", request_answer },
                                            { "stream", request_stream },
                                            { "send", request_send },
                                            { NULL, NULL } };

static void register_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction collect) {
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

static void register_classes(lua_State *L) {
    register_class(L, server_type, server_methods, server_close);
    register_class(L, request_type, request_methods, request_collect);
}

#else

static int open_server(lua_State *L) {
    return unavailable(L, "this program was built without libmicrohttpd: install it (Debian: "
                          "libmicrohttpd-dev) and build again");
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
