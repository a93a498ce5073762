// Coordinate systems as GDAL's objects, and what they are on the ground.

#ifndef ESKER_SYSTEM_GROUND_H
#define ESKER_SYSTEM_GROUND_H

#include "core/earth.h"
#include "file/gdal.h"

// The system of a frame: "EPSG:26916", "EPSG:26916+5703" or WKT; freed by OSRRelease. NULL: GDAL does not
// know it.
GdalHandle system_open(const Gdal *gdal, const char *name);

#endif
