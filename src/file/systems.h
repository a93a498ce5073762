// Names of coordinate systems, by GDAL.

#ifndef ESKER_SYSTEMS_H
#define ESKER_SYSTEMS_H

#include "core/frame.h"
#include "file/gdal.h"

// "EPSG:26916" where the system of this WKT is one that has a code, else the WKT; NULL for an empty one.
Status system_name(const Gdal *gdal, const char *wkt, const char **kept, Error *error);

// The reverse, `esri`: as ESRI's programs write it. Freed by VSIFree. NULL with the error filled if GDAL does
// not know the system.
char *system_wkt(const Gdal *gdal, const char *name, bool esri, Error *error);

// The .prj beside a file: false if it could not be written, as without GDAL. NULL if there is none.
bool prj_write(const char *path, const char *system);
const char *prj_read(const char *path);

#endif
