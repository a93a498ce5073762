#include "cli/http_clients.h"

#ifdef ESKER_MICROHTTPD

#include <stdlib.h>
#include <sys/socket.h>

Client *client_keep(Client **clients, struct MHD_Connection *connection) {
    Client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    *client = (Client){ .connection = connection, .next = *clients };
    if (client->next)
        client->next->before = client;
    *clients = client;
    return client;
}

void client_drop(Client **clients, Client *client) {
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

// Whether there is a request that has come whole, whose answer its client may still read.
static bool is_asking(const Held *held, const Client *client) {
    for (const Request *request = held->requests; request; request = request->next)
        if (request->connection == client->connection)
            return request->stage != ARRIVING;
    return false;
}

// The library overlooks the end of what comes together with the last bytes, and would keep the connection
// until its patience ends. What is whole has been read at the second look.
void clients_end_half_requests(Client *clients, const Held *held) {
    for (Client *client = clients; client; client = client->next) {
        client->gone = connection_sends_no_more(client->connection) ? client->gone + 1 : 0;
        if (client->gone > 1 && !is_asking(held, client))
            shutdown(connection_descriptor(client->connection), SHUT_RDWR); // wakes the library
    }
}

#endif
