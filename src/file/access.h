// Which files this process may open: all, until it is confined. The location of the opened file counts, not
// its path, so that links, "..", and folders exchanged in between cannot lead elsewhere.

#ifndef ESKER_ACCESS_H
#define ESKER_ACCESS_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

// Allows reading a file, or a folder with all below it; the path must exist. At most 64 of them.
Status access_allow_reading(const char *path, Error *error);

// Allows writing in a folder, with all below it; not reading, which is what the current folder may be full
// of. One.
Status access_allow_writing(const char *folder, Error *error);

// From now on only what was allowed, for as long as the process lives.
void access_confine(void);

// The allowed paths, absolute and without links, for whoever confines by other means as well: NULL beyond the
// last; of the folder to write in, NULL where there is none.
const char *access_readable(int index);
const char *access_writable(void);

// Opens a regular file to read; NULL with `error` filled.
FILE *access_open(const char *path, Error *error);

// Whether what was opened lies in the folder or below it, wherever links led.
bool access_is_below(FILE *stream, const char *folder);

// Closes what was opened to read: the status of the reading, or an error where the disk failed meanwhile. A
// stream that fails looks like one that ends.
Status access_close(FILE *stream, const char *path, Status status, Error *error);

// Whether the file `path` may be written in an open folder.
Status access_check_folder(int folder, const char *path, Error *error);

// Opens the folder in which the file `path` is to be written: a descriptor for the …at functions, or -1 with
// `error` filled.
int access_open_folder_of(const char *path, Error *error);

#endif
