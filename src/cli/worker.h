// Confined processes that stay: each calls one function with one message after another, and keeps what the
// function keeps: require "esker.worker".

#ifndef ESKER_WORKER_H
#define ESKER_WORKER_H

#include <lua.h>

// Preloads the module.
void register_worker(lua_State *L);

#endif
