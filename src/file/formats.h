// The file formats. Each reads into a new field or image, and writes through an open stream; `load` and
// `save` choose by the file's extension.

#ifndef ESKER_FORMATS_H
#define ESKER_FORMATS_H

#include "core/operation.h"

#include <stdio.h>
#include <string.h>

// The scale between heights and the numbers in a file: the file's 0 is `low`, its largest value `high`.
typedef struct Scale {
    double low, high;
    int bits; // 8 or 16
    int most; // the largest number; 0: 2^bits - 1
} Scale;

typedef struct Reading {
    FILE *stream;     // at its beginning
    const char *path; // for messages
    bool given;       // low and high were given; otherwise those stored in the file, or 0 and 1
    double low, high;
    int width, height;   // for formats that do not store it; 0: a square
    bool is_big;         // raw numbers have the highest byte first
    bool is_flipped;     // and the lowest row
    bool guessed;        // the ending is none of those that are known here
    int band;            // of a raster with several; 0: the first, or the colours
    const char *channel; // of an .exr, or the name of a band; NULL or "": the usual one
    double max_pixels;   // larger pictures are refused before allocating memory
    Field *field;        // one of the two is filled
    Image *image;
    Error *notice; // parts of the file that were dropped
} Reading;

// Fields of one size that are written into one file, each with a name of its own.
enum { LAYERS_MAX = 1 + FIELDS_MAX, LAYER_NAME_MAX = 63 };
typedef struct Layers {
    int count;
    const Field *at[LAYERS_MAX];
    char names[LAYERS_MAX][LAYER_NAME_MAX + 1];
} Layers;

static inline int layer_named(const Layers *layers, const char *name) {
    for (int i = 0; i < layers->count; i++)
        if (strcmp(layers->names[i], name) == 0)
            return i;
    return 0;
}

Status read_png(Reading *reading, Error *error);
Status write_png_field(FILE *stream, const Run *run, const Field *field, Scale scale, const Labels *labels,
                       Error *error);
Status write_png_image(FILE *stream, const Run *run, const Image *image, const Labels *labels, Error *error);

Status read_r16(Reading *reading, Error *error);
Status write_r16(FILE *stream, const Field *field, Scale scale, bool is_big, bool is_flipped);
Status read_r32(Reading *reading, Error *error);
Status write_r32(FILE *stream, const Field *field, bool is_big, bool is_flipped);

Status read_asc(Reading *reading, Error *error);
Status write_asc(FILE *stream, const Field *field);

Status read_pgm(Reading *reading, Error *error);
Status write_pgm(FILE *stream, const Field *field, Scale scale);

Status read_npy(Reading *reading, Error *error);
Status write_npy(FILE *stream, const Field *field);

Status read_exr(Reading *reading, Error *error);
Status write_exr(FILE *stream, const Layers *layers, bool half, const Labels *labels, Error *error);

// GeoTIFF and others, by GDAL.
Status read_raster(Reading *reading, Error *error);
typedef enum CellType { TYPE_FLOAT32, TYPE_INT16, TYPE_UINT16, TYPE_FLOAT16 } CellType;
Status write_tif_field(FILE *stream, const Field *field, CellType type, Scale scale, const Labels *labels,
                       Error *error);

Status write_tif_image(FILE *stream, const Image *image, const Labels *labels, Error *error);

// GeoJSON as a GeoPackage, whose table is called as the file `path`.
Status write_geopackage(FILE *stream, const char *path, char *geojson, size_t size, const Frame *frame,
                        const Labels *labels, Error *error);

// number_for_gaps: a number that no cell has, for cells without data; programs expect it in an ASC file in
// any case. number_below: the same for heights that are not below `lowest`, which is 0 or less.
double number_for_gaps(const Field *field);
double number_below(double lowest);

// The names of the scale in a PNG's texts and a PGM's comments.
#define SCALE_LOW "esker:low"
#define SCALE_HIGH "esker:high"

// Uses the scale stored in a file, unless the caller gave one or it is invalid.
void reading_scale(const Reading *reading, const char *low, const char *high, Scale *scale);

// Converts one row of heights to numbers 0 … 2^bits - 1, big-endian; heights outside the scale are clamped.
void quantize_row(const Field *field, int y, Scale scale, unsigned char *bytes);

// The reverse of quantize_row: stores `count` numbers as heights, `step` apart.
void dequantize_row(const unsigned char *bytes, int count, Scale scale, float *heights, int step);

// The error for files of no format that can be read.
Status refuse_format(const char *path, Error *error);

// The error for a range of heights given for a file that holds the heights themselves.
Status refuse_range(const Reading *reading, Error *error);

Status refuse_pixels(const Reading *reading, double width, double height, Error *error);

#endif
