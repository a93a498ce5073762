// GeoPackages, which GDAL makes of GeoJSON.

#ifndef ESKER_GEOPACKAGE_H
#define ESKER_GEOPACKAGE_H

#include "core/format.h"

// Writes the value whose GeoJSON this is; the table is called as the file.
Status write_geopackage(const Writing *writing, char *geojson, size_t size, Error *error);

#endif
