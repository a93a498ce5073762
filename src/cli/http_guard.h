// Which requests the explorer's server takes: those of its own page, from this machine, and no others. A page
// of another site, or a name that another site points at 127.0.0.1 (DNS rebinding), gets nothing.

#ifndef ESKER_HTTP_GUARD_H
#define ESKER_HTTP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { SECRET_DIGITS = 32 };

typedef struct Guard {
    char hosts[2][40];             // "127.0.0.1:PORT" and "localhost:PORT"
    char cookie[24];               // its name, which has the port in it: browsers share cookies between ports
    char token[SECRET_DIGITS + 1]; // once in the address
    char session[SECRET_DIGITS + 1]; // the cookie's value
    char folder[SECRET_DIGITS + 3];  // "/SECRET/", where the page is: browsers send the cookie only there
    size_t max_body;                 // bytes
} Guard;

// What a request says before its body; NULL where it lacks a header.
typedef struct Head {
    const char *method, *path, *host, *origin, *site, *cookie, *type, *length, *coding, *token;
} Head;

// New secrets from the kernel; false if it has none to give.
bool guard_set(Guard *guard, unsigned port, size_t max_body);

// 0: answer the request. LET_IN: the address has the right token, so set the cookie; LET_IN_HERE: the same
// where the browser comes from elsewhere, as from a file. Otherwise the status that refuses the request, with
// `*why` for its body.
enum { LET_IN = 303, LET_IN_HERE = 200 };
unsigned guard_check(const Guard *guard, const Head *head, const char **why);

// The path within the page's folder, where it lies there: "/SECRET/api/state" is "/api/state".
const char *guard_inside(const Guard *guard, const char *path);

#endif
