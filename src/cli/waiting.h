// Waits for descriptors that can be read, and for Ctrl-C.

#ifndef ESKER_WAITING_H
#define ESKER_WAITING_H

#include <lua.h>
#include <poll.h>

enum { DESCRIPTORS_MAX = 64 };

// Reads a list of descriptors at `index` into at most DESCRIPTORS_MAX; returns how many.
int read_descriptors(lua_State *L, int index, struct pollfd *descriptors);

// Waits for one of them, or Ctrl-C, which the caller's hook raises as an error.
void wait_for(struct pollfd *descriptors, int count, int milliseconds);

// Pushes the set of those that can be read.
void push_ready(lua_State *L, const struct pollfd *descriptors, int count);

#endif
