// The modules of lua/esker as text inside the program (written by scripts/embed.lua at build time).

#ifndef ESKER_EMBEDDED_H
#define ESKER_EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedModule {
    const char *name; // "esker.help"; NULL ends the list
    const char *path; // "lua/esker/help.lua", for messages
    const unsigned char *text;
    size_t size;
} EmbeddedModule;

extern const EmbeddedModule embedded_modules[];

#endif
