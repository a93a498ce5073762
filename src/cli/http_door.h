// A page in a file of the user's own that leads a browser to the explorer. The words of a program are
// readable for all users of a machine, so the address with its token is not one of them: the browser is given
// this file.

#ifndef ESKER_HTTP_DOOR_H
#define ESKER_HTTP_DOOR_H

#include <stdbool.h>

typedef struct Door {
    char folder[200], path[220]; // empty: there is none
} Door;

// Writes the page, which only the user can read, into a new folder, which only the user can open; false if it
// cannot, with errno.
bool door_open(Door *door, const char *address);

// Removes it.
void door_close(Door *door);

#endif
