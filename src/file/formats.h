// What the readers and writers of heights share. Each format is declared beside its code (core/format.h).

#ifndef ESKER_FORMATS_H
#define ESKER_FORMATS_H

#include "core/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

Status read_png(Reading *reading, Error *error);
Status write_png_field(FILE *stream, const Run *run, const Field *field, Scale scale, const Labels *labels,
                       Error *error);
Status write_png_image(FILE *stream, const Run *run, const Image *image, const Labels *labels, Error *error);

// The pixels of a picture that need not be in memory.
typedef struct PngPixels {
    int width, height;
    bool opaque; // all of them
    const Frame *frame;
    // Gives `count` of row y from column x on, on any thread.
    void (*read)(const void *context, int x, int y, int count, Pixel *pixels);
    const void *context;
} PngPixels;

Status write_png_pixels(FILE *stream, const Run *run, const PngPixels *pixels, const Labels *labels,
                        Error *error);

// Reads from the stream's position to the end; `path` is for messages. Appends the file's tEXt chunks to
// `labels`, in their order: at most 64 of at most 64 KiB, together 256 KiB; others are skipped. The caller
// frees `labels`, also after a failure.
Status png_read_text(FILE *stream, const char *path, Labels *labels, Error *error);

// The value of a label, or NULL.
const char *label_value(const Labels *labels, const char *key);

// Frees what png_read_text appended.
void labels_free(Labels *labels);

// Raw heights, of which nothing else is known.
Status write_r16(FILE *stream, const Field *field, Scale scale, bool is_big, bool is_flipped);
Status write_r32(FILE *stream, const Field *field, bool is_big, bool is_flipped);

// A number that no cell has, for those without data; programs expect it in an ASC file in any case. Or one
// for heights of which none is below `lowest`, which is 0 or less.
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

Status refuse_pixels(const Reading *reading, double width, double height, Error *error);

// --- numbers as bytes --------------------------------------------------------------------------------------

// Numbers as other programs store them: integers and floats of 1 to 8 bytes, in either byte order.

typedef struct NumberKind {
    char kind;   // 'f', 'i' or 'u', as numpy has it
    int bytes;   // 1, 2, 4 or 8; of floats 4 or 8
    bool is_big; // the highest byte first
} NumberKind;

double number_get(const unsigned char *bytes, NumberKind kind);

// The same of `count` numbers side by side, as floats.
void floats_get(const unsigned char *bytes, NumberKind kind, size_t count, float *numbers);

// --- numpy -------------------------------------------------------------------------------------------------

// The head of a numpy file.

typedef struct NpyArray {
    NumberKind numbers;
    bool by_columns; // as Fortran has them
    double width, height;
} NpyArray;

// Leaves the stream at the first number.
Status npy_read_header(const Reading *reading, NpyArray *array, Error *error);
void npy_write_header(FILE *stream, int width, int height);

// --- OpenEXR -----------------------------------------------------------------------------------------------

// OpenEXR's C library, which is opened when it is first needed.

// Opens the library, if it is there, before this process is confined.
void exr_prepare(void);

#endif
