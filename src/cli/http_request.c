#define _GNU_SOURCE // POLLRDHUP
#include "cli/http_request.h"

#ifdef ESKER_MICROHTTPD

#include "core/dynamic_library.h"
#include "core/math.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAM_MAX = 2 << 20,    // bytes that an event stream may lag behind
    ANSWERS_MAX = 192 << 20, // bytes of all answers that are not sent yet
    QUERY_MAX = 16,
};

#define MICROHTTPD(function)                                                                                 \
    function(MHD_, add_response_header) function(MHD_, create_response_from_buffer)                          \
        function(MHD_, create_response_from_callback) function(MHD_, destroy_response)                       \
            function(MHD_, get_connection_info) function(MHD_, get_connection_values)                        \
                function(MHD_, queue_response) function(MHD_, resume_connection)                             \
                    function(MHD_, suspend_connection)
OPTIONAL_LIBRARY(microhttpd, "libmicrohttpd.so.12", MICROHTTPD)

bool requests_open(void) {
    return open_microhttpd();
}

// --- requests ----------------------------------------------------------------------------------------------

Request *request_new(Held *held, struct MHD_Connection *connection) {
    Request *request = calloc(1, sizeof *request);
    if (!request)
        return NULL;
    *request = (Request){ .held = held, .connection = connection, .next = held->requests };
    if (held->requests)
        held->requests->before = request;
    held->requests = request;
    return request;
}

void request_forget(Request *request) {
    if (request->held) {
        request->held->bodies -= request->announced;
        request->held->answers -= request->answer_size;
    }
    if (request->response)
        microhttpd.destroy_response(request->response);
    free(request->body);
    request->announced = request->answer_size = request->size = request->room = 0;
    request->response = NULL;
    request->body = NULL;
}

void request_free(Request *request) {
    if (request->connection || request->taken)
        return;
    request_forget(request);
    if (request->next)
        request->next->before = request->before;
    if (request->before)
        request->before->next = request->next;
    else if (request->held)
        request->held->requests = request->next;
    free(request->method);
    free(request->path);
    free(request);
}

bool request_append(Request *request, const char *bytes, size_t size, size_t max) {
    if (size > max - request->size)
        return false;
    if (request->size + size > request->room) {
        const size_t room = max(request->size + size, 2 * request->room);
        char *body = realloc(request->body, room);
        if (!body)
            return false;
        request->body = body;
        request->room = room;
    }
    memcpy(request->body + request->size, bytes, size);
    request->size += size;
    return true;
}

void request_resume(Request *request) {
    if (request->connection && request->suspended) {
        request->suspended = false;
        microhttpd.resume_connection(request->connection);
    }
}

void request_suspend(Request *request) {
    request->suspended = true;
    microhttpd.suspend_connection(request->connection);
}

// --- answers -----------------------------------------------------------------------------------------------

static const char *const headers[][2] = {
    { "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
                                 "blob: data:; connect-src 'self'; "
                                 "worker-src 'self' blob:; media-src blob:; base-uri 'none'; form-action "
                                 "'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "X-Frame-Options", "DENY" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-store" },
};

static struct MHD_Response *with_headers(struct MHD_Response *response, const char *type) {
    for (size_t i = 0; response && i < sizeof headers / sizeof *headers; i++)
        microhttpd.add_response_header(response, headers[i][0], headers[i][1]);
    if (response)
        microhttpd.add_response_header(response, "Content-Type", type);
    return response;
}

static struct MHD_Response *text_response(const char *text, size_t size, const char *type) {
    return with_headers(microhttpd.create_response_from_buffer(size, (void *)text, MHD_RESPMEM_MUST_COPY),
                        type);
}

static bool answer_now(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
    if (!response)
        return false;
    const bool well = microhttpd.queue_response(connection, status, response) == MHD_YES;
    microhttpd.destroy_response(response);
    return well;
}

bool connection_refuse(struct MHD_Connection *connection, unsigned status, const char *why) {
    char text[200];
    snprintf(text, sizeof text, "{\"error\": \"%s\"}", why);
    return answer_now(connection, status, text_response(text, strlen(text), "application/json"));
}

// A browser that comes from elsewhere would not send the cookie after a redirection, but does from a page of
// ours.
bool connection_let_in(const Guard *guard, struct MHD_Connection *connection, unsigned status) {
    char text[200], cookie[200];
    snprintf(text, sizeof text,
             "<!DOCTYPE html><meta http-equiv=refresh content='0; url=%s'><a href='%s'>esker</a>\n",
             guard->folder, guard->folder);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=%s; HttpOnly; SameSite=Strict", guard->cookie,
             guard->session, guard->folder);
    struct MHD_Response *response = text_response(text, strlen(text), "text/html; charset=utf-8");
    if (response)
        microhttpd.add_response_header(response, "Set-Cookie", cookie);
    if (response && status == LET_IN)
        microhttpd.add_response_header(response, "Location", guard->folder);
    return answer_now(connection, status, response);
}

int connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        microhttpd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

bool connection_sends_no_more(struct MHD_Connection *connection) {
    struct pollfd descriptor = { .fd = connection_descriptor(connection), .events = POLLRDHUP };
    return poll(&descriptor, 1, 0) > 0 && (descriptor.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

bool request_queue(Request *request) {
    return request->response &&
           microhttpd.queue_response(request->connection, request->status, request->response) == MHD_YES;
}

// The next bytes of an event stream; with none left it sleeps.
static ssize_t read_stream(void *context, uint64_t position, char *to, size_t room) {
    Request *request = context;
    (void)position;
    if (request->over)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (request->size == 0) {
        request_suspend(request);
        return 0;
    }
    const size_t size = min(room, request->size);
    memcpy(to, request->body, size);
    memmove(request->body, request->body + size, request->size - size);
    request->size -= size;
    return (ssize_t)size;
}

// --- for the owner -----------------------------------------------------------------------------------------

bool request_is_gone(const Request *request) {
    return !request->connection || connection_sends_no_more(request->connection);
}

static void finish(Request *request, unsigned status, struct MHD_Response *response) {
    if (request->stage != WAITING || !request->connection) {
        if (response)
            microhttpd.destroy_response(response);
        return;
    }
    request->stage = ANSWERED;
    request->status = status;
    request->response = response;
    request_resume(request);
}

void request_answer(Request *request, unsigned status, const char *type, const char *body, size_t size,
                    const char *name) {
    if (request->stage != WAITING || !request->connection)
        return;
    if (request->held->answers + size > ANSWERS_MAX) {
        static const char text[] = "{\"error\": \"too much is being sent\"}";
        status = 503, type = "application/json", body = text, size = sizeof text - 1, name = NULL;
    }
    struct MHD_Response *response = text_response(body, size, type);
    char disposition[300];
    if (response && name) {
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", name);
        microhttpd.add_response_header(response, "Content-Disposition", disposition);
    }
    request->held->answers += request->answer_size = size;
    finish(request, status, response);
}

void request_stream(Request *request) {
    if (request->stage != WAITING || !request->connection)
        return;
    request->size = 0;
    struct MHD_Response *response = with_headers(
        microhttpd.create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, request, NULL),
        "text/event-stream");
    finish(request, 200, response);
    request->stage = STREAMING;
}

bool request_send(Request *request, const char *text, size_t size) {
    const bool well = request->stage == STREAMING && !request_is_gone(request) &&
                      request_append(request, text, size, STREAM_MAX);
    request->over = !well;
    request_resume(request);
    return well;
}

void request_close(Request *request) {
    if (request->stage != STREAMING)
        return;
    request->over = true;
    request_resume(request);
}

void request_give_back(Request *request) {
    request->taken = false;
    request_close(request);
    static const char text[] = "{\"error\": \"not answered\"}";
    request_answer(request, 500, "application/json", text, sizeof text - 1, NULL);
    request_free(request);
}

typedef struct Arguments {
    AddArgument *add;
    void *context;
    int count;
} Arguments;

static enum MHD_Result add_argument(void *context, enum MHD_ValueKind kind, const char *key,
                                    const char *value) {
    Arguments *arguments = context;
    (void)kind;
    if (arguments->count++ >= QUERY_MAX)
        return MHD_NO;
    arguments->add(arguments->context, key, value ? value : "");
    return MHD_YES;
}

void request_arguments(const Request *request, AddArgument *add, void *context) {
    Arguments arguments = { add, context, 0 };
    microhttpd.get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, add_argument, &arguments);
}

#endif
