// Rasters that GDAL reads and writes, some rows at a time: every block is decoded once, in its own order.

#ifndef ESKER_RASTER_H
#define ESKER_RASTER_H

#include "core/field.h"
#include "core/format.h"
#include "file/gdal.h"

#include <stdbool.h>

typedef struct Raster { // zeroed: closed
    const Gdal *gdal;
    const char *path; // for messages
    char file[GDAL_FILE_NAME];
    GdalHandle set, band; // heights are those of the band; NULL: not chosen
    GdalHandle alpha;     // cells where it is 0 have no data; NULL: none
    int width, height, bands;
    bool is_scaled, is_masked, is_signed; // `is_signed`: bytes, which are -128 to 127
    double scale, offset;
} Raster;

// Fills `error` with why GDAL reads no file of this ending, or not this one; false if no reason is known.
bool raster_explain(const char *path, Error *error);

// `stream` and `path` stay until it is closed. It is closed also after a failure.
Status raster_open(Raster *raster, FILE *stream, const char *path, Error *error);
void raster_close(Raster *raster);

// Chooses the band that has the heights, from 1 on.
Status raster_choose(Raster *raster, int band, Error *error);

// Reads a whole one, of heights or colours.
Status read_raster(Reading *reading, Error *error);

// Items of the band that has heights: what GeoTIFF has no place for.
#define RASTER_SEA "esker_sea" // a number, or RASTER_NO_HEIGHTS
#define RASTER_NO_HEIGHTS "no heights"
#define RASTER_TOP "esker_top"

// Where the cells lie, with the unit of the band if one is chosen; `notice` may be NULL.
Status raster_frame(const Raster *raster, Frame *frame, Error *notice, Error *error);

// Fills `rows`, which has the width of the raster, from row `first` on; cells without data are gaps.
Status raster_rows(const Raster *raster, int first, Field *rows, Error *error);

// The error that GDAL tells.
Status raster_fail(const Raster *raster, Error *error);

// Reads or writes (`way` is GDAL_READ or GDAL_WRITE) whole rows of a band, block by block: `cells` has the
// first of them, `type` is GDAL's, `step` the bytes of a cell.
int raster_move_rows(const Gdal *gdal, GdalHandle band, int way, const Field *shape, int first, void *cells,
                     int type, int step);

// A GeoTIFF of heights, or of a picture with 3 or 4 channels. Its cells are collected in this process's
// temporary file, because a cloud-optimised one begins with its overviews. One at a time.
typedef struct RasterWriter { // zeroed: closed
    const Gdal *gdal;
    GdalHandle set; // of what is written
    int channels;   // 0: heights
    int row;        // the next one
    bool has_gaps;
    float lowest; // of the heights, or 0
} RasterWriter;

Status raster_writer_open(RasterWriter *writer, int width, int height, int channels, Error *error);
Status raster_writer_add(RasterWriter *writer, Field *rows, Error *error);
Status raster_writer_add_pixels(RasterWriter *writer, Pixel *pixels, int rows, Error *error);
Status raster_writer_finish(RasterWriter *writer, FILE *to, const Frame *frame, const Labels *labels,
                            Error *error);
void raster_writer_close(RasterWriter *writer);

#endif
