// The worker processes of a sweep: require "esker.workers". Each run is a process of its own, forked from
// this one before any thread was started, with limits on time and memory; it dies with its parent.

#ifndef ESKER_WORKERS_H
#define ESKER_WORKERS_H

#include <lua.h>

void register_workers(lua_State *L);

#endif
