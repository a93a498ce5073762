// The connections of the server, also those that have not sent a whole request.

#ifndef ESKER_HTTP_CLIENTS_H
#define ESKER_HTTP_CLIENTS_H

#include "cli/http_request.h"

typedef struct Client {
    struct MHD_Connection *connection;
    double since; // seconds
    bool known;   // by a whole request with the secret; a stranger otherwise
    bool ended;
    int gone; // looks, one after the other, at which it sent no more
    struct Client *next, *before;
} Client;

// client_keep adds a new connection to a list, the newest first; NULL if memory runs out: then only the
// library ends it. client_drop removes it. Each new one ends the oldest stranger beyond a number, so that
// those who send nothing, or half a request, take the room of each other and not of the user.
Client *client_keep(Client **clients, struct MHD_Connection *connection, double now);
void client_drop(Client **clients, Client *client);

void client_knows(Client *clients, const struct MHD_Connection *connection);

// Ends strangers who had time enough for a request.
void clients_end_strangers(Client *clients, double now);

// Ends connections whose clients closed them before a request was whole.
void clients_end_half_requests(Client *clients, const Held *held);

#endif
