// The files below GDAL_FILES that GDAL sees, besides those in memory: an open stream that it reads, and files
// in this process's temporary file (scratch.h), which it writes and reads. It opens none itself: what may be
// opened is decided by access.h.

#ifndef ESKER_GDAL_FILES_H
#define ESKER_GDAL_FILES_H

#include "file/gdal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GDAL_FILES "/esker/"

enum { GDAL_FILE_NAME = 120 };

// GDAL reads `stream`, which stays open, under the name that this fills in, until it is hidden: that of
// `path` in a folder of its own, since names tell GDAL of formats and places (N36W085.hgt).
Status gdal_files_show(const Gdal *gdal, FILE *stream, const char *path, char shown[GDAL_FILE_NAME],
                       Error *error);

// Another file in that folder, whose stream is closed when the first one is hidden; false if there is no
// room.
bool gdal_files_show_beside(const char *shown, FILE *stream);

// Hides the file of this name and those beside it; "" and unknown names are allowed.
void gdal_files_hide(const char *shown);

// GDAL may create files from now on, each of at most `size` bytes.
Status gdal_files_allow(const Gdal *gdal, int64_t size, Error *error);

// The first failure of the temporary file since gdal_files_allow, whatever GDAL made of it.
Status gdal_files_check(Error *error);

// Removes all files that GDAL has created, and allows no others.
void gdal_files_end(void);

// Copies a file that GDAL has written, unless something of it was lost.
Status gdal_files_copy(const char *path, FILE *to, Error *error);

// Files that lie beside a raster and belong to it: headers, coordinate systems, masks. GDAL sees those that
// the recipe may read.

// Shows GDAL what lies beside the file `path`, which it sees as `shown` (gdal_files.h), until that is hidden.
void gdal_beside_show(const char *path, const char *shown);

// The ending of the header without which GDAL cannot read the file, "hdr" for "dem.flt". False if it needs
// none.
enum { GDAL_HEADER_MAX = 8 };
bool gdal_beside_header(const char *path, char header[GDAL_HEADER_MAX]);

// The text of the .aux.xml beside a file, in which GDAL keeps what a format cannot say; empty if there is
// none. GDAL does not read it here: it may name other files, which GDAL would open.
void gdal_beside_extra(const char *path, char *text, size_t size);

#endif
