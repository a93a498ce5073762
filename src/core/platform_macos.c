// As far as it could be compiled and linked on Debian (make macos): nothing here was run by us.

#include "core/platform.h"

#ifdef __APPLE__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sysctl.h>
#include <unistd.h>

uint64_t platform_memory(void) {
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    return sysctlbyname("hw.memsize", &bytes, &size, NULL, 0) == 0 ? bytes : (uint64_t)1 << 31;
}

int platform_processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

void platform_terminal_size(int *columns, int *rows) {
    struct winsize size = { 0 };
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}

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

// O_SYMLINK opens a link itself, which O_NOFOLLOW would refuse.
int platform_open_place(int folder, const char *path, int flags) {
    if ((flags & O_NOFOLLOW) && !(flags & O_DIRECTORY))
        flags = (flags & ~O_NOFOLLOW) | O_SYMLINK;
    return openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
}

int platform_open_to_read(int place) {
    return fcntl(place, F_DUPFD_CLOEXEC, 0);
}

bool platform_path_of(int descriptor, char *path, size_t room) {
    char found[1024]; // MAXPATHLEN
    return fcntl(descriptor, F_GETPATH, found) == 0 && (size_t)snprintf(path, room, "%s", found) < room;
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

int platform_exchange(int folder, const char *one, const char *other) {
    return renameatx_np(folder, one, folder, other, RENAME_SWAP);
}

int64_t platform_write(int descriptor, const void *bytes, size_t size) {
    return write(descriptor, bytes, size);
}

void platform_discard(int descriptor, int64_t start, int64_t end) {
    const fpunchhole_t hole = { .fp_offset = start, .fp_length = end - start };
    fcntl(descriptor, F_PUNCHHOLE, &hole); // where it cannot, the room is used again all the same
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
