// Which files this process may open: all, until it is confined. The location of the opened file counts, not
// its path, so that links, "..", and folders exchanged in between cannot lead elsewhere.

#ifndef ESKER_ACCESS_H
#define ESKER_ACCESS_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

// How a path became known: the user typed it, and its links are followed, or another process found it to be
// real (absolute and without links), and one that leads elsewhere by now is an error: somebody exchanged a
// part of it for a link meanwhile.
typedef enum AccessPath { ACCESS_TYPED, ACCESS_REAL } AccessPath;

// Allows reading a file, or a folder and everything below it; the path must exist. At most 64 of them.
Status access_allow_reading(const char *path, AccessPath kind, Error *error);

// Notes the recipe's folder for a process that may read everything: if a file is missing where a relative
// path leads, but lies in the recipe's folder, the message says so.
void access_note_folder(const char *path);

// Allows writing in one folder and everything below it, but not reading, since the current folder may be
// anything.
Status access_allow_writing(const char *folder, AccessPath kind, Error *error);

// Opens a file or folder without effect (platform_open_place) by its real path; -1 with `error` filled if
// that is or leads through a link, or is missing.
int access_open_real(const char *path, Error *error);

// Forbids everything that was not allowed, for the lifetime of the process.
void access_confine(void);

// The allowed files and folders for other means of confinement: descriptors (platform_open_place) of what was
// found when they were allowed, whatever their paths lead to now; -1 beyond the last. For the folder to write
// in, -1 if there is none.
int access_readable(int index);
int access_writable(void);

// Closes these descriptors.
void access_close_places(void);

// Takes back what was allowed, for a process that is not confined: its children begin with nothing.
void access_forget(void);

// Opens a regular file to read; NULL with `error` filled.
FILE *access_open(const char *path, Error *error);

// The real path of the regular file `beside`, which lies beside the file `path` and says how to read it.
// False if it is a link that leads elsewhere: whoever laid the link could have any file read. A link belongs
// to the data only if it leads to a file of its own ending in the folder in which `path` really lies.
bool access_find_beside(const char *path, const char *beside, char *real, size_t size);

// Opens such a file to read; NULL with `error` filled. A process that is not confined follows any link.
FILE *access_open_beside(const char *path, const char *beside, Error *error);

// Whether there is something of this path, and the recipe may know it.
bool access_may_find(const char *path);

// Whether an opened file is in the folder or below it, wherever links lead.
bool access_is_below(FILE *stream, const char *folder);

// Closes a file opened for reading: returns the status of the reading, or an error if the disk failed
// meanwhile, since a failed stream looks like one at its end.
Status access_close(FILE *stream, const char *path, Status status, Error *error);

// Whether the file `path` may be written in an open folder.
Status access_check_folder(int folder, const char *path, Error *error);

// Opens the folder in which the file `path` is to be written, as openat takes it: relative to an open folder
// or AT_FDCWD. A descriptor for the …at functions, or -1 with `error` filled; `shown` is the path for
// messages.
int access_open_folder_of(int from, const char *path, const char *shown, Error *error);

// --- paths beneath a folder --------------------------------------------------------------------------------

// Files below an open folder. Every component of a relative path is opened without following a link, so that
// a folder from an untrusted source cannot lead elsewhere.

// Opens the file or, with O_DIRECTORY, the folder at `path`; "." is the folder itself. `flags` are those of
// open; a new file gets mode 0666. Returns a descriptor, or -1 with errno set: ELOOP if a link is
// in the way, or ENOTDIR.
int below_open(int folder, const char *path, int flags);

// Opens the folder that contains `path` and returns the path's last part: for the …at functions. -1 with
// errno set.
int below_open_parent(int folder, const char *path, const char **name);

#endif
