// Files are written completely or not at all: first without a name (on file systems without such files,
// under a hidden name in the same folder), then renamed. Until then the old file stays. A hidden file left
// behind by a killed process is removed by the next write beside it.
//
// What lies beside a file and speaks of it (a .json, a .prj) is written with it: all are on the disk before
// the first is renamed, the file itself, and where one cannot be renamed the old ones are put back.

#ifndef ESKER_WHOLE_FILE_H
#define ESKER_WHOLE_FILE_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    FILE_WAITS,     // under its temporary name
    FILE_IS_NEW,    // in its place, where none was
    FILE_EXCHANGED, // in its place; the old one has the temporary name
    FILE_REPLACED,  // in its place; the old one is lost
};

typedef struct WholeFile {
    FILE *stream; // to write to
    int folder;   // in which it lies; -1: none, see whole_file_write_to
    bool named;   // the temporary file has a name
    int stage;
    struct WholeFile *beside; // the next of those that are put into place with it
    char path[4096], temporary[80];
    const char *name; // the last part of the path
} WholeFile;

// Relative paths are below this open folder from now on, instead of the current one, wherever its path leads
// by then. It stays open until another is set; `path` is for messages.
void whole_file_write_below(int folder, const char *path);

// What is written from now on goes to this stream instead, and the .json beside it to the other, unless that
// is NULL. Both stay open. NULL: to files again.
void whole_file_write_to(FILE *stream, FILE *beside);
bool whole_file_writes_to_stream(void);
FILE *whole_file_stream_beside(void);

Status whole_file_open(WholeFile *file, const char *path, Error *error);

// whole_file_open in an open folder, of which it takes ownership: only the last part of `path` is used, the
// rest is for messages.
Status whole_file_open_in(WholeFile *file, int folder, const char *path, Error *error);

// Adds a file beside `file`, with its own path, and gives its stream; whole_file_close(file) closes both.
// Where whole files go to a stream, it gives that stream.
Status whole_file_open_beside(WholeFile *file, const char *path, FILE **stream, Error *error);

// `status` is the result of the writing. If it is STATUS_OK, the file and those beside it are fsynced and
// renamed into place; otherwise, or if that fails, they are removed. Every lost byte is an error.
Status whole_file_close(WholeFile *file, Status status, Error *error);

// For tests: behaves as on a file system without unnamed files.
void whole_file_use_names(bool use);

#endif
