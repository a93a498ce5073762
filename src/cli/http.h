// The explorer's server, on 127.0.0.1 only: require "esker.http". Optional at build: libmicrohttpd. One
// thread does everything, whenever server:wait is called; a request waits until it is answered.

#ifndef ESKER_HTTP_H
#define ESKER_HTTP_H

#include <lua.h>

void register_http(lua_State *L);

#endif
