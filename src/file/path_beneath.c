#define _GNU_SOURCE // O_PATH
#include "file/path_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PART_MAX = 256 };

// The folder named by the first `length` bytes of `part` in `folder`, which is closed.
static int step_into(int folder, const char *part, size_t length) {
    char name[PART_MAX];
    int next = -1;
    if (length == 0 || length >= sizeof name || (length == 2 && memcmp(part, "..", 2) == 0)) {
        errno = length >= sizeof name ? ENAMETOOLONG : EINVAL;
    } else {
        memcpy(name, part, length);
        name[length] = '\0';
        next = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    const int problem = errno;
    close(folder);
    errno = problem;
    return next;
}

int below_open_parent(int folder, const char *path, const char **name) {
    int at = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + strspn(slash, "/"))
        at = step_into(at, path, (size_t)(slash - path));
    if (at >= 0 && (*path == '\0' || strcmp(path, "..") == 0)) {
        close(at);
        errno = EINVAL;
        return -1;
    }
    *name = path;
    return at;
}

int below_open(int folder, const char *path, int flags) {
    const char *name;
    const int parent = below_open_parent(folder, path, &name);
    if (parent < 0)
        return -1;
    const int opened = openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC, 0666), problem = errno;
    close(parent);
    errno = problem;
    return opened;
}
