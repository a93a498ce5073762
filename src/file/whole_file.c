#define _GNU_SOURCE // O_TMPFILE
#include "file/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static Status cannot_write(const WholeFile *file, Error *error) {
    return fail(error, STATUS_FILE, "cannot write '%.400s': %s", file->path, strerror(errno));
}

// A file without a name, which is gone when the process dies; where the file system has none, a hidden one.
static int open_temporary(WholeFile *file, const char *folder) {
    const int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    file->named = descriptor < 0;
    return descriptor >= 0 ? descriptor
                           : open(file->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
}

Status whole_file_open(WholeFile *file, const char *path, Error *error) {
    static atomic_uint count;
    file->stream = NULL;
    const char *slash = strrchr(path, '/');
    const int folder_length = slash ? (int)(slash - path) + 1 : 0;
    char folder[sizeof file->path - 80];
    if (strlen(path) >= sizeof folder)
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    snprintf(file->path, sizeof file->path, "%s", path);
    snprintf(folder, sizeof folder, "%.*s", folder_length, path);
    struct timespec now; // the next process of this number must not meet what this one left
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(file->temporary, sizeof file->temporary, "%s.esker-%ld-%ld-%u", folder, (long)getpid(),
             now.tv_nsec, atomic_fetch_add(&count, 1));
    const int descriptor = open_temporary(file, slash ? folder : ".");
    if (descriptor < 0)
        return cannot_write(file, error);
    file->stream = fdopen(descriptor, "wb");
    if (file->stream)
        return STATUS_OK;
    const Status status = cannot_write(file, error);
    close(descriptor);
    if (file->named)
        unlink(file->temporary);
    return status;
}

// Gives a file without a name its temporary one: only rename puts a file in the place of another.
static int name_it(WholeFile *file) {
    char descriptor[32];
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", fileno(file->stream));
    if (!file->named && linkat(AT_FDCWD, descriptor, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) != 0)
        return -1;
    file->named = true;
    return 0;
}

Status whole_file_close(WholeFile *file, Status status, Error *error) {
    if (ferror(file->stream) ||
        (status == STATUS_OK &&
         (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0 || name_it(file) != 0)))
        status = cannot_write(file, error);
    if (fclose(file->stream) != 0 && status == STATUS_OK)
        status = cannot_write(file, error);
    if (status == STATUS_OK && rename(file->temporary, file->path) != 0)
        status = cannot_write(file, error);
    if (status != STATUS_OK && file->named)
        unlink(file->temporary);
    return status;
}
