#define _GNU_SOURCE // POLLRDHUP
#include "cli/http_daemon.h"

#ifdef ESKER_MICROHTTPD

#include "core/math.h"
#include "core/optional.h"
#include "core/whole.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 128,
    HEAD_MAX = 32 * 1024,    // bytes of a request before its body
    BODY_MAX = 4 << 20,      // bytes
    STREAM_MAX = 2 << 20,    // bytes that an event stream may lag behind
    BODIES_MAX = 32 << 20,   // bytes of all bodies together
    ANSWERS_MAX = 192 << 20, // bytes of all answers that are not sent yet
    PATIENCE = 20,           // seconds without a byte from or to a client
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

// What is held for a client that is gone, or has its answer.
static void request_forget(Request *request) {
    if (request->server) {
        request->server->bodies -= request->announced;
        request->server->answers -= request->answer_size;
    }
    if (request->response)
        microhttpd.destroy_response(request->response);
    free(request->body);
    request->announced = request->answer_size = request->size = request->room = 0;
    request->response = NULL;
    request->body = NULL;
}

static void request_free(Request *request) {
    if (request->connection || request->taken)
        return;
    request_forget(request);
    if (request->next)
        request->next->before = request->before;
    if (request->before)
        request->before->next = request->next;
    else if (request->server)
        request->server->requests = request->next;
    free(request->method);
    free(request->path);
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

typedef struct Occurrences {
    const char *name;
    int count;
} Occurrences;

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value) {
    Occurrences *occurrences = context;
    (void)kind, (void)value;
    occurrences->count += strcasecmp(name, occurrences->name) == 0;
    return MHD_YES;
}

// Whether a header that decides is there more than once, and might be read differently elsewhere.
static bool has_twice(struct MHD_Connection *connection, const char *name) {
    Occurrences occurrences = { name, 0 };
    microhttpd.get_connection_values(connection, MHD_HEADER_KIND, count_header, &occurrences);
    return occurrences.count > 1;
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
    static const char *const single[] = { "Host", "Origin", "Content-Length", "Content-Type",
                                          "Transfer-Encoding" };
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (has_twice(connection, single[i]))
            return refuse(connection, 400, "a header is there twice");
    const char *why = "";
    const unsigned status = guard_check(&server->guard, &head, &why);
    if (status == 303)
        return let_in(&server->guard, connection);
    if (status != 0)
        return refuse(connection, status, why);
    const size_t announced = head.length ? (size_t)strtoull(head.length, NULL, 10) : 0; // checked
    if (server->bodies + announced > BODIES_MAX)
        return refuse(connection, 503, "too much is being sent");
    Request *request = request_new(server, connection);
    if (!request)
        return MHD_NO;
    server->bodies += request->announced = announced;
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
        const bool fits = request_append(request, data, *size, request->announced);
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
    request_forget(request);
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

// --- for the owner
// ------------------------------------------------------------------------------------------

bool request_is_gone(const Request *request) {
    if (!request->connection)
        return true;
    const union MHD_ConnectionInfo *info =
        microhttpd.get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd descriptor = { .fd = info ? info->connect_fd : -1, .events = POLLRDHUP };
    return poll(&descriptor, 1, 0) > 0 && (descriptor.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
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

void request_answer(Request *request, unsigned status, const char *type, const char *body, size_t size,
                    const char *name) {
    if (request->stage != WAITING || !request->connection)
        return;
    if (request->server->answers + size > ANSWERS_MAX) {
        static const char text[] = "{\"error\": \"too much is being sent\"}";
        status = 503, type = "application/json", body = text, size = sizeof text - 1, name = NULL;
    }
    struct MHD_Response *response = text_response(body, size, type);
    char disposition[300];
    if (response && name) {
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", name);
        microhttpd.add_response_header(response, "Content-Disposition", disposition);
    }
    request->server->answers += request->answer_size = size;
    finish(request, status, response);
}

void request_stream(Request *request) {
    if (request->stage != WAITING || !request->connection)
        return;
    request->size = 0;
    struct MHD_Response *response = with_headers(
        microhttpd.create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, request, NULL),
        "text/event-stream");
    finish(request, 200, response);
    request->stage = STREAMING;
}

bool request_send(Request *request, const char *text, size_t size) {
    const bool well = request->stage == STREAMING && !request_is_gone(request) &&
                      request_append(request, text, size, STREAM_MAX);
    request->over = !well;
    request_resume(request);
    return well;
}

void request_close(Request *request) {
    if (request->stage != STREAMING)
        return;
    request->over = true;
    request_resume(request);
}

void request_give_back(Request *request) {
    request->taken = false;
    request_close(request);
    static const char text[] = "{\"error\": \"not answered\"}";
    request_answer(request, 500, "application/json", text, sizeof text - 1, NULL);
    request_free(request);
}

typedef struct Arguments {
    AddArgument *add;
    void *context;
    int count;
} Arguments;

static enum MHD_Result add_argument(void *context, enum MHD_ValueKind kind, const char *key,
                                    const char *value) {
    Arguments *arguments = context;
    (void)kind;
    if (arguments->count++ >= QUERY_MAX)
        return MHD_NO;
    arguments->add(arguments->context, key, value ? value : "");
    return MHD_YES;
}

void request_arguments(const Request *request, AddArgument *add, void *context) {
    Arguments arguments = { add, context, 0 };
    microhttpd.get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, add_argument, &arguments);
}

// --- the server --------------------------------------------------------------------------------------------

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

int server_start(Server *server, uint16_t port, int *problem) {
    *server = (Server){ .owner = getpid() };
    if (!open_microhttpd())
        return NO_LIBRARY;
    errno = 0;
    server->daemon = start(server, port);
    *problem = errno;
    const union MHD_DaemonInfo *info =
        server->daemon ? microhttpd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (info && guard_set(&server->guard, info->port, BODY_MAX))
        return 0;
    return *problem == EADDRINUSE ? PORT_IN_USE : NOT_STARTED;
}

// Connections that wait are resumed first, which the library asks for.
void server_stop(Server *server) {
    if (!server->daemon || server->owner != getpid())
        return;
    for (Request *request = server->requests; request; request = request->next)
        request_resume(request);
    microhttpd.run(server->daemon);
    microhttpd.stop_daemon(server->daemon);
    server->daemon = NULL;
    for (Request *request = server->requests; request; request = request->next)
        request->server = NULL;
}

int server_descriptor(const Server *server) {
    return microhttpd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int server_patience(const Server *server, double seconds) {
    if (server_waiting(server))
        return 0;
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
        if (request->stage == WAITING && request->taken && request_is_gone(request))
            request_answer(request, 400, "text/plain", "", 0, NULL);
}

void server_run(Server *server) {
    forget_gone(server);
    microhttpd.run(server->daemon); // takes connections,
    microhttpd.run(server->daemon); // and reads from them
}

Request *server_waiting(const Server *server) {
    Request *oldest = NULL;
    for (Request *request = server->requests; request; request = request->next)
        if (request->stage == WAITING && !request->taken && request->connection)
            oldest = request;
    return oldest;
}

#endif
