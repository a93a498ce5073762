#include "core/scratch.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int scratch = -1;
static ScratchRange *taken; // in order
static size_t taken_count, taken_room;

static int open_nameless(int folder) {
    const int file = platform_open_nameless(folder, O_RDWR, 0600);
    if (file >= 0)
        return file;
    struct timespec now;
    char name[80];
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, ".esker-%ld-%lld-%ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    const int named = openat(folder, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (named >= 0)
        unlinkat(folder, name, 0);
    return named;
}

void scratch_open(int folder) {
    scratch = open_nameless(folder); // not one that was inherited from the parent process
    taken_count = 0;
}

// In the folder for temporary files.
static void open_usual(void) {
    const char *path = getenv("TMPDIR");
    const int folder = platform_open_place(AT_FDCWD, path && *path ? path : "/var/tmp", O_DIRECTORY);
    if (folder < 0)
        return;
    scratch_open(folder);
    close(folder);
}

static Status cannot(const char *what, Error *error) {
    return fail(error, STATUS_FILE, "cannot %s the temporary file of fields larger than memory: %s", what,
                strerror(errno));
}

// The first room between those that are taken.
static size_t find_room(int64_t size, int64_t *start) {
    size_t at = 0;
    for (*start = 0; at < taken_count && taken[at].start - *start < size; at++)
        *start = taken[at].end;
    return at;
}

static bool enlarge(Error *error) {
    const size_t room = max(2 * taken_room, (size_t)64);
    ScratchRange *larger = memory_enlarge(taken, taken_count, room, sizeof *taken, error);
    if (larger) {
        taken = larger;
        taken_room = room;
    }
    return larger;
}

Status scratch_take(int64_t size, ScratchRange *range, Error *error) {
    *range = (ScratchRange){ 0 };
    if (scratch < 0)
        open_usual();
    if (scratch < 0)
        return cannot("make", error);
    if (taken_count == taken_room && !enlarge(error))
        return STATUS_MEMORY;
    int64_t start;
    const size_t at = find_room(size, &start);
    memmove(taken + at + 1, taken + at, (taken_count - at) * sizeof *taken);
    taken[at] = (ScratchRange){ start, start + size };
    taken_count++;
    if (taken[taken_count - 1].end == start + size && ftruncate(scratch, start + size) != 0) {
        taken_count--;
        return cannot("extend", error);
    }
    *range = (ScratchRange){ start, start + size };
    return STATUS_OK;
}

void scratch_give_back(ScratchRange *range) {
    for (size_t at = 0; range->end > 0 && at < taken_count; at++) {
        if (taken[at].start != range->start)
            continue;
        memmove(taken + at, taken + at + 1, (taken_count - at - 1) * sizeof *taken);
        taken_count--;
        platform_discard(scratch, range->start, range->end);
    }
    if (taken_count == 0) {
        memory_free(taken);
        taken = NULL;
        taken_room = 0;
    }
    *range = (ScratchRange){ 0 };
}

void scratch_discard(ScratchRange part) {
    platform_discard(scratch, part.start, part.end);
}

Status scratch_read(int64_t at, size_t size, void *bytes, Error *error) {
    for (size_t done = 0; done < size;) {
        const ssize_t count = pread(scratch, (char *)bytes + done, size - done, at + (int64_t)done);
        if (count == 0)
            errno = EIO;
        if (count <= 0 && errno != EINTR)
            return cannot("read", error);
        done += (size_t)max(count, 0);
    }
    return STATUS_OK;
}

Status scratch_write(int64_t at, size_t size, const void *bytes, Error *error) {
    for (size_t done = 0; done < size;) {
        const ssize_t count = pwrite(scratch, (const char *)bytes + done, size - done, at + (int64_t)done);
        if (count < 0 && errno != EINTR)
            return cannot("write", error);
        done += (size_t)max(count, 0);
    }
    return STATUS_OK;
}
