#define _GNU_SOURCE // O_PATH, O_TMPFILE, renameat2, fallocate, sched_getaffinity, madvise
#include "core/platform.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t platform_memory(void) {
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
    if (file) {
        unsigned long long group = 0; // stays 0 for "max"
        if (fscanf(file, "%llu", &group) == 1 && group > 0 && group < bytes)
            bytes = group;
        fclose(file);
    }
    return bytes;
}

int platform_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    return 1;
}

// Maps no more than that: the padding that the C library adds for alignment would count against the address
// space limit of a run.
char *platform_map(size_t front, size_t bytes, size_t alignment) {
    enum { PAGE = 4096 };
    const size_t room = front + bytes + alignment - PAGE;
    char *start = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    const size_t before = (alignment - ((uintptr_t)start + front) % alignment) % alignment;
    if (before > 0)
        munmap(start, before);
    if (room - before > front + bytes)
        munmap(start + before + front + bytes, room - before - front - bytes);
    return start + before;
}

void platform_unmap(char *start, size_t bytes) {
    munmap(start, bytes);
}

void platform_use_huge_pages(char *start, size_t bytes) {
    madvise(start, bytes, MADV_HUGEPAGE);
}

int platform_open_place(int folder, const char *path, int flags) {
    return openat(folder, path, O_PATH | O_CLOEXEC | flags);
}

enum { LINK_ROOM = 40 };

static const char *link_to(int descriptor, char link[LINK_ROOM]) {
    snprintf(link, LINK_ROOM, "/proc/self/fd/%d", descriptor);
    return link;
}

int platform_open_to_read(int place) {
    char link[LINK_ROOM];
    return open(link_to(place, link), O_RDONLY | O_CLOEXEC);
}

bool platform_path_of(int descriptor, char *path, size_t room) {
    char link[LINK_ROOM];
    const ssize_t length = readlink(link_to(descriptor, link), path, room - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return *path == '/';
}

int platform_open_nameless(int folder, int access, unsigned mode) {
    return openat(folder, ".", O_TMPFILE | access | O_CLOEXEC, mode);
}

// A chroot has no /proc.
bool platform_names_nameless(void) {
    return access("/proc/self/fd", F_OK) == 0 || errno != ENOENT;
}

int platform_name(int descriptor, int folder, const char *name) {
    char link[LINK_ROOM];
    return linkat(AT_FDCWD, link_to(descriptor, link), folder, name, AT_SYMLINK_FOLLOW);
}

int platform_exchange(int folder, const char *one, const char *other) {
    return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

void platform_discard(int descriptor, int64_t start, int64_t end) {
    const int gone = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start, end - start);
    (void)gone; // where the file system cannot, the room is used again all the same
}

#endif
