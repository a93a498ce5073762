// Files that lie beside a raster and belong to it: headers, coordinate systems, masks. GDAL sees those that
// the recipe may read.

#ifndef ESKER_GDAL_BESIDE_H
#define ESKER_GDAL_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

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
