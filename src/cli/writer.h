// A file that is written piece by piece, completely or not at all: esker.files.create.

#ifndef ESKER_WRITER_H
#define ESKER_WRITER_H

#include <lua.h>

// files.create(path): a writer with the methods write(text), seek(place), and close(), which puts the file
// into place. A writer that is not closed leaves nothing behind.
int create_writer(lua_State *L);

#endif
