#include "cli/http_clients.h"

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

Client *client_keep(Client **clients, struct MHD_Connection *connection, double now) {
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

void client_knows(Client *clients, const struct MHD_Connection *connection) {
    for (Client *client = clients; client; client = client->next)
        client->known |= client->connection == connection;
}

void clients_end_strangers(Client *clients, double now) {
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

// The library overlooks the end of what comes together with the last bytes, and would keep the connection
// until its patience ends. What is whole has been read at the second look.
void clients_end_half_requests(Client *clients, const Held *held) {
    for (Client *client = clients; client; client = client->next) {
        client->gone = connection_sends_no_more(client->connection) ? client->gone + 1 : 0;
        if (client->gone > 1 && !is_asking(held, client))
            end(client);
    }
}

#endif
