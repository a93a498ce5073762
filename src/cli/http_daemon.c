#define _GNU_SOURCE // strdup, mkdtemp

#include "cli/http_daemon.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- the page that leads to the server ---------------------------------------------------------------------

// Removes it.
static void door_close(Door *door);

static const char page[] = "<!DOCTYPE html><meta name=referrer content=no-referrer>"
                           "<meta http-equiv=refresh content='0; url=%s'><a href='%s'>esker</a>\n";

static bool write_page(const char *path, const char *address) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return false;
    const bool written = dprintf(descriptor, page, address, address) > 0;
    return close(descriptor) == 0 && written;
}

// Where the user's files are that no other user can reach; otherwise where temporary files are.
static const char *place(void) {
    static const char *const names[] = { "XDG_RUNTIME_DIR", "TMPDIR" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        if (folder && *folder == '/' && strlen(folder) < 150 && access(folder, W_OK | X_OK) == 0)
            return folder;
    }
    return "/tmp";
}

static Door *still_open; // until the program ends, however it does without a signal
static pid_t owner;

static void close_at_exit(void) {
    if (still_open && owner == getpid())
        door_close(still_open);
}

bool door_open(Door *door, const char *address) {
    *door = (Door){ 0 };
    Door made;
    snprintf(made.folder, sizeof made.folder, "%s/esker-XXXXXX", place());
    if (!mkdtemp(made.folder))
        return false;
    snprintf(made.path, sizeof made.path, "%s/esker.html", made.folder);
    const bool written = write_page(made.path, address);
    *door = made;
    if (!owner)
        atexit(close_at_exit);
    still_open = door;
    owner = getpid();
    if (!written)
        door_close(door);
    return written;
}

static void door_close(Door *door) {
    if (!*door->folder)
        return;
    unlink(door->path);
    rmdir(door->folder);
    still_open = NULL;
    *door = (Door){ 0 };
}

// --- connections -------------------------------------------------------------------------------------------

#ifdef ESKER_MICROHTTPD

#include <stdlib.h>
#include <sys/socket.h>

enum {
    STRANGERS_MAX = 32,
    STRANGERS_PATIENCE = 5, // seconds
};

static void end(Client *client) {
    client->ended = true;
    shutdown(connection_descriptor(client->connection), SHUT_RDWR); // wakes the library
}

static void end_oldest_stranger(Client *clients) {
    int strangers = 0;
    Client *oldest = NULL;
    for (Client *client = clients; client; client = client->next)
        if (!client->known && !client->ended) {
            strangers++;
            oldest = client;
        }
    if (strangers > STRANGERS_MAX)
        end(oldest);
}

// client_keep adds a new connection to a list, the newest first; NULL if memory runs out: then only the
// library ends it. client_drop removes it. Each new one ends the oldest stranger beyond a number, so that
// those who send nothing, or half a request, take the room of each other and not of the user.
static Client *client_keep(Client **clients, struct MHD_Connection *connection, double now) {
    Client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    end_oldest_stranger(*clients);
    *client = (Client){ .connection = connection, .since = now, .next = *clients };
    if (client->next)
        client->next->before = client;
    *clients = client;
    return client;
}

static void client_drop(Client **clients, Client *client) {
    if (!client)
        return;
    if (client->next)
        client->next->before = client->before;
    if (client->before)
        client->before->next = client->next;
    else
        *clients = client->next;
    free(client);
}

static void client_knows(Client *clients, const struct MHD_Connection *connection) {
    for (Client *client = clients; client; client = client->next)
        client->known |= client->connection == connection;
}

// Ends strangers who had time enough for a request.
static void clients_end_strangers(Client *clients, double now) {
    for (Client *client = clients; client; client = client->next)
        if (!client->known && !client->ended && now - client->since > STRANGERS_PATIENCE)
            end(client);
}

// Whether there is a request that has come whole, whose answer its client may still read.
static bool is_asking(const Held *held, const Client *client) {
    for (const Request *request = held->requests; request; request = request->next)
        if (request->connection == client->connection)
            return request->stage != ARRIVING;
    return false;
}

// Ends connections whose clients closed them before a request was whole.
// The library overlooks the end of what comes together with the last bytes, and would keep the connection
// until its patience ends. What is whole has been read at the second look.
static void clients_end_half_requests(Client *clients, const Held *held) {
    for (Client *client = clients; client; client = client->next) {
        client->gone = connection_sends_no_more(client->connection) ? client->gone + 1 : 0;
        if (client->gone > 1 && !is_asking(held, client))
            end(client);
    }
}

#endif

// --- daemons -----------------------------------------------------------------------------------------------

#ifdef ESKER_MICROHTTPD

#include "core/clock.h"
#include "core/dynamic_library.h"
#include "core/math.h"
#include "core/whole.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 128,
    HEAD_MAX = 32 * 1024,  // bytes of a request before its body
    BODY_MAX = 4 << 20,    // bytes
    BODIES_MAX = 32 << 20, // bytes of all bodies together
    PATIENCE = 20,         // seconds without a byte from or to a client
};

#define MICROHTTPD(function)                                                                                 \
    function(MHD_, get_connection_values) function(MHD_, get_daemon_info) function(MHD_, get_timeout)        \
        function(MHD_, lookup_connection_value) function(MHD_, run) function(MHD_, start_daemon)             \
            function(MHD_, stop_daemon)
OPTIONAL_LIBRARY(microhttpd, "libmicrohttpd.so.12", MICROHTTPD)

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

// RFC 9110, section 5.6.2: "Transfer-Encoding :" is that header for some who pass requests on.
static enum MHD_Result find_no_token(void *context, enum MHD_ValueKind kind, const char *name,
                                     const char *value) {
    static const char token[] =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    bool *found = context;
    (void)kind, (void)value;
    *found = *found || !*name || strspn(name, token) != strlen(name);
    return MHD_YES;
}

static bool has_name_that_is_none(struct MHD_Connection *connection) {
    bool found = false;
    microhttpd.get_connection_values(connection, MHD_HEADER_KIND, find_no_token, &found);
    return found;
}

// Refused here, before the body comes: a later refusal would break the connection.
static bool begin(Server *server, struct MHD_Connection *connection, const char *path, const char *method,
                  void **context) {
    const Head head = { .method = method,
                        .path = path,
                        .host = header_of(connection, "Host"),
                        .origin = header_of(connection, "Origin"),
                        .site = header_of(connection, "Sec-Fetch-Site"),
                        .cookie = header_of(connection, "Cookie"),
                        .type = header_of(connection, "Content-Type"),
                        .length = header_of(connection, "Content-Length"),
                        .coding = header_of(connection, "Transfer-Encoding"),
                        .token = microhttpd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "t") };
    static const char *const single[] = { "Host", "Origin", "Content-Length", "Content-Type",
                                          "Transfer-Encoding" };
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (has_twice(connection, single[i]))
            return connection_refuse(connection, 400, "a header is there twice");
    if (has_name_that_is_none(connection))
        return connection_refuse(connection, 400,
                                 "a header's name has a space or another sign that names lack");
    const char *why = "";
    const unsigned status = guard_check(&server->guard, &head, &why);
    if (status < 400)
        client_knows(server->clients, connection);
    if (status == LET_IN || status == LET_IN_HERE) {
        door_close(&server->door);
        return connection_let_in(&server->guard, connection, status);
    }
    if (status != 0)
        return connection_refuse(connection, status, why);
    const size_t announced = head.length ? (size_t)strtoull(head.length, NULL, 10) : 0; // checked
    if (server->held.bodies + announced > BODIES_MAX)
        return connection_refuse(connection, 503, "too much is being sent");
    Request *request = request_new(&server->held, connection);
    if (!request)
        return false;
    server->held.bodies += request->announced = announced;
    *context = request; // freed when the connection has ended
    request->method = strdup(method);
    request->path = strdup(guard_inside(&server->guard, path));
    return request->method && request->path;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data, size_t *size,
                              void **own) {
    Request *request = *own;
    (void)version;
    if (!request)
        return begin(context, connection, path, method, own) ? MHD_YES : MHD_NO;
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
    return request_queue(request) ? MHD_YES : MHD_NO;
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

static void notice_connection(void *context, struct MHD_Connection *connection, void **own,
                              enum MHD_ConnectionNotificationCode code) {
    Server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *own = client_keep(&server->clients, connection, clock_seconds());
    else
        client_drop(&server->clients, *own);
}

// --- the server --------------------------------------------------------------------------------------------

static struct MHD_Daemon *start(Server *server, uint16_t port) {
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    return microhttpd.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
        &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEAD_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_NOTIFY_COMPLETED,
        complete, NULL, MHD_OPTION_NOTIFY_CONNECTION, notice_connection, server, MHD_OPTION_END);
}

int server_start(Server *server, uint16_t port, int *problem) {
    *server = (Server){ .held.owner = getpid() };
    if (!open_microhttpd() || !requests_open())
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
    if (!server->daemon || server->held.owner != getpid())
        return;
    door_close(&server->door);
    for (Request *request = server->held.requests; request; request = request->next)
        request_resume(request);
    microhttpd.run(server->daemon);
    microhttpd.stop_daemon(server->daemon);
    server->daemon = NULL;
    for (Request *request = server->held.requests; request; request = request->next)
        request->held = NULL;
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

// Ends the requests whose clients have gone. The library would wait to send their answers, and the number of
// connections is limited.
static void forget_gone(Server *server) {
    const double pause = 0.2, now = clock_seconds();
    if (now - server->looked < pause)
        return;
    server->looked = now;
    for (Request *request = server->held.requests; request; request = request->next)
        if (request->stage == WAITING && request->taken && request_is_gone(request))
            request_answer(request, 400, "text/plain", "", 0, NULL);
    clients_end_half_requests(server->clients, &server->held);
    clients_end_strangers(server->clients, now);
}

void server_run(Server *server) {
    forget_gone(server);
    microhttpd.run(server->daemon); // takes connections,
    microhttpd.run(server->daemon); // and reads from them
}

Request *server_waiting(const Server *server) {
    Request *oldest = NULL;
    for (Request *request = server->held.requests; request; request = request->next)
        if (request->stage == WAITING && !request->taken && request->connection)
            oldest = request;
    return oldest;
}

#endif
