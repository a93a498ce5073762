// What the writers of vectors share.

#ifndef ESKER_LINE_FILES_H
#define ESKER_LINE_FILES_H

#include "core/format.h"

// The GeoJSON of points; of lines and polygons.
Status points_geojson(const Writing *writing, Error *error);
Status shapes_geojson(const Writing *writing, Error *error);

// Points, lines or polygons of a file that GDAL reads.
Status read_vectors(Reading *reading, Error *error);

// Where a window without a frame lies in GeoJSON: N, the longer side, is 1.
Frame frame_in_json(const Frame *frame, int width, int height);

#define GEOJSON_PATH "/vsimem/esker-lines.geojson"

enum { ARGUMENTS_MAX = 80, ARGUMENT_MAX = 4096 };

// As those of ogr2ogr.
typedef struct Arguments {
    int count;
    char *at[ARGUMENTS_MAX + 1];
    char texts[ARGUMENTS_MAX][ARGUMENT_MAX];
} Arguments;

void add_argument(Arguments *arguments, const char *option, const char *key, const char *value);

#endif
