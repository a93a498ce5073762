// What several systems have in common: Linux and macOS, then macOS and WebAssembly, then WebAssembly alone.

#include "core/platform.h"

#ifndef _WIN32

#include <unistd.h>

int64_t platform_write(int descriptor, const void *bytes, size_t size) {
    return write(descriptor, bytes, size);
}

#if defined(__linux__) || defined(__APPLE__)

#include <dlfcn.h>
#include <sys/ioctl.h>

void platform_terminal_size(int *columns, int *rows) {
    struct winsize size = { 0 };
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}

void *platform_open_library(const char *file) {
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

void *platform_function(void *library, const char *name) {
    return dlsym(library, name);
}

void platform_close_library(void *library) {
    dlclose(library);
}

#endif

#ifndef __linux__

#include <errno.h>
#include <fcntl.h>

char *platform_map(size_t front, size_t bytes, size_t alignment) {
    (void)front, (void)bytes, (void)alignment;
    return NULL;
}

void platform_unmap(char *start, size_t bytes) {
    (void)start, (void)bytes;
}

void platform_use_huge_pages(char *start, size_t bytes) {
    (void)start, (void)bytes;
}

int platform_open_to_read(int place) {
    return fcntl(place, F_DUPFD_CLOEXEC, 0);
}

static int unsupported(void) {
    errno = ENOTSUP;
    return -1;
}

int platform_open_nameless(int folder, int access, unsigned mode) {
    (void)folder, (void)access, (void)mode;
    return unsupported();
}

bool platform_names_nameless(void) {
    return false;
}

int platform_name(int descriptor, int folder, const char *name) {
    (void)descriptor, (void)folder, (void)name;
    return unsupported();
}

#ifndef __APPLE__

uint64_t platform_memory(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

// WebAssembly has one thread.
int platform_processors(void) {
    return 1;
}

void platform_terminal_size(int *columns, int *rows) {
    *columns = 80;
    *rows = 24;
}

int platform_open_place(int folder, const char *path, int flags) {
    return openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
}

bool platform_path_of(int descriptor, char *path, size_t room) {
    (void)descriptor, (void)path, (void)room;
    return false;
}

int platform_exchange(int folder, const char *one, const char *other) {
    (void)folder, (void)one, (void)other;
    return unsupported();
}

void platform_discard(int descriptor, int64_t start, int64_t end) {
    (void)descriptor, (void)start, (void)end;
}

void *platform_open_library(const char *file) {
    (void)file;
    return NULL;
}

void *platform_function(void *library, const char *name) {
    (void)library, (void)name;
    return NULL;
}

void platform_close_library(void *library) {
    (void)library;
}

#endif
#endif
#endif
