// Errors: every fallible engine function returns a Status and, when it is not STATUS_OK, has filled the
// caller's Error with one line that a user can act on: what is wrong, what was got, what is allowed.
// The engine never prints, exits or jumps.

#ifndef ESKER_ERROR_H
#define ESKER_ERROR_H

typedef enum Status {
    STATUS_OK,
    STATUS_INVALID, // an argument that is not allowed
    STATUS_MEMORY,  // out of memory, or the memory limit is reached
    STATUS_FILE,    // a file could not be read or written
    STATUS_STOPPED, // a stop was requested (Ctrl-C, time limit)
} Status;

typedef struct Error {
    char text[512];
} Error;

// Writes the formatted text into `error` (which may be NULL) and returns `status`, so that callers write
// `return fail(error, STATUS_INVALID, "talus must be 0 to 64, got %s", digits_of(talus).text);`.
Status fail(Error *error, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Writes a line for the user in addition to a result: what was lost or guessed; several are joined
// by semicolons. `notice` may be NULL.
void tell(Error *notice, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A number for a message: ten digits, or as many more as are needed to read it back exactly, so that
// different numbers look different.
typedef struct Digits {
    char text[32];
} Digits;

Digits digits_of(double number);

// For misspelt names: the name in the NULL-terminated list closest to `name`, or NULL if none is close.
const char *nearest_name(const char *name, const char *const *names);

#endif
