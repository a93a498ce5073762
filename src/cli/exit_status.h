// How a process of the program ended.

#ifndef ESKER_EXIT_STATUS_H
#define ESKER_EXIT_STATUS_H

#include <stdbool.h>
#include <stdio.h>

#include <lua.h>

enum {
    EXIT_USAGE = 2,         // the command line is wrong
    EXIT_LOST = 3,          // of process.call's process: its standard output could not be written
    EXIT_TIME = 124,        // the time limit was exceeded
    EXIT_BY_SIGNAL = 128,   // and the signal's number
    EXIT_INTERRUPTED = 130, // by Ctrl-C
};

// Prints a possibly untrusted text and a newline, with invisible characters replaced (texts.h).
void print_error(const char *prefix, const char *text);

#define OUTPUT_LOST "standard output could not be written"

// Flushes standard output; whether some of it could not be written, now or before.
bool output_is_lost(void);

// After the protected call, with one result, of the program or a recipe: prints an error, closes `L`, and
// returns the exit status, which is the result if there was no error. Does not report an interrupt; the
// parent process does.
int exit_status(lua_State *L, int outcome);

#endif
