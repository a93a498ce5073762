// Pictures that are written some rows at a time, larger than memory: PNG and GeoTIFF. Their pixels are
// collected in this process's temporary file, because the head of the file says whether all of them are
// opaque.

#ifndef ESKER_PICTURE_FILE_H
#define ESKER_PICTURE_FILE_H

#include "core/format.h"
#include "core/image.h"
#include "core/scratch.h"
#include "file/formats.h"
#include "file/whole_file.h"

typedef struct PictureWriter { // zeroed: closed
    WholeFile file;
    const FileFormat *format;
    ScratchRange pixels;
    bool open, transparent; // whether a pixel is
    int width, height, row; // the next one
    char path[4096];
} PictureWriter;

Status picture_writer_open(PictureWriter *writer, const char *path, int width, int height, Error *error);

// Adds these rows of an image.
Status picture_writer_add(PictureWriter *writer, const Image *image, int first, int rows, Error *error);

// Writes the bytes that the format's writer writes of a whole image. `labels` may be NULL.
Status picture_writer_finish(PictureWriter *writer, const Run *run, const Frame *frame, const Labels *labels,
                             Error *error);
void picture_writer_abandon(PictureWriter *writer); // does nothing if it is closed

#endif
