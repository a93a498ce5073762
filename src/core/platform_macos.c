// As far as it could be compiled and linked on Debian (make macos): nothing here was run by us.

#include "core/platform.h"

#ifdef __APPLE__

#include <fcntl.h>
#include <stdio.h>
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

// O_SYMLINK opens a link itself, which O_NOFOLLOW would refuse.
int platform_open_place(int folder, const char *path, int flags) {
    if ((flags & O_NOFOLLOW) && !(flags & O_DIRECTORY))
        flags = (flags & ~O_NOFOLLOW) | O_SYMLINK;
    return openat(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
}

bool platform_path_of(int descriptor, char *path, size_t room) {
    char found[1024]; // MAXPATHLEN
    return fcntl(descriptor, F_GETPATH, found) == 0 && (size_t)snprintf(path, room, "%s", found) < room;
}

int platform_exchange(int folder, const char *one, const char *other) {
    return renameatx_np(folder, one, folder, other, RENAME_SWAP);
}

void platform_discard(int descriptor, int64_t start, int64_t end) {
    const fpunchhole_t hole = { .fp_offset = start, .fp_length = end - start };
    fcntl(descriptor, F_PUNCHHOLE, &hole); // where it cannot, the room is used again all the same
}

#endif
