// Optional libraries, opened when they are first used: a program that needs none starts several times faster,
// and runs where they are not installed. A file declares the functions that it calls, by prefix and name:
//
//     #include <cairo.h>
//
//     #define CAIRO(function) function(cairo_, create) function(cairo_, paint)
//     OPTIONAL_LIBRARY(cairo, "libcairo.so.2", CAIRO)
//
// and calls them as `cairo.paint(context)` once `open_cairo()` has returned true. Their types are those of
// the library's header. A recipe's process can open none, because its memory is never executable
// (src/cli/sandbox.c): what recipes call is opened before it is confined.

#ifndef ESKER_DYNAMIC_LIBRARY_H
#define ESKER_DYNAMIC_LIBRARY_H

#include <stdbool.h>

#define OPTIONAL_POINTER(prefix, name) __typeof__(prefix##name) *name;
#define OPTIONAL_NAME(prefix, name) #prefix #name,

#define OPTIONAL_LIBRARY(library, file, functions)                                                           \
    static struct { functions(OPTIONAL_POINTER) } library;                                                   \
                                                                                                             \
    static bool open_##library(void) {                                                                       \
        static const char *const names[] = { functions(OPTIONAL_NAME) NULL };                                \
        return optional_open(file, names, &library);                                                         \
    }

// Opens the library `file` (its soname) and stores the functions `names`, which NULL ends, in `pointers`, a
// struct of as many pointers to functions. Returns whether all are there; a second call costs nothing. The
// library stays open until the program ends. Thread-safe.
bool optional_open(const char *file, const char *const *names, void *pointers);

#endif
