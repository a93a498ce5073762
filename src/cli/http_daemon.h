// A server on 127.0.0.1 over libmicrohttpd (LGPL 2.1), without Lua: connections, who may ask,
// and when it has to run. http_request.h has the requests.

#ifndef ESKER_HTTP_DAEMON_H
#define ESKER_HTTP_DAEMON_H

#include "cli/http_clients.h"
#include "cli/http_door.h"
#include "cli/http_guard.h"
#include "cli/http_request.h"

#include <stdbool.h>
#include <stdint.h>

enum { PORT_IN_USE = 1, NO_LIBRARY, NOT_STARTED };

typedef struct Server {
    struct MHD_Daemon *daemon;
    Guard guard;
    Door door;
    Held held;
    Client *clients;
    double looked; // for clients that have gone, in seconds
} Server;

// Opens a server; port 0: the system chooses one. Returns 0, or why it failed, with the system's error number
// in `problem`.
int server_start(Server *server, uint16_t port, int *problem);
void server_stop(Server *server);

int server_descriptor(const Server *server);

// Milliseconds that the server may be left alone, at most `seconds`.
int server_patience(const Server *server, double seconds);

// Sends what has been answered, takes what comes, and forgets clients that have gone.
void server_run(Server *server);

// The oldest complete request that was not taken yet; NULL if there is none.
Request *server_waiting(const Server *server);

#endif
