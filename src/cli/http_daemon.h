// A server on 127.0.0.1 over libmicrohttpd (LGPL 2.1), without Lua: connections, who may ask,
// and when it has to run. http_request.h has the requests.

#ifndef ESKER_HTTP_DAEMON_H
#define ESKER_HTTP_DAEMON_H

#include "cli/http_guard.h"
#include "cli/http_request.h"

#include <stdbool.h>
#include <stdint.h>

// A page in a file of the user's own that leads a browser to the explorer. The words of a program are
// readable for all users of a machine, so the address with its token is not one of them: the browser is given
// this file.
typedef struct Door {
    char folder[200], path[220]; // empty: there is none
} Door;

// Writes the page, which only the user can read, into a new folder, which only the user can open; false if it
// cannot, with errno.
bool door_open(Door *door, const char *address);

// The connections of the server, also those that have not sent a whole request.
typedef struct Client {
    struct MHD_Connection *connection;
    double since; // seconds
    bool known;   // by a whole request with the secret; a stranger otherwise
    bool ended;
    int gone; // looks, one after the other, at which it sent no more
    struct Client *next, *before;
} Client;

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
