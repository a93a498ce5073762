// The connections of the server, also those that have not sent a whole request.

#ifndef ESKER_HTTP_CLIENTS_H
#define ESKER_HTTP_CLIENTS_H

#include "cli/http_request.h"

typedef struct Client {
    struct MHD_Connection *connection;
    int gone; // looks, one after the other, at which it sent no more
    struct Client *next, *before;
} Client;

// Keeps a new connection in a list, and drops it: NULL where there was no memory, which the library alone
// ends.
Client *client_keep(Client **clients, struct MHD_Connection *connection);
void client_drop(Client **clients, Client *client);

// Ends connections whose clients closed them before a request was whole.
void clients_end_half_requests(Client *clients, const Held *held);

#endif
