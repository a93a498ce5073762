// The modules of lua/esker inside the program, compiled or as text (written by scripts/embed.lua at build
// time).

#ifndef ESKER_EMBEDDED_H
#define ESKER_EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedModule {
    const char *name; // "esker.screen"; NULL ends the list
    const unsigned char *code;
    size_t size;
} EmbeddedModule;

extern const EmbeddedModule embedded_modules[];

#endif
