// Files are written whole or not at all: first without a name, or where the file system knows no such files
// under a hidden one, in the same folder; then renamed. Whatever happens in between, the old file stays.

#ifndef ESKER_WHOLE_FILE_H
#define ESKER_WHOLE_FILE_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct WholeFile {
    FILE *stream; // to write to
    bool named;   // the temporary file has a name
    char path[4096], temporary[4096];
} WholeFile;

Status whole_file_open(WholeFile *file, const char *path, Error *error);

// `status` is how the writing went. If well, the file is made durable and takes its name; otherwise, and when
// that fails, it is removed. Every lost byte is an error.
Status whole_file_close(WholeFile *file, Status status, Error *error);

#endif
