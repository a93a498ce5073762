// A server on 127.0.0.1 over libmicrohttpd (LGPL 2.1), without Lua: connections, requests, answers and
// streams of events. What it holds for clients is bounded, whatever they do.

#ifndef ESKER_HTTP_DAEMON_H
#define ESKER_HTTP_DAEMON_H

#include "cli/http_guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PORT_IN_USE = 1, NO_LIBRARY, NOT_STARTED };

typedef enum Stage { ARRIVING, WAITING, ANSWERED, STREAMING } Stage;

typedef struct Server Server;

// Belongs to its connection while there is one, and to its owner once that has taken it.
typedef struct Request {
    Server *server;
    struct MHD_Connection *connection; // NULL: it has ended
    Stage stage;
    bool suspended, taken;
    bool over;                     // a stream that ends
    struct MHD_Response *response; // once it is answered
    unsigned status;
    size_t answer_size;
    char *method, *path;
    char *body; // what the client sent; of a stream, what is still to be sent
    size_t size, room, announced;
    struct Request *next, *before; // of the server's
} Request;

struct Server {
    struct MHD_Daemon *daemon;
    pid_t owner; // forked processes leave it alone
    Guard guard;
    Request *requests;      // the newest first
    double looked;          // for clients that have gone, in seconds
    size_t bodies, answers; // bytes that are held for clients
};

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

// Calls `add` with each argument of a request's query.
typedef void AddArgument(void *context, const char *name, const char *value);
void request_arguments(const Request *request, AddArgument *add, void *context);

bool request_is_gone(const Request *request);

// Answers a request that was not answered yet. With a name it is a file to be saved.
void request_answer(Request *request, unsigned status, const char *type, const char *body, size_t size,
                    const char *name);

// Makes the answer a stream of events, and sends more of it: false where its client is gone, or too slow.
void request_stream(Request *request);
bool request_send(Request *request, const char *text, size_t size);
void request_close(Request *request); // ends the stream

// The owner gives a request back, which is answered then at the latest.
void request_give_back(Request *request);

#endif
