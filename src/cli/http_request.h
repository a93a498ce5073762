// Requests over libmicrohttpd, from their first byte to their answer or the end of their stream of events.
// What is held for clients is bounded, whatever they do.

#ifndef ESKER_HTTP_REQUEST_H
#define ESKER_HTTP_REQUEST_H

#include "cli/http_guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct MHD_Connection;
struct MHD_Response;

typedef enum Stage { ARRIVING, WAITING, ANSWERED, STREAMING } Stage;

// Memory that is held for all clients.
typedef struct Held {
    struct Request *requests; // the newest first
    size_t bodies, answers;   // bytes
    pid_t owner;              // forked processes leave it alone
} Held;

// Belongs to its connection while there is one, and to its owner once that has taken it.
typedef struct Request {
    Held *held;                        // NULL: the server has ended
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
    struct Request *next, *before; // of those held
} Request;

// --- for the server ----------------------------------------------------------------------------------------

// Whether the library is there, which has to be asked first.
bool requests_open(void);

// NULL: there is no memory.
Request *request_new(Held *held, struct MHD_Connection *connection);
bool request_append(Request *request, const char *bytes, size_t size, size_t max);

// The connection waits for its owner's answer, or goes on.
void request_suspend(Request *request);
void request_resume(Request *request);

// Hands its answer to the library: false where that cannot be, as below.
bool request_queue(Request *request);

// Frees what is held for a client that is gone, or has its answer; and the request, once nobody has it.
void request_forget(Request *request);
void request_free(Request *request);

// Answers without a request: a refusal; to the page without the token, with the cookie that stands for it.
bool connection_refuse(struct MHD_Connection *connection, unsigned status, const char *why);
bool connection_let_in(const Guard *guard, struct MHD_Connection *connection, unsigned status);

int connection_descriptor(struct MHD_Connection *connection);
bool connection_sends_no_more(struct MHD_Connection *connection);

// --- for the owner -----------------------------------------------------------------------------------------

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
