// Confined processes that stay: each calls one function with one message after another, and keeps what the
// function keeps. Part of require "esker.process".

#ifndef ESKER_WORKER_H
#define ESKER_WORKER_H

#include <lua.h>

// process.worker(limits, function): starts one; a number.
int worker_start(lua_State *L);

// Registers the class of workers.
void register_workers(lua_State *L);

#endif
