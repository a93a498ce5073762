// Reads GeoJSON (RFC 7946, and the member "crs" of GeoJSON 2008) into Points, Lines or Polygons.

#ifndef ESKER_GEOJSON_READER_H
#define ESKER_GEOJSON_READER_H

#include "core/format.h"

// Reads `stream`, which may be another one than that of `reading`, and fills reading->type and
// reading->value. `system` (may be NULL) is where coordinates lie, whatever the text says.
Status geojson_read(Reading *reading, FILE *stream, const char *system, Error *error);

// Of a file that is GeoJSON.
Status read_geojson(Reading *reading, Error *error);

#endif
