// Files below an open folder. Every component of a relative path is opened without following a link, so that
// a folder from an untrusted source cannot lead elsewhere.

#ifndef ESKER_PATH_BENEATH_H
#define ESKER_PATH_BENEATH_H

// Opens the file or, with O_DIRECTORY, the folder at `path`; "." is the folder itself. `flags` are those of
// open; a new file gets mode 0666. Returns a descriptor, or -1 with errno set: ELOOP or ENOTDIR if a link
// is in the way.
int below_open(int folder, const char *path, int flags);

// Opens the folder that contains `path` and returns the path's last part: for the …at functions. -1 with
// errno set.
int below_open_parent(int folder, const char *path, const char **name);

#endif
