#define _GNU_SOURCE // O_TMPFILE, fallocate
#include "large/plane.h"

#include "core/field.h"
#include "core/math.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLANES_MAX = 256 };

typedef struct Range { // of the file
    int64_t start, end;
} Range;

static int scratch = -1;
static Range taken[PLANES_MAX]; // in order
static int taken_count;

static int open_nameless(const char *folder) {
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.esker-XXXXXX", folder) >= (int)sizeof path)
        return -1;
    const int named = mkostemp(path, O_CLOEXEC);
    if (named >= 0)
        unlink(path);
    return named;
}

void scratch_open(const char *folder) {
    scratch = open_nameless(folder); // not one that was inherited from the parent process
    taken_count = 0;
}

static Status cannot(const char *what, Error *error) {
    return fail(error, STATUS_FILE, "cannot %s the temporary file of fields larger than memory: %s", what,
                strerror(errno));
}

// The first room between those that are taken.
static int find_room(int64_t size, int64_t *start) {
    int at = 0;
    for (*start = 0; at < taken_count && taken[at].start - *start < size; at++)
        *start = taken[at].end;
    return at;
}

Status plane_create(Plane *plane, int width, int height, size_t cell, Error *error) {
    *plane = (Plane){ 0 };
    if (width < 1 || width > SIDE_MAX || height < 1 || height > SIDE_MAX)
        return fail(error, STATUS_INVALID, "sides must be 1 to %d, got %d × %d", SIDE_MAX, width, height);
    const char *folder = getenv("TMPDIR");
    if (scratch < 0)
        scratch_open(folder && *folder ? folder : "/var/tmp");
    if (scratch < 0)
        return cannot("make", error);
    if (taken_count == PLANES_MAX)
        return fail(error, STATUS_FILE, "more than %d stored fields larger than memory", PLANES_MAX);
    const int64_t size = (int64_t)width * height * (int64_t)cell;
    int64_t start;
    const int at = find_room(size, &start);
    memmove(taken + at + 1, taken + at, (size_t)(taken_count - at) * sizeof *taken);
    taken[at] = (Range){ start, start + size };
    taken_count++;
    if (taken[taken_count - 1].end == start + size && ftruncate(scratch, start + size) != 0) {
        taken_count--;
        return cannot("extend", error);
    }
    *plane = (Plane){ width, height, cell, start };
    return STATUS_OK;
}

void plane_free(Plane *plane) {
    for (int at = 0; plane->width > 0 && at < taken_count; at++) {
        if (taken[at].start != plane->start)
            continue;
        const int64_t size = taken[at].end - taken[at].start;
        memmove(taken + at, taken + at + 1, (size_t)(taken_count - at - 1) * sizeof *taken);
        taken_count--;
        const int gone = fallocate(scratch, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, plane->start, size);
        (void)gone; // where the file system cannot, the room is used again all the same
    }
    *plane = (Plane){ 0 };
}

Status plane_read_bytes(const Plane *plane, size_t at, size_t size, void *bytes, Error *error) {
    for (size_t done = 0; done < size;) {
        const ssize_t count =
            pread(scratch, (char *)bytes + done, size - done, plane->start + (int64_t)(at + done));
        if (count == 0)
            errno = EIO;
        if (count <= 0 && errno != EINTR)
            return cannot("read", error);
        done += (size_t)max(count, 0);
    }
    return STATUS_OK;
}

Status plane_write_bytes(const Plane *plane, size_t at, size_t size, const void *bytes, Error *error) {
    for (size_t done = 0; done < size;) {
        const ssize_t count =
            pwrite(scratch, (const char *)bytes + done, size - done, plane->start + (int64_t)(at + done));
        if (count < 0 && errno != EINTR)
            return cannot("write", error);
        done += (size_t)max(count, 0);
    }
    return STATUS_OK;
}

Status plane_read(const Plane *plane, int first, int rows, void *cells, Error *error) {
    const size_t row = plane_row(plane);
    return plane_read_bytes(plane, (size_t)first * row, (size_t)rows * row, cells, error);
}

Status plane_write(const Plane *plane, int first, int rows, const void *cells, Error *error) {
    const size_t row = plane_row(plane);
    return plane_write_bytes(plane, (size_t)first * row, (size_t)rows * row, cells, error);
}
