// Coordinate systems by GDAL: their names, and what they are on the ground.

#ifndef ESKER_COORDINATE_SYSTEMS_H
#define ESKER_COORDINATE_SYSTEMS_H

#include "core/frame.h"
#include "core/operation.h"
#include "file/gdal.h"
#include "file/whole_file.h"

#include <stdbool.h>

// "EPSG:26916", or "EPSG:26916+5703" with a vertical one, where the system of this WKT has codes, else the
// WKT; NULL for an empty one.
Status system_name(const Gdal *gdal, const char *wkt, const char **kept, Error *error);

// The reverse, `esri`: as ESRI's programs write it. Freed by VSIFree. NULL with the error filled if GDAL does
// not know the system.
char *system_wkt(const Gdal *gdal, const char *name, bool esri, Error *error);

// Writes the .prj beside a file; `named` is false where GDAL is missing or does not know the system.
Status prj_write(WholeFile *file, const char *path, const char *system, bool *named, Error *error);

// The system of the .prj beside a file, or NULL.
const char *prj_read(const char *path);

// --- texts of fields ---------------------------------------------------------------------------------------

// Frames as users write them: the arguments of the operation georeference, and the property `frame`.

typedef struct Georeference {
    double x, y, cell, cell_width, cell_height, turn_x, turn_y, sea, top;
    const char *system, *unit;
    const Field *like;
    bool heights, nowhere;
} Georeference;

extern const Operation op_georeference;

// The frame that the arguments describe. What is not given is as in the frame of `given->like`, without it as
// in `base`; where that is NULL or not set, at 0, 0 with cells of 1.
Status georeference_frame(const Georeference *given, const Frame *base, Frame *frame, Error *error);

#endif
