// The file formats. Each reads into a new field or image, and writes through an open stream; `load` and
// `save` choose by the file's extension.

#ifndef ESKER_FORMATS_H
#define ESKER_FORMATS_H

#include "core/operation.h"

#include <stdio.h>

// How heights and the numbers in a file belong together: the file's 0 is `low`, its largest value `high`.
typedef struct Scale {
    double low, high;
    int bits; // 8 or 16
} Scale;

typedef struct Reading {
    FILE *stream;     // at its beginning
    const char *path; // for messages
    bool given;       // low and high were given; otherwise the file's own say, or 0 and 1
    double low, high;
    int width, height; // for formats that do not say; 0: a square
    double max_pixels; // larger pictures are refused before memory is taken
    Field *field;      // one of the two is filled
    Image *image;
    Error *notice; // what of the file was not kept
} Reading;

Status read_png(Reading *reading, Error *error);
Status write_png_field(FILE *stream, const Run *run, const Field *field, Scale scale, const Labels *labels,
                       Error *error);
Status write_png_image(FILE *stream, const Run *run, const Image *image, const Labels *labels, Error *error);

Status read_r16(Reading *reading, Error *error);
Status write_r16(FILE *stream, const Field *field, Scale scale);

Status read_asc(Reading *reading, Error *error);
Status write_asc(FILE *stream, const Field *field);

Status read_pgm(Reading *reading, Error *error);
Status write_pgm(FILE *stream, const Field *field, Scale scale);

// Under these names a PNG's texts and a PGM's comments hold the scale.
#define SCALE_LOW "esker:low"
#define SCALE_HIGH "esker:high"

// Takes the scale that a file states, unless the caller gave one or it makes no sense.
void reading_scale(const Reading *reading, const char *low, const char *high, Scale *scale);

// One row of heights as numbers 0 … 2^bits - 1, the higher byte first; heights outside the scale are cut off.
void quantize_row(const Field *field, int y, Scale scale, unsigned char *bytes);

// The other way round: `count` numbers into every `step`-th of the heights.
void dequantize_row(const unsigned char *bytes, int count, Scale scale, float *heights, int step);

Status refuse_pixels(const Reading *reading, double width, double height, Error *error);

#endif
