// How a process of the program ended.

#ifndef ESKER_EXIT_STATUS_H
#define ESKER_EXIT_STATUS_H

#include <stdio.h>

#include <lua.h>

enum {
    EXIT_USAGE = 2,         // the command line is wrong
    EXIT_TIME = 124,        // the time limit was over
    EXIT_BY_SIGNAL = 128,   // and the signal's number
    EXIT_INTERRUPTED = 130, // by Ctrl-C
};

// Prints a text that may come from a recipe, with a newline, as far as it is visible (visible.h).
void print_error(const char *prefix, const char *text);

// After the program's, or a recipe's, protected call with one result: prints what was raised, closes `L`, and
// gives the exit status, which is the result where nothing was raised. Says nothing of an interrupt, which
// whoever started the process tells of.
int exit_status(lua_State *L, int outcome);

#endif
