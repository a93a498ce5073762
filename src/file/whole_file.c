#include "file/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status cannot_write(const WholeFile *file, Error *error) {
    return fail(error, STATUS_FILE, "cannot write '%.400s': %s", file->path, strerror(errno));
}

Status whole_file_open(WholeFile *file, const char *path, Error *error) {
    file->stream = NULL;
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    if (strlen(path) + 32 > sizeof file->path)
        return fail(error, STATUS_FILE, "cannot write: the path is too long");
    snprintf(file->path, sizeof file->path, "%s", path);
    snprintf(file->temporary, sizeof file->temporary, "%.*s.esker-XXXXXX", folder, path);
    const int descriptor = mkstemp(file->temporary);
    if (descriptor < 0)
        return cannot_write(file, error);
    const mode_t mask = umask(0); // mkstemp makes it private; a picture is like any other file
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    file->stream = fdopen(descriptor, "wb");
    if (file->stream)
        return STATUS_OK;
    const Status status = cannot_write(file, error);
    close(descriptor);
    unlink(file->temporary);
    return status;
}

Status whole_file_close(WholeFile *file, Status status, Error *error) {
    if (status == STATUS_OK &&
        (ferror(file->stream) || fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0))
        status = cannot_write(file, error);
    if (fclose(file->stream) != 0 && status == STATUS_OK)
        status = cannot_write(file, error);
    if (status == STATUS_OK && rename(file->temporary, file->path) != 0)
        status = cannot_write(file, error);
    if (status != STATUS_OK)
        unlink(file->temporary);
    return status;
}
