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

// Opens a server, at a port that the system chooses where it is 0: 0, or why not, and the system's number for
// that.
int server_start(Server *server, uint16_t port, int *problem);
void server_stop(Server *server);

int server_descriptor(const Server *server);

// How long the server may be left alone, at most so many seconds.
int server_patience(const Server *server, double seconds);

// Sends what has been answered, takes what comes, and forgets clients that have gone.
void server_run(Server *server);

// The oldest request that has come whole and is not taken; NULL if there is none.
Request *server_waiting(const Server *server);

#endif
